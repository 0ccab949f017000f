import { newId } from '../../../core/id.ts';
import { selectColumns } from '../../../database/columns.ts';
import { type Em, rows, sql } from '../../../database/sql.ts';
import { selectFrom } from '../../../database/statements.ts';
import type { MailLimit } from '../../../limits/mail-limit.ts';
import type { SmsLimit } from '../../../limits/sms-limit.ts';
import type { BookingChange } from '../../bookings/booking-changes.ts';
import type { ReceiverKind } from '../../verified-resources/verified-resource.rules.ts';
import { Workflow } from '../workflow.entity.ts';
import { ACTIONS, type WorkflowStep } from '../workflow.rules.ts';
import { bookingMatter } from './booking-matter.ts';
import { type FormSubmitted, formMatter } from './form-matter.ts';
import { type Addressee, type Matter, mailboxOf } from './matter.ts';
import { findSendingTeam } from './sending-team.queries.ts';
import { BOOKINGS_WITH_WORKFLOWS, IS_ABOUT_IT } from './workflow-condition.queries.ts';
import { mailedEvent, triggerOf, type WorkflowEvent } from './workflow-events.ts';
import { WorkflowSending } from './workflow-sending.entity.ts';

export interface SendingLimits {
  readonly mailLimit: MailLimit;
  readonly smsLimit: SmsLimit;
}

/** A message that is to be sent: its row, by what it goes, and what it tells of. */
export interface PlannedSending {
  readonly teamId: string;
  readonly id: string;
  readonly by: ReceiverKind;
  readonly event: ToldEvent;
}

/** What messages tell of. */
export type ToldEvent = BookingChange | FormSubmitted;

/** A workflow that an event starts. */
export interface Started {
  readonly teamId: string;
  readonly id: string;
  readonly steps: readonly WorkflowStep[];
}

interface Message {
  readonly workflow: Started;
  readonly step: WorkflowStep;
  readonly addressee: Addressee;
}

/**
 * Writes down each message that an event leads to, once for each step and receiver: again, it changes nothing.
 * @returns those that are to be sent
 */
export async function planSendings(
  em: Em,
  event: WorkflowEvent | FormSubmitted,
  limits: SendingLimits,
): Promise<readonly PlannedSending[]> {
  const isForm = event.type === 'ROUTING_FORM_SUBMITTED';
  const workflows = isForm ? await findStartedByForm(em, event) : await findStarted(em, event);
  if (workflows.length === 0) return [];
  const told = isForm ? event : mailedEvent(event);
  const matter =
    told.type === 'ROUTING_FORM_SUBMITTED'
      ? await formMatter(em, told)
      : await bookingMatter(em, told, stepsOf(workflows));
  return matter ? planFor(em, workflows, { matter, event: told, occurrence: event.id }, limits) : [];
}

function stepsOf(workflows: readonly Started[]): readonly WorkflowStep[] {
  return workflows.flatMap(({ steps }) => steps);
}

/** What workflows are due for. */
export interface Due {
  readonly matter: Matter;
  readonly event: ToldEvent;
  /** What for: each message goes once for each. */
  readonly occurrence: string;
}

/** The same for workflows that are known to be due. */
export async function planFor(
  em: Em,
  workflows: readonly Started[],
  { matter, event, occurrence }: Due,
  limits: SendingLimits,
): Promise<readonly PlannedSending[]> {
  const messages: Message[] = [];
  for (const workflow of workflows) {
    const team = await findSendingTeam(em, workflow.teamId, workflow.steps);
    for (const step of workflow.steps)
      messages.push(...matter.addresseesOf(step, team).map((addressee) => ({ workflow, step, addressee })));
  }
  const heldBack = await tooMany(em, messages, limits);
  const planned = await rows(
    em,
    sql<{ teamId: string; id: string; stepId: string }>`
      with planned as (
        insert into workflow_sendings
          (team_id, id, workflow_id, step_id, about_id, receiver, occurrence, status, created_at)
        select m.team_id, m.id, m.workflow_id, m.step_id, ${matter.id}::uuid, m.receiver, ${occurrence}::text,
          case when m.is_held_back then 'HELD_BACK' else 'PENDING' end, now()
        from unnest(
          ${messages.map(({ workflow }) => workflow.teamId)}::uuid[], ${messages.map(() => newId())}::uuid[],
          ${messages.map(({ workflow }) => workflow.id)}::uuid[], ${messages.map(({ step }) => step.id)}::uuid[],
          ${messages.map(({ addressee }) => mailboxOf(addressee))}::text[], ${messages.map((one) => heldBack.has(one))}::boolean[]
        ) as m(team_id, id, workflow_id, step_id, receiver, is_held_back)
        where exists (select 1 from workflows w where w.team_id = m.team_id and w.id = m.workflow_id)
        on conflict (team_id, about_id, workflow_id, step_id, receiver, occurrence)
          do update set occurrence = excluded.occurrence
        returning team_id, id, step_id, status
      )
      select ${selectColumns(WorkflowSending, ['teamId', 'id', 'stepId'], 'planned')} from planned where status = 'PENDING'`,
  );
  if (heldBack.size > 0) await matter.noteUnsent(em, heldBack.size);
  const actions = new Map(messages.map(({ step }) => [step.id, step.action]));
  return planned.map(({ stepId, ...sending }) => ({
    ...sending,
    by: ACTIONS[actions.get(stepId) ?? 'EMAIL_HOST'].by,
    event,
  }));
}

/** Those of the messages for which there is no room any more. */
async function tooMany(
  em: Em,
  messages: readonly Message[],
  { mailLimit, smsLimit }: SendingLimits,
): Promise<ReadonlySet<Message>> {
  const mails = messages.filter(({ addressee }) => addressee.by === 'EMAIL');
  const ofMails = await mailLimit.admit(
    em,
    mails.map(({ workflow, addressee: { to, isKnown, isExpected, userId, network: from } }) => ({
      to,
      purpose: isExpected ? 'EXPECTED' : 'NEWS',
      cause: { kind: 'WORKFLOW', teamId: workflow.teamId, isKnown, userId, from },
    })),
  );
  const sms = messages.filter(({ addressee }) => addressee.by === 'PHONE');
  const ofSms = await smsLimit.admitEach(
    em,
    sms.map(({ workflow, addressee: { to, isKnown, userId, network } }) => ({
      to,
      ownerId: workflow.teamId,
      workflow: { isKnown, userId, network },
    })),
  );
  return new Set([
    ...mails.filter((_, index) => ofMails[index]?.limit !== undefined),
    ...sms.filter((_, index) => 'secondsToWait' in (ofSms[index] ?? {})),
  ]);
}

/** The active workflows of the form's team which it starts. Forms of organizations start none: those have no workflows. */
function findStartedByForm(em: Em, { ownerId, routingFormId }: FormSubmitted): Promise<Started[]> {
  return rows(
    em,
    selectFrom(Workflow, { teamId: ownerId, isActive: true, trigger: 'FORM_SUBMITTED' })
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
