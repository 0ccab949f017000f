import { isId } from '../../core/id.ts';
import { cutPage, type Page, type PageRequest } from '../../core/page.ts';
import { Problem } from '../../core/problem.ts';
import { byTime } from '../../database/by-time.ts';
import { type Em, type RawBuilder, row, rows, sql } from '../../database/sql.ts';
import { BOOKING_COLUMNS, type BookingRow } from './booking.queries.ts';
import type { BookingStatus } from './booking-transitions.rules.ts';

export const BOOKING_SORT_KEYS = ['START', 'END', 'CREATED', 'UPDATED'] as const;
export type BookingSortKey = (typeof BOOKING_SORT_KEYS)[number];

/** From `from` up to, not including, `to`; either may be open. */
export interface TimeRange {
  readonly from?: Temporal.Instant | null | undefined;
  readonly to?: Temporal.Instant | null | undefined;
}

/** What a list of bookings is narrowed to; what is absent does not matter. */
export interface BookingFilter {
  readonly status?: readonly BookingStatus[] | null | undefined;
  readonly eventTypeIds?: readonly string[] | null | undefined;
  readonly teamId?: string | null | undefined;
  /** Somebody else who hosts it too. */
  readonly hostId?: string | null | undefined;
  readonly attendeeEmail?: string | null | undefined;
  readonly start?: TimeRange | null | undefined;
  readonly end?: TimeRange | null | undefined;
  readonly created?: TimeRange | null | undefined;
  readonly updated?: TimeRange | null | undefined;
}

export interface BookingOrder {
  readonly by: BookingSortKey;
  readonly isDescending: boolean;
}

/** A booking in a list, with the key of its place there. */
export type ListedBooking = BookingRow & { readonly sortTime: string };

const COLUMN_OF: Readonly<Record<BookingSortKey, RawBuilder<unknown>>> = {
  START: sql`h.starts_at`,
  END: sql`h.ends_at`,
  CREATED: sql`h.created_at`,
  UPDATED: sql`h.updated_at`,
};

/** A page of the bookings of a host, through whichever event types. The request's key has two columns. @throws Problem BAD_INPUT */
export async function listHostBookings(
  em: Em,
  hostId: string,
  filter: BookingFilter,
  { by, isDescending }: BookingOrder,
  request: PageRequest,
): Promise<Page<ListedBooking>> {
  const time = COLUMN_OF[by];
  const page = byTime(isDescending ? 'NEWEST_FIRST' : 'OLDEST_FIRST', time, sql`h.booking_uid`, request);
  const direction = isDescending === request.backward ? sql`asc` : sql`desc`;
  const fetched = await rows(
    em,
    sql<ListedBooking>`
      select ${BOOKING_COLUMNS}, page.sort_time as "sortTime"
      from (
        select h.owner_id, h.booking_uid, ${time} as sort_time
        from booking_hosts h
        where h.user_id = ${hostId} ${sql.join(conditionsOf(filter), sql` `)} ${page.and} ${page.orderAndLimit}
      ) page
      join bookings b on b.owner_id = page.owner_id and b.uid = page.booking_uid
      order by page.sort_time ${direction}, page.booking_uid ${direction}`,
  );
  return cutPage(fetched, request);
}

/** A booking by its uid, if this user is one of its hosts. */
export async function findHostBooking(em: Em, hostId: string, uid: string): Promise<BookingRow | undefined> {
  return row(
    em,
    sql<BookingRow>`
      select ${BOOKING_COLUMNS}
      from booking_hosts mine join bookings b on b.owner_id = mine.owner_id and b.uid = mine.booking_uid
      where mine.user_id = ${hostId} and mine.booking_uid = ${plainText(uid)}`,
  );
}

/** SQL, each beginning with `and`. */
function conditionsOf(filter: BookingFilter): RawBuilder<unknown>[] {
  const { status, eventTypeIds, teamId, hostId, attendeeEmail } = filter;
  return [
    ...(status == null ? [] : [sql`and h.status = any(${status}::text[])`]),
    ...(eventTypeIds == null ? [] : [sql`and h.event_type_id = any(${eventTypeIds.map(plainText)}::text[])`]),
    ...(teamId == null ? [] : [sql`and h.owner_id = ${isId('team', teamId) ? teamId : ''}`]),
    ...(hostId == null
      ? []
      : [
          sql`and exists (select from booking_hosts other
        where other.user_id = ${plainText(hostId)} and other.booking_uid = h.booking_uid)`,
        ]),
    ...(attendeeEmail == null
      ? []
      : [
          sql`and (h.owner_id, h.booking_uid) in (
        select a.owner_id, a.booking_uid from booking_attendees a where lower(a.email) = lower(${plainText(attendeeEmail)}))`,
        ]),
    ...rangeConditions(COLUMN_OF.START, filter.start, 'start'),
    ...rangeConditions(COLUMN_OF.END, filter.end, 'end'),
    ...rangeConditions(COLUMN_OF.CREATED, filter.created, 'created'),
    ...rangeConditions(COLUMN_OF.UPDATED, filter.updated, 'updated'),
  ];
}

function rangeConditions(
  column: RawBuilder<unknown>,
  range: TimeRange | null | undefined,
  name: string,
): RawBuilder<unknown>[] {
  const { from, to } = range ?? {};
  if (from && to && Temporal.Instant.compare(from, to) >= 0) {
    const message = `In ${name}, ${to.toString()} is not after ${from.toString()}; choose a later end.`;
    throw new Problem('BAD_INPUT', message, ['filter', name, 'to']);
  }
  return [
    ...(from ? [sql`and ${column} >= ${storable(from)}::timestamptz`] : []),
    ...(to ? [sql`and ${column} < ${storable(to)}::timestamptz`] : []),
  ];
}

/** PostgreSQL's years end before those that can be written; what lies beyond is as good as its ends. */
function storable(instant: Temporal.Instant): string {
  const text = instant.toString();
  if (text.startsWith('-') || text.startsWith('0000')) return '-infinity';
  return text.startsWith('+') ? 'infinity' : text;
}

/** PostgreSQL refuses NUL and lone surrogates in texts, and nothing stored has them. */
function plainText(text: string): string {
  return text.includes('\0') || !text.isWellFormed() ? '' : text;
}
