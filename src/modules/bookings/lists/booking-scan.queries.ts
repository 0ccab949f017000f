import { type Em, type RawBuilder, sql } from '../../../database/sql.ts';
import {
  attendeesOf,
  type BookingList,
  conditionsOf,
  eventTypesIn,
  hasEmail,
  hasStatus,
  hostRow,
  isAttendedBy,
  ownersIn,
  pageBy,
  TIME_OF,
} from './booking-condition.queries.ts';
import { statusesOf } from './booking-list.rules.ts';
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
  const { order, filter } = list;
  const { attendeeEmail, eventTypeIds, teamId, hostId } = filter;
  if (attendeeEmail != null && order.by !== 'UPDATED') return alongAttendee(list, order.by, attendeeEmail);
  if (eventTypeIds != null || teamId != null || hostId != null) return alongEventTypes(list);
  return alongStatuses(list);
}

function alongStatuses(list: BookingList): RawBuilder<unknown> {
  return sql`unnest(${statusesOf(list.filter)}::text[]) as scan(status) cross join lateral (${along(list)}) found`;
}

function alongEventTypes(list: BookingList): RawBuilder<unknown> {
  const isOfType = sql`and h.owner_id = type.owner_id and h.event_type_id = type.id`;
  return sql`${eventTypesIn(list)} as type(owner_id, id)
    cross join unnest(${statusesOf(list.filter)}::text[]) as scan(status)
    cross join lateral (${along(list, isOfType)}) found`;
}

function along(list: BookingList, among: RawBuilder<unknown> = sql``): RawBuilder<unknown> {
  const time = TIME_OF[list.order.by];
  const { and, orderAndLimit } = pageBy(list, time, sql`h.booking_id`);
  return sql`
    select h.booking_id, ${time} as sort_time from booking_hosts h
    where h.user_id = ${list.hostId} and h.status = scan.status ${among} ${and} ${conditionsOf(list)}
      ${isAttendedBy(list.filter)} ${orderAndLimit}`;
}

/** Attendees carry the times of their booking that never change. */
const ATTENDED_TIME = { START: sql`a.starts_at`, END: sql`a.ends_at`, CREATED: sql`a.booked_at` };

function alongAttendee(list: BookingList, by: keyof typeof ATTENDED_TIME, email: string): RawBuilder<unknown> {
  const time = ATTENDED_TIME[by];
  const { and, orderAndLimit } = pageBy(list, time, sql`a.booking_id`);
  return sql`${ownersIn(list)} as owner(id)
    cross join lateral (
      select a.booking_id, ${time} as sort_time from booking_attendees a
      where a.owner_id = owner.id and ${hasEmail(email)} ${and}
        and (select true from ${hostRow(list.hostId, sql`a.booking_id`)}
          where true ${hasStatus(list.filter)} ${conditionsOf(list)})
        and a.id = (
          select a.id from ${attendeesOf(sql`a.owner_id`, sql`a.booking_id`)} where ${hasEmail(email)} order by a.id limit 1)
      ${orderAndLimit}
    ) found`;
}
