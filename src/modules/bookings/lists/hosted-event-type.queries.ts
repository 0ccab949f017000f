import { type RawBuilder, sql } from '../../../database/sql.ts';

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
