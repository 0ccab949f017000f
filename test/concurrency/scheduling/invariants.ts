import { type Em, type RawBuilder, rows, sql } from '../../../src/database/sql.ts';
import { hostIdsOf } from '../../../src/modules/bookings/booking.entity.ts';

/** Statements that find what must never be; each answers a text for every offence. What is over is the demo's. */
const OFFENCES: Readonly<Record<string, RawBuilder<{ offence: string }>>> = {
  'times of a host overlap': sql`
    select a.host_id || ' ' || a.during as offence from occupied_times a
    join occupied_times b on b.host_id = a.host_id and b.holder_id > a.holder_id and b.during && a.during`,

  'a live booking does not hold the time of its host': sql`
    select b.id || ' ' || host.id as offence from bookings b cross join unnest(${hostIdsOf('b')}) as host(id)
    where b.status in ('PENDING', 'ACCEPTED') and b.starts_at > now() and not exists (
      select from occupied_times t
      where t.host_id = host.id and t.holder_id = b.id and t.during @> tstzrange(b.starts_at, b.ends_at)
        and t.expires_at is null)`,

  'time is held by no live booking and no reservation': sql`
    select t.host_id || ' ' || t.holder_id as offence from occupied_times t
    where not exists (
        select from bookings b where b.id = t.holder_id and b.status in ('PENDING', 'ACCEPTED')
          and t.host_id = any(${hostIdsOf('b')}))
      and not exists (select from slot_reservations r where r.id = t.holder_id and t.host_id = any(r.host_ids))`,

  'a host’s list differs from the booking': sql`
    select b.id as offence from bookings b
    where (select coalesce(array_agg(h.user_id order by h.user_id), '{}') from booking_hosts h where h.booking_id = b.id)
        <> (select array_agg(id order by id) from unnest(${hostIdsOf('b')}) as host(id))
      or exists (select from booking_hosts h where h.booking_id = b.id and h.status <> b.status)`,

  'a booking has seats and somebody in it has none, or the other way round': sql`
    select b.id || ' ' || a.id as offence from bookings b
    join booking_attendees a on a.owner_id = b.owner_id and a.booking_id = b.id
    where (b.seats is null) <> (a.seat_id is null)`,

  'a live booking has no attendees': sql`
    select b.id as offence from bookings b
    where b.status in ('PENDING', 'ACCEPTED') and not exists (
      select from booking_attendees a where a.owner_id = b.owner_id and a.booking_id = b.id)`,

  'more seats are taken than there are': sql`
    select b.id as offence from bookings b
    cross join lateral (
      select (select count(*) from booking_attendees a where a.owner_id = b.owner_id and a.booking_id = b.id) as people,
        (select count(*) from slot_reservations r where r.seat_of_id = b.id and r.expires_at > now()) as kept
    ) seats
    where b.status in ('PENDING', 'ACCEPTED') and b.seats is not null
      and people + kept > (b.seats ->> 'perSlot')::int`,
};

/**
 * Finds bookings whose recorded events are not those that there should be: each began once, and ended once if it has
 * ended.
 */
const EVENTS_OF_BOOKINGS = sql<{ offence: string }>`
  with told as (
    select e.type, coalesce(e.data ->> 'previousId', e.data -> 'booking' ->> 'id')::uuid as id, (e.data -> 'booking' ->> 'id')::uuid as new_id
    from kept_events e where not e.data -> 'booking' ? 'seatId'
  ), counted as (
    select b.id, b.status, b.status in ('CANCELLED', 'REJECTED') as has_ended,
      (select count(*) from told where type in ('BOOKING_CREATED', 'BOOKING_REQUESTED') and told.id = b.id
        or type = 'BOOKING_RESCHEDULED' and told.new_id = b.id) as begun,
      (select count(*) from told where type in ('BOOKING_CANCELLED', 'BOOKING_REJECTED', 'BOOKING_RESCHEDULED')
        and told.id = b.id) as ended,
      (select count(*) from told where type = 'BOOKING_CONFIRMED' and told.id = b.id) as confirmed
    from bookings b where b.seats is null and b.created_at > (select occurred_at from kept_events where type = 'KEPT')
  )
  select concat_ws(' ', id, status, begun, confirmed, ended) as offence from counted
  where begun <> 1 or ended <> has_ended::int or confirmed > 1`;

/** A seat is taken once, and given back once unless it is still taken. */
const EVENTS_OF_SEATS = sql<{ offence: string }>`
  with told as (
    select e.type, (e.data -> 'booking' ->> 'seatId')::uuid as id from kept_events e where e.data -> 'booking' ? 'seatId'
  ), counted as (
    select told.id, count(*) filter (where type in ('BOOKING_CREATED', 'BOOKING_REQUESTED')) as taken,
      count(*) filter (where type = 'BOOKING_CANCELLED') as given_back,
      (select count(*) from booking_attendees a join bookings b on b.owner_id = a.owner_id and b.id = a.booking_id
        where a.seat_id = told.id and b.status in ('PENDING', 'ACCEPTED')) as held
    from told group by told.id
  )
  select concat_ws(' ', id, taken, given_back, held) as offence from counted
  where taken <> 1 or given_back + held <> 1`;

/** From now on what happens is kept, also when everybody has been told and it is deleted. */
export async function keepEvents(em: Em): Promise<void> {
  const statements = [
    sql`create table kept_events as select 'KEPT' as type, '{}'::jsonb as data, clock_timestamp() as occurred_at`,
    sql`create function keep_event() returns trigger language plpgsql as $$
        begin insert into kept_events values (new.type, new.data, new.occurred_at); return new; end $$`,
    sql`create trigger keep_event after insert on domain_events for each row execute function keep_event()`,
  ];
  for (const statement of statements) await rows(em, statement);
}

/** Finds contradictions in the database; empty when all is well. */
export async function offences(em: Em): Promise<string[]> {
  const all = { ...OFFENCES, 'events of bookings': EVENTS_OF_BOOKINGS, 'events of seats': EVENTS_OF_SEATS };
  const found: string[] = [];
  for (const [rule, statement] of Object.entries(all)) {
    for (const { offence } of await rows(em, statement)) found.push(`${rule}: ${offence}`);
  }
  return found;
}

/** How often transactions have waited for each other in a ring, as PostgreSQL counts it. */
export async function deadlocks(em: Em): Promise<number> {
  const [found] = await rows(
    em,
    sql<{ count: number }>`select deadlocks::int as count from pg_stat_database where datname = current_database()`,
  );
  return found?.count ?? 0;
}
