import { Problem } from '../core/problem.ts';
import type { Em } from '../database/sql.ts';
import type { SmsAdmission } from '../sms/sms.ts';
import { admitCounted, type Count, counterKey, type Refusal } from './counters.ts';

/**
 * SMS an hour. Each costs money, and numbers exist that are paid for what they receive: so they are limited by the receiver, by
 * numbers that are alike (a range is what such people hold), by whose they are, and by the account that asks for a code; what
 * workflows send, by the team, by the receiver and by the range over all teams, and by the account or the network that has caused
 * it. Numbers that somebody has typed have less than verified ones, and a limit for a day. `line`: of a team's workflows, so many wait.
 */
export const SMS_LIMITS = {
  receiver: 5,
  range: 20,
  owner: 100,
  account: 10,
  workflowReceiver: 20,
  workflowRange: 100,
  attendee: 4,
  attendeeDay: 10,
  network: 20,
  line: 400,
} as const;
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
  /**
   * Set for a workflow of the owner: whether the receiver is verified for it, and the verified account or the
   * stranger's network that has started it.
   */
  readonly workflow?: { readonly isKnown: boolean; readonly userId: string | null; readonly network: string | null };
}

export type SmsDecision = SmsAdmission | Refusal<SmsLimitName>;

/** Numbers that differ in no more than their last digits are of one range. */
const DIGITS_OF_RANGE = 4;

interface SmsLimitLog {
  warn(detail: object, message: string): void;
}

const ADMITTED = {} as SmsAdmission;

/** Counts SMS in the database, for all processes. Without `limits`, everything may be sent. */
export class SmsLimit {
  /** Undefined: everything may be sent. */
  readonly limits: SmsLimits | undefined;
  readonly #log: SmsLimitLog;

  constructor(limits: SmsLimits | undefined, log: SmsLimitLog) {
    this.limits = limits;
    this.#log = log;
  }

  /** Counts an SMS before it is sent; one that is refused counts for nothing. @returns the seconds to wait where it is too many */
  async admit(em: Em, sms: CountedSms): Promise<SmsDecision> {
    const [decision = ADMITTED] = await this.admitEach(em, [sms]);
    return decision;
  }

  /** Decides about several SMS, each by itself and in their order. */
  async admitEach(em: Em, several: readonly CountedSms[]): Promise<readonly SmsDecision[]> {
    const limits = this.limits;
    if (!limits || several.length === 0) return several.map(() => ADMITTED);
    const refusals = await admitCounted(
      em,
      several.map((sms) => countsOf(sms, limits)),
      ({ limit }, place) => {
        const { ownerId } = several[place] ?? {};
        this.#log.warn({ limit, ownerId }, 'SMS are held back by SMS_LIMITS.');
      },
    );
    return refusals.map((refusal) => refusal ?? ADMITTED);
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

const DAY_IN_SECONDS = 24 * 60 * 60;

function countsOf({ to, ownerId, userId, workflow }: CountedSms, limits: SmsLimits): readonly Count<SmsLimitName>[] {
  const count = (limit: SmsLimitName, ...subject: readonly string[]) => ({
    limit,
    key: counterKey('sms', limit, ...subject),
    most: limits[limit],
  });
  const range = to.slice(0, -DIGITS_OF_RANGE);
  if (workflow) {
    const { isKnown, userId: startedBy, network } = workflow;
    // Teams cost nothing: by many of them, no number gets more than by one, nor does an account have more sent.
    const ofTeam = [count('owner', ownerId), ...(startedBy === null ? [] : [count('owner', 'account', startedBy)])];
    if (isKnown) {
      return [
        ...ofTeam,
        count('workflowReceiver', to),
        count('workflowRange', range),
        ...(network === null ? [] : [count('network', 'verified', network)]),
      ];
    }
    // Counts of their own: whatever bookers cause takes no code from anybody.
    return [
      ...ofTeam,
      count('attendee', to),
      { ...count('attendeeDay', to), windowInSeconds: DAY_IN_SECONDS },
      count('range', 'workflow', range),
      ...(network === null ? [] : [count('network', network)]),
    ];
  }
  return [
    count('receiver', to),
    count('range', range),
    count('owner', 'codes', ownerId),
    ...(userId === undefined ? [] : [count('account', userId)]),
  ];
}
