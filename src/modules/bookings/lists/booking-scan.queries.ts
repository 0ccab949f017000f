import { pageLimit } from '../../../database/keyset.ts';
import { type Em, type RawBuilder, sql } from '../../../database/sql.ts';
import {
  attendeesOf,
  type BookingList,
  type BookingQuestion,
  conditionsOf,
  directionOf,
  hasEmail,
  hasStatus,
  hostRow,
  inRange,
  OF_HOST,
  ownersIn,
  pageBy,
  sortTimeOf,
  type TimeColumns,
} from './booking-condition.queries.ts';
import { boundsOf, statusesOf } from './booking-list.rules.ts';
import { amongFew, findFew } from './few-bookings.queries.ts';

/**
 * SQL, for `from`: `found`, with the `booking_id` and `sort_time` of at least the page of a host's list.
 *
 * PostgreSQL cannot know where along a list the bookings lie that a filter wants, and a walk that meets none of them reads
 * all of a host's years. So a filter leads to scans of an index that holds both it and the order, each as short as the
 * page, and what they find is merged. A condition is `(select true … limit 1)` and not `exists`, which the planner may
 * turn into a join of everything with everything.
 */
export async function scanBookings(em: Em, list: BookingList): Promise<RawBuilder<unknown>> {
  const few = await findFew(em, list);
  if (few) return amongFew(list, few);
  const { attendeeEmail } = list.filter;
  if (attendeeEmail != null) return alongAttendee(list, attendeeEmail);
  return sql`(${walksAlong(list, sql`booking_hosts h where h.user_id = ${list.hostId} ${conditionsOf(list)}`)}) found`;
}

/**
 * SQL: at least the page of what `rows` lists, with the `sort_time` of each: for `from`, rows `h` and their conditions, of
 * which one begins an index of the order. `shown` are other columns of `h`.
 */
export function walksAlong(
  question: BookingQuestion,
  rows: RawBuilder<unknown>,
  shown: RawBuilder<unknown> = sql`h.booking_id`,
): RawBuilder<unknown> {
  const { order, filter } = question;
  const walk: Walk = { ...question, rows: sql`${rows} and h.status = scan.status`, shown };
  // Along the ids, whatever the status: where few have it, these were found before (few-bookings.queries.ts).
  const isOfStatus = filter.status == null ? sql`` : hasStatus(filter);
  if (order.by === 'CREATED') return along({ ...walk, rows: sql`${rows} ${isOfStatus}` });
  const scan = order.by === 'END' ? alongStarts(walk) : along(walk);
  return sql`select found.* from unnest(${statusesOf(filter)}::text[]) as scan(status) cross join lateral (${scan}) found`;
}

/** Along one index, from one end to the other. */
interface Walk extends BookingQuestion {
  readonly rows: RawBuilder<unknown>;
  readonly shown: RawBuilder<unknown>;
}

function along(walk: Walk): RawBuilder<unknown> {
  const { within, orderAndLimit } = pageBy(walk, OF_HOST);
  const { rows, shown } = walk;
  return sql`select ${shown}, ${sortTimeOf(walk, OF_HOST)} as sort_time from ${rows} and ${within} ${orderAndLimit}`;
}

/**
 * SQL: a page by the end, along the starts: a booking ends within a day of its start. When as many as a page holds have been
 * met, the page ends no later than the last of these; what is before it in the list starts at most a day away.
 */
function alongStarts(walk: Walk): RawBuilder<unknown> {
  const { order, ranges, request, rows, shown } = walk;
  const { within, orderAndLimit, between } = pageBy(walk, OF_HOST);
  const isAscending = order.isDescending === request.backward;
  const near = sql`${rows} and ${within}
    ${inRange('START', boundsOf({ by: 'START', isDescending: false }, { ...ranges, END: between }), OF_HOST)}`;
  const [latest, none] = isAscending ? [sql`max`, sql`'infinity'`] : [sql`min`, sql`'-infinity'`];
  const end = sql`coalesce((
    select ${latest}(met.ends_at) from (
      select h.ends_at from ${near} order by h.starts_at ${directionOf(order, request)} limit ${pageLimit(request)}
    ) met
    having count(*) > ${request.limit}::int), ${none})`;
  const isNearEnd = isAscending
    ? sql`and h.starts_at < bound.ends_at and h.ends_at <= bound.ends_at`
    : sql`and h.starts_at >= bound.ends_at - interval '24 hours' and h.ends_at >= bound.ends_at`;
  return sql`
    select met.* from (select ${end} as ends_at offset 0) bound
    cross join lateral (
      select ${shown}, h.ends_at as sort_time from ${near} ${isNearEnd} ${orderAndLimit}
    ) met`;
}

/** Attendees carry the start of their booking, which never changes; by its other times, few-bookings.queries.ts finds them. */
const OF_ATTENDEE: TimeColumns = {
  START: sql`a.starts_at`,
  END: sql`null`,
  UPDATED: sql`null`,
  id: sql`a.booking_id`,
};

/**
 * SQL: what somebody attends with an owner: along its index by the start, or sorted as a whole.
 * Whether the host's list has it is looked up in the order of the list, until the page is full.
 */
function alongAttendee(list: BookingList, email: string): RawBuilder<unknown> {
  const { within, order, orderAndLimit } = pageBy(list, OF_ATTENDEE);
  const isHosted = sql`(select true from ${hostRow(list.hostId, sql`a.booking_id`)}
          where true ${hasStatus(list.filter)} ${conditionsOf(list)})`;
  const attended = sql`booking_attendees a where a.owner_id = owner.id and ${hasEmail(email)} and ${within}`;
  const scan =
    list.order.by === 'START'
      ? sql`select a.booking_id, a.starts_at as sort_time from ${attended} and ${isHosted}
          and a.id = (
            select a.id from ${attendeesOf(sql`a.owner_id`, sql`a.booking_id`)} where ${hasEmail(email)} order by a.id limit 1)
        ${orderAndLimit}`
      : sql`select a.booking_id, ${sortTimeOf(list, OF_ATTENDEE)} as sort_time
          from (select distinct a.booking_id from ${attended} ${order} offset 0) a
          where ${isHosted} ${orderAndLimit}`;
  return sql`${ownersIn(list)} as owner(id) cross join lateral (${scan}) found`;
}
