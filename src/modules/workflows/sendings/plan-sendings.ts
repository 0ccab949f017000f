import { selectColumns } from '../../../database/columns.ts';
import { type Em, type RawBuilder, rows, sql } from '../../../database/sql.ts';
import { selectFrom } from '../../../database/statements.ts';
import { type DomainEventType, NOBODY, type RecordedEvent } from '../../../events/record-event.ts';
import type { BookingChange } from '../../bookings/booking.queries.ts';
import type { BookingStatus } from '../../bookings/booking-transitions.rules.ts';
import { hasBookingsOf } from '../../bookings/lists/listed-owners.queries.ts';
import { isReachedBy, REACH } from '../../levels/reach.ts';
import { Workflow } from '../workflow.entity.ts';
import type { WorkflowStep, WorkflowTrigger } from '../workflow.rules.ts';
import { bookingMatter } from './booking-matter.ts';
import { type FormSubmitted, formMatter } from './form-matter.ts';
import { type PlanSettings, planMessages, type Started } from './plan-messages.ts';

/** The events of bookings that start workflows. */
const TRIGGER_OF = {
  BOOKING_CREATED: 'NEW_BOOKING',
  BOOKING_CONFIRMED: 'NEW_BOOKING',
  BOOKING_CANCELLED: 'BOOKING_CANCELLED',
  BOOKING_RESCHEDULED: 'BOOKING_RESCHEDULED',
  BOOKING_REQUESTED: 'BOOKING_REQUESTED',
  BOOKING_REJECTED: 'BOOKING_REJECTED',
  BOOKING_ABSENCE_MARKED: 'BOOKING_ABSENCE_MARKED',
} as const satisfies Partial<Record<DomainEventType, WorkflowTrigger>>;

type WorkflowEventType = keyof typeof TRIGGER_OF;
export const WORKFLOW_EVENTS = Object.keys(TRIGGER_OF) as WorkflowEventType[];
export type WorkflowEvent = Extract<RecordedEvent, { readonly type: WorkflowEventType }>;

const STANDING: readonly BookingStatus[] = ['PENDING', 'ACCEPTED'];

// SQL over `w`, a workflow, `b`, a booking, and `e`, its event type.

/** SQL over `b`: the team that it may be of. */
const TEAM_OF_BOOKING = sql`coalesce(b.team_id, (b.managed_by->>'id')::uuid)`;

/** Bookings with the active workflows that are about them: those of their team, or of the team that manages their event type. */
export const BOOKINGS_WITH_WORKFLOWS = sql`
  bookings b
  join workflows w on w.team_id = ${TEAM_OF_BOOKING} and ${isOfTeam(sql`w.team_id`)} and w.is_active
  left join event_types e on e.owner_id = b.owner_id and e.id = b.event_type_id`;

/** Whether it is about its event type; a child of a managed one counts as that. */
export const IS_ABOUT_IT = sql`(w.event_type_ids is null or b.event_type_id = any(w.event_type_ids)
  or e.parent_id = any(w.event_type_ids))`;

const OFFSET = sql`make_interval(mins => (w.event_offset->>'value')::int
  * case w.event_offset->>'unit' when 'MINUTE' then 1 when 'HOUR' then 60 else 1440 end)`;

/** When it is due; null where it goes by no time. */
export const DUE_AT: RawBuilder<string | null> = sql`case w.trigger
  when 'BEFORE_BOOKING_START' then b.starts_at - ${OFFSET} when 'AFTER_BOOKING_END' then b.ends_at + ${OFFSET} end`;

/** Writes down each message that an event leads to, once for each step and receiver: again, it changes nothing. */
export async function planSendings(
  em: Em,
  event: WorkflowEvent | FormSubmitted,
  settings: PlanSettings,
): Promise<void> {
  const isForm = event.type === 'ROUTING_FORM_SUBMITTED';
  const workflows = isForm ? await findStartedByForm(em, event) : await findStarted(em, event);
  if (workflows.length === 0) return;
  const messageEvent = isForm ? event : mailedEvent(event);
  const matter =
    messageEvent.type === 'ROUTING_FORM_SUBMITTED'
      ? await formMatter(em, messageEvent)
      : await bookingMatter(em, messageEvent, stepsOf(workflows));
  if (matter) await planMessages(em, workflows, { matter, event: messageEvent, occurrence: event.id }, settings);
}

/** Whether the booking may be agreed on since: then what goes by its time is planned. */
export function isAgreedOn({ type }: WorkflowEvent): boolean {
  return type === 'BOOKING_CREATED' || type === 'BOOKING_CONFIRMED' || type === 'BOOKING_RESCHEDULED';
}

/** The event of a message that is about a booking as it stands, and that nobody has caused. */
export function asItStands({
  id,
  ownerId,
  occurredAt,
  booking,
}: Pick<WorkflowEvent, 'id' | 'ownerId' | 'occurredAt' | 'booking'>): BookingChange {
  return { type: 'BOOKING_CONFIRMED', id, ownerId, occurredAt, booking, by: NOBODY };
}

/**
 * The statuses with which a booking still is what a message tells of: nobody is told that one is new which was
 * cancelled since.
 */
const NOTIFIED_OF: Readonly<Record<WorkflowTrigger, readonly BookingStatus[]>> = {
  NEW_BOOKING: ['ACCEPTED'],
  BOOKING_REQUESTED: STANDING,
  BOOKING_RESCHEDULED: STANDING,
  // With seats, one of them is cancelled, and the others stay.
  BOOKING_CANCELLED: [...STANDING, 'CANCELLED', 'REJECTED'],
  BOOKING_REJECTED: ['REJECTED'],
  BOOKING_ABSENCE_MARKED: ['ACCEPTED'],
  ROUTING_FORM_SUBMITTED: [],
  BEFORE_BOOKING_START: ['ACCEPTED'],
  AFTER_BOOKING_END: ['ACCEPTED'],
};

export function isStillNotified(trigger: WorkflowTrigger, status: BookingStatus): boolean {
  return NOTIFIED_OF[trigger].includes(status);
}

/**
 * SQL over `b`: whether it is this team's: its list has it, or what the team manages was booked of somebody who still is a member.
 * Bookings of such event types are their hosts' own, and go with those who leave.
 */
export function isOfTeam(teamId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(${teamId} = ${TEAM_OF_BOOKING} and (
    ${hasBookingsOf({ level: 'team', groupId: teamId, actorId: sql`null` }, sql`b.owner_id`)}
    or ${isReachedBy(REACH.team.PERSON, teamId, sql`b.owner_id`)}))`;
}

/** The active workflows of the form's team which it starts. Forms of organizations start none: those have no workflows. */
function findStartedByForm(em: Em, { ownerId, routingFormId }: FormSubmitted): Promise<Started[]> {
  return rows(
    em,
    selectFrom(Workflow, { teamId: ownerId, isActive: true, trigger: 'ROUTING_FORM_SUBMITTED' })
      .where(sql<boolean>`(item.routing_form_ids is null or ${routingFormId}::uuid = any(item.routing_form_ids))`)
      .select(['teamId', 'id', 'steps'])
      .orderBy('id'),
  );
}

/** The active workflows of the booking's team, or of the team that manages its event type, which the event starts. */
function findStarted(em: Em, event: WorkflowEvent): Promise<Started[]> {
  return rows(
    em,
    sql<Started>`
      select ${selectColumns(Workflow, ['teamId', 'id', 'steps'], 'w')}
      from ${BOOKINGS_WITH_WORKFLOWS}
      where b.owner_id = ${event.ownerId} and b.id = ${event.booking.id} and w.trigger = ${triggerOf(event)} and ${IS_ABOUT_IT}
      order by w.id`,
  );
}

function triggerOf({ type }: WorkflowEvent): WorkflowTrigger {
  return TRIGGER_OF[type];
}

/** The event as mails about bookings know it: what they have no words for tells of a booking as it stands. */
function mailedEvent(event: WorkflowEvent): BookingChange {
  if (event.type !== 'BOOKING_ABSENCE_MARKED') return event;
  return asItStands(event);
}

function stepsOf(workflows: readonly Started[]): readonly WorkflowStep[] {
  return workflows.flatMap(({ steps }) => steps);
}
