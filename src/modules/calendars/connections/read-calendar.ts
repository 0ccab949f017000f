import type { OwnedId } from '../../../core/id.ts';
import { selectColumns } from '../../../database/columns.ts';
import { fromNow, LATER, NOW } from '../../../database/expressions.ts';
import { changed, type Em, row, sql } from '../../../database/sql.ts';
import { updateTable } from '../../../database/statements.ts';
import { type Postponed, postponed, type Turns } from '../../../limits/owner-turns.ts';
import { User } from '../../accounts/user.entity.ts';
import type { Interval } from '../../schedules/interval.rules.ts';
import { timeAskedFor } from '../busy-calendar.rules.ts';
import { type BusyTime, replaceBusyPeriods } from '../busy-periods.ts';
import { TOO_LARGE, timeKnownFrom, VISITORS_ANSWER_BYTES, VISITORS_WAIT } from '../feeds/feed-reader.ts';
import { nextReading } from '../feeds/feed-store.ts';
import { POSTPONED_SECONDS, readInThread } from '../feeds/read-in-thread.ts';
import { type Asked, askedDuring, comeBackIn, isAboutAll, isToBeAsked, type Reason } from '../turn-to-ask.ts';
import type { CalendarAccounts } from './calendar-accounts.ts';
import { CalendarConnection } from './calendar-connection.entity.ts';
import { tellOfFailing } from './calendar-health.ts';
import { type CalendarContent, CalendarFailure } from './calendar-provider.ts';
import { ConnectedCalendar } from './connected-calendar.entity.ts';
import { ACCOUNT_COLUMNS, type StoredAccount, serverOf } from './stored-account.ts';

/** How often somebody who is suspended is looked at again. */
const SUSPENDED_SECONDS = 3_600;

/** A calendar that is read, under the name that it was given when it was selected. */
export interface CalendarToRead {
  readonly ownerId: string;
  readonly calendarId: string;
  readonly readingId: string;
}

interface Due extends StoredAccount {
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

/** What a calendar says; that it is as it was; what of it is too dear to read now; that it cannot be read; or that it has to wait, for no fault of its own. */
type Reading =
  | { readonly state: string | null; readonly periods: readonly BusyTime[] }
  | 'UNCHANGED'
  | 'TOO_DEAR'
  | Postponed
  | CalendarFailure;

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
      select ${comeBackIn('c', SUSPENDED_SECONDS)} as seconds from connected_calendars c join users u on u.id = c.user_id
      where c.user_id = ${userId} and c.id = ${id} and c.reading_id = ${readingId}`,
  );
  return found?.seconds;
}

/**
 * Asks for a selected calendar where it is its turn, and has its busy times be what it says; where it cannot be read, those that it
 * said stay. What was turned into busy times a day ago is so again, as the time that they reach ahead has moved. For somebody who
 * waits, it is asked for the time around theirs alone, and for all of it by whoever asks next. `hosts`: turns of the servers that
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
    sql<Due>`
      update connected_calendars c set asked_at = now(), asked_during = ${askedDuring('c', reason)} from calendar_connections a, users u
      where c.user_id = ${userId} and c.id = ${id} and ${isThatOne} and a.user_id = c.user_id and a.id = c.connection_id
        and u.id = c.user_id and u.suspended_at is null and ${isToBeAsked('c', reason)}
      returning ${selectColumns(CalendarConnection, [...ACCOUNT_COLUMNS, 'account'], 'a')},
        ${selectColumns(ConnectedCalendar, ['externalId', 'readState', 'failures', 'readingId', 'askedAt'], 'c')}, ${selectColumns(User, ['timeZone'], 'u')},
        coalesce(c.expanded_at < now() - interval '20 hours', true) as "isOld",
        floor(extract(epoch from c.expanded_at) * 1000)::float8 as "expandedAt", ${isAboutAll('c')} as "isAboutAll",
        floor(extract(epoch from now()) * 1000)::float8 as now`,
  );
  if (!due) return undefined;
  // Selected anew or asked anew meanwhile, another answer counts.
  const key = { userId, id, readingId: due.readingId, askedAt: due.askedAt };
  const visit = reason.trigger === 'BOOKED' ? reason : undefined;
  const during = visit && !due.isAboutAll ? timeAskedFor(visit.need) : undefined;
  const reading = await readingOf(em, due, { accounts, hosts, visit, during });
  if (isPostponed(reading)) {
    await changed(em, updateTable(ConnectedCalendar, key).set({ askedAt: null }));
    return { isAnswered: false, inSeconds: reading.inSeconds };
  }
  const hasMore = reading === 'TOO_DEAR' || (during !== undefined && isTold(reading));
  const noted = await em.transactional(async (inner) => {
    const changes = hasMore ? partOf(reading) : { ...nextOf(reading, due, reason), ...changesOf(reading) };
    const found = await row(
      inner,
      updateTable(ConnectedCalendar, key)
        .set({ answeredAt: NOW, updatedAt: LATER, ...changes })
        .returning(sql<number>`ceil(extract(epoch from next_read_at - now()))::float8`.as('seconds')),
    );
    if (found && reading instanceof CalendarFailure) await tellOfFailing(inner, { userId, id }, reading.kind);
    if (found && isTold(reading)) await replaceBusyPeriods(inner, { userId, sourceId: id }, reading.periods, during);
    return found;
  });
  if (!noted && visit) return undefined;
  const isAnswered = reading !== 'TOO_DEAR' && !(reading instanceof CalendarFailure);
  return { isAnswered, hasMore, inSeconds: noted?.seconds };
}

/**
 * What is noted where not all of it is known: the rest is read when it is due, whatever state the calendar is in then. It may be the
 * one that was known, which what has been noted since is not of.
 */
function partOf(reading: Reading) {
  return { restingUntil: null, ...(isTold(reading) && { error: null, readState: null }) };
}

function isTold(reading: Reading): reading is Extract<Reading, { readonly periods: unknown }> {
  return typeof reading === 'object' && 'periods' in reading;
}

/** What a visitor has us ask in vain neither counts as a failure nor puts off the next reading. */
function nextOf(reading: Exclude<Reading, Postponed>, { failures, isOld }: Due, { trigger }: Reason) {
  // What reaches less far ahead than it could is turned into busy times again when it is due.
  if (reading === 'UNCHANGED' && isOld) return { restingUntil: null };
  if (!(reading instanceof CalendarFailure)) return { failures: 0, nextReadAt: nextReading(0), restingUntil: null };
  const rest = reading.retryInSeconds ?? 0;
  const restingUntil = rest > 0 ? fromNow(rest, 'secs') : null;
  if (trigger !== 'DUE') return { restingUntil };
  return { failures: failures + 1, nextReadAt: nextReading(failures + 1, rest), restingUntil };
}

interface Asking {
  readonly accounts: CalendarAccounts;
  readonly hosts: Turns;
  /** Undefined: nobody waits. */
  readonly visit: Extract<Reason, { readonly trigger: 'BOOKED' }> | undefined;
  /** Undefined: all of it. */
  readonly during: Interval | undefined;
}

async function readingOf(em: Em, due: Due, { accounts, hosts, visit, during }: Asking): Promise<Reading> {
  const { externalId, timeZone, now, readState, expandedAt } = due;
  const range = during ?? timeKnownFrom(now);
  const known = expandedAt === null ? undefined : timeKnownFrom(expandedAt);
  const isEnough = visit ? known !== undefined && visit.need.end <= known.end : !due.isOld;
  const asked = visit ? { ...range, maxAnswerBytes: VISITORS_ANSWER_BYTES } : range;
  try {
    const content = await hosts.run<CalendarContent | Postponed>(
      serverOf(due),
      () =>
        accounts.use(em, due, (provider, authorization) =>
          provider.read(authorization, externalId, asked, isEnough ? readState : null),
        ),
      postponed,
      due.id,
    );
    if ('inSeconds' in content) return content;
    const { state, objects, addresses = [] } = content;
    if (objects === null) return 'UNCHANGED';
    if (objects.length === 0) return { state, periods: [] };
    const read = await readInThread(
      {
        ownerId: due.userId,
        timeZone,
        range,
        addresses: [due.account, ...addresses],
        ...(visit && { cpuLeft: visit.cpuLeft }),
      },
      Buffer.from(objects.join('\r\n')),
    );
    if ('failure' in read && visit && VISITORS_WAIT.includes(read.failure)) return 'TOO_DEAR';
    if ('failure' in read)
      return read.failure === 'POSTPONED' || read.failure === 'TOO_DEAR'
        ? postponed(POSTPONED_SECONDS)
        : unreadable(read.failure);
    return { state, periods: read.periods };
  } catch (error) {
    if (!(error instanceof CalendarFailure)) throw error;
    if (visit && error.kind === 'UNREADABLE') return 'TOO_DEAR';
    // Of a provider whom everybody uses, it is the account that is asked for too much, unless the server has too much to do.
    const isServer = error.isOfServer || due.server !== null;
    hosts.rest?.(isServer ? serverOf(due) : due.id, error.retryInSeconds ?? 0);
    return error;
  }
}

function unreadable(failure: keyof typeof TOO_LARGE | 'NOT_A_CALENDAR'): CalendarFailure {
  const why = failure === 'NOT_A_CALENDAR' ? 'What its server sends is no calendar' : TOO_LARGE[failure];
  return new CalendarFailure('UNREADABLE', `${why}; select a calendar that holds less.`);
}

function isPostponed(reading: Reading): reading is Postponed {
  return typeof reading === 'object' && 'inSeconds' in reading;
}

function changesOf(reading: Exclude<Reading, Postponed | 'TOO_DEAR'>) {
  if (reading instanceof CalendarFailure) return { error: reading.message };
  const isRead = { readAt: NOW, error: null, toldAt: null };
  if (reading === 'UNCHANGED') return { ...isRead, askedDuring: null };
  return { ...isRead, expandedAt: NOW, readState: reading.state };
}
