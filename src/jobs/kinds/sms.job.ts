import type { Em } from '../../database/sql.ts';
import { textOfCode } from '../../modules/verified-resources/verification-words.rules.ts';
import { digitsOf, isCurrent, type SentCode } from '../../modules/verified-resources/verify-receiver.ts';
import { type Sms, type SmsAdmission, type SmsProvider, SmsRefused } from '../../sms/sms.ts';
import { HopelessJob, type JobKind } from '../job-kind.ts';
import type { NewJob } from '../job-queue.ts';

const QUEUE = 'sms';
/** Within an hour: what comes later by SMS comes too late. */
export const SMS_PAUSES_IN_SECONDS = [5, 15, 30, 60, 120, 300, 600, 1_800];

/** The code of a message is left out: a job lies in the database as it is. */
type SmsData = { readonly sms: Sms } | { readonly sms: Omit<Sms, 'text'>; readonly code: SentCode };

/** An SMS to send. It may go twice if the provider's answer is lost, and the provider knows no `Idempotency-Key`. */
export function smsJob(sms: Sms, _admission: SmsAdmission): NewJob {
  return { queue: QUEUE, data: { sms } satisfies SmsData };
}

/** An SMS with a code, as long as that is the last one and not over. */
export function codeSmsJob(code: SentCode, messageId: string, _admission: SmsAdmission): NewJob {
  return { queue: QUEUE, data: { sms: { to: code.receiver, messageId }, code } satisfies SmsData };
}

export interface SmsJobSettings {
  /** Undefined: nothing is sent. */
  readonly smsProvider: SmsProvider | undefined;
  /** The key that codes are derived under. */
  readonly codeKey: Uint8Array;
}

/** Sends SMS, each to one number. */
export function smsKind({ smsProvider, codeKey }: SmsJobSettings): JobKind {
  const deliver = deliverSmsOrGiveUp(smsProvider);
  return {
    queue: QUEUE,
    hears: [],
    atOnce: 10,
    pausesInSeconds: SMS_PAUSES_IN_SECONDS,
    run: async (em, data) => {
      const sms = await smsIn(em, data as SmsData, codeKey);
      if (sms) await deliver(sms);
      return [];
    },
  };
}

/** Hands an SMS over. @throws HopelessJob when the provider will never take it; else its error, and it is worth another try */
export function deliverSmsOrGiveUp(smsProvider: SmsProvider | undefined): (sms: Sms) => Promise<void> {
  return async (sms) => {
    if (!smsProvider) throw new HopelessJob('There is no SMS_URL any more.');
    try {
      await smsProvider.hand(sms);
    } catch (error) {
      if (error instanceof SmsRefused) throw new HopelessJob(error.message, { cause: error });
      throw error;
    }
  };
}

async function smsIn(em: Em, data: SmsData, codeKey: Uint8Array): Promise<Sms | undefined> {
  if (!('code' in data)) return data.sms;
  if (!(await isCurrent(em, data.code))) return undefined;
  return { ...data.sms, text: textOfCode(digitsOf(codeKey, data.code)) };
}
