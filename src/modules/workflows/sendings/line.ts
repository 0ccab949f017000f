/**
 * The line in which messages of a team's workflows wait for room. It is bounded, and messages that strangers cause may take only
 * a part of it.
 */
import { anyOf, COUNT } from '../../../database/expressions.ts';
import { type Em, rows } from '../../../database/sql.ts';
import { selectFrom } from '../../../database/statements.ts';
import { addCounts, counterKey } from '../../../limits/counters.ts';
import type { MailLimits } from '../../../limits/mail-limit.ts';
import type { SmsLimits } from '../../../limits/sms-limit.ts';
import type { ReceiverKind } from '../../verified-resources/verified-resource.rules.ts';
import { type Addressee, mailboxOf } from './matter.ts';
import type { SendingLimits } from './room-left.ts';
import { WorkflowSending } from './workflow-sending.entity.ts';

/**
 * One network of strangers causes this part, at most, of the messages that wait for a team, so that it leaves no others
 * out.
 */
const PART_OF_NETWORK = 10;
/** Rows that are only locked are swept away after so long. */
const LOCK_SECONDS = 60;

/** The line in which a message waits: by the way it goes, and by its sender. */
export function lineOf({ by, userId, network }: Pick<Addressee, 'by' | 'userId' | 'network'>): string {
  return `${by} ${counterKey('workflow line', network ?? '', userId ?? '')}`;
}

export class Line {
  readonly #limits: SendingLimits;
  readonly #counted: Map<string, number>;

  private constructor(limits: SendingLimits, counted: Map<string, number>) {
    this.#limits = limits;
    this.#counted = counted;
  }

  /**
   * Counts the line of a team, with room for these: until the transaction ends, nobody else counts what waits for the
   * team, or for a stranger.
   */
  static async of(em: Em, teamId: string, addressees: readonly Addressee[], limits: SendingLimits): Promise<Line> {
    if (addressees.length === 0) return new Line(limits, new Map());
    const strangers = addressees.filter(({ isKnown }) => !isKnown).map(mailboxOf);
    const locks = [teamId, ...strangers].map((of) => counterKey('workflow line', 'waiting', of));
    await addCounts(em, new Map(locks.map((key) => [key, { by: 0, windowInSeconds: LOCK_SECONDS }])));
    const waiting = selectFrom(WorkflowSending, { status: 'WAITING' });
    const inLines = await rows(
      em,
      waiting
        .where('teamId', '=', teamId)
        .groupBy('line')
        .select(['line', COUNT.as('count')]),
    );
    const toReceivers = await rows(
      em,
      waiting
        .where('receiver', '=', anyOf(strangers))
        .groupBy('receiver')
        .select(['receiver', COUNT.as('count')]),
    );
    const counted = new Map(toReceivers.map(({ receiver, count }) => [receiver, count]));
    for (const { line, count } of inLines) {
      const [by = ''] = (line ?? '').split(' ', 1);
      counted.set(line ?? '', count);
      counted.set(by, (counted.get(by) ?? 0) + count);
    }
    return new Line(limits, counted);
  }

  /** Takes a place for one more; nothing where there is none. */
  take(addressee: Addressee): boolean {
    const bounds = this.#boundsOf(addressee);
    if (bounds.some(([key, most]) => (this.#counted.get(key) ?? 0) >= most)) return false;
    for (const [key] of bounds) this.#counted.set(key, (this.#counted.get(key) ?? 0) + 1);
    return true;
  }

  #boundsOf(addressee: Addressee): readonly (readonly [key: string, most: number])[] {
    const { by, isKnown, network } = addressee;
    const { line, toStranger } = this.#most(by);
    return [
      [by, line],
      [lineOf(addressee), network === null ? line : Math.ceil(line / PART_OF_NETWORK)],
      // Nobody knows whose address it is: no more wait for it than an hour has room for.
      ...(isKnown ? [] : [[mailboxOf(addressee), toStranger] as const]),
    ];
  }

  #most(by: ReceiverKind): { readonly line: number; readonly toStranger: number } {
    const { mailLimit, smsLimit } = this.#limits;
    const [mails, sms]: [MailLimits | undefined, SmsLimits | undefined] = [mailLimit.limits, smsLimit.limits];
    const [line, toStranger] = by === 'EMAIL' ? [mails?.workflowLine, mails?.receiver] : [sms?.line, sms?.attendee];
    return { line: line ?? Number.POSITIVE_INFINITY, toStranger: toStranger ?? Number.POSITIVE_INFINITY };
  }
}
