import { instantOf } from '../../../core/instant.ts';
import { fittingSms, plainForSms } from '../../../core/sms-text.ts';
import { addressOfMailbox, oneLine } from '../../../core/text.ts';
import { selectColumns, selectColumnsAs } from '../../../database/columns.ts';
import { changed, type Em, rows, sql } from '../../../database/sql.ts';
import { updateTable } from '../../../database/statements.ts';
import type { Mail } from '../../../mail/mailer.ts';
import type { Sms } from '../../../sms/sms.ts';
import type { BookingChange } from '../../bookings/booking.queries.ts';
import type { BookingMailSettings } from '../../bookings/mails/booking-mail.queries.ts';
import type { MailedPages } from '../../bookings/mails/booking-mail-meeting.ts';
import { pageCode } from '../../bookings/mails/page-code.ts';
import { Team } from '../../teams/team.entity.ts';
import { findSendingTeam } from '../verified-receivers.queries.ts';
import { Workflow, WorkflowSending } from '../workflow.entity.ts';
import {
  isNotifiedAfterStart,
  MAX_FILLED,
  MAX_SMS_PARTS,
  type SendingStatus,
  type WorkflowStep,
  type WorkflowTrigger,
} from '../workflow.rules.ts';
import { filled } from '../workflow-variables.rules.ts';
import { type BookingMatter, bookingMatter } from './booking-matter.ts';
import { formMatter } from './form-matter.ts';
import { type Addressee, type Matter, mailboxOf } from './matter.ts';
import type { NotifiedEvent, PlannedSending } from './plan-messages.ts';
import { isOfTeam, isStillNotified } from './plan-sendings.ts';

interface SendingSettings extends BookingMailSettings {
  readonly deliver: (mail: Mail) => Promise<void>;
  readonly deliverSms: (sms: Sms) => Promise<void>;
}

export interface SendingRow {
  readonly id: string;
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

/** The decision about a message, as things are now. */
type Judged =
  | {
      readonly kind: 'DUE';
      readonly matter: Matter;
      readonly step: WorkflowStep;
      readonly addressee: Addressee;
      readonly teamName: string;
    }
  /** A later event says more, or the team wants it no more. */
  | { readonly kind: 'MOOT' }
  /** It was due, and came too late. */
  | { readonly kind: 'OVER'; readonly matter: Matter };

const MOOT = { kind: 'MOOT' } as const;

/** The words of a step. */
export interface Words {
  /** Null of an SMS. */
  readonly subject: string | null;
  readonly text: string;
}

/**
 * Sends a message, in the words that the workflow has now and with the booking as it is; none any more if either has changed so
 * that it makes no sense. It goes twice only if the process dies between the answer of the mail server, or of the provider of SMS,
 * and the note of it, and then with the same Message-ID, or Idempotency-Key.
 * @returns what notes it; undefined: there is nothing to send. @throws whatever `deliver` and `deliverSms` do
 */
export async function sendSending(
  em: Em,
  sending: PlannedSending,
  settings: SendingSettings,
): Promise<((em: Em) => Promise<void>) | undefined> {
  const [found] = await findSendings(em, sending.teamId, [sending.id], sending.event);
  if (found?.status !== 'PENDING') return undefined;
  const judged = await judge(em, sending, found);
  if (judged.kind === 'DUE') await deliver(sending, judged, settings);
  return (inner) => keepOutcome(inner, sending, judged);
}

/** `hasWaited` for room: then, nothing is told any more of a booking that has begun, unless it was due only afterwards. */
export async function judge(
  em: Em,
  { teamId, event }: Pick<PlannedSending, 'teamId' | 'event'>,
  found: SendingRow,
  { hasWaited = false } = {},
): Promise<Judged> {
  const { receiver: mailbox, stepId, trigger, isActive, isTeams, steps, teamName } = found;
  const step = steps.find((one) => one.id === stepId);
  if (!isActive || !isTeams || !step) return MOOT;
  const booked = event.type === 'ROUTING_FORM_SUBMITTED' ? undefined : await notifiedMatter(em, event, step, trigger);
  const matter = event.type === 'ROUTING_FORM_SUBMITTED' ? await formMatter(em, event) : booked;
  if (!matter) return MOOT;
  const team = await findSendingTeam(em, teamId, [step], matter.ownerId);
  const addressee = matter.addresseesOf(step, team).find((one) => mailboxOf(one) === mailbox);
  if (!addressee) return MOOT;
  // Whatever has kept it, nobody is reminded of what has begun.
  const isTooLate = hasWaited ? !isNotifiedAfterStart(trigger) : trigger === 'BEFORE_BOOKING_START';
  if (booked && isTooLate && hasBegun(booked, found.now)) return { kind: 'OVER', matter };
  return { kind: 'DUE', matter, step, addressee, teamName };
}

/** Finds the messages of a team about the matter of an event, in their order. */
export function findSendings(
  em: Em,
  teamId: string,
  ids: readonly string[],
  event: NotifiedEvent,
): Promise<readonly SendingRow[]> {
  const isTeams =
    event.type === 'ROUTING_FORM_SUBMITTED'
      ? sql`true`
      : sql`exists (select from bookings b where b.owner_id = ${event.ownerId} and b.id = s.about_id and ${isOfTeam(sql`s.team_id`)})`;
  return rows(
    em,
    sql<SendingRow>`
      select now(), ${isTeams} as "isTeams", ${selectColumns(WorkflowSending, ['id', 'status', 'receiver', 'stepId'], 's')},
        ${selectColumns(Workflow, ['trigger', 'isActive', 'steps'], 'w')}, ${selectColumnsAs(Team, { teamName: 'name' }, 't')}
      from workflow_sendings s
      join workflows w on w.team_id = s.team_id and w.id = s.workflow_id
      join teams t on t.id = s.team_id
      where s.team_id = ${teamId} and s.id = any(${ids}::uuid[]) order by s.id`,
  );
}

/** The words of a step to somebody, with the values in them; an SMS in characters and at the length that such messages have. */
export function wordsFor(
  { subject, body }: Pick<WorkflowStep, 'subject' | 'body'>,
  { by, valuesFor }: Pick<Addressee, 'by' | 'valuesFor'>,
  teamName: string,
  pages: MailedPages,
): Words {
  const values = valuesFor(teamName, pages);
  if (by === 'PHONE') {
    const text = plainForSms(filled(body, values, MAX_FILLED.sms));
    return { subject: null, text: fittingSms(text, MAX_SMS_PARTS) };
  }
  return {
    subject: oneLine(filled(subject ?? '', values, MAX_FILLED.subject)),
    text: filled(body, values, MAX_FILLED.body),
  };
}

/** The mail of a step to somebody. */
export function mailTo(
  step: WorkflowStep,
  addressee: Addressee,
  teamName: string,
  { mailFrom, ...pages }: MailedPages & Pick<BookingMailSettings, 'mailFrom'>,
): Mail {
  const { includesCalendarEvent, senderName } = step;
  const { subject, text } = wordsFor(step, addressee, teamName, pages);
  return {
    to: { name: addressee.name ?? '', address: addressee.to },
    subject: subject ?? '',
    parts: [{ kind: 'OWN_WORDS', text }],
    ...(includesCalendarEvent && addressee.calendarsFor(addressOfMailbox(mailFrom))),
    ...(senderName !== null && { senderName }),
    ...addressee.look,
  };
}

async function deliver(
  { id }: PlannedSending,
  { step, addressee, teamName }: Extract<Judged, { readonly kind: 'DUE' }>,
  settings: SendingSettings,
): Promise<void> {
  const { publicUrl, mailFrom } = settings;
  const pages = { publicUrl, code: pageCode(settings) };
  if (addressee.by === 'PHONE') {
    const { text } = wordsFor(step, addressee, teamName, pages);
    return settings.deliverSms({ to: addressee.to, text, messageId: id });
  }
  const messageId = `<${id}@${new URL(publicUrl).hostname}>`;
  return settings.deliver({ ...mailTo(step, addressee, teamName, { ...pages, mailFrom }), messageId });
}

async function notifiedMatter(
  em: Em,
  event: BookingChange,
  step: WorkflowStep,
  trigger: WorkflowTrigger,
): Promise<BookingMatter | undefined> {
  const matter = await bookingMatter(em, event, [step]);
  return matter && isStillNotified(trigger, matter.booking.status) ? matter : undefined;
}

function hasBegun({ booking }: BookingMatter, now: string): boolean {
  return Temporal.Instant.compare(instantOf(now), instantOf(booking.start)) >= 0;
}

const OUTCOMES: Readonly<Record<Judged['kind'], SendingStatus>> = { DUE: 'SENT', MOOT: 'DROPPED', OVER: 'EXPIRED' };

/** Notes what has become of a message, once. */
async function keepOutcome(em: Em, { teamId, id }: PlannedSending, judged: Judged): Promise<void> {
  const sending = updateTable(WorkflowSending, { teamId, id }).where('status', '=', 'PENDING');
  await em.transactional(async (inner) => {
    const isNoted = (await changed(inner, sending.set({ status: OUTCOMES[judged.kind] }))) > 0;
    if (isNoted && judged.kind === 'OVER') await judged.matter.noteUnsent(inner, 1);
  });
}
