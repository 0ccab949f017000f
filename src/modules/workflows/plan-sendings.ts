import { newId } from '../../core/id.ts';
import { selectColumns } from '../../database/columns.ts';
import { type Em, rows, sql } from '../../database/sql.ts';
import type { MailLimit } from '../../limits/mail-limit.ts';
import { noteUnsent, occasionOf } from '../bookings/mails/booking-mail.ts';
import type { BookingMailEvent } from '../bookings/mails/booking-mail-events.ts';
import type { Occasion, Receiver } from '../bookings/mails/booking-mail-receivers.ts';
import { Workflow } from './workflow.entity.ts';
import type { WorkflowStep } from './workflow.rules.ts';
import { BOOKINGS_WITH_WORKFLOWS, IS_ABOUT_IT } from './workflow-condition.queries.ts';
import { mailedEvent, triggerOf, type WorkflowEvent } from './workflow-events.ts';
import { countedFor, findSendingTeam, mailboxOf, receiversOfStep } from './workflow-receivers.ts';
import { WorkflowSending } from './workflow-sending.entity.ts';

/** A message that is to be sent: its row, and what it tells of. */
export interface PlannedSending {
  readonly teamId: string;
  readonly id: string;
  readonly event: BookingMailEvent;
}

/** A workflow that an event starts. */
export interface Started {
  readonly teamId: string;
  readonly id: string;
  readonly steps: readonly WorkflowStep[];
}

interface Message {
  readonly workflow: Started;
  readonly step: WorkflowStep;
  readonly receiver: Receiver;
}

/**
 * Writes down each message that an event leads to, once for each step and receiver: again, it changes nothing.
 * @returns those that are to be sent
 */
export async function planSendings(
  em: Em,
  event: WorkflowEvent,
  settings: { readonly mailLimit: MailLimit },
): Promise<readonly PlannedSending[]> {
  const workflows = await findStarted(em, event);
  if (workflows.length === 0) return [];
  const told = mailedEvent(event);
  const occasion = await occasionOf(em, told);
  return occasion ? planFor(em, workflows, occasion, event.id, settings.mailLimit) : [];
}

/** The same for workflows that are known to be due. `occurrence` says what for: it goes once for each. */
export async function planFor(
  em: Em,
  workflows: readonly Started[],
  occasion: Occasion,
  occurrence: string,
  mailLimit: MailLimit,
): Promise<readonly PlannedSending[]> {
  const messages: Message[] = [];
  for (const workflow of workflows) {
    const team = await findSendingTeam(em, workflow.teamId, workflow.steps);
    for (const step of workflow.steps)
      messages.push(...receiversOfStep(step, occasion, team).map((receiver) => ({ workflow, step, receiver })));
  }
  const decisions = await mailLimit.admit(
    em,
    messages.map(({ workflow, receiver }) => countedFor(workflow.teamId, receiver, occasion)),
  );
  const isHeldBack = messages.map((_, index) => decisions[index]?.limit !== undefined);
  const { booking, event } = occasion;
  const planned = await rows(
    em,
    sql<Omit<PlannedSending, 'event'>>`
      with planned as (
        insert into workflow_sendings
          (team_id, id, workflow_id, step_id, booking_id, receiver, occurrence, status, created_at)
        select m.team_id, m.id, m.workflow_id, m.step_id, ${booking.id}::uuid, m.receiver, ${occurrence}::text,
          case when m.is_held_back then 'HELD_BACK' else 'PENDING' end, now()
        from unnest(
          ${messages.map(({ workflow }) => workflow.teamId)}::uuid[], ${messages.map(() => newId())}::uuid[],
          ${messages.map(({ workflow }) => workflow.id)}::uuid[], ${messages.map(({ step }) => step.id)}::uuid[],
          ${messages.map(({ receiver }) => mailboxOf(receiver))}::text[], ${isHeldBack}::boolean[]
        ) as m(team_id, id, workflow_id, step_id, receiver, is_held_back)
        where exists (select 1 from workflows w where w.team_id = m.team_id and w.id = m.workflow_id)
        on conflict (team_id, booking_id, workflow_id, step_id, receiver, occurrence)
          do update set occurrence = excluded.occurrence
        returning team_id, id, status
      )
      select ${selectColumns(WorkflowSending, ['teamId', 'id'], 'planned')} from planned where status = 'PENDING'`,
  );
  const unsent = isHeldBack.filter(Boolean).length;
  if (unsent > 0) await noteUnsent(em, booking, unsent);
  return planned.map((sending) => ({ ...sending, event }));
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
