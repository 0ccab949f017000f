/**
 * Loads everything that decides about the slots of an event type: its hosts with their hours and busy times, whose turn it is,
 * how many more bookings the limits allow, and which seats are left. Pending bookings and reservations count like bookings.
 */

import { firstIdAt, isTeam, timeOfId } from '../../../core/id.ts';
import { instantText } from '../../../core/instant.ts';
import { inTurns } from '../../../core/turns.ts';
import { selectColumnsAs } from '../../../database/columns.ts';
import { read } from '../../../database/lanes.ts';
import { type Em, type RawBuilder, rows, sql } from '../../../database/sql.ts';
import { User } from '../../accounts/user.entity.ts';
import type { BusyCalendar } from '../../calendars/busy-calendar.rules.ts';
import { busyPeriodsIn } from '../../calendars/busy-periods.ts';
import { CALENDARS_OF_USER } from '../../calendars/fresh-calendars.ts';
import { type BookedTime, type CountedPeriod, limitPeriods } from '../../event-types/settings/booking-limit.rules.ts';
import { lengthsOf } from '../../event-types/settings/scheduling.rules.ts';
import type { Interval } from '../../schedules/interval.rules.ts';
import { DAY, dateAt, startOfDate } from '../../schedules/local-time.rules.ts';
import {
  availabilityFrom,
  type DateOverrideInput,
  DEFAULT_AVAILABILITY,
  overridesFrom,
  type Schedule,
  type WeeklyHoursInput,
} from '../../schedules/schedule.rules.ts';
import { hostIdsOf } from '../booking.entity.ts';
import type { BookingRow } from '../booking.queries.ts';
import type { BookableEventType } from './bookable-event-type.queries.ts';
import {
  type Host,
  type OccupiedTime,
  type ReplacedBooking,
  type SeatedBooking,
  type SlotRequest,
  timeToKnow,
} from './open-slots.rules.ts';

/** The slots of an event type that are asked for. */
type SlotQuestion = Pick<SlotRequest, 'range' | 'durationInMinutes' | 'replaces' | 'reservationId' | 'heldStart'>;

/** A time as whole epoch milliseconds; `extract` would calculate in numeric, which takes twice as long. */
const milliseconds = (instant: ReturnType<typeof sql>) => sql<number>`round(date_part('epoch', ${instant}) * 1000)`;

/** Reading the times of more hosts takes a while, and would hold up the short reads of others. */
const FEW_HOSTS = 10;

interface HostRow {
  readonly userId: string;
  readonly timeZone: string;
  /** Null for a user without a schedule. */
  readonly availability: readonly WeeklyHoursInput[] | null;
  readonly overrides: readonly DateOverrideInput[] | null;
  readonly outOfOffice: readonly Interval[];
  readonly occupied: readonly (Interval & { readonly holder: string; readonly expires: boolean })[];
  readonly busy: readonly Interval[];
  readonly calendars: readonly BusyCalendar[] | null;
}

/** Gathers everything that decides about the slots of an event type; `now` is the database's. */
export async function loadSlotRequest(
  em: Em,
  eventType: BookableEventType,
  question: SlotQuestion,
  now: number,
): Promise<SlotRequest> {
  const { hosts, seated } = await loadHostsAndSeats(em, eventType, question);
  return {
    ...question,
    eventType: eventType.rules,
    now,
    hosts: inTheirTurns(hosts, await loadTurns(em, eventType, now)),
    counted: await countPeriods(em, eventType, question),
    seated,
  };
}

/** A host without the turn of round robin. */
type LoadedHost = Omit<Host, 'bookingCount' | 'lastBookedAt'>;

/**
 * By one statement: seen at two moments, a seat that is given back in between would be neither free in its booking nor
 * free as time of the hosts.
 */
async function loadHostsAndSeats(
  em: Em,
  eventType: BookableEventType,
  question: SlotQuestion,
): Promise<{ hosts: LoadedHost[]; seated: readonly SeatedBooking[] }> {
  const { range, durationInMinutes } = question;
  // A length that is not offered is refused by the rules; until then it must not make a range that no database takes.
  const [first = 0] = lengthsOf(eventType.rules);
  const isOffered = lengthsOf(eventType.rules).includes(durationInMinutes);
  const known = [timeToKnow(eventType.rules, range, isOffered ? durationInMinutes : first)];
  const seated = eventType.rules.seats ? seatedBookings(eventType, question) : sql`select 1 where false`;
  // A row for each host, and not all of them in one value: that would be read in one go.
  const ask = eventType.hosts.length <= FEW_HOSTS ? read : rows;
  const found = await ask(
    em,
    sql<{ host: HostRow; seated: null } | { host: null; seated: readonly SeatedBooking[] }>`
      select row_to_json(host) as host, null::json as seated from (${hostRows(eventType, known, question.replaces)}) host
      union all select null, json_agg(booking) from (${seated}) booking having count(*) > 0`,
  );
  const hosts = await hostsFrom(eventType, known, found);
  return { hosts, seated: found.find(({ seated: bookings }) => bookings !== null)?.seated ?? [] };
}

/** Loads what decides about each host at several times at once, by one statement; turns and seats are left out. */
export async function loadHosts(
  em: Em,
  eventType: BookableEventType,
  known: readonly Interval[],
): Promise<readonly LoadedHost[]> {
  const found = await rows(
    em,
    sql<{ host: HostRow }>`select row_to_json(host) as host from (${hostRows(eventType, known, null)}) host`,
  );
  return hostsFrom(eventType, known, found);
}

/** A host, and whether a calendar of theirs says that they are busy. */
interface HostAtTime {
  readonly userId: string;
  readonly calendars: readonly BusyCalendar[] | null;
  readonly isBusy: boolean;
}

/** Finds whether hosts of a booking are busy at its time by their calendars; its own entries there do not count. */
export function loadHostsOf(
  em: Em,
  { ownerId, hostIds, start, end }: Pick<BookingRow, 'ownerId' | 'hostIds' | 'start' | 'end'>,
): Promise<HostAtTime[]> {
  const during = sql`tstzrange(${start}::timestamptz, ${end}::timestamptz)`;
  return rows(
    em,
    sql<HostAtTime>`
      select ${selectColumnsAs(User, { userId: 'id' }, 'u')}, ${CALENDARS_OF_USER} as calendars,
        exists (select from ${busyPeriodsIn(during, isOwnBooking(ownerId, null))}) as "isBusy"
      from users u where u.id = any(${hostIds}::uuid[])`,
  );
}

function hostsFrom(
  eventType: BookableEventType,
  known: readonly Interval[],
  found: readonly { readonly host: HostRow | null }[],
): Promise<LoadedHost[]> {
  const byId = new Map(found.flatMap(({ host }) => (host ? [[host.userId, host]] : [])));
  const start = Math.min(...known.map((time) => time.start));
  const end = Math.max(...known.map((time) => time.end));
  return inTurns(hostsInSteps(eventType, byId, { start, end }));
}

/** Pauses after each: a schedule has up to 100 hours of the week and 1,000 overrides. */
function* hostsInSteps(
  eventType: BookableEventType,
  byId: ReadonlyMap<string, HostRow>,
  known: Interval,
): Generator<void, LoadedHost[]> {
  const hosts: LoadedHost[] = [];
  for (const host of eventType.hosts) {
    const one = byId.get(host.userId);
    if (!one) continue;
    const { outOfOffice, busy, calendars } = one;
    hosts.push({ ...host, schedule: scheduleOf(one, known), outOfOffice, occupied: occupiedOf(one), busy, calendars });
    yield;
  }
  return hosts;
}

function hostRows(
  { ownerId, hosts, scheduleId }: BookableEventType,
  known: readonly Interval[],
  replaces: ReplacedBooking | null,
): RawBuilder<HostRow> {
  // They may have left the team since the event type was read. That the team itself is gone, its lock finds out.
  const isMember = sql`and (
      exists (select from team_memberships m where m.team_id = ${ownerId} and m.user_id = u.id and m.accepted)
      or not exists (select from teams t where t.id = ${ownerId}))`;
  const during = timeOf(known);
  return sql<HostRow>`
    select u.id as "userId", coalesce(s.time_zone, u.time_zone) as "timeZone", s.availability, s.overrides,
      (select coalesce(json_agg(json_build_object(
          'start', ${milliseconds(sql`o.starts_at`)}, 'end', ${milliseconds(sql`o.ends_at`)})), '[]')
        from out_of_office o
        where o.user_id = u.id and tstzrange(o.starts_at, o.ends_at) && ${during}) as "outOfOffice",
      (select coalesce(json_agg(json_build_object(
          'start', ${milliseconds(sql`lower(t.during)`)}, 'end', ${milliseconds(sql`upper(t.during)`)},
          'holder', t.holder_id, 'expires', t.expires_at is not null)), '[]')
        from occupied_times t
        where t.host_id = u.id and t.during && ${during} and (t.expires_at is null or t.expires_at > now())) as occupied,
      (select coalesce(json_agg(json_build_object(
          'start', ${milliseconds(sql`lower(p.during)`)}, 'end', ${milliseconds(sql`upper(p.during)`)})), '[]')
        from ${busyPeriodsIn(during, isOwnBooking(ownerId, replaces))}) as busy,
      ${CALENDARS_OF_USER} as calendars
    from users u
    left join schedules s on s.user_id = u.id
      and case when ${scheduleId}::uuid is null then s.is_default else s.id = ${scheduleId} end
    where u.id = any(${hosts.map(({ userId }) => userId)}::uuid[]) and u.suspended_at is null
      ${isTeam(ownerId) ? isMember : sql``}`;
}

/** SQL: a range; for several ranges, the one value that overlaps with whatever overlaps any of them. */
function timeOf(known: readonly Interval[]): RawBuilder<unknown> {
  const [{ start, end } = NEVER, ...more] = known;
  if (more.length === 0) return sql`tstzrange(${instantText(start)}::timestamptz, ${instantText(end)}::timestamptz)`;
  return sql`${`{${known.map((time) => `[${instantText(time.start)},${instantText(time.end)})`).join()}}`}::tstzmultirange`;
}

const NEVER: Interval = { start: 0, end: 0 };

/**
 * SQL: whether the busy period `p` of user `u` is how a calendar shows a booking that takes the user's time anyway, or the
 * one that is to move. A booking that was cancelled blocks until the calendar has let go of it.
 */
function isOwnBooking(ownerId: string, replaces: ReplacedBooking | null): RawBuilder<boolean> {
  const standing = sql`exists (
    select from occupied_times t
    join bookings b on b.owner_id = coalesce(t.team_id, t.host_id) and b.id = t.holder_id
    where t.host_id = u.id and t.during && p.during and b.ics_id = p.ics_id)`;
  if (!replaces) return sql<boolean>`${standing}`;
  return sql<boolean>`(${standing} or exists (
    select from bookings b where b.owner_id = ${ownerId} and b.id = ${replaces.id} and b.ics_id = p.ics_id))`;
}

function scheduleOf({ timeZone, availability, overrides }: HostRow, { start, end }: Interval): Schedule {
  if (!availability) return { timeZone, availability: DEFAULT_AVAILABILITY, overrides: [] };
  // A year of overrides need not be read for a day of slots; no zone is as much as two days away from UTC.
  const [from, to] = [dateText(start - 2 * DAY), dateText(end + 2 * DAY)];
  const near = (overrides ?? []).filter(({ date }) => from <= date && date <= to);
  return { timeZone, availability: availabilityFrom(availability), overrides: overridesFrom(near) };
}

function occupiedOf({ occupied }: HostRow): OccupiedTime[] {
  return occupied.map(({ start, end, holder, expires }) => ({
    start,
    end,
    ...(expires ? { reservationId: holder } : { bookingId: holder }),
  }));
}

export function inTheirTurns(hosts: readonly LoadedHost[], turns: Turns): Host[] {
  return hosts.map((host) => ({ ...host, ...(turns.get(host.userId) ?? { bookingCount: 0, lastBookedAt: null }) }));
}

function seatedBookings(
  eventType: BookableEventType,
  { range, reservationId }: SlotQuestion,
): RawBuilder<SeatedBooking> {
  return sql<SeatedBooking>`
    select b.id, ${hostIdsOf('b')} as "hostIds", ${milliseconds(sql`b.starts_at`)} as start, ${milliseconds(sql`b.ends_at`)} as end,
      (b.seats ->> 'perSlot')::int as "perSlot",
      (select count(*)::int from booking_attendees a where a.owner_id = b.owner_id and a.booking_id = b.id) + held.seats as taken,
      held.seats as reserved
    from ${standingBookings(eventType, instantAt(range.start), instantAt(range.end))} standing
    cross join lateral (
      select * from bookings b where b.owner_id = ${eventType.ownerId} and b.id = standing.booking_id offset 0
    ) b
    cross join lateral (
      select count(*)::int as seats from slot_reservations r
      where r.owner_id = b.owner_id and r.event_type_id = b.event_type_id and r.starts_at = b.starts_at
        and r.seat_of_id = b.id and r.expires_at > now() and r.id is distinct from ${reservationId}::uuid
    ) held
    where b.seats is not null`;
}

function instantAt(epochMilliseconds: number): RawBuilder<unknown> {
  return sql`${instantText(epochMilliseconds)}::timestamptz`;
}

function dateText(epochMilliseconds: number): string {
  return instantText(epochMilliseconds).slice(0, 10);
}

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
async function countPeriods(
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
function standingBookings(
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
