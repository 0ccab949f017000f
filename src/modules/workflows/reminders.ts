import { selectColumns, selectColumnsAs } from '../../database/columns.ts';
import { changed, type Em, type RawBuilder, row, rows, sql } from '../../database/sql.ts';
import { deleteFrom, selectFrom } from '../../database/statements.ts';
import type { BookingFacts, RecordedEvent } from '../../events/record-event.ts';
import { Booking, hostIdsOf } from '../bookings/booking.entity.ts';
import { lockOwner } from '../teams/lock-owner.ts';
import { bookingMatter } from './sendings/booking-matter.ts';
import { type PlanSettings, planMessages, type Started } from './sendings/plan-messages.ts';
import {
  asItStands,
  BOOKINGS_WITH_WORKFLOWS,
  DUE_AT,
  IS_ABOUT_IT,
  type WorkflowEvent,
} from './sendings/plan-sendings.ts';
import { Workflow, WorkflowReminder } from './workflow.entity.ts';

export type WorkflowChanged = Extract<RecordedEvent, { readonly type: 'WORKFLOW_CHANGED' }>;

/** A reminder that is due. */
export interface DueReminder {
  readonly teamId: string;
  readonly workflowId: string;
  readonly ownerId: string;
  readonly bookingId: string;
  /** RFC 3339 */
  readonly dueAt: string;
}

/** SQL: whether anything is due. */
export const HAS_DUE_REMINDERS = sql<boolean>`exists (select from workflow_reminders where due_at <= now())`;

/**
 * Plans what workflows send before and after a booking that is agreed on. Messages that would have been due before that
 * are left out.
 */
export async function planReminders(em: Em, { ownerId, booking, occurredAt }: WorkflowEvent): Promise<void> {
  await plan(em, sql`b.owner_id = ${ownerId} and b.id = ${booking.id}`, occurredAt);
}

/** The longest offset and the longest booking. */
const LONGEST = sql`interval '31 days'`;

/**
 * Plans anew what a workflow sends before and after the bookings that stand. Messages that were due by then stay
 * planned: each is looked at once more when it is sent (`beginReminder`).
 */
export async function planWorkflow(
  em: Em,
  { ownerId: teamId, workflowId, occurredAt }: WorkflowChanged,
): Promise<void> {
  await em.transactional(async (inner) => {
    // Before its reminders, as a deletion of either goes on to those.
    const isThere = (await lockOwner(inner, teamId)) && (await row(inner, lockingWorkflow({ teamId, id: workflowId })));
    if (!isThere) return;
    await changed(inner, deleteFrom(WorkflowReminder, { teamId, workflowId }).where('dueAt', '>', occurredAt));
    const isIts = sql`w.team_id = ${teamId} and w.id = ${workflowId}`;
    // No booking takes longer than a day, so no reminder after one of an earlier start is still to come.
    const isToCome = (alias: string): RawBuilder<unknown> => sql`
      ${sql.ref(`${alias}.status`)} = 'ACCEPTED' and ${sql.ref(`${alias}.starts_at`)} > ${occurredAt}::timestamptz - ${LONGEST}`;
    await plan(inner, sql`${isIts} and b.team_id = ${teamId} and ${isToCome('b')}`, occurredAt);
    // People book the members' copies of a managed event type. Such a booking stays the team's when the member loses the copy.
    await plan(
      inner,
      sql`${isIts} and (b.owner_id, b.id) in (
        select h.owner_id, h.booking_id from team_memberships m
        join booking_hosts h on h.user_id = m.user_id and h.owner_id = m.user_id and ${isToCome('h')}
        where m.team_id = ${teamId} and m.accepted)`,
      occurredAt,
    );
  });
}

/** Takes reminders that are due, the longest due first: each is taken by one process, once, if the transaction is committed. */
export async function takeDueReminders(em: Em, limit: number): Promise<readonly DueReminder[]> {
  return rows(
    em,
    sql<DueReminder>`
      delete from workflow_reminders r using (
        select d.team_id, d.workflow_id, d.booking_id from workflow_reminders d
        where d.due_at <= now() order by d.due_at limit ${limit}::int for update skip locked
      ) as due
      where r.team_id = due.team_id and r.workflow_id = due.workflow_id and r.booking_id = due.booking_id
      returning ${selectColumns(WorkflowReminder, ['teamId', 'workflowId', 'ownerId', 'bookingId', 'dueAt'], 'r')}`,
  );
}

/**
 * Writes down the messages of a reminder, unless the booking or the workflow was changed so that it is due at another time, or
 * not at all.
 */
export async function beginReminder(em: Em, due: DueReminder, settings: PlanSettings): Promise<void> {
  const found = await findDue(em, due);
  if (!found) return;
  const { ownerId, bookingId, dueAt } = due;
  const { teamId, id, steps, ...facts } = found;
  const booking: BookingFacts = { ...facts, id: bookingId, thread: bookingId };
  const event = asItStands({ id: bookingId, ownerId, occurredAt: dueAt, booking });
  const matter = await bookingMatter(em, event, steps);
  if (matter) await planMessages(em, [{ teamId, id, steps }], { matter, event, occurrence: dueAt }, settings);
}

/** SQL: whether it has been sent for that time already, or is about to be: the workflow was changed just before. */
const IS_BEGUN = sql`exists (select from workflow_sendings s where s.team_id = w.team_id and s.about_id = b.id
  and s.workflow_id = w.id and s.occurrence = (${DUE_AT})::text)`;

async function plan(em: Em, which: RawBuilder<unknown>, since: string): Promise<void> {
  await changed(
    em,
    sql`insert into workflow_reminders (team_id, workflow_id, owner_id, booking_id, due_at)
        select w.team_id, w.id, b.owner_id, b.id, ${DUE_AT}
        from ${BOOKINGS_WITH_WORKFLOWS}
        where ${which} and b.status = 'ACCEPTED' and ${IS_ABOUT_IT} and ${DUE_AT} > ${since}::timestamptz
          and not ${IS_BEGUN}
        for key share of w, b
        on conflict (team_id, workflow_id, booking_id) do update set due_at = excluded.due_at`,
  );
}

function lockingWorkflow(key: { readonly teamId: string; readonly id: string }) {
  return selectFrom(Workflow, key).select('id').forKeyShare();
}

type Found = Started & Pick<BookingFacts, 'eventTypeId' | 'hostIds' | 'start' | 'end'>;

function findDue(em: Em, { teamId, workflowId, ownerId, bookingId, dueAt }: DueReminder): Promise<Found | undefined> {
  return row(
    em,
    sql<Found>`
      select ${selectColumns(Workflow, ['teamId', 'id', 'steps'], 'w')},
        ${selectColumnsAs(Booking, { eventTypeId: 'eventTypeId', start: 'startsAt', end: 'endsAt' }, 'b')},
        ${hostIdsOf('b')} as "hostIds"
      from ${BOOKINGS_WITH_WORKFLOWS}
      where b.owner_id = ${ownerId} and b.id = ${bookingId} and w.team_id = ${teamId} and w.id = ${workflowId}
        and b.status = 'ACCEPTED' and ${IS_ABOUT_IT} and ${DUE_AT} = ${dueAt}::timestamptz`,
  );
}
