import { selectColumns } from '../../../database/columns.ts';
import { LATER, NOW } from '../../../database/expressions.ts';
import { type Em, row, sql } from '../../../database/sql.ts';
import { updateTable } from '../../../database/statements.ts';
import { type OwnerTurns, type Postponed, postponed } from '../../../limits/owner-turns.ts';
import { User } from '../../accounts/user.entity.ts';
import { type BusyTime, replaceBusyPeriods } from '../busy-periods.ts';
import { DAYS_AHEAD, TOO_LARGE } from '../feeds/feed-reader.ts';
import { nextReading } from '../feeds/feed-store.ts';
import { POSTPONED_SECONDS, readInThread } from '../feeds/read-in-thread.ts';
import type { CalendarAccounts } from './calendar-accounts.ts';
import { CalendarConnection } from './calendar-connection.entity.ts';
import { tellOfFailing } from './calendar-health.ts';
import { type CalendarContent, CalendarFailure } from './calendar-provider.ts';
import { ConnectedCalendar } from './connected-calendar.entity.ts';
import { ACCOUNT_COLUMNS, type StoredAccount } from './stored-account.ts';

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
  readonly externalId: string;
  readonly readState: string | null;
  readonly failures: number;
  readonly timeZone: string;
  readonly isSuspended: boolean;
  readonly isOld: boolean;
  readonly dueInSeconds: number;
  readonly now: number;
}

/** What a calendar says; that it is as it was; that it cannot be read; or that it has to wait, for no fault of its own. */
type Reading =
  | { readonly state: string | null; readonly periods: readonly BusyTime[] }
  | 'UNCHANGED'
  | Postponed
  | CalendarFailure;

/**
 * Reads a selected calendar if it is due, and has its busy times be what it says; where it cannot be read, those that it said
 * stay. What was turned into busy times a day ago is so again, as the time that they reach ahead has moved. `hosts`: turns of the
 * servers that are asked, which are known by their provider.
 * @returns in how many seconds to come back; undefined when it is gone, not selected any more, or selected anew
 */
export async function readCalendar(
  em: Em,
  { ownerId: userId, calendarId: id, readingId }: CalendarToRead,
  accounts: CalendarAccounts,
  hosts: OwnerTurns,
): Promise<number | undefined> {
  const due = await row(
    em,
    sql<Due>`
      select ${selectColumns(CalendarConnection, ACCOUNT_COLUMNS, 'a')},
        ${selectColumns(ConnectedCalendar, ['externalId', 'readState', 'failures'], 'c')}, ${selectColumns(User, ['timeZone'], 'u')},
        u.suspended_at is not null as "isSuspended",
        coalesce(c.expanded_at < now() - interval '20 hours', true) as "isOld",
        ceil(extract(epoch from c.next_read_at - now()))::float8 as "dueInSeconds",
        floor(extract(epoch from now()) * 1000)::float8 as now
      from connected_calendars c
      join calendar_connections a on a.user_id = c.user_id and a.id = c.connection_id
      join users u on u.id = c.user_id
      where c.user_id = ${userId} and c.id = ${id} and c.reading_id = ${readingId}`,
  );
  if (!due) return undefined;
  if (due.isSuspended) return SUSPENDED_SECONDS;
  if (due.dueInSeconds > 0) return due.dueInSeconds;
  const reading = await readingOf(em, due, accounts, hosts);
  if (isPostponed(reading)) return reading.inSeconds;
  const failed = reading instanceof CalendarFailure;
  const failures = failed ? due.failures + 1 : 0;
  const nextReadAt = nextReading(failures, failed ? reading.retryInSeconds : 0);
  return em.transactional(async (inner) => {
    const noted = await row(
      inner,
      updateTable(ConnectedCalendar, { userId, id, readingId })
        .set({ failures, nextReadAt, updatedAt: LATER, ...changesOf(reading) })
        .returning(sql<number>`ceil(extract(epoch from next_read_at - now()))::float8`.as('seconds')),
    );
    if (noted && failed) await tellOfFailing(inner, { userId, id }, reading.kind);
    if (noted && reading !== 'UNCHANGED' && !failed)
      await replaceBusyPeriods(inner, { userId, sourceId: id }, reading.periods);
    return noted?.seconds;
  });
}

async function readingOf(em: Em, due: Due, accounts: CalendarAccounts, hosts: OwnerTurns): Promise<Reading> {
  const { externalId, timeZone, now, isOld, readState } = due;
  const range = { start: now - DAY, end: now + DAYS_AHEAD * DAY };
  try {
    const content = await hosts.run<CalendarContent | Postponed>(
      due.provider,
      () =>
        accounts.use(em, due, (provider, authorization) =>
          provider.read(authorization, externalId, range, isOld ? null : readState),
        ),
      postponed,
    );
    if ('inSeconds' in content) return content;
    const { state, objects } = content;
    if (objects === null) return 'UNCHANGED';
    if (objects.length === 0) return { state, periods: [] };
    const read = await readInThread({ ownerId: due.userId, timeZone, range }, Buffer.from(objects.join('\r\n')));
    if ('failure' in read)
      return read.failure === 'POSTPONED' ? postponed(POSTPONED_SECONDS) : unreadable(read.failure);
    return { state, periods: read.periods };
  } catch (error) {
    if (error instanceof CalendarFailure) return error;
    throw error;
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
