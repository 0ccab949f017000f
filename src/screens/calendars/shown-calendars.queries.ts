import type { RowOf } from '../../database/columns.ts';
import { type Em, rows } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { CalendarConnection } from '../../modules/calendars/connections/calendar-connection.entity.ts';
import { ConnectedCalendar } from '../../modules/calendars/connections/connected-calendar.entity.ts';
import { ACCOUNT_COLUMNS, type StoredAccount } from '../../modules/calendars/connections/stored-account.ts';
import { IcsFeed } from '../../modules/calendars/feeds/ics-feed.entity.ts';

const CALENDAR = [
  'id',
  'connectionId',
  'name',
  'isPrimary',
  'isReadOnly',
  'selected',
  'isDestination',
  'error',
  'readAt',
  'writeFailedAt',
  'unreadableEventCount',
  'sealedUnreadable',
] as const;
const FEED = [
  'id',
  'host',
  'ending',
  'error',
  'readAt',
  'eventCount',
  'unreadableEventCount',
  'sealedUnreadable',
] as const;

type FoundCalendar = Pick<RowOf<typeof ConnectedCalendar>, (typeof CALENDAR)[number]>;
type FoundFeed = Pick<RowOf<typeof IcsFeed>, (typeof FEED)[number]>;

/** A user's accounts, in the order in which they were connected. */
export function findAccounts(em: Em, userId: string): Promise<(StoredAccount & { readonly account: string })[]> {
  return rows(
    em,
    selectFrom(CalendarConnection, { userId })
      .select([...ACCOUNT_COLUMNS, 'account'])
      .orderBy('id'),
  );
}

/** The calendars of all of them, the primary one of each first. */
export function findCalendars(em: Em, userId: string): Promise<FoundCalendar[]> {
  const found = selectFrom(ConnectedCalendar, { userId }).select(CALENDAR);
  return rows(em, found.orderBy('connectionId').orderBy('isPrimary', 'desc').orderBy('id'));
}

export function findFeeds(em: Em, userId: string): Promise<FoundFeed[]> {
  return rows(em, selectFrom(IcsFeed, { userId }).select(FEED).orderBy('id'));
}
