import { type Em, type RawBuilder, row, sql } from '../../../database/sql.ts';
import { type BookingOrderField, boundsOf, rangesBeside, statusesOf } from './booking-list.rules.ts';
import {
  conditionsOf,
  type HostList,
  hasStatus,
  hostRow,
  inRange,
  isAttendedBy,
  OF_HOST,
  pageBy,
  sortTimeOf,
} from './list-filter.queries.ts';

/** Up to this many bookings are read whole and then sorted. */
const FEW = 1_000;
/** The same, where an index alone holds all of them that matters. */
const FEW_IN_INDEX = 5_000;

/** SQL, for `from`: rows `h`, and what tells how many they are. */
interface Candidate {
  readonly few: RawBuilder<unknown>;
  readonly counted: RawBuilder<unknown>;
  /** Up to how many of them are read whole. */
  readonly most: number;
}

/**
 * SQL, for `from`: rows `h` of bookings among which are all of a list, by a filter that has an index, but none in the order
 * of the list. Undefined when every such filter leads to many, so that a walk along the list soon meets some.
 */
export async function findFew(em: Em, list: HostList): Promise<RawBuilder<unknown> | undefined> {
  const { filter, ranges, order, hostId } = list;
  // Attendees carry neither the end nor the last change. However many somebody attends: few do as many as a walk would pass over.
  if (filter.attendeeEmail != null && (order.by === 'END' || order.by === 'UPDATED_AT')) return undefined;
  const candidates: Candidate[] = [
    ...rangesBeside(order, ranges)
      .map((key) => inRangeOf(list, key))
      .map((few) => ({ counted: few, few, most: FEW })),
    ...(isFoundAlongStarts(list) ? [alongStarts(list)] : []),
    ...(filter.hostId == null
      ? []
      : [{ counted: bookingsOf(filter.hostId), few: ofBoth(hostId, filter.hostId), most: FEW }]),
  ];
  if (candidates.length === 0) return undefined;
  const counts = candidates.map(
    ({ counted, most }) => sql`(select count(*)::int from (select from ${counted} limit ${most + 1}::int) few)`,
  );
  const found = await row(em, sql<{ counts: readonly number[] }>`select array[${sql.join(counts)}] as counts`);
  const counted = candidates.map(({ few, most }, index) => ({ few, most, count: found?.counts[index] ?? Infinity }));
  const [fewest] = counted.filter(({ count, most }) => count <= most).toSorted((a, b) => a.count - b.count);
  return fewest?.few;
}

/** SQL: those of the few that the list has, with the `sort_time` of each. */
export function amongFew(list: HostList, few: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select distinct h.booking_id, ${sortTimeOf(list, OF_HOST)} as sort_time from ${few}
    where ${pageBy(list, OF_HOST).within} ${hasStatus(list.filter)} ${conditionsOf(list)} ${isAttendedBy(list.filter)}`;
}

/** Whether the index of the order does not hold all that the filter asks for, and that of the start does. */
function isFoundAlongStarts({ filter, order }: HostList): boolean {
  const { statuses, eventTypeIds, teamId, hostId, attendeeEmail, text } = filter;
  if (hostId != null || attendeeEmail != null || text != null || order.by === 'START' || order.by === 'END')
    return false;
  return eventTypeIds != null || teamId != null || (order.by === 'CREATED_AT' && statuses != null);
}

/** All that the filter leaves, if it is few: what is passed over is read in the index alone. */
function alongStarts(list: HostList): Candidate {
  const few = sql`unnest(${statusesOf(list.filter)}::text[]) as scan(status)
    cross join lateral (
      select h.* from booking_hosts h
      where h.user_id = ${list.hostId} and h.status = scan.status ${conditionsOf(list)}
      order by h.starts_at limit ${FEW_IN_INDEX + 1}::int
    ) h`;
  return { few, counted: few, most: FEW_IN_INDEX };
}

/** By the end along the starts: it has no index of its own, and lies within a day. */
function inRangeOf({ hostId, filter, ranges }: HostList, key: BookingOrderField): RawBuilder<unknown> {
  const rows = sql`select h.* from booking_hosts h where h.user_id = ${hostId} ${inRange(key, ranges[key] ?? {}, OF_HOST)}`;
  const limit = sql`limit ${FEW + 1}::int`;
  if (key === 'CREATED_AT') return sql`(${rows} order by ${OF_HOST.id} ${limit}) h`;
  const by = key === 'END' ? 'START' : key;
  const day = key === 'END' ? inRange('START', boundsOf({ by: 'START', isDescending: false }, ranges), OF_HOST) : sql``;
  return sql`unnest(${statusesOf(filter)}::text[]) as scan(status)
    cross join lateral (${rows} and h.status = scan.status ${day} order by ${OF_HOST[by]} ${limit}) h`;
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
