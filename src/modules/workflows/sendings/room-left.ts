/** Whether there is room for a message: what was counted, and what is known by it of all that would come after. */
import type { Em } from '../../../database/sql.ts';
import type { Refusal } from '../../../limits/counters.ts';
import type { MailLimit, MailLimitName } from '../../../limits/mail-limit.ts';
import type { SmsLimit, SmsLimitName } from '../../../limits/sms-limit.ts';
import type { Addressee } from './matter.ts';

export interface SendingLimits {
  readonly mailLimit: MailLimit;
  readonly smsLimit: SmsLimit;
}

type LimitName = MailLimitName | SmsLimitName | 'silence';

/** Limits that are the same for all receivers: where one is full, it is full for everybody of a kind. All others are a receiver's own. */
const OF_ALL_RECEIVERS: ReadonlySet<LimitName> = new Set([
  'workflows',
  'account',
  'owner',
  'network',
  'workflowNetwork',
]);

export type NoRoom = Refusal<LimitName>;

/** The people that messages about one thing are for, as long as there is room for them. */
export class RoomLeft {
  readonly #fullKinds = new Map<string, NoRoom>();
  readonly #full = new Map<Addressee, NoRoom>();

  /** Why there is no room for a message to them; undefined: there may be. */
  lackFor(addressee: Addressee): NoRoom | undefined {
    const known = this.#full.get(addressee) ?? this.#fullKinds.get(kindOf(addressee));
    // They are asked for with each step, and there may be hundreds of them.
    if (known) this.#full.set(addressee, known);
    return known;
  }

  /** Counts a message of the team to each of them, in their order. @returns by their places, why there was no room */
  async admit(
    em: Em,
    teamId: string,
    addressees: readonly Addressee[],
    limits: SendingLimits,
  ): Promise<ReadonlyMap<number, NoRoom>> {
    const refused = await refusedBy(em, teamId, addressees, limits);
    for (const [place, refusal] of refused) {
      const addressee = addressees[place];
      if (!addressee) continue;
      this.#full.set(addressee, refusal);
      if (OF_ALL_RECEIVERS.has(refusal.limit)) this.#fullKinds.set(kindOf(addressee), refusal);
    }
    return refused;
  }
}

/** Receivers of one kind are counted by the same limits. */
function kindOf({ by, isKnown, isExpected, userId, network }: Addressee): string {
  return `${by} ${isKnown} ${isExpected} ${userId} ${network}`;
}

/** Counts a message of the team to each of them, in their order. @returns by their places, why there was no room */
export async function refusedBy(
  em: Em,
  teamId: string,
  addressees: readonly Addressee[],
  { mailLimit, smsLimit }: SendingLimits,
): Promise<ReadonlyMap<number, NoRoom>> {
  const placed = addressees.map((addressee, place) => ({ ...addressee, place }));
  const mails = placed.filter(({ by }) => by === 'EMAIL');
  const ofMails = await mailLimit.admit(
    em,
    mails.map(({ to, isKnown, isExpected, userId, network: from }) => ({
      to,
      purpose: isExpected ? 'EXPECTED' : 'NEWS',
      cause: { kind: 'WORKFLOW', teamId, isKnown, userId, from },
    })),
  );
  const sms = placed.filter(({ by }) => by === 'PHONE');
  const ofSms = await smsLimit.admitEach(
    em,
    sms.map(({ to, isKnown, userId, network }) => ({ to, ownerId: teamId, workflow: { isKnown, userId, network } })),
  );
  const decided = [
    ...mails.map(({ place }, index) => [place, ofMails[index]] as const),
    ...sms.map(({ place }, index) => [place, ofSms[index]] as const),
  ];
  return new Map(
    decided.flatMap(([place, one]) => (one && 'secondsToWait' in one ? [[place, one as NoRoom] as const] : [])),
  );
}
