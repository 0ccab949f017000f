import type { Admission, Mail, Mailer } from '../../mail/mailer.ts';
import { HopelessJob, type JobKind } from '../job-kind.ts';
import type { NewJob } from '../job-queue.ts';

const QUEUE = 'mail';
/** Half a minute, then longer and longer, over a day: mail servers that are down or defer a mail are back by then. */
export const MAIL_PAUSES_IN_SECONDS = [30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800];

interface MailData {
  readonly mail: Mail;
}

/**
 * A mail to send. It may go twice only if the process dies between the mail server's answer and crossing it off. It lies in
 * the database as it is until it is sent, so it must hold nothing that signs in a reader of the database, and no
 * code: mails with such are sent at once. The uid of a booking, which opens that booking alone, lies there anyway.
 */
export function mailJob(mail: Mail & { readonly messageId: string }, _admission: Admission, orderKey?: string): NewJob {
  return { queue: QUEUE, data: { mail } satisfies MailData, ...(orderKey !== undefined && { orderKey }) };
}

/** Sends mails, each to one receiver. */
export function mailKind(mailer: Mailer): JobKind {
  const deliver = deliverOrGiveUp(mailer);
  return {
    queue: QUEUE,
    hears: [],
    atOnce: 10,
    pausesInSeconds: MAIL_PAUSES_IN_SECONDS,
    run: async (_em, data) => {
      const { mail } = data as MailData;
      await deliver(mail);
      return [];
    },
  };
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
