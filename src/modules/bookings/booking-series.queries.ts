import type { OwnedId } from '../../core/id.ts';
import { type Em, rows, sql } from '../../database/sql.ts';
import type { BookingStatus } from './booking-transitions.rules.ts';

/** One booking of a series. */
export interface SeriesBooking {
  readonly id: string;
  /** RFC 3339 */
  readonly start: string;
  readonly status: BookingStatus;
}

const MOST_MADE_MEANWHILE = 200;

/**
 * All bookings of a series, by the one that was made first, in order of their starts. A series is made at one moment, so
 * its ids follow that one closely: a few rows of the primary key, however many bookings there are.
 */
export async function findSeries(em: Em, { ownerId, id }: OwnedId): Promise<SeriesBooking[]> {
  return rows(
    em,
    sql<SeriesBooking>`
      select made.id, made.starts_at as start, made.status
      from (
        select b.id, b.starts_at, b.status, b.recurring_id from bookings b
        where b.owner_id = ${ownerId} and b.id >= ${id} order by b.id limit ${MOST_MADE_MEANWHILE}::int
      ) made
      where made.recurring_id = ${id}
      order by made.starts_at`,
  );
}
