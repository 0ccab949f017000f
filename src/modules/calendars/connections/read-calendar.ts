import type { OwnedId } from '../../../core/id.ts';
import { lazily } from '../../../core/lazily.ts';
import { selectColumns } from '../../../database/columns.ts';
import { changed, type Em, LATER, NOW, row, sql } from '../../../database/sql.ts';
import { selectFrom, updateTable } from '../../../database/statements.ts';
import { type Postponed, postponed, type Turns } from '../../../limits/owner-turns.ts';
import type { CredentialsOf } from '../../../outbound/credentials.ts';
import { User } from '../../accounts/user.entity.ts';
import type { Interval } from '../../schedules/interval.rules.ts';
import { type BusyTime, timeAskedFor } from '../busy-calendar.rules.ts';
import { replaceBusyPeriods } from '../busy-periods.ts';
import {
  sealUnreadable,
  TOO_LARGE,
  timeKnownFrom,
  unreadableOf,
  VISITORS_ANSWER_BYTES,
  VISITORS_WAIT,
} from '../feeds/feed-reader.ts';
import type { UnreadableEvent } from '../feeds/ics-event.ts';
import { MAX_PERIODS, MAX_UNREADABLE } from '../feeds/ics-limits.rules.ts';
import { POSTPONED_SECONDS, readInThread, type ThreadAnswer } from '../feeds/read-in-thread.ts';
import {
  type Asked,
  askedDuring,
  comeBackIn,
  isAboutAll,
  isToBeAsked,
  nextQuestion,
  type QuestionEnd,
  type Reason,
} from '../next-reading.ts';
import { notifyOfFailing } from './account-health.ts';
import type { CalendarAccounts } from './calendar-accounts.ts';
import { CalendarConnection, ConnectedCalendar } from './calendar-connection.entity.ts';
import { ACCOUNT_COLUMNS, leaveAlone, type StoredAccount, serverOf } from './calendar-connection.queries.ts';
import { type CalendarContent, CalendarFailure, type CalendarObject } from './calendar-provider.ts';
import {
  busyTimesOf,
  differs,
  type KeptObjects,
  keptObjects,
  storedObjects,
  storedText,
  unreadableCountOf,
  withChanges,
} from './kept-objects.ts';

/** While somebody waits, no more of what is kept of objects is looked through: it takes a millisecond or two. */
const VISITORS_KEPT_LENGTH = 65_536;

/** A calendar that is read, under the name that it was given when it was selected. */
export interface CalendarToRead {
  readonly ownerId: string;
  readonly calendarId: string;
  readonly readingId: string;
}

interface Due extends StoredAccount {
  readonly calendarId: string;
  readonly account: string;
  readonly externalId: string;
  readonly readState: string | null;
  readonly failures: number;
  readonly readingId: string | null;
  readonly askedAt: string | null;
  readonly timeZone: string;
  readonly isOld: boolean;
  readonly isAboutAll: boolean;
  readonly expandedAt: number | null;
  readonly now: number;
}

/**
 * A reading gives the content, or finds the calendar as it was; or it is too dear for now, has to wait for no fault of the
 * calendar's, or fails.
 */
type Reading = Content | 'UNCHANGED' | 'TOO_DEAR' | Postponed | CalendarFailure;

interface Content {
  readonly state: string | null;
  readonly periods: readonly BusyTime[];
  /** Which time that is about. Undefined: all in which it is known. */
  readonly during: Interval | undefined;
  /** Whether all of it was read, and not only what has changed. */
  readonly isWhole: boolean;
  readonly kept: KeptObjects | undefined;
  readonly unreadableCount: number;
  readonly unreadable: readonly UnreadableOf[];
}

/** An event that could not be read, of an object. */
interface UnreadableOf extends UnreadableEvent {
  readonly of: string | null;
}

/** The content of a calendar that was read before. */
interface Kept extends KeptObjects {
  readonly unreadable: readonly UnreadableOf[];
}

/**
 * Reads a selected calendar if it is due.
 * @returns in how many seconds to come back; undefined when it is gone, not selected any more, or selected anew
 */
export async function readCalendar(
  em: Em,
  { ownerId: userId, calendarId: id, readingId }: CalendarToRead,
  accounts: CalendarAccounts,
  hosts: Turns,
): Promise<number | undefined> {
  const asked = await askCalendar(em, { ownerId: userId, id }, accounts, hosts, { trigger: 'DUE' }, readingId);
  if (asked) return asked.inSeconds;
  const found = await row(
    em,
    sql<{ seconds: number }>`
      select ${comeBackIn('c')} as seconds from connected_calendars c join users u on u.id = c.user_id
      where c.user_id = ${userId} and c.id = ${id} and c.reading_id = ${readingId}`,
  );
  return found?.seconds;
}

/**
 * Asks for a selected calendar where it is its turn, and has its busy times be what it says; where it cannot be read, those that it
 * said stay. All of it is read some times a day, whatever its server says of changes, as the time that is read moves on, and servers
 * err. For somebody who waits, it is asked for what has changed, or for the time around theirs alone, and for all of it by whoever
 * asks next. `hosts`: turns of the servers that
 * are asked, which are known by their provider. `readingId`: left out, whatever it is read by.
 * @returns undefined where it is not its turn, or not any more
 */
export async function askCalendar(
  em: Em,
  { ownerId: userId, id }: OwnedId,
  accounts: CalendarAccounts,
  hosts: Turns,
  reason: Reason,
  readingId?: string,
): Promise<Asked | undefined> {
  const isThatOne = readingId === undefined ? sql`c.selected` : sql`c.reading_id = ${readingId}`;
  const due = await row(
    em,
    sql<Omit<Due, 'calendarId'>>`
      update connected_calendars c set asked_at = now(), asked_during = ${askedDuring('c', reason)} from calendar_connections a, users u
      where c.user_id = ${userId} and c.id = ${id} and ${isThatOne} and a.user_id = c.user_id and a.id = c.connection_id
        and u.id = c.user_id and u.suspended_at is null and ${isToBeAsked('c', reason)}
      returning ${selectColumns(CalendarConnection, [...ACCOUNT_COLUMNS, 'account'], 'a')},
        ${selectColumns(ConnectedCalendar, ['externalId', 'readState', 'failures', 'readingId', 'askedAt'], 'c')}, ${selectColumns(User, ['timeZone'], 'u')},
        coalesce(c.expanded_at < now() - interval '6 hours', true) as "isOld",
        floor(extract(epoch from c.expanded_at) * 1000)::float8 as "expandedAt", ${isAboutAll('c')} as "isAboutAll",
        floor(extract(epoch from now()) * 1000)::float8 as now`,
  );
  if (!due) return undefined;
  // If the calendar is selected anew or asked anew meanwhile, this answer does not count.
  const key = { userId, id, readingId: due.readingId, askedAt: due.askedAt };
  const visit = reason.trigger === 'BOOKED' ? reason : undefined;
  const during = visit && !due.isAboutAll ? timeAskedFor(visit.need) : undefined;
  const reading = await readingOf(
    em,
    { ...due, calendarId: id },
    { accounts, hosts, visit, during, signal: reason.signal },
  );
  if (isPostponed(reading)) {
    await changed(em, updateTable(ConnectedCalendar, key).set({ askedAt: null }));
    return { isAnswered: false, inSeconds: reading.inSeconds, hasMore: true };
  }
  const isPart = isContent(reading) && reading.during !== undefined;
  const hasMore = reading === 'TOO_DEAR' || isPart;
  const changes =
    reading === 'TOO_DEAR' || isPart
      ? partOf(reading)
      : {
          ...nextQuestion(endOf(reading, due.isOld), due.failures, reason),
          ...(await changesOf(reading, accounts, ['connected_calendars', userId, id])),
        };
  const noted = await em.transactional(async (inner) => {
    const found = await row(
      inner,
      updateTable(ConnectedCalendar, key)
        .set({ answeredAt: NOW, updatedAt: LATER, ...changes })
        .returning(sql<number>`ceil(extract(epoch from next_read_at - now()))::float8`.as('seconds')),
    );
    if (found && reading instanceof CalendarFailure) await notifyOfFailing(inner, { userId, id }, reading.kind);
    if (found && isContent(reading))
      await replaceBusyPeriods(inner, { userId, sourceId: id }, reading.periods, reading.during);
    return found;
  });
  if (!noted && visit) return undefined;
  const isAnswered = reading !== 'TOO_DEAR' && !(reading instanceof CalendarFailure);
  return { isAnswered, hasMore, inSeconds: noted?.seconds };
}

/**
 * The changes to note where only a part is known: the rest is read when it is due, whatever state the calendar is in then. It
 * may be back in the last state, which no longer fits what has been noted since.
 */
function partOf(reading: Reading) {
  return { restingUntil: null, ...(isContent(reading) && { error: null, readState: null }) };
}

function isContent(reading: Reading): reading is Content {
  return typeof reading === 'object' && 'periods' in reading;
}

/** Busy times that reach less far ahead than they could are made again when it is due. */
function endOf(reading: Exclude<Reading, Postponed>, isOld: boolean): QuestionEnd {
  if (reading instanceof CalendarFailure) return { restSeconds: reading.retryInSeconds };
  const isAsFar = reading === 'UNCHANGED' || (isContent(reading) && !reading.isWhole);
  return isAsFar && isOld ? 'IN_PART' : 'WHOLE';
}

interface Asking {
  readonly accounts: CalendarAccounts;
  readonly hosts: Turns;
  /** The booking that waits for the answer; undefined where nobody waits. */
  readonly visit: Extract<Reason, { readonly trigger: 'BOOKED' }> | undefined;
  /** The time that is asked about; undefined for all of it. */
  readonly during: Interval | undefined;
  /** Aborts once nobody waits for the answer. */
  readonly signal: AbortSignal | undefined;
}

/** Where what has changed does not say enough, all of it is read. */
async function readingOf(em: Em, due: Due, asking: Asking, readsAll = false): Promise<Reading> {
  const { accounts, hosts, visit, during, signal } = asking;
  const { externalId, timeZone, now, readState, expandedAt } = due;
  const range = during ?? timeKnownFrom(now);
  const reach = expandedAt === null ? undefined : timeKnownFrom(expandedAt);
  const isEnough = visit ? reach !== undefined && visit.need.end <= reach.end : !due.isOld;
  const kept = lazily(() => keptOf(em, due, asking));
  const known = { state: readState, etags: async () => etagsOf(await kept()) };
  const asked = {
    ...range,
    isPart: during !== undefined,
    ...(visit && { maxAnswerBytes: VISITORS_ANSWER_BYTES, cpuLeft: visit.cpuLeft }),
  };
  try {
    const content = await hosts.run<CalendarContent | Postponed>(
      serverOf(due),
      (ending) =>
        unlessEnded(ending, () =>
          accounts.use(
            em,
            due,
            (provider, authorization) => {
              const before = isEnough && !readsAll ? known : undefined;
              return provider.read(authorization, externalId, { ...asked, signal: ending }, before);
            },
            ending,
          ),
        ),
      postponed,
      { account: due.id, signal },
    );
    if ('inSeconds' in content) return content;
    const { state, objects, gone } = content;
    if (objects === null) return 'UNCHANGED';
    const before = during && !gone ? undefined : await kept();
    const read = await readObjects(due, gone && before ? before.range : range, content, visit);
    if ('failure' in read && visit && VISITORS_WAIT.includes(read.failure)) return 'TOO_DEAR';
    if ('failure' in read && read.failure === 'POSTPONED') return unreadable(read.failure);
    if (gone)
      return (before && changedReading({ state, objects, gone }, read, before)) ?? readingOf(em, due, asking, true);
    if ('failure' in read) return unreadable(read.failure);
    const after = during ? undefined : keptObjects({ objects, ofEach: read.ofEach }, { timeZone, range });
    const isDoubted = before?.isDoubted === true || (before && after && state === readState && differs(before, after));
    return {
      state: isDoubted ? null : state,
      periods: read.periods,
      during,
      isWhole: true,
      kept: after && { ...after, isDoubted: isDoubted === true },
      unreadableCount: read.unreadableCount,
      unreadable: unreadableOfEach(objects, read) ?? read.unreadable.map((event) => ({ ...event, of: null })),
    };
  } catch (error) {
    if (!(error instanceof CalendarFailure)) throw error;
    if (visit && error.kind === 'UNREADABLE') return 'TOO_DEAR';
    leaveAlone(hosts, due, error);
    return error;
  }
}

/** Reads a calendar. A reading that fails because it was ended is only put off. */
async function unlessEnded<Read>(
  ending: AbortSignal | undefined,
  read: () => Promise<Read>,
): Promise<Read | Postponed> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof CalendarFailure && ending?.aborted) return postponed(0);
    throw error;
  }
}

/** Its busy times after changes; undefined where all of it has to be read for that. */
function changedReading(
  { state, objects, gone }: { state: string | null; objects: readonly CalendarObject[]; gone: readonly string[] },
  read: ThreadAnswer,
  before: Kept,
): Content | undefined {
  const after = 'failure' in read ? undefined : withChanges(before, { objects, ofEach: read.ofEach }, gone);
  const periods = after && busyTimesOf(after);
  if ('failure' in read || !after || !periods || periods.length > MAX_PERIODS) return undefined;
  const isRead = new Set([...gone, ...objects.map(({ name }) => name)]);
  return {
    state: before.isDoubted ? null : state,
    periods,
    during: undefined,
    isWhole: false,
    kept: after,
    unreadableCount: unreadableCountOf(after),
    unreadable: [...before.unreadable.filter(({ of }) => !isRead.has(of)), ...(unreadableOfEach(objects, read) ?? [])],
  };
}

function unreadableOfEach(objects: readonly CalendarObject[], read: Read): readonly UnreadableOf[] | undefined {
  return read.ofEach?.flatMap(({ unreadable: events }, place) =>
    events.map((event) => ({ ...event, of: objects[place]?.name ?? null })),
  );
}

type Read = Exclude<ThreadAnswer, { readonly failure: unknown }>;
const NOTHING: Read = { periods: [], eventCount: 0, unreadableCount: 0, unreadable: [], ofEach: [] };

async function readObjects(
  { userId, account, timeZone }: Due,
  range: Interval,
  { objects, addresses = [] }: CalendarContent,
  visit: Asking['visit'],
): Promise<ThreadAnswer> {
  if (!objects?.length) return NOTHING;
  const own = { ownerId: userId, timeZone, range, addresses: [account, ...addresses] };
  const texts = objects.map(({ text }) => text);
  return readInThread({ ...own, ...(visit && { cpuLeft: visit.cpuLeft }) }, texts);
}

/** Finds the objects as they were in this state. Undefined: they are not kept, or were read in another time zone. */
async function keptOf(em: Em, due: Due, { accounts, visit }: Asking): Promise<Kept | undefined> {
  const { userId, calendarId: id, readingId, readState, timeZone } = due;
  const isThat = sql<boolean>`read_state is not distinct from ${readState}::text`;
  const fits = visit ? sql<boolean>`length(kept_objects) <= ${VISITORS_KEPT_LENGTH}` : sql<boolean>`true`;
  const found = await row(
    em,
    selectFrom(ConnectedCalendar, { userId, id, readingId })
      .where(isThat)
      .where(fits)
      .select(['keptObjects', 'sealedUnreadable']),
  );
  const kept = found?.keptObjects == null ? undefined : storedObjects(found.keptObjects);
  if (!found || kept?.timeZone !== timeZone) return undefined;
  const of: CredentialsOf = ['connected_calendars', userId, id];
  return { ...kept, unreadable: await unreadableOf<UnreadableOf>(accounts.credentials, of, found.sealedUnreadable) };
}

function etagsOf(kept: KeptObjects | undefined): ReadonlyMap<string, string> | undefined {
  return kept && new Map([...kept.objects].map(([name, { etag }]) => [name, etag]));
}

function unreadable(
  failure: Extract<ThreadAnswer, { readonly failure: unknown }>['failure'],
): Postponed | CalendarFailure {
  if (failure === 'POSTPONED' || failure === 'TOO_DEAR') return postponed(POSTPONED_SECONDS);
  const why = failure === 'NOT_A_CALENDAR' ? 'What its server sends is no calendar' : TOO_LARGE[failure];
  return new CalendarFailure('UNREADABLE', `${why}; select a calendar that holds less.`);
}

function isPostponed(reading: Reading): reading is Postponed {
  return typeof reading === 'object' && 'inSeconds' in reading;
}

async function changesOf(
  reading: Exclude<Reading, Postponed | 'TOO_DEAR'>,
  { credentials }: CalendarAccounts,
  of: CredentialsOf,
) {
  if (reading instanceof CalendarFailure) return { error: reading.message };
  const isRead = { readAt: NOW, error: null, notifiedAt: null };
  if (reading === 'UNCHANGED') return { ...isRead, askedDuring: null };
  const { state: readState, kept, unreadableCount, unreadable: events, isWhole } = reading;
  return {
    ...isRead,
    ...(isWhole ? { expandedAt: NOW } : { askedDuring: null }),
    readState,
    keptObjects: kept ? storedText(kept) : null,
    unreadableEventCount: unreadableCount,
    sealedUnreadable: await sealUnreadable(credentials, of, events.slice(0, MAX_UNREADABLE)),
  };
}
