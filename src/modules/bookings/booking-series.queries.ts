import { type Em, rows, sql } from '../../database/sql.ts';
import type { BookingStatus } from './booking-transitions.rules.ts';

/** One booking of a series. */
export interface SeriesBooking {
  readonly uid: string;
  /** RFC 3339 */
  readonly start: string;
  readonly status: BookingStatus;
}

/** Owner, kind and time of an uid; what comes after them is random. */
const TIMED_PART = 35;
const MOST_MADE_MEANWHILE = 200;

/**
 * All bookings of a series, by the uid of the first, in order of their starts. A series is made at one moment, so its uids
 * lie close together: a few rows of the primary key, however many bookings there are.
 */
export async function findSeries(
  em: Em,
  { ownerId, uid }: { readonly ownerId: string; readonly uid: string },
): Promise<SeriesBooking[]> {
  return rows(
    em,
    sql<SeriesBooking>`
      select made.uid, made.starts_at as start, made.status
      from (
        select b.uid, b.starts_at, b.status, b.recurring_id from bookings b
        where b.owner_id = ${ownerId} and b.uid >= ${uid.slice(0, TIMED_PART)}
        order by b.uid limit ${MOST_MADE_MEANWHILE}::int
      ) made
      where made.recurring_id = ${uid}
      order by made.starts_at`,
  );
}
