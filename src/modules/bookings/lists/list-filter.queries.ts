/** A filter and an order of a list of bookings, as SQL: the conditions on the rows `h`, and the page of them in the order of the list. */
import { firstIdAt, type OwnedId } from '../../../core/id.ts';
import type { PageRequest, TimeRange } from '../../../core/page.ts';
import { isStorable } from '../../../core/text.ts';
import { byKey, byTime, pageOrder, type TimePage } from '../../../database/pages.ts';
import { hasText } from '../../../database/search.ts';
import { type RawBuilder, sql } from '../../../database/sql.ts';
import {
  BOOKING_ORDER_FIELDS,
  type BookingFilter,
  type BookingOrder,
  type BookingOrderField,
  boundsOf,
  statusesOf,
  type TimeRanges,
} from './booking-list.rules.ts';

/** Which bookings of a list are wanted, in which order. */
export interface BookingQuestion {
  readonly filter: BookingFilter;
  readonly ranges: TimeRanges;
  readonly order: BookingOrder;
  readonly request: PageRequest;
}

/** A host's list, and the page of it that is wanted. */
export interface HostList extends BookingQuestion {
  readonly hostId: string;
}

/** SQL: the columns that lists are sorted by, of the host's or the attendee's rows: a time, and the booking. */
interface TimeColumns {
  readonly START: RawBuilder<unknown>;
  readonly END: RawBuilder<unknown>;
  readonly UPDATED_AT: RawBuilder<unknown>;
  readonly id: RawBuilder<unknown>;
}

export const OF_HOST: TimeColumns = {
  START: sql`h.starts_at`,
  END: sql`h.ends_at`,
  UPDATED_AT: sql`h.updated_at`,
  id: sql`h.booking_id`,
};

/** Attendees carry the start of their booking, which never changes; by its other times, bookings are looked up. */
export const OF_ATTENDEE: TimeColumns = {
  START: sql`a.starts_at`,
  END: sql`null`,
  UPDATED_AT: sql`null`,
  id: sql`a.booking_id`,
};

/**
 * SQL: what a list is sorted by, before the id. Ids are in the order of creation, so of that they are all: the time is for
 * cursors alone.
 */
export function sortTimeOf({ order }: BookingQuestion, { id, ...times }: TimeColumns): RawBuilder<unknown> {
  return order.by === 'CREATED_AT' ? timeInId(id) : times[order.by];
}

/** SQL: when an id was made. */
function timeInId(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`to_timestamp(('x' || left(replace(${id}::text, '-', ''), 12))::bit(48)::bigint / 1000.0)`;
}

/** The page of the list; where the list is ordered by a time, the ranges bound that time. */
export function pageBy({ order, ranges, request }: BookingQuestion, { id, ...times }: TimeColumns): TimePage {
  const direction = order.isDescending ? 'NEWEST_FIRST' : 'OLDEST_FIRST';
  const bounds = boundsOf(order, ranges);
  if (order.by !== 'CREATED_AT') return byTime(direction, times[order.by], id, request, bounds);
  const { between } = byTime(direction, id, id, request, bounds);
  // The time of a cursor is that of its id.
  const byId = { ...request, after: request.after?.slice(1), before: request.before?.slice(1) };
  const { within, ...inOrder } = byKey(id, byId, order.isDescending);
  return { ...inOrder, between, within: sql<boolean>`${within} ${inRange('CREATED_AT', bounds, { id, ...times })}` };
}

export function directionOf({ isDescending }: BookingOrder, request: PageRequest): RawBuilder<unknown> {
  return pageOrder(request, isDescending);
}

/**
 * The same for what a list is not sorted by. The primary key would hold the range of ids, and PostgreSQL might read and sort
 * all of it; as texts, UUIDs are in the same order.
 */
const BESIDE: TimeColumns = { ...OF_HOST, id: sql`h.booking_id::text collate "C"` };

/** SQL, beginning with `and`: the conditions of the filter on `h`, except its place in the list, its status and its attendees. */
export function conditionsOf(list: HostList): RawBuilder<unknown> {
  const { teamId, hostId } = list.filter;
  const others = [
    besideOf(list),
    // An index has the event types, and none the team.
    ...(teamId == null && hostId == null ? [] : [sql`and h.event_type_id = any(array(${eventTypesOfTeams(list)}))`]),
    ...(hostId == null ? [] : [isHostedBy(hostId)]),
  ];
  return sql.join(others, sql` `);
}

/** SQL, beginning with `and`: what an index of the order holds beside it: other times, and the event types; and the text, which none holds. */
export function besideOf({ filter, ranges, order }: BookingQuestion): RawBuilder<unknown> {
  const keys = BOOKING_ORDER_FIELDS.filter((key) => key !== order.by);
  const inRanges = keys.map((key) => inRange(key, ranges[key] ?? {}, BESIDE));
  const ids = namedEventTypes(filter).map(({ id }) => id);
  const isOfTypes = filter.eventTypeIds == null ? sql`` : sql`and h.event_type_id = any(${ids}::uuid[])`;
  return sql.join([...inRanges, isOfTypes, ...(filter.text == null ? [] : [isAbout(filter.text)])], sql` `);
}

/** SQL, beginning with `and`: whether the title of `h`, or the name or the address of an attendee, has a text in it. */
function isAbout(text: string): RawBuilder<unknown> {
  return sql`and (select ${hasText(text, [sql`b.title`])}
      or (select true from ${attendeesOf(sql`h.owner_id`, sql`h.booking_id`)} where ${hasText(text, [sql`a.name`, sql`a.email`])} limit 1)
    from bookings b where b.owner_id = h.owner_id and b.id = h.booking_id)`;
}

/** SQL, beginning with `and`: whether this user, too, hosts `h`. */
export function isHostedBy(hostId: string): RawBuilder<unknown> {
  return sql`and (select true from booking_hosts other
    where other.user_id = ${hostId} and other.booking_id = h.booking_id limit 1)`;
}

export function hasStatus(filter: BookingFilter): RawBuilder<unknown> {
  return sql`and h.status = any(${statusesOf(filter)}::text[])`;
}

/** SQL, beginning with `and`: whether somebody with the e-mail address, if the filter names one, attends `h`. */
export function isAttendedBy({ attendeeEmail }: BookingFilter): RawBuilder<unknown> {
  if (attendeeEmail == null) return sql``;
  return sql`and (select true from ${attendeesOf(sql`h.owner_id`, sql`h.booking_id`)} where ${hasEmail(attendeeEmail)} limit 1)`;
}

/**
 * SQL, for `from`: the attendees `a` of a booking; behind a fence, since there may be very many rows with one address.
 */
export function attendeesOf(ownerId: RawBuilder<unknown>, bookingId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select * from booking_attendees where owner_id = ${ownerId} and booking_id = ${bookingId} offset 0) a`;
}

/**
 * SQL: whether it is the e-mail address of `a`, however it is typed. An index holds its hash. The planner must not
 * expect that the comparison behind that leaves any fewer rows.
 */
export function hasEmail(email: string): RawBuilder<boolean> {
  const typed = sql`lower(${isStorable(email) ? email : ''})`;
  return sql`hashtextextended(lower(a.email), 0) = hashtextextended(${typed}, 0)
    and case when lower(a.email) = ${typed} then true end`;
}

/** SQL, beginning with `and` unless it is open on both sides. */
export function inRange(
  key: BookingOrderField,
  { from, to }: TimeRange,
  { id, ...times }: TimeColumns,
): RawBuilder<unknown> {
  if (key === 'CREATED_AT') {
    const start = from ? sql`and ${id} >= ${firstIdAt(from.epochMilliseconds)}` : sql``;
    return to ? sql`${start} and ${id} < ${firstIdAt(to.epochMilliseconds)}` : start;
  }
  const time = times[key];
  const start = from ? sql`and ${time} >= ${from.toString()}::timestamptz` : sql``;
  return to ? sql`${start} and ${time} < ${to.toString()}::timestamptz` : start;
}

/**
 * SQL, for `from`: the row `h` of a host for this booking. Several indexes begin with the host, and one which seems to hold
 * all requested columns may look cheaper than the primary key, and would be read from end to end for somebody with many
 * bookings; none but the table holds `absent`.
 */
export function hostRow(hostId: string | RawBuilder<unknown>, bookingId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select h.* from booking_hosts h
    where h.user_id = ${hostId} and h.booking_id = ${bookingId} and h.absent in (true, false) limit 1
  ) h`;
}

/** SQL: whether the list of a host has this booking: what is told of a user's bookings (webhooks/) goes by that, as look-ups do. */
export function isListedFor(
  hostId: RawBuilder<unknown>,
  ownerId: RawBuilder<unknown>,
  bookingId: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`exists (select from ${hostRow(hostId, bookingId)} where h.owner_id = ${ownerId})`;
}

/** SQL: the ids of the event types of teams that a host's bookings are left to: of one team, of those shared with another host. */
function eventTypesOfTeams({ hostId, filter }: HostList): RawBuilder<unknown> {
  const teams = filter.teamId == null ? teamsOfHost(hostId) : sql`unnest(${[filter.teamId]}::uuid[])`;
  return eventTypesOfHost(hostId, teams, filter.hostId ?? null);
}

/** SQL: the `id` of the owners of these event types. */
export function ownersIn({ hostId, filter }: HostList): RawBuilder<unknown> {
  if (filter.eventTypeIds != null) {
    return sql`unnest(${[...new Set(namedEventTypes(filter).map(({ ownerId }) => ownerId))]}::uuid[])`;
  }
  if (filter.teamId != null) return sql`unnest(${[filter.teamId]}::uuid[])`;
  return sql`(select ${hostId}::uuid as id union all select id from ${teamsOfHost(hostId)} team)`;
}

export function namedEventTypes({ eventTypeIds, teamId }: BookingFilter): OwnedId[] {
  const byId = new Map((eventTypeIds ?? []).map((named) => [named.id, named]));
  return [...byId.values()].filter(({ ownerId }) => teamId == null || ownerId === teamId);
}

/**
 * SQL: the `id` of the teams through whose event types a host was booked. From one to the next in the index, so that it
 * costs as much as there are teams, however many bookings they have: more is sorted by than need be, or another index of
 * teams would do, which all hosts share.
 */
export function teamsOfHost(hostId: string): RawBuilder<unknown> {
  const next = (isAfter: RawBuilder<unknown>) => sql`
    select h.team_id from booking_hosts h where h.user_id = ${hostId} and h.team_id is not null ${isAfter}
    order by h.team_id, h.event_type_id, h.status limit 1`;
  return sql`(
    with recursive team(id) as (
      (${next(sql``)}) union all select (${next(sql`and h.team_id > team.id`)}) from team where team.id is not null
    )
    select id from team where id is not null
  )`;
}

/** SQL: the ids of a host's event types with these teams, the same way; with another host, of those of both. `found`: what is selected of them. */
export function eventTypesOfHost(
  hostId: string,
  teams: RawBuilder<unknown>,
  otherHostId: string | null,
  found: RawBuilder<unknown> = sql`type.id`,
): RawBuilder<unknown> {
  const isOfBoth =
    otherHostId === null
      ? sql``
      : sql`and (select true from booking_hosts h
          where h.user_id = ${otherHostId} and h.team_id = team.id and h.event_type_id = type.id
          order by h.status limit 1)`;
  const next = (isAfter: RawBuilder<unknown>) => sql`
    select h.event_type_id from booking_hosts h where h.user_id = ${hostId} and h.team_id = team.id ${isAfter}
    order by h.event_type_id limit 1`;
  return sql`
    select ${found} from ${teams} as team(id)
    cross join lateral (
      with recursive type(id) as (
        (${next(sql``)}) union all select (${next(sql`and h.event_type_id > type.id`)}) from type where type.id is not null
      )
      select id from type where id is not null
    ) type
    where true ${isOfBoth}`;
}

/** SQL: the `id` of the owners who have met an attendee, the same way. */
export function ownersOfAttendee(isAttendee: RawBuilder<boolean>): RawBuilder<unknown> {
  const next = (isAfter: RawBuilder<unknown>) => sql`
    select a.owner_id from booking_attendees a where ${isAttendee} ${isAfter} order by a.owner_id limit 1`;
  return sql`(
    with recursive owner(id) as (
      (${next(sql``)}) union all select (${next(sql`and a.owner_id > owner.id`)}) from owner where owner.id is not null
    )
    select id from owner where id is not null
  )`;
}
