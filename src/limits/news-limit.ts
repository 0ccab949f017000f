/**
 * Decides about mails about bookings, none of which is dropped in silence: each is sent at once, waits in the line of
 * its sender, is told in a summary, or is known not to come before it would have been written.
 */
import { type Em, NOW, row } from '../database/sql.ts';
import { selectFrom } from '../database/statements.ts';
import { Counter } from './counter.entity.ts';
import { type Addition, addCounts, type Counted, counterKey } from './counters.ts';
import { findReceivers, type KnownReceiver, noteMailed, receiverKey } from './mail-receivers.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** The time in which a host is told of so many bookings one by one. */
export const HOST_WINDOW_SECONDS = 600;

export interface NewsLimits {
  /** Mails an hour, one by one, that strangers cause a mailbox. */
  readonly receiver: number;
  /** Mails a day that strangers cause a mailbox, until it has answered. */
  readonly receiverDay: number;
  /** Mails an hour that verified accounts cause a mailbox. */
  readonly accountsReceiver: number;
  /** Mails in ten minutes to a host. */
  readonly host: number;
  /** Receivers an hour that are new to this service, by the kind of sender. */
  readonly network: number;
  readonly client: number;
  readonly account: number;
  /** Mails that wait in the line of a network, a client or an account. */
  readonly line: number;
}

/** The sender who causes a mail: the app, the verified account or, for everybody else, the network. */
export type MailSender =
  | { readonly kind: 'client'; readonly clientId: string }
  | { readonly kind: 'account'; readonly userId: string }
  | { readonly kind: 'network'; readonly network: string };

/** The counts that a mail goes by. */
export type Lane = 'HOST' | 'STRANGER' | 'ACCOUNT';

export interface NewsMail {
  readonly to: string;
  /** HOST: to a host, at a verified address; STRANGER: caused by anybody but a verified account. */
  readonly lane: Lane;
  /** From `lineOf`. */
  readonly line: string;
}

/** The outcome of a mail of news. `afterMs`: in how many milliseconds to decide again. */
export type NewsOutcome =
  | { readonly kind: 'SENT' }
  | { readonly kind: 'WAITING' | 'SUMMARY'; readonly afterMs: number }
  /** The mail is not sent. `isSilenced`: the reader of the mailbox has ended mails of strangers; otherwise the line is full. */
  | { readonly kind: 'NONE'; readonly isSilenced: boolean };

/** The line in which the mails wait that a sender causes: it names the counter, and nobody. */
export function lineOf(sender: MailSender): string {
  const { kind } = sender;
  const who = kind === 'client' ? sender.clientId : kind === 'account' ? sender.userId : sender.network;
  return `${kind} ${counterKey('mail', kind, who)}`;
}

/** How many mails wait in each of these lines. It is asked for while the counters are locked. */
export type LengthOf = (em: Em, lines: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/**
 * Decides what becomes of mails, in their order, and counts those that are sent. In a transaction, until whose end the counters are
 * locked: what comes at the same moment does not slip through together. `isInLine`: they have waited, and it is their turn.
 */
export async function decideNews(
  em: Em,
  limits: NewsLimits,
  mails: readonly NewsMail[],
  lengthOf: LengthOf,
  { isInLine = false } = {},
): Promise<readonly NewsOutcome[]> {
  const windows = new Map<string, Addition>();
  for (const mail of mails)
    for (const { key, seconds } of countersOf(mail)) windows.set(key, { by: 0, windowInSeconds: seconds });
  const counters = new Counters(await addCounts(em, windows));
  const known = await findReceivers(
    em,
    mails.map(({ to }) => receiverKey(to)),
  );
  const lengths = new Map(isInLine ? [] : await lengthOf(em, [...new Set(mails.map(({ line }) => line))]));
  const reached = new Set<string>();
  const outcomes = mails.map((mail): NewsOutcome => {
    const key = receiverKey(mail.to);
    const receiver = known.get(key);
    const isNew = !receiver && !reached.has(key);
    const outcome = outcomeOf(mail, { limits, counters, receiver, isNew, waiting: lengths.get(mail.line) ?? 0 });
    if (outcome.kind === 'WAITING') lengths.set(mail.line, (lengths.get(mail.line) ?? 0) + 1);
    if (outcome.kind === 'SENT' && mail.lane !== 'HOST') reached.add(key);
    return outcome;
  });
  await addCounts(em, counters.additions(windows));
  await noteMailed(em, [...reached]);
  return outcomes;
}

interface Standing {
  readonly limits: NewsLimits;
  readonly counters: Counters;
  readonly receiver: KnownReceiver | undefined;
  readonly isNew: boolean;
  /** How many are in the line before it. */
  readonly waiting: number;
}

function outcomeOf(mail: NewsMail, standing: Standing): NewsOutcome {
  const { limits, counters, receiver, isNew, waiting } = standing;
  const { lane, line } = mail;
  const [first, second] = countersOf(mail);
  const day = lane === 'STRANGER' && !receiver?.hasAnswered ? second : undefined;
  if (lane === 'STRANGER' && receiver?.silentUntil != null) return { kind: 'NONE', isSilenced: true };
  if (isNew && lane !== 'HOST') {
    const place = placeInLine(limits, waiting, counters.isFull(line, limits[senderKind(line)]));
    if (place === 'WAITING') return { kind: place, afterMs: counters.millisecondsLeft(line) };
    if (place === 'NONE') return { kind: place, isSilenced: false };
  }
  const bounds = [
    { key: first.key, most: { HOST: limits.host, STRANGER: limits.receiver, ACCOUNT: limits.accountsReceiver }[lane] },
    ...(day ? [{ key: day.key, most: limits.receiverDay }] : []),
  ];
  const full = bounds.filter(({ key, most }) => counters.isFull(key, most));
  if (full.length > 0) {
    return { kind: 'SUMMARY', afterMs: Math.max(...full.map(({ key }) => counters.millisecondsLeft(key))) };
  }
  for (const { key } of bounds) counters.take(key);
  if (isNew && lane !== 'HOST') counters.take(line);
  return { kind: 'SENT' };
}

/** The counters of a mail, the receiver's first. */
function countersOf({ to, lane, line }: NewsMail): readonly [Window, ...Window[]] {
  const mailbox = receiverKey(to);
  const of = (name: string, seconds: number): Window => ({ key: counterKey('mail', name, mailbox), seconds });
  if (lane === 'HOST') return [of('host', HOST_WINDOW_SECONDS)];
  const sender = { key: line, seconds: HOUR };
  if (lane === 'ACCOUNT') return [of('accounts', HOUR), sender];
  return [{ key: hourCounter(to), seconds: HOUR }, of('day', DAY), sender];
}

/** Counts all mails that strangers cause a mailbox in an hour, one by one, whatever their kind. */
export function hourCounter(to: string): string {
  return counterKey('mail', 'hour', receiverKey(to));
}

interface Window {
  readonly key: string;
  readonly seconds: number;
}

function senderKind(line: string): MailSender['kind'] {
  const [kind] = line.split(' ', 1);
  return kind === 'client' || kind === 'account' ? kind : 'network';
}

/** Counters that are locked, with what is taken of them. */
class Counters {
  readonly #found: ReadonlyMap<string, Counted>;
  readonly #taken = new Map<string, number>();

  constructor(found: ReadonlyMap<string, Counted>) {
    this.#found = found;
  }

  isFull(key: string, most: number): boolean {
    return (this.#found.get(key)?.counted ?? 0) + (this.#taken.get(key) ?? 0) >= most;
  }

  millisecondsLeft(key: string): number {
    return Math.max(1, this.#found.get(key)?.millisecondsLeft ?? 1);
  }

  take(key: string): void {
    this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1);
  }

  additions(windows: ReadonlyMap<string, Addition>): Map<string, Addition> {
    return new Map(
      [...this.#taken].map(([key, by]) => [key, { by, windowInSeconds: windows.get(key)?.windowInSeconds ?? HOUR }]),
    );
  }
}

/**
 * Decides about one summary to a mailbox, and counts it. Hosts get theirs in any case; of strangers, there is one an hour, within
 * the mails of the day.
 */
export async function decideSummary(em: Em, limits: NewsLimits, to: string, lane: Lane): Promise<NewsOutcome> {
  if (lane !== 'STRANGER') return { kind: 'SENT' };
  const mailbox = receiverKey(to);
  const [summary, day] = [counterKey('mail', 'summary', mailbox), counterKey('mail', 'day', mailbox)];
  const windows = new Map([
    [summary, { by: 0, windowInSeconds: HOUR }],
    [day, { by: 0, windowInSeconds: DAY }],
  ]);
  const counters = new Counters(await addCounts(em, windows));
  const receiver = (await findReceivers(em, [mailbox])).get(mailbox);
  if (receiver?.silentUntil != null) return { kind: 'NONE', isSilenced: true };
  const bounds = [
    { key: summary, most: 1 },
    ...(receiver?.hasAnswered ? [] : [{ key: day, most: limits.receiverDay }]),
  ];
  const full = bounds.filter(({ key, most }) => counters.isFull(key, most));
  if (full.length > 0) {
    return { kind: 'SUMMARY', afterMs: Math.max(...full.map(({ key }) => counters.millisecondsLeft(key))) };
  }
  for (const { key } of bounds) counters.take(key);
  await addCounts(em, counters.additions(windows));
  await noteMailed(em, [mailbox]);
  return { kind: 'SENT' };
}

/** Foresees the outcome of a mail to somebody new that this sender would cause now. Nothing is counted. */
export async function newsOutlook(
  em: Em,
  limits: NewsLimits,
  line: string,
  lengthOf: LengthOf,
): Promise<'SENT' | 'WAITING' | 'NONE'> {
  const waiting = (await lengthOf(em, [line])).get(line) ?? 0;
  const counter = await row(em, selectFrom(Counter, { key: line }).where('endsAt', '>', NOW).select('counted'));
  return placeInLine(limits, waiting, (counter?.counted ?? 0) >= limits[senderKind(line)]);
}

/** Finds the place of a mail to somebody new: it does not go before those that wait, even where there is room again. */
function placeInLine(limits: NewsLimits, waiting: number, isFull: boolean): 'SENT' | 'WAITING' | 'NONE' {
  if (waiting === 0 && !isFull) return 'SENT';
  return waiting < limits.line ? 'WAITING' : 'NONE';
}
