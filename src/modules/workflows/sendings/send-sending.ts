import { instantOf } from '../../../core/instant.ts';
import { selectColumns, selectColumnsAs } from '../../../database/columns.ts';
import { changed, type Em, row, sql } from '../../../database/sql.ts';
import { updateTable } from '../../../database/statements.ts';
import type { Mail } from '../../../mail/mailer.ts';
import type { Sms } from '../../../sms/sms.ts';
import type { BookingMailSettings } from '../../bookings/mails/booking-mail-settings.ts';
import { Team } from '../../teams/team.entity.ts';
import { Workflow } from '../workflow.entity.ts';
import type { SendingStatus, WorkflowStep, WorkflowTrigger } from '../workflow.rules.ts';
import { bookingMatter } from './booking-matter.ts';
import { formMatter } from './form-matter.ts';
import { type Matter, mailboxOf } from './matter.ts';
import type { PlannedSending, ToldEvent } from './plan-messages.ts';
import { findSendingTeam } from './sending-team.queries.ts';
import { isOfTeam } from './workflow-condition.queries.ts';
import { isStillTold } from './workflow-events.ts';
import { WorkflowSending } from './workflow-sending.entity.ts';
import { mailTo, wordsFor } from './write-message.ts';

export interface SendingSettings extends BookingMailSettings {
  readonly deliver: (mail: Mail) => Promise<void>;
  readonly deliverSms: (sms: Sms) => Promise<void>;
}

interface SendingRow {
  readonly status: SendingStatus;
  readonly receiver: string;
  readonly stepId: string;
  readonly trigger: WorkflowTrigger;
  readonly isActive: boolean;
  readonly steps: readonly WorkflowStep[];
  readonly teamName: string;
  /** Whether what it tells of is the team's, by now. */
  readonly isTeams: boolean;
  /** RFC 3339 */
  readonly now: string;
}

/**
 * Sends a message, in the words that the workflow has now and with the booking as it is; none any more if either has changed so
 * that it makes no sense. It goes twice only if the process dies between the answer of the mail server, or of the provider of SMS,
 * and the note of it, and then with the same Message-ID, or Idempotency-Key. @throws whatever `deliver` and `deliverSms` do
 */
export async function sendSending(em: Em, sending: PlannedSending, settings: SendingSettings): Promise<void> {
  const found = await findSending(em, sending);
  if (found?.status !== 'PENDING') return;
  const deliver = await deliveryOf(em, sending, found, settings);
  await deliver?.();
  const status: SendingStatus = deliver ? 'SENT' : 'DROPPED';
  const { teamId, id } = sending;
  await changed(em, updateTable(WorkflowSending, { teamId, id }).set({ status }));
}

/** What sends it; undefined where it is not to be sent any more. */
async function deliveryOf(
  em: Em,
  { teamId, id, event }: PlannedSending,
  { receiver: mailbox, stepId, trigger, isActive, isTeams, steps, teamName, now }: SendingRow,
  settings: SendingSettings,
): Promise<(() => Promise<void>) | undefined> {
  const step = steps.find((one) => one.id === stepId);
  if (!isActive || !isTeams || !step) return undefined;
  const matter = await matterOf(em, event, step, { trigger, now });
  if (!matter) return undefined;
  const team = await findSendingTeam(em, teamId, [step], matter.ownerId);
  const addressee = matter.addresseesOf(step, team).find((one) => mailboxOf(one) === mailbox);
  if (!addressee) return undefined;
  const { publicUrl, deliver, deliverSms } = settings;
  if (addressee.by === 'PHONE') {
    const { text } = wordsFor(step, addressee, teamName, publicUrl);
    return () => deliverSms({ to: addressee.to, text, messageId: id });
  }
  const messageId = `<${id}@${new URL(publicUrl).hostname}>`;
  return () => deliver({ ...mailTo(step, addressee, teamName, settings), messageId });
}

/** What is told; undefined once it makes no sense any more. */
async function matterOf(
  em: Em,
  event: ToldEvent,
  step: WorkflowStep,
  { trigger, now }: Pick<SendingRow, 'trigger' | 'now'>,
): Promise<Matter | undefined> {
  if (event.type === 'ROUTING_FORM_SUBMITTED') return formMatter(em, event);
  const matter = await bookingMatter(em, event, [step]);
  if (!matter || !isStillTold(trigger, matter.booking.status)) return undefined;
  // Whatever has kept it, nobody is reminded of what has begun.
  const isOver = Temporal.Instant.compare(instantOf(now), instantOf(matter.booking.start)) >= 0;
  return trigger === 'BEFORE_EVENT' && isOver ? undefined : matter;
}

function findSending(em: Em, { teamId, id, event }: PlannedSending): Promise<SendingRow | undefined> {
  const isTeams =
    event.type === 'ROUTING_FORM_SUBMITTED'
      ? sql`true`
      : sql`exists (select from bookings b where b.owner_id = ${event.ownerId} and b.id = s.about_id and ${isOfTeam(sql`s.team_id`)})`;
  return row(
    em,
    sql<SendingRow>`
      select now(), ${isTeams} as "isTeams", ${selectColumns(WorkflowSending, ['status', 'receiver', 'stepId'], 's')},
        ${selectColumns(Workflow, ['trigger', 'isActive', 'steps'], 'w')}, ${selectColumnsAs(Team, { teamName: 'name' }, 't')}
      from workflow_sendings s
      join workflows w on w.team_id = s.team_id and w.id = s.workflow_id
      join teams t on t.id = s.team_id
      where s.team_id = ${teamId} and s.id = ${id}`,
  );
}
