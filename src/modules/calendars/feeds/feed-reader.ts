import type { OwnedId } from '../../../core/id.ts';
import { sha256Hex } from '../../../core/secret.ts';
import { type Postponed, postponed, type Turns } from '../../../limits/owner-turns.ts';
import { type Credentials, type CredentialsOf, UnreadableCredentials } from '../../../outbound/credentials.ts';
import type { Outbound } from '../../../outbound/outbound.ts';
import type { Answer, NoAnswer } from '../../../outbound/outcome.ts';
import { restWanted } from '../../../outbound/retry-after.ts';
import type { Interval } from '../../schedules/interval.rules.ts';
import type { BusyTime, CpuLeft } from '../busy-calendar.rules.ts';
import type { UnreadableEvent } from './ics-event.ts';
import { MAX_EVENTS, MAX_PERIODS } from './ics-limits.rules.ts';
import { MAX_READING_SECONDS, readInThread, type ThreadAnswer } from './read-in-thread.ts';

export const MAX_FEED_MEGABYTES = 10;

/** An answer is read no further than this for a visitor: reading more would take longer than it may. */
export const VISITORS_ANSWER_BYTES = 1_048_576;
/** How many days ahead busy times are known. */
export const DAYS_AHEAD = 400;

/** The marks of the text that was read last. */
interface KnownText {
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly digest: string | null;
}

export interface FeedText extends KnownText {
  readonly periods: readonly BusyTime[];
  readonly eventCount: number;
  readonly unreadableCount: number;
  readonly unreadable: readonly UnreadableEvent[];
}

/**
 * A reading gives the text, or finds it as it was; or the text is too dear to read now, or cannot be read, for a reason in
 * words for its owner. `isPostponed`: for no fault of the feed's, as too many wait to be read. `restSeconds`: for so long its
 * server wants to be left alone.
 */
export type Reading =
  | { readonly text: FeedText }
  | { readonly unchanged: true }
  | { readonly isTooDear: true }
  | { readonly error: string; readonly isPostponed?: boolean; readonly restSeconds?: number }
  | Postponed;

/** The failures from which the background recovers. */
export const VISITORS_WAIT: readonly Failure[] = ['TOO_DEAR', 'TOO_MUCH_WORK', 'POSTPONED'];

type Failure = Extract<ThreadAnswer, { readonly failure: unknown }>['failure'];

/** The amounts that are too much of a calendar, without the full stop. */
export const TOO_LARGE = {
  TOO_MANY_EVENTS: `The calendar has more than ${MAX_EVENTS} events`,
  TOO_MANY_PERIODS: `The events of the next ${DAYS_AHEAD} days come to more than ${MAX_PERIODS} times`,
  TOO_MUCH_WORK: `The calendar cannot be read within ${MAX_READING_SECONDS} s`,
} satisfies Partial<Readonly<Record<Failure, string>>>;

/** Feeds are read and kept with these. */
export interface FeedSettings {
  readonly outbound: Outbound;
  readonly credentials: Credentials;
  /** For tests: for how long one may be read. */
  readonly maxReadingSeconds?: number;
}

const DAY = 86_400_000;

/** Calendars are known for this time in whole. `now`: epoch milliseconds */
export function timeKnownFrom(now: number): Interval {
  return { start: now - DAY, end: now + DAYS_AHEAD * DAY };
}

const LIMITS = { timeoutInMs: 8_000, maxAnswerBytes: MAX_FEED_MEGABYTES * 1_048_576, follow: 3 };

/** A server that wants to be left alone answers with these (RFC 6585 §4, RFC 9110 §15.6.4). */
const TOO_MUCH = [429, 503];

interface FeedQuestion {
  readonly ownerId: string;
  readonly url: string;
  /** The user's time zone. */
  readonly timeZone: string;
  /** Which times are of interest. */
  readonly range: Interval;
  /** The text that is known already; left out, the feed is read in any case. */
  readonly known?: KnownText;
  /** Turns of the servers that are asked; left out: it needs none. */
  readonly hosts?: Turns;
  /** Where a visitor is the reason. */
  readonly cpuLeft?: CpuLeft;
  /** Aborts once nobody waits for the answer. */
  readonly signal?: AbortSignal | undefined;
}

const FAILURES: Readonly<Record<Failure, string>> = {
  NOT_A_CALENDAR:
    'The answer is no calendar (iCalendar, RFC 5545); give the address of the calendar itself, not of a page that shows it.',
  TOO_MANY_EVENTS: `${TOO_LARGE.TOO_MANY_EVENTS}; publish one that holds less.`,
  TOO_MANY_PERIODS: `${TOO_LARGE.TOO_MANY_PERIODS}; publish a calendar that holds less.`,
  TOO_MUCH_WORK: `${TOO_LARGE.TOO_MUCH_WORK}; publish one that holds less.`,
  TOO_DEAR: 'It is read in a moment.',
  POSTPONED: 'Too many calendars wait to be read; it is tried again in about a minute.',
};

/** Reads a feed: asks its server, and turns the text into busy times. Never rejects, and says nothing of the address. */
export async function readFeed(
  { outbound, maxReadingSeconds }: Pick<FeedSettings, 'outbound' | 'maxReadingSeconds'>,
  { ownerId, url, timeZone, range, known, hosts, cpuLeft, signal }: FeedQuestion,
): Promise<Reading> {
  const headers = {
    accept: 'text/calendar, */*;q=0.1',
    ...(known?.etag != null && { 'if-none-match': known.etag }),
    ...(known?.lastModified != null && { 'if-modified-since': known.lastModified }),
  };
  const limits = cpuLeft ? { ...LIMITS, maxAnswerBytes: VISITORS_ANSWER_BYTES } : LIMITS;
  const ask = async (ending?: AbortSignal): Promise<Postponed | Answer | NoAnswer> => {
    const call = { kind: 'CALENDAR_FEED', method: 'GET', url, headers, ...(ending && { signal: ending }) } as const;
    const answer = await outbound.ask(call, limits);
    return answer.error !== undefined && ending?.aborted ? postponed(0) : answer;
  };
  const answer = hosts ? await hosts.run(new URL(url).host, ask, postponed, { signal }) : await ask();
  if ('inSeconds' in answer) return answer;
  if (answer.error !== undefined)
    return cpuLeft && answer.reason === 'TOO_LARGE' ? { isTooDear: true } : { error: answer.error };
  if (known && answer.status === 304) return { unchanged: true };
  if (answer.status !== 200) {
    const restSeconds = restWanted(answer.headers);
    if (TOO_MUCH.includes(answer.status)) hosts?.rest?.(new URL(url).host, restSeconds);
    return { error: refusal(answer.status), restSeconds };
  }
  const digest = sha256Hex(answer.body);
  if (known?.digest === digest) return { unchanged: true };
  const question = { ownerId, timeZone, range, ...(cpuLeft && { cpuLeft }) };
  const read = await readInThread(question, answer.body, maxReadingSeconds);
  if ('failure' in read && cpuLeft && VISITORS_WAIT.includes(read.failure)) return { isTooDear: true };
  if ('failure' in read) return { error: FAILURES[read.failure], isPostponed: read.failure === 'POSTPONED' };
  // No more is kept of the headers of others than there is use for.
  const header = (name: string): string | null => answer.headers.get(name)?.slice(0, 500) ?? null;
  return { text: { ...read, digest, etag: header('etag'), lastModified: header('last-modified') } };
}

/** The row that an encrypted address belongs to. */
export function rowOf({ ownerId, id }: OwnedId): CredentialsOf {
  return ['ics_feeds', ownerId, id];
}

/** The address of a feed; undefined where what its row holds was encrypted by another key. */
export async function addressOf(credentials: Credentials, feed: OwnedId, sealed: string): Promise<string | undefined> {
  try {
    return String(await credentials.open(sealed, rowOf(feed)));
  } catch (error) {
    if (error instanceof UnreadableCredentials) return undefined;
    throw error;
  }
}

/** Events that could not be read in whole, as the row of their calendar holds them. */
export async function sealUnreadable(
  credentials: Credentials,
  of: CredentialsOf,
  events: readonly UnreadableEvent[],
): Promise<string | null> {
  return events.length === 0 ? null : credentials.seal(events, of);
}

/** The events that could not be read; none where they were encrypted under another key. */
export async function unreadableOf<Event extends UnreadableEvent>(
  credentials: Credentials,
  of: CredentialsOf,
  sealed: string | null,
): Promise<readonly Event[]> {
  if (sealed === null) return [];
  try {
    return (await credentials.open(sealed, of)) as Event[];
  } catch (error) {
    if (error instanceof UnreadableCredentials) return [];
    throw error;
  }
}

function refusal(status: number): string {
  return [401, 403, 404, 410].includes(status)
    ? `The server answers ${status}: the calendar is not published at this address, or not any more.`
    : `The server answers ${status} and no calendar.`;
}
