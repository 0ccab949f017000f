/** Whether there is room for a message: what was counted, and what is known by it of all that would come after. */
import type { Em } from '../../../database/sql.ts';
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

/** Those whom messages about one thing are for, as long as there is room for them. */
export class RoomLeft {
  readonly #fullKinds = new Set<string>();
  readonly #full = new Set<Addressee>();

  hasRoom(addressee: Addressee): boolean {
    if (this.#full.has(addressee)) return false;
    if (!this.#fullKinds.has(kindOf(addressee))) return true;
    // They are asked for with each step, and there may be hundreds of them.
    this.#full.add(addressee);
    return false;
  }

  /** Counts a message of the team to each of them, in their order. @returns the places of those for whom there was no room */
  async admit(
    em: Em,
    teamId: string,
    addressees: readonly Addressee[],
    limits: SendingLimits,
  ): Promise<ReadonlySet<number>> {
    const refused = await refusedBy(em, teamId, addressees, limits);
    for (const [place, limit] of refused) {
      const addressee = addressees[place];
      if (!addressee) continue;
      this.#full.add(addressee);
      if (OF_ALL_RECEIVERS.has(limit)) this.#fullKinds.add(kindOf(addressee));
    }
    return new Set(refused.keys());
  }
}

/** Those of a kind are counted by the same limits. */
function kindOf({ by, isKnown, isExpected, userId, network }: Addressee): string {
  return `${by} ${isKnown} ${isExpected} ${userId} ${network}`;
}

/** By their places, the limits of which there was no room. */
async function refusedBy(
  em: Em,
  teamId: string,
  addressees: readonly Addressee[],
  { mailLimit, smsLimit }: SendingLimits,
): Promise<ReadonlyMap<number, LimitName>> {
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
    ...mails.map(({ place }, index) => [place, ofMails[index]?.limit] as const),
    ...sms.map(({ place }, index) => [place, ofSms[index]?.limit] as const),
  ];
  return new Map(decided.flatMap(([place, limit]) => (limit === undefined ? [] : [[place, limit] as const])));
}
