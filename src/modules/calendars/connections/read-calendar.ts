import type { OwnedId } from '../../../core/id.ts';
import { selectColumns } from '../../../database/columns.ts';
import { fromNow, LATER, NOW } from '../../../database/expressions.ts';
import { changed, type Em, row, sql } from '../../../database/sql.ts';
import { updateTable } from '../../../database/statements.ts';
import { type Postponed, postponed, type Turns } from '../../../limits/owner-turns.ts';
import { User } from '../../accounts/user.entity.ts';
import type { Trigger } from '../busy-calendar.rules.ts';
import { type BusyTime, replaceBusyPeriods } from '../busy-periods.ts';
import { DAYS_AHEAD, TOO_LARGE } from '../feeds/feed-reader.ts';
import { nextReading } from '../feeds/feed-store.ts';
import { POSTPONED_SECONDS, readInThread } from '../feeds/read-in-thread.ts';
import { type Asked, comeBackIn, isToBeAsked } from '../turn-to-ask.ts';
import type { CalendarAccounts } from './calendar-accounts.ts';
import { CalendarConnection } from './calendar-connection.entity.ts';
import { tellOfFailing } from './calendar-health.ts';
import { type CalendarContent, CalendarFailure } from './calendar-provider.ts';
import { ConnectedCalendar } from './connected-calendar.entity.ts';
import { ACCOUNT_COLUMNS, type StoredAccount, serverOf } from './stored-account.ts';

const DAY = 86_400_000;
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
  readonly timeZone: string;
  readonly isOld: boolean;
  readonly now: number;
}

/** What a calendar says; that it is as it was; that it cannot be read; or that it has to wait, for no fault of its own. */
type Reading =
  | { readonly state: string | null; readonly periods: readonly BusyTime[] }
  | 'UNCHANGED'
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
  const asked = await askCalendar(em, { ownerId: userId, id }, accounts, hosts, 'DUE', readingId);
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
 * said stay. What was turned into busy times a day ago is so again, as the time that they reach ahead has moved. `hosts`: turns of
 * the servers that are asked, which are known by their provider. `readingId`: left out, whatever it is read by.
 * @returns undefined where it is not its turn
 */
export async function askCalendar(
  em: Em,
  { ownerId: userId, id }: OwnedId,
  accounts: CalendarAccounts,
  hosts: Turns,
  trigger: Trigger,
  readingId?: string,
): Promise<Asked | undefined> {
  const isThatOne = readingId === undefined ? sql`c.selected` : sql`c.reading_id = ${readingId}`;
  const due = await row(
    em,
    sql<Due & { readonly readingId: string }>`
      update connected_calendars c set asked_at = now() from calendar_connections a, users u
      where c.user_id = ${userId} and c.id = ${id} and ${isThatOne} and a.user_id = c.user_id and a.id = c.connection_id
        and u.id = c.user_id and u.suspended_at is null and ${isToBeAsked('c', trigger)}
      returning ${selectColumns(CalendarConnection, [...ACCOUNT_COLUMNS, 'account'], 'a')},
        ${selectColumns(ConnectedCalendar, ['externalId', 'readState', 'failures', 'readingId'], 'c')}, ${selectColumns(User, ['timeZone'], 'u')},
        coalesce(c.expanded_at < now() - interval '20 hours', true) as "isOld",
        floor(extract(epoch from now()) * 1000)::float8 as now`,
  );
  if (!due) return undefined;
  const key = { userId, id, readingId: due.readingId };
  const reading = await readingOf(em, due, accounts, hosts);
  if (isPostponed(reading)) {
    await changed(em, updateTable(ConnectedCalendar, key).set({ askedAt: null }));
    return { isAnswered: false, inSeconds: reading.inSeconds };
  }
  const inSeconds = await em.transactional(async (inner) => {
    const noted = await row(
      inner,
      updateTable(ConnectedCalendar, key)
        .set({ answeredAt: NOW, updatedAt: LATER, ...nextOf(reading, due.failures, trigger), ...changesOf(reading) })
        .returning(sql<number>`ceil(extract(epoch from next_read_at - now()))::float8`.as('seconds')),
    );
    if (noted && reading instanceof CalendarFailure) await tellOfFailing(inner, { userId, id }, reading.kind);
    if (noted && reading !== 'UNCHANGED' && !(reading instanceof CalendarFailure))
      await replaceBusyPeriods(inner, { userId, sourceId: id }, reading.periods);
    return noted?.seconds;
  });
  return { isAnswered: !(reading instanceof CalendarFailure), inSeconds };
}

/** What a visitor has us ask in vain neither counts as a failure nor puts off the next reading. */
function nextOf(reading: Exclude<Reading, Postponed>, failures: number, trigger: Trigger) {
  if (!(reading instanceof CalendarFailure)) return { failures: 0, nextReadAt: nextReading(0), restingUntil: null };
  const rest = reading.retryInSeconds ?? 0;
  const restingUntil = rest > 0 ? fromNow(rest, 'secs') : null;
  if (trigger !== 'DUE') return { restingUntil };
  return { failures: failures + 1, nextReadAt: nextReading(failures + 1, rest), restingUntil };
}

async function readingOf(em: Em, due: Due, accounts: CalendarAccounts, hosts: Turns): Promise<Reading> {
  const { externalId, timeZone, now, isOld, readState } = due;
  const range = { start: now - DAY, end: now + DAYS_AHEAD * DAY };
  try {
    const content = await hosts.run<CalendarContent | Postponed>(
      serverOf(due),
      () =>
        accounts.use(em, due, (provider, authorization) =>
          provider.read(authorization, externalId, range, isOld ? null : readState),
        ),
      postponed,
      due.id,
    );
    if ('inSeconds' in content) return content;
    const { state, objects, addresses = [] } = content;
    if (objects === null) return 'UNCHANGED';
    if (objects.length === 0) return { state, periods: [] };
    const read = await readInThread(
      { ownerId: due.userId, timeZone, range, addresses: [due.account, ...addresses] },
      Buffer.from(objects.join('\r\n')),
    );
    if ('failure' in read)
      return read.failure === 'POSTPONED' ? postponed(POSTPONED_SECONDS) : unreadable(read.failure);
    return { state, periods: read.periods };
  } catch (error) {
    if (!(error instanceof CalendarFailure)) throw error;
    // Of a provider whom everybody uses, it is the account that is asked for too much.
    hosts.rest?.(due.id, error.retryInSeconds ?? 0);
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

function changesOf(reading: Exclude<Reading, Postponed>) {
  if (reading instanceof CalendarFailure) return { error: reading.message };
  const isRead = { readAt: NOW, error: null, toldAt: null };
  if (reading === 'UNCHANGED') return isRead;
  return { ...isRead, expandedAt: NOW, readState: reading.state };
}
