import type { Admission, Mail, Mailer } from '../../mail/mailer.ts';
import type { Uids } from '../../modules/bookings/booking-key.rules.ts';
import { type HeldRights, pageCode, withCodes } from '../../modules/bookings/mails/page-code.ts';
import { findInvitationOf } from '../../modules/memberships/answer-invitation.ts';
import type { InvitationMail } from '../../modules/memberships/invite.ts';
import { type Credentials, type CredentialsOf, UnreadableCredentials } from '../../outbound/credentials.ts';
import { HopelessJob, type JobKind } from '../job-kind.ts';
import type { NewJob } from '../job-queue.ts';

const QUEUE = 'mail';
/** The pauses grow from half a minute to eight hours. Together they last a day, by which a mail server that was down is back. */
export const MAIL_PAUSES_IN_SECONDS = [30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800];

interface SealedMail {
  readonly sealed: string;
  readonly messageId: string;
  /** SHA-256 of the token of the link in it: a mail whose link leads nowhere any more is not sent. */
  readonly tokenHash: string;
}

type MailData = { readonly mail: Mail; readonly rights?: HeldRights } | SealedMail;

type IdentifiedMail = Mail & { readonly messageId: string };

/**
 * A mail to send. It goes twice only if the process dies after the mail server has taken it and before the job is crossed off.
 * Until it is sent, the database holds it in the clear. So it must have no code, and no link that would let in whoever reads the
 * database: mails with those are sealed, or sent at once, and the codes of `rights` are put in as the mail is sent.
 */
export function mailJob(
  mail: IdentifiedMail,
  _admission: Admission,
  { orderKey, rights }: { readonly orderKey?: string; readonly rights?: HeldRights } = {},
): NewJob {
  const data = { mail, ...(rights && { rights }) } satisfies MailData;
  return { queue: QUEUE, data, ...(orderKey !== undefined && { orderKey }) };
}

/** The same for a mail with the link of an invitation: without the service's key, what lies in the database lets nobody in. */
export async function invitationMailJob(
  credentials: Credentials,
  { mail, tokenHash }: InvitationMail & { readonly mail: IdentifiedMail },
  _admission: Admission,
): Promise<NewJob> {
  const { messageId } = mail;
  const sealed = await credentials.seal(mail, sealOf(messageId));
  return { queue: QUEUE, data: { sealed, messageId, tokenHash } satisfies MailData };
}

function sealOf(messageId: string): CredentialsOf {
  return ['jobs', QUEUE, messageId];
}

export interface MailJobSettings {
  readonly mailer: Mailer;
  readonly credentials: Credentials;
  readonly linkKey: Uint8Array;
  readonly uids: Uids;
}

/** Sends mails, each to one receiver. */
export function mailKind({ mailer, credentials, linkKey, uids }: MailJobSettings): JobKind {
  const deliver = deliverOrGiveUp(mailer);
  const code = pageCode({ linkKey, uids });
  return {
    queue: QUEUE,
    hears: [],
    atOnce: 10,
    pausesInSeconds: MAIL_PAUSES_IN_SECONDS,
    run: async (em, data) => {
      const mailData = data as MailData;
      if ('mail' in mailData) await deliver(withCodes(mailData.mail, mailData.rights ?? {}, code));
      else if (await findInvitationOf(em, mailData.tokenHash)) await deliver(await opened(credentials, mailData));
      return [];
    },
  };
}

async function opened(credentials: Credentials, { sealed, messageId }: SealedMail): Promise<Mail> {
  try {
    return (await credentials.open(sealed, sealOf(messageId))) as Mail;
  } catch (error) {
    if (error instanceof UnreadableCredentials) throw new HopelessJob(error.message, { cause: error });
    throw error;
  }
}

/** Hands a mail over. @throws HopelessJob when the mail server will never take it; else its error, and it is worth another try */
export function deliverOrGiveUp(mailer: Mailer): (mail: Mail) => Promise<void> {
  return async (mail) => {
    try {
      await mailer.deliver(mail);
    } catch (error) {
      if (isRefusedForGood(error)) throw new HopelessJob(error.message, { cause: error });
      throw error;
    }
  };
}

/**
 * The mail server will never take this mail for this receiver (RFC 5321 §4.2.1: 5yz), or nodemailer cannot write it. Whatever else it says with such a
 * code, to a sign-in or a sender above all, is for the operator to mend, so the mail waits.
 */
function isRefusedForGood(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { responseCode = 0, command } = error as { responseCode?: number; command?: string };
  return command === 'API' || (responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA'));
}
