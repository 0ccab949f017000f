import { type Em, type RawBuilder, row, sql } from '../../../database/sql.ts';
import {
  type BookingList,
  conditionsOf,
  hasEmail,
  hasStatus,
  hostRow,
  inRange,
  isAttendedBy,
  ownersIn,
  pageBy,
  TIME_OF,
} from './booking-condition.queries.ts';
import { type BookingSortKey, rangesBeside, statusesOf } from './booking-list.rules.ts';

/** Up to this many bookings are read whole and then sorted. */
const FEW = 1_000;

/** SQL, for `from`: rows `h`, and what tells how many they are. */
interface Candidate {
  readonly few: RawBuilder<unknown>;
  readonly counted: RawBuilder<unknown>;
}

/**
 * SQL, for `from`: rows `h` of bookings among which are all of a list, by a filter that has an index, but none in the order
 * of the list. Undefined when every such filter leads to many, so that a walk along the list soon meets some.
 */
export async function findFew(em: Em, list: BookingList): Promise<RawBuilder<unknown> | undefined> {
  const { filter, ranges, order, hostId } = list;
  // However many somebody attends: few do as many as a walk along the list would pass over.
  if (isFoundByAttendee(list)) return ofAttendee(list, filter.attendeeEmail ?? '');
  const candidates: Candidate[] = [
    ...rangesBeside(order, ranges)
      .map((key) => inRangeOf(list, key))
      .map((few) => ({ counted: few, few })),
    ...(filter.hostId == null ? [] : [{ counted: bookingsOf(filter.hostId), few: ofBoth(hostId, filter.hostId) }]),
  ];
  if (candidates.length === 0) return undefined;
  const counts = candidates.map(
    ({ counted }) => sql`(select count(*)::int from (select from ${counted} limit ${FEW + 1}::int) few)`,
  );
  const found = await row(em, sql<{ counts: readonly number[] }>`select array[${sql.join(counts)}] as counts`);
  const fewest = Math.min(...(found?.counts ?? []));
  return fewest > FEW ? undefined : candidates[found?.counts.indexOf(fewest) ?? 0]?.few;
}

/** SQL, for `from`: the `booking_id` and `sort_time` of those of the few that the list has. */
export function amongFew(list: BookingList, few: RawBuilder<unknown>): RawBuilder<unknown> {
  const time = TIME_OF[list.order.by];
  const isAttended = isFoundByAttendee(list) ? sql`` : isAttendedBy(list.filter);
  return sql`(
    select distinct h.booking_id, ${time} as sort_time from ${few}
    where true ${pageBy(list, time, sql`h.booking_id`).and} ${hasStatus(list.filter)} ${conditionsOf(list)} ${isAttended}
  ) found`;
}

/** Attendees do not carry the time of the last change. */
function isFoundByAttendee({ filter, order }: BookingList): boolean {
  return filter.attendeeEmail != null && order.by === 'UPDATED';
}

function inRangeOf({ hostId, filter, ranges }: BookingList, key: BookingSortKey): RawBuilder<unknown> {
  const time = TIME_OF[key];
  return sql`unnest(${statusesOf(filter)}::text[]) as scan(status)
    cross join lateral (
      select h.* from booking_hosts h
      where h.user_id = ${hostId} and h.status = scan.status ${inRange(time, ranges[key] ?? {})}
      order by ${time} limit ${FEW + 1}::int
    ) h`;
}

function ofBoth(hostId: string, otherHostId: string): RawBuilder<unknown> {
  return sql`${bookingsOf(otherHostId)} cross join lateral ${hostRow(hostId, sql`few.booking_id`)}`;
}

function bookingsOf(hostId: string): RawBuilder<unknown> {
  return sql`(
    select other.booking_id from booking_hosts other where other.user_id = ${hostId}
    order by other.booking_id limit ${FEW + 1}::int
  ) few`;
}

function ofAttendee(list: BookingList, email: string): RawBuilder<unknown> {
  return sql`${ownersIn(list)} as owner(id)
    cross join lateral (
      select a.booking_id from booking_attendees a where a.owner_id = owner.id and ${hasEmail(email)} offset 0
    ) a
    cross join lateral ${hostRow(list.hostId, sql`a.booking_id`)}`;
}
