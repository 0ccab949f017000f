/**
 * Reads what the bookings that stand, pending and reserved ones too, decide about further ones: turns, limits, and
 * seats that are left.
 */
import { firstIdAt, isTeam, timeOfId } from '../../../core/id.ts';
import { instantText } from '../../../core/instant.ts';
import { type Em, type RawBuilder, rows, sql } from '../../../database/sql.ts';
import type { BookableEventType } from '../../event-types/public/event-type-rules.queries.ts';
import { type BookedTime, type CountedPeriod, limitPeriods } from '../../event-types/settings/booking-limit.rules.ts';
import { dateAt, startOfDate } from '../../schedules/local-time.rules.ts';
import type { Host, SlotRequest } from './slot-request.rules.ts';

/**
 * The statuses that count, one after the other: each with an equals sign, so that an index finds it along with the
 * time.
 */
const STANDING = sql`unnest(array['PENDING', 'ACCEPTED']) as standing(status)`;

/**
 * Loads what decides the turn of round robin: the hosts' bookings of this event type in the time that shares are
 * counted by, and the last one of each. That time is the month, or what there is of it since a host came or their part
 * changed: a host who comes to others with many bookings has their share from then on, and not all until they have
 * caught up.
 */
export async function loadTurns(em: Em, eventType: BookableEventType, now: number): Promise<Turns> {
  const turnsAmong = await loadTurnsAmong(em, eventType, now);
  return turnsAmong(eventType.hosts);
}

/** By the ids of hosts. */
export type Turns = ReadonlyMap<string, Pick<Host, 'bookingCount' | 'lastBookedAt'>>;

/** The same among any of the hosts of an event type: by few statements, however often it is asked. */
export async function loadTurnsAmong(
  em: Em,
  eventType: BookableEventType,
  now: number,
): Promise<(hosts: BookableEventType['hosts']) => Promise<Turns>> {
  const { rules } = eventType;
  if (rules.schedulingType !== 'ROUND_ROBIN') return () => Promise.resolve(new Map());
  const month = startOfDate(dateAt(now, rules.timeZone).with({ day: 1 }), rules.timeZone);
  const changes = await lastChangesOfHosts(em, eventType);
  const since = new Map<number, Promise<Turns>>();
  return (hosts) => {
    const inTurn = hosts.filter(({ isMandatory }) => !isMandatory);
    const changed = isWeighted(inTurn) ? inTurn.map(({ userId }) => changes.get(userId) ?? 0) : [];
    const from = Math.max(month, ...changed);
    return since.getOrInsertComputed(from, () => loadTurnsSince(em, eventType, from));
  };
}

async function loadTurnsSince(em: Em, { id, ownerId, hosts }: BookableEventType, from: number): Promise<Turns> {
  // A team's bookings have an index of their own; nobody else has several hosts.
  const isOwners = isTeam(ownerId) ? sql`h.team_id = ${ownerId}` : sql`h.owner_id = ${ownerId}`;
  const found = await rows(
    em,
    sql<{ userId: string; bookingCount: number; lastId: string | null }>`
      select host.id as "userId", (
          select count(*)::int from ${STANDING} cross join lateral (
            select from booking_hosts h
            where h.user_id = host.id and ${isOwners} and h.event_type_id = ${id}
              and h.status = standing.status and h.booking_id >= ${firstIdAt(from)}
            order by h.booking_id offset 0
          ) booked
        ) as "bookingCount", (
          select last.booking_id from ${STANDING} cross join lateral (
            select h.booking_id from booking_hosts h
            where h.user_id = host.id and ${isOwners} and h.event_type_id = ${id} and h.status = standing.status
            order by h.booking_id desc limit 1
          ) last
          order by last.booking_id desc limit 1
        ) as "lastId"
      from unnest(${hosts.map(({ userId }) => userId)}::uuid[]) as host(id)`,
  );
  return new Map(
    found.map(({ userId, bookingCount, lastId }) => [
      userId,
      { bookingCount, lastBookedAt: lastId === null ? null : timeOfId(lastId) },
    ]),
  );
}

function isWeighted(hosts: BookableEventType['hosts']): boolean {
  return new Set(hosts.map(({ weight }) => weight)).size > 1;
}

/**
 * Finds when each host who takes turns came, or was given another weight, in epoch milliseconds; not needed where all have the
 * same weight. A host by membership of the team came when they joined it.
 */
async function lastChangesOfHosts(
  em: Em,
  { id, ownerId, hosts: all }: BookableEventType,
): Promise<ReadonlyMap<string, number>> {
  const hosts = all.filter(({ isMandatory }) => !isMandatory);
  if (!isWeighted(hosts)) return new Map();
  const found = await rows(
    em,
    sql<{ userId: string; changedAt: number | null }>`
      select host.id as "userId", date_part('epoch', coalesce(h.turns_since, m.joined_at)) * 1000 as "changedAt"
      from unnest(${hosts.map(({ userId }) => userId)}::uuid[]) as host(id)
      join team_memberships m on m.team_id = ${ownerId} and m.user_id = host.id
      left join event_type_hosts h on h.owner_id = m.team_id and h.event_type_id = ${id} and h.user_id = host.id`,
  );
  return new Map(found.map(({ userId, changedAt }) => [userId, Math.floor(changedAt ?? 0)]));
}

/**
 * How much is booked in each period that a limit of the event type is about and that has a part in the range. A live
 * reservation counts as the booking that it is kept for, or its holder would be refused once others have booked; the
 * caller's own does not. A reserved seat adds no booking.
 */
export async function countPeriods(
  em: Em,
  eventType: BookableEventType,
  { range, reservationId }: Pick<SlotRequest, 'range' | 'reservationId'>,
): Promise<CountedPeriod[]> {
  const { rules, ownerId, id } = eventType;
  const periods = limitPeriods(rules.bookingLimits, rules, range);
  if (periods.length === 0) return [];
  const found = await rows(
    em,
    sql<BookedTime & { reserved: BookedTime }>`
      select booked.count, booked.minutes, json_build_object('count', reserved_count, 'minutes', reserved_minutes) as reserved
      from unnest(${periods.map(({ start }) => instantText(start))}::timestamptz[],
                  ${periods.map(({ end }) => instantText(end))}::timestamptz[]) with ordinality as period(starts_at, ends_at, n)
      cross join lateral (
        select count(*)::int as count, coalesce(sum(minutes), 0) as minutes,
          (count(*) filter (where is_reserved))::int as reserved_count,
          coalesce(sum(minutes) filter (where is_reserved), 0) as reserved_minutes
        from (
          select date_part('epoch', b.ends_at - b.starts_at) / 60 as minutes, false as is_reserved
          from ${standingBookings(eventType, sql`period.starts_at`, sql`period.ends_at`)} b
          union all
          select date_part('epoch', r.ends_at - r.starts_at) / 60, true from slot_reservations r
          where r.owner_id = ${ownerId} and r.event_type_id = ${id}
            and r.starts_at >= period.starts_at and r.starts_at < period.ends_at
            and r.seat_of_id is null and r.expires_at > now() and r.id is distinct from ${reservationId}::uuid
        ) one
      ) booked
      order by period.n`,
  );
  return periods.map((period, index) => ({ ...period, ...(found[index] ?? { count: 0, minutes: 0 }) }));
}

/**
 * SQL, for `from`: the bookings of an event type that stand, with their times, of those that start in a range. A user is the
 * host of all of their own, so they are found by an index of what that user hosts, and bookings need no such index.
 */
export function standingBookings(
  { id, ownerId }: BookableEventType,
  start: RawBuilder<unknown>,
  end: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const found = isTeam(ownerId)
    ? sql`select b.id as booking_id, b.starts_at, b.ends_at from bookings b where b.team_id = ${ownerId}`
    : sql`select b.booking_id, b.starts_at, b.ends_at from booking_hosts b where b.user_id = ${ownerId}`;
  return sql`(select found.* from ${STANDING} cross join lateral (
    ${found} and b.event_type_id = ${id} and b.status = standing.status and b.starts_at >= ${start} and b.starts_at < ${end}
    offset 0
  ) found)`;
}
