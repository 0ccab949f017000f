import { instantOf } from '../../core/instant.ts';
import { selectColumns, selectColumnsAs } from '../../database/columns.ts';
import { changed, type Em, row, sql } from '../../database/sql.ts';
import { updateTable } from '../../database/statements.ts';
import type { Mail } from '../../mail/mailer.ts';
import { occasionOf } from '../bookings/mails/booking-mail.ts';
import type { BookingMailSettings } from '../bookings/mails/booking-mail-settings.ts';
import { Team } from '../teams/team.entity.ts';
import type { PlannedSending } from './plan-sendings.ts';
import { Workflow } from './workflow.entity.ts';
import type { SendingStatus, WorkflowStep, WorkflowTrigger } from './workflow.rules.ts';
import { isStillTold } from './workflow-events.ts';
import { workflowMail } from './workflow-mail.ts';
import { findSendingTeam, mailboxOf, receiversOfStep } from './workflow-receivers.ts';
import { WorkflowSending } from './workflow-sending.entity.ts';

export interface SendingSettings extends BookingMailSettings {
  readonly deliver: (mail: Mail) => Promise<void>;
}

interface SendingRow {
  readonly status: SendingStatus;
  readonly receiver: string;
  readonly stepId: string;
  readonly trigger: WorkflowTrigger;
  readonly isActive: boolean;
  readonly steps: readonly WorkflowStep[];
  readonly teamName: string;
  /** RFC 3339 */
  readonly now: string;
}

/**
 * Sends a message, in the words that the workflow has now and with the booking as it is; none any more if either has changed so
 * that it makes no sense. It goes twice only if the process dies between the mail server's answer and the note of it, and then
 * with the same Message-ID. @throws whatever `deliver` does
 */
export async function sendSending(em: Em, sending: PlannedSending, settings: SendingSettings): Promise<void> {
  const found = await findSending(em, sending);
  if (found?.status !== 'PENDING') return;
  const mail = await mailOf(em, sending, found, settings);
  if (mail) await settings.deliver(mail);
  const status: SendingStatus = mail ? 'SENT' : 'DROPPED';
  const { teamId, id } = sending;
  await changed(em, updateTable(WorkflowSending, { teamId, id }).set({ status }));
}

async function mailOf(
  em: Em,
  { teamId, id, event }: PlannedSending,
  { receiver: mailbox, stepId, trigger, isActive, steps, teamName, now }: SendingRow,
  settings: SendingSettings,
): Promise<Mail | undefined> {
  const step = steps.find((one) => one.id === stepId);
  if (!isActive || !step) return undefined;
  const occasion = await occasionOf(em, event);
  if (!occasion || !isStillTold(trigger, occasion.booking.status)) return undefined;
  // Whatever has kept it, nobody is reminded of what has begun.
  const { start } = occasion.booking;
  if (trigger === 'BEFORE_EVENT' && Temporal.Instant.compare(instantOf(now), instantOf(start)) >= 0) return undefined;
  const team = await findSendingTeam(em, teamId, [step]);
  const receiver = receiversOfStep(step, occasion, team).find((one) => mailboxOf(one) === mailbox);
  if (!receiver) return undefined;
  const messageId = `<${id}@${new URL(settings.publicUrl).hostname}>`;
  return { ...workflowMail(step, teamName, receiver, occasion, settings), messageId };
}

function findSending(em: Em, { teamId, id }: PlannedSending): Promise<SendingRow | undefined> {
  return row(
    em,
    sql<SendingRow>`
      select now(), ${selectColumns(WorkflowSending, ['status', 'receiver', 'stepId'], 's')},
        ${selectColumns(Workflow, ['trigger', 'isActive', 'steps'], 'w')}, ${selectColumnsAs(Team, { teamName: 'name' }, 't')}
      from workflow_sendings s
      join workflows w on w.team_id = s.team_id and w.id = s.workflow_id
      join teams t on t.id = s.team_id
      where s.team_id = ${teamId} and s.id = ${id}`,
  );
}
