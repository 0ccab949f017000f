import type { OwnedId } from '../../core/id.ts';
import { selectColumns } from '../../database/columns.ts';
import { type Em, type RawBuilder, rows, sql } from '../../database/sql.ts';
import { Booking } from './booking.entity.ts';
import type { BookingStatus } from './booking-transitions.rules.ts';
import { hostIdsOf } from './host-ids.queries.ts';

/** One booking of a series. */
export interface SeriesBooking {
  readonly id: string;
  /** RFC 3339 */
  readonly start: string;
  readonly status: BookingStatus;
}

const MOST_MADE_MEANWHILE = 200;

/**
 * SQL: the bookings of a series as they were made. That is at one moment, so their ids closely follow that of the first: a few
 * rows of the primary key, however many bookings there are. What they were moved to is of the series too, and not among them.
 */
function madeWith({ ownerId, id }: OwnedId): RawBuilder<unknown> {
  return sql`(
        select b.* from (
          select * from bookings where owner_id = ${ownerId} and id >= ${id} order by id limit ${MOST_MADE_MEANWHILE}::int
        ) b
        where b.recurring_id = ${id} and b.rescheduled_from_id is null
      ) made`;
}

/** All bookings of a series as they were made, by the first one, in order of their starts. */
export async function findSeries(em: Em, first: OwnedId): Promise<SeriesBooking[]> {
  return rows(
    em,
    sql<SeriesBooking>`
      select made.id, made.starts_at as start, made.status
      from ${madeWith(first)}
      order by made.starts_at`,
  );
}

/** A booking of a series as it is now: the one that it was moved to, if it was. */
export interface SeriesMeeting extends SeriesBooking {
  /** The id that it had when the series was booked: the same, unless it has moved. */
  readonly madeId: string;
  /** RFC 3339 */
  readonly end: string;
  /** Whether the host of a cancelled one has asked for another time. */
  readonly rescheduleRequested: boolean;
}

/** The same wherever each has moved, in order of their starts; with `hostId`, those that this user hosts. */
export async function findSeriesNow(em: Em, first: OwnedId, hostId?: string): Promise<SeriesMeeting[]> {
  const { ownerId } = first;
  const isHosted = hostId === undefined ? sql`true` : sql`${hostId}::uuid = any(${hostIdsOf('b')})`;
  return rows(
    em,
    sql<SeriesMeeting>`
      with recursive moved as (
        select made.id, made.rescheduled_to_id, made.id as made_id
        from ${madeWith(first)}
        union all
        select b.id, b.rescheduled_to_id, moved.made_id from moved, lateral (
          select b.id, b.rescheduled_to_id from bookings b where b.owner_id = ${ownerId} and b.id = moved.rescheduled_to_id limit 1
        ) b
      ), last as (
        select distinct on (id) id, made_id from moved where rescheduled_to_id is null order by id, made_id
      )
      select ${selectColumns(Booking, ['id', 'status', 'rescheduleRequested'], 'b')}, last.made_id as "madeId",
        b.starts_at as start, b.ends_at as end
      from last join bookings b on b.owner_id = ${ownerId} and b.id = last.id
      where ${isHosted}
      order by b.starts_at, b.id`,
  );
}

/**
 * Whether the uid of this booking leads to all of its series: that of the first does, wherever it has moved, as its booker was
 * given it first. Who was shown the address of another one has that one alone.
 */
export async function leadsToSeries(em: Em, { ownerId, id }: OwnedId, recurringId: string): Promise<boolean> {
  if (id === recurringId) return true;
  const meetings = await findSeriesNow(em, { ownerId, id: recurringId });
  return meetings.some((one) => one.id === id && one.madeId === recurringId);
}
