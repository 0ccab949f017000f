import type { OwnedId } from '../../../../core/id.ts';
import { instantText } from '../../../../core/instant.ts';
import { Problem } from '../../../../core/problem.ts';
import { inTurns } from '../../../../core/turns.ts';
import { databaseNow } from '../../../../database/database-clock.ts';
import { type Em, row, sql } from '../../../../database/sql.ts';
import { type Interval, intersectionOf, isIn, MINUTE, unionOf } from '../../../schedules/interval.rules.ts';
import { dateAt, startOfDate } from '../../../schedules/local-time.rules.ts';
import { afterBooking, withoutReservations } from '../assign-hosts.rules.ts';
import type { BookableEventType } from '../bookable-event-type.queries.ts';
import { type Host, openSlotsInSteps, type SlotRequest, workingTime } from '../open-slots.rules.ts';
import { loadSlotRequest } from '../slot-request.queries.ts';
import type { ReservationRow } from '../take-slot.ts';

/** The caller who holds a slot. */
export interface SlotHolder {
  /** The user as whom hosts see the caller act (`holderOf`), or null. */
  readonly hostId: string | null;
  /** An app is counted by itself: it may keep slots for many people, from one server. */
  readonly isApp: boolean;
  /**
   * The names by which it is counted. A caller without a session cannot be told from others of their network; a
   * signed-in one is counted by both, since an account costs nothing.
   */
  readonly names: readonly string[];
}

/** How many slots a caller may keep: at a time, of an event type and of a host; and of an event type within `HELD_MINUTES`. */
const HOLDS = {
  stranger: { ofEventType: 3, ofHost: 6, made: 20 },
  app: { ofEventType: 10, ofHost: 20, made: 100 },
  host: { ofEventType: 20, ofHost: 40, made: 200 },
} as const;

/** How many may be kept of a host's time at once, by whomever. */
const HOLDS_OF_HOST = 40;

/** For how long somebody who is no host may keep one time, however often they renew it; afterwards it is free of them for as long. */
export const HELD_MINUTES = 15;

/** How what is kept is counted for a caller. */
interface Kept {
  readonly ofEventType: number;
  readonly ofHost: number;
  readonly made: number;
  /** The most that is held of any one of the hosts, by all callers. */
  readonly ofAll: number;
  /** For how long they have kept this time by now. */
  readonly seconds: number;
}

/** The time until which somebody may keep a slot, and since when they have. */
export interface HoldTerm {
  readonly secondsLeft: number;
  readonly secondsHeld: number;
}

/**
 * How long a slot may be kept, at most for these seconds. Its event type and its hosts must be locked, so that what is counted stays
 * so. @throws Problem RESERVATION_LIMIT_REACHED
 */
export async function requireRoomToHold(
  em: Em,
  eventType: BookableEventType,
  holder: SlotHolder,
  hold: WantedHold,
  replaced: ReservationRow | undefined,
  seconds: number,
): Promise<HoldTerm> {
  const isHost = isHostOf(eventType, holder);
  const limits = HOLDS[isHost ? 'host' : holder.isApp ? 'app' : 'stranger'];
  const kept = await findKept(em, eventType, namesOf(eventType, holder), hold, replaced);
  if (kept.ofEventType >= limits.ofEventType) throw refused(`you keep ${limits.ofEventType} slots of this event type`);
  if (kept.ofHost >= limits.ofHost) throw refused(`you keep ${limits.ofHost} slots of its host`);
  if (kept.made >= limits.made) throw refused(`you have kept ${limits.made} slots within ${HELD_MINUTES} minutes`);
  if (isHost) return { secondsLeft: seconds, secondsHeld: 0 };

  const secondsHeld = Math.floor(kept.seconds);
  const secondsLeft = Math.min(seconds, HELD_MINUTES * 60 - secondsHeld);
  if (secondsLeft <= 0) throw refused(`you have kept this time for ${HELD_MINUTES} minutes`);
  if (kept.ofAll >= HOLDS_OF_HOST) throw refused(`${HOLDS_OF_HOST} slots of its host are kept`);
  if (!(await leavesItsShare(em, eventType, hold, replaced))) throw refused('half of what is open is kept');
  return { secondsLeft, secondsHeld };
}

/** Whether the caller hosts the event type. */
export function isHostOf({ hosts }: BookableEventType, { hostId }: SlotHolder): boolean {
  return hosts.some(({ userId }) => userId === hostId);
}

/** A host is counted by the account, wherever they call from. */
export function namesOf(eventType: BookableEventType, holder: SlotHolder): readonly string[] {
  return isHostOf(eventType, holder) ? [`user ${holder.hostId}`] : holder.names;
}

async function findKept(
  em: Em,
  { ownerId, id }: OwnedId,
  names: readonly string[],
  { withBuffers, hostIds }: WantedHold,
  replaced: ReservationRow | undefined,
): Promise<Kept> {
  const [from, to] = [instantText(withBuffers.start), instantText(withBuffers.end)];
  const found = await row(
    em,
    sql<Kept>`
      select (count(*) filter (where is_live and is_of_event_type))::int as "ofEventType",
        (count(*) filter (where is_live and is_of_hosts))::int as "ofHost",
        (count(*) filter (where is_of_event_type))::int as made,
        date_part('epoch', now() - least(now(), ${replaced?.heldSince ?? null}::timestamptz,
          min(held_since) filter (where is_of_hosts and starts_at < ${to}::timestamptz and ends_at > ${from}::timestamptz))) as seconds,
        (select coalesce(max(count), 0)::int from (
          select count(*) from occupied_times t
          where t.host_id = any(${hostIds}::uuid[]) and t.expires_at > now() and t.holder_id is distinct from ${replaced?.id ?? null}::uuid
          group by t.host_id
        ) of_host) as "ofAll"
      from (
        select r.starts_at, r.ends_at, r.held_since, r.host_ids && ${hostIds}::uuid[] as is_of_hosts,
          r.owner_id = ${ownerId} and r.event_type_id = ${id} as is_of_event_type,
          r.expires_at > now() and r.id is distinct from ${replaced?.id ?? null}::uuid as is_live
        from slot_reservations r
        where r.callers && ${names}::text[] and r.expires_at > now() - make_interval(mins => ${HELD_MINUTES}::int)
      ) kept`,
  );
  return found ?? { ofEventType: 0, ofHost: 0, made: 0, ofAll: 0, seconds: 0 };
}

async function leavesItsShare(
  em: Em,
  eventType: BookableEventType,
  hold: WantedHold,
  replaced: ReservationRow | undefined,
): Promise<boolean> {
  const now = await databaseNow(em);
  const days = daysOfShare(hold.start, now, eventType.rules.timeZone);
  const question = {
    range: { start: Math.max(days[0].start, now), end: Math.max(...days.map(({ end }) => end)) },
    durationInMinutes: Math.round((hold.end - hold.start) / MINUTE),
    replaces: null,
    reservationId: replaced?.id ?? null,
  };
  const request = await loadSlotRequest(em, eventType, question, now);
  return inTurns(leavesItsShareInSteps(request, hold, days));
}

function refused(because: string): Problem {
  const message = `The slot cannot be kept, since ${because} already; go on without: it can be booked as long as it is open.`;
  return new Problem('RESERVATION_LIMIT_REACHED', message);
}

/** A slot that somebody wants to keep: whose time it takes, buffers included, or the booking in which it takes a seat. */
export interface WantedHold extends Interval {
  readonly hostIds: readonly string[];
  readonly joins: string | null;
  readonly withBuffers: Interval;
}

/** How many days in a row keep half of what they have open. */
const WEEK = 7;

/** The days, from today on, of each week that has the day of a slot in it: in the event type's zone, in order. */
function daysOfShare(start: number, now: number, timeZone: string): readonly [Interval, ...Interval[]] {
  const [date, today] = [dateAt(start, timeZone), dateAt(now, timeZone)];
  const before = Math.min(WEEK - 1, today.until(date).total('days'));
  const dayAt = (days: number): Interval => {
    const from = startOfDate(date.add({ days }), timeZone);
    return { start: from, end: startOfDate(date.add({ days: days + 1 }), timeZone) };
  };
  return [dayAt(-before), ...Array.from({ length: before + WEEK - 1 }, (_, day) => dayAt(day + 1 - before))];
}

/**
 * Whether enough stays open once this is kept: at least half of what would be open if nobody kept anything, on the day and in any
 * seven days from today on. What is open is counted in slots, and in seats where a slot has several. It is decided by what the
 * event type offers, so all that closes slots counts: time that is kept through other event types of its hosts, long meetings,
 * buffers, limits. For those other event types, what is kept of a host's day touches half of its hours at most. On the day, the first
 * one is always let through: a day may have one slot only, or take one booking. `request` is about the days.
 */
export function* leavesItsShareInSteps(
  request: SlotRequest,
  hold: WantedHold,
  days: readonly Interval[],
): Generator<void, boolean> {
  const free = yield* openInSteps(withoutHolds(request), days);
  const left = yield* openInSteps(withHold(request, hold), days);
  const isHalfOpen = (from: number, to: number): boolean =>
    placesIn(left.slice(from, to)) * 2 >= placesIn(free.slice(from, to));
  const at = days.findIndex((day) => isIn([day], hold.start));
  for (let from = Math.max(0, at - WEEK + 1); from <= at; from += 1) if (!isHalfOpen(from, from + WEEK)) return false;
  const day = days[at];
  if (!day || isFirstOf(request, day)) return true;
  return isHalfOpen(at, at + 1) && leavesHalfOfTheHours(request, hold, day);
}

const HOUR = 60 * MINUTE;

function leavesHalfOfTheHours({ hosts, reservationId }: SlotRequest, hold: WantedHold, day: Interval): boolean {
  if (hold.joins !== null) return true;
  return hosts
    .filter(({ userId }) => hold.hostIds.includes(userId))
    .every((host) => {
      const held = host.occupied.filter((time) => isHeldByOthers(time, reservationId));
      return hoursOf([...held, hold.withBuffers], day) * 2 <= hoursOf(workingTime(host, day).hours, day);
    });
}

/** How many hours of the day, counted from its beginning, these times have a part in. */
function hoursOf(times: readonly Interval[], day: Interval): number {
  const hours = new Set<number>();
  for (const { start, end } of intersectionOf(unionOf(times), [day])) {
    const last = Math.ceil((end - day.start) / HOUR);
    for (let hour = Math.floor((start - day.start) / HOUR); hour < last; hour += 1) hours.add(hour);
  }
  return hours.size;
}

function isHeldByOthers({ reservationId }: Host['occupied'][number], own: string | null): boolean {
  return reservationId !== undefined && reservationId !== own;
}

/** How much is open on each of these days. */
function* openInSteps(request: SlotRequest, days: readonly Interval[]): Generator<void, readonly number[]> {
  const slots = yield* openSlotsInSteps(request);
  const open: number[] = [];
  let next = 0;
  for (const { end } of days) {
    let places = 0;
    for (let slot = slots[next]; slot && slot.start < end; slot = slots[next]) {
      places += slot.remainingSeatCount ?? 1;
      next += 1;
    }
    open.push(places);
    yield;
  }
  return open;
}

function placesIn(days: readonly number[]): number {
  return days.reduce((places, one) => places + one, 0);
}

function withoutHolds(request: SlotRequest): SlotRequest {
  const seated = request.seated.map(({ reserved = 0, taken, ...booking }) => ({ ...booking, taken: taken - reserved }));
  return { ...withoutReservations(request), seated };
}

/** As though it were kept already, by somebody else. What is only kept has no seats for others. */
function withHold(request: SlotRequest, hold: WantedHold): SlotRequest {
  const after = afterBooking(request, hold, 'hold');
  return hold.joins === null ? { ...after, seated: request.seated } : after;
}

/** Whether nobody else keeps anything on that day. */
function isFirstOf({ hosts, seated, reservationId }: SlotRequest, { start, end }: Interval): boolean {
  const isHeld = hosts.some(({ occupied }) =>
    occupied.some((time) => isHeldByOthers(time, reservationId) && time.start < end && start < time.end),
  );
  return !isHeld && !seated.some((one) => (one.reserved ?? 0) > 0 && one.start < end && start < one.end);
}
