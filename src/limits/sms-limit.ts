import { Problem } from '../core/problem.ts';
import { sha256Hex } from '../core/secret.ts';
import type { Em } from '../database/sql.ts';
import type { SmsAdmission } from '../sms/sms.ts';
import { admitCounted, type Count } from './mail-counts.ts';

/**
 * SMS an hour. Each costs money, and numbers exist that are paid for what they receive: so they are limited by the receiver, by
 * numbers that are alike (a range is what such people hold), by whose they are, and by the account that asks for a code.
 */
export const SMS_LIMITS = { receiver: 5, range: 20, owner: 100, account: 10 } as const;
export type SmsLimitName = keyof typeof SMS_LIMITS;
export type SmsLimits = Readonly<Record<SmsLimitName, number>>;

/** An SMS that is to be sent, and all that it counts for. */
export interface CountedSms {
  /** In E.164. */
  readonly to: string;
  /** The user or the team in whose name it goes. */
  readonly ownerId: string;
  /** The account that asks for it, if one does. */
  readonly userId?: string | undefined;
}

/** Numbers that differ in no more than their last digits are of one range. */
const DIGITS_OF_RANGE = 4;

interface SmsLimitLog {
  warn(detail: object, message: string): void;
}

const ADMITTED = {} as SmsAdmission;

/** Counts SMS in the database, for all processes. Without `limits`, everything may be sent. */
export class SmsLimit {
  readonly #limits: SmsLimits | undefined;
  readonly #log: SmsLimitLog;

  constructor(limits: SmsLimits | undefined, log: SmsLimitLog) {
    this.#limits = limits;
    this.#log = log;
  }

  /** Counts an SMS before it is sent; one that is refused counts for nothing. @returns the seconds to wait where it is too many */
  async admit(em: Em, sms: CountedSms): Promise<SmsAdmission | { readonly secondsToWait: number }> {
    const limits = this.#limits;
    if (!limits) return ADMITTED;
    const [refusal] = await admitCounted(em, [countsOf(sms, limits)], ({ limit }) => {
      const { to, ownerId } = sms;
      this.#log.warn({ limit, to, ownerId }, 'SMS are held back by SMS_LIMITS.');
    });
    return refusal ?? ADMITTED;
  }

  /** For an SMS that was requested as such. @throws TooManySms */
  async require(em: Em, sms: CountedSms): Promise<SmsAdmission> {
    const decision = await this.admit(em, sms);
    if ('secondsToWait' in decision) throw new TooManySms(decision.secondsToWait);
    return decision;
  }
}

/** Too many SMS; `secondsToWait` belongs into `Retry-After`. It says nothing about whether anybody is there. */
class TooManySms extends Problem {
  readonly secondsToWait: number;

  constructor(secondsToWait: number) {
    const minutes = Math.ceil(secondsToWait / 60);
    const wait = `wait ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} and try again`;
    super('TOO_MANY_SMS', `Too many text messages were requested; ${wait}.`);
    this.secondsToWait = secondsToWait;
  }
}

function countsOf({ to, ownerId, userId }: CountedSms, limits: SmsLimits): readonly Count<SmsLimitName>[] {
  const count = (limit: SmsLimitName, ...subject: readonly string[]) => ({
    limit,
    key: sha256Hex(JSON.stringify(['sms', limit, ...subject])),
    most: limits[limit],
  });
  return [
    count('receiver', to),
    count('range', to.slice(0, -DIGITS_OF_RANGE)),
    count('owner', ownerId),
    ...(userId === undefined ? [] : [count('account', userId)]),
  ];
}
