import { type RawBuilder, sql } from '../../../database/sql.ts';

/**
 * SQL: the `id` of everybody through whose event types a host was booked, themselves among them. From one to the next in
 * the index, so that it costs as much as there are owners, however many bookings they have.
 */
export function ownersOfHost(hostId: string): RawBuilder<unknown> {
  return sql`(
    with recursive owner(id) as (
      (select h.owner_id from booking_hosts h where h.user_id = ${hostId} order by h.owner_id limit 1)
      union all
      select (
        select h.owner_id from booking_hosts h where h.user_id = ${hostId} and h.owner_id > owner.id
        order by h.owner_id limit 1
      ) from owner where owner.id is not null
    )
    select id from owner where id is not null
  )`;
}

/** SQL: `owner_id` and `id` of a host's event types with these owners, the same way; with another host, of those of both. */
export function eventTypesOfHost(
  hostId: string,
  owners: RawBuilder<unknown>,
  otherHostId: string | null,
): RawBuilder<unknown> {
  const isOfBoth =
    otherHostId === null
      ? sql``
      : sql`and (select true from booking_hosts h
          where h.user_id = ${otherHostId} and h.owner_id = owner.id and h.event_type_id = type.id
          order by h.status limit 1)`;
  return sql`(
    select owner.id as owner_id, type.id
    from ${owners} as owner(id)
    cross join lateral (
      with recursive type(id) as (
        (select h.event_type_id from booking_hosts h where h.user_id = ${hostId} and h.owner_id = owner.id
          order by h.event_type_id limit 1)
        union all
        select (
          select h.event_type_id from booking_hosts h
          where h.user_id = ${hostId} and h.owner_id = owner.id and h.event_type_id > type.id
          order by h.event_type_id limit 1
        ) from type where type.id is not null
      )
      select id from type where id is not null
    ) type
    where true ${isOfBoth}
  )`;
}
