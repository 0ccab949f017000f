import type { OwnedId } from '../../../core/id.ts';
import type { PageRequest, TimeRange } from '../../../core/page.ts';
import { byTime, type TimePage } from '../../../database/by-time.ts';
import { type RawBuilder, sql } from '../../../database/sql.ts';
import {
  BOOKING_SORT_KEYS,
  type BookingFilter,
  type BookingOrder,
  type BookingSortKey,
  boundsOf,
  statusesOf,
  type TimeRanges,
} from './booking-list.rules.ts';
import { eventTypesOfHost, ownersOfHost } from './hosted-event-type.queries.ts';

/** A host's list, and the page of it that is wanted. */
export interface BookingList {
  readonly hostId: string;
  readonly filter: BookingFilter;
  readonly ranges: TimeRanges;
  readonly order: BookingOrder;
  readonly request: PageRequest;
}

/** SQL: the column of `booking_hosts` that a list is sorted by. */
export const TIME_OF: Readonly<Record<BookingSortKey, RawBuilder<unknown>>> = {
  START: sql`h.starts_at`,
  END: sql`h.ends_at`,
  CREATED: sql`h.created_at`,
  UPDATED: sql`h.updated_at`,
};

/** The page, where the list is read by this time and id, within what the ranges say of the time. */
export function pageBy(
  { order, ranges, request }: BookingList,
  time: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
): TimePage {
  return byTime(order.isDescending ? 'NEWEST_FIRST' : 'OLDEST_FIRST', time, id, request, boundsOf(order, ranges));
}

/** SQL, beginning with `and`: the conditions of the filter on `h`, but for its place in the list, its status and its attendees. */
export function conditionsOf({ filter, ranges, order }: BookingList): RawBuilder<unknown> {
  const { eventTypeIds, teamId, hostId } = filter;
  const keys = BOOKING_SORT_KEYS.filter((key) => key !== order.by);
  const inRanges = keys.map((key) => inRange(TIME_OF[key], ranges[key] ?? {}));
  const others = [
    ...(eventTypeIds == null ? [] : [sql`and h.event_type_id = any(${eventTypeIds.map(({ id }) => id)}::uuid[])`]),
    ...(teamId == null ? [] : [sql`and h.owner_id = ${teamId}`]),
    ...(hostId == null
      ? []
      : [
          sql`and (select true from booking_hosts other
            where other.user_id = ${hostId} and other.booking_id = h.booking_id limit 1)`,
        ]),
  ];
  return sql.join([...inRanges, ...others, sql``], sql` `);
}

export function hasStatus(filter: BookingFilter): RawBuilder<unknown> {
  return sql`and h.status = any(${statusesOf(filter)}::text[])`;
}

/** SQL, beginning with `and`: whether somebody with the e-mail address, if the filter names one, attends `h`. */
export function isAttendedBy({ attendeeEmail }: BookingFilter): RawBuilder<unknown> {
  if (attendeeEmail == null) return sql``;
  return sql`and (select true from ${attendeesOf(sql`h.owner_id`, sql`h.booking_id`)} where ${hasEmail(attendeeEmail)} limit 1)`;
}

/** SQL, for `from`: the rows `a` of who attends a booking; behind a fence, since by the address there may be very many. */
export function attendeesOf(ownerId: RawBuilder<unknown>, bookingId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select * from booking_attendees where owner_id = ${ownerId} and booking_id = ${bookingId} offset 0) a`;
}

/** SQL: whether it is the e-mail address of `a`, however it is typed. */
export function hasEmail(email: string): RawBuilder<boolean> {
  return sql`lower(a.email) = lower(${plainText(email)})`;
}

/** SQL, beginning with `and` unless it is open on both sides. */
export function inRange(time: RawBuilder<unknown>, { from, to }: TimeRange): RawBuilder<unknown> {
  const start = from ? sql`and ${time} >= ${from.toString()}::timestamptz` : sql``;
  return to ? sql`${start} and ${time} < ${to.toString()}::timestamptz` : start;
}

/**
 * SQL, for `from`: the row `h` of a host for this booking. So many indexes begin with the host that one which seems to hold
 * all that is asked for may look cheaper than the primary key, and would be read from end to end for somebody with many
 * bookings; none but the table holds `absent`.
 */
export function hostRow(hostId: string, bookingId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select h.* from booking_hosts h
    where h.user_id = ${hostId} and h.booking_id = ${bookingId} and h.absent in (true, false) limit 1
  ) h`;
}

/** SQL: `owner_id` and `id` of the event types that a host's bookings are left to. */
export function eventTypesIn({ hostId, filter }: BookingList): RawBuilder<unknown> {
  if (filter.eventTypeIds == null) {
    return eventTypesOfHost(hostId, ownersIn({ hostId, filter }), filter.hostId ?? null);
  }
  const named = namedEventTypes(filter);
  return sql`unnest(${named.map(({ ownerId }) => ownerId)}::uuid[], ${named.map(({ id }) => id)}::uuid[])`;
}

/** SQL: the `id` of the owners of these event types. */
export function ownersIn({ hostId, filter }: Pick<BookingList, 'hostId' | 'filter'>): RawBuilder<unknown> {
  if (filter.eventTypeIds != null) {
    return sql`unnest(${[...new Set(namedEventTypes(filter).map(({ ownerId }) => ownerId))]}::uuid[])`;
  }
  if (filter.teamId != null) return sql`unnest(${[filter.teamId]}::uuid[])`;
  return ownersOfHost(hostId);
}

function namedEventTypes({ eventTypeIds, teamId }: BookingFilter): OwnedId[] {
  const byId = new Map((eventTypeIds ?? []).map((named) => [named.id, named]));
  return [...byId.values()].filter(({ ownerId }) => teamId == null || ownerId === teamId);
}

/** PostgreSQL refuses NUL and lone surrogates in texts, and nothing stored has them. */
function plainText(text: string): string {
  return text.includes('\0') || !text.isWellFormed() ? '' : text;
}
