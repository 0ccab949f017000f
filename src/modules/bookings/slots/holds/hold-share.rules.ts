import { type Interval, intersectionOf, isIn, MINUTE, unionOf } from '../../../schedules/interval.rules.ts';
import { dateAt, startOfDate } from '../../../schedules/local-time.rules.ts';
import { afterBooking, withoutReservations } from '../availability.rules.ts';
import { openSlotsInSteps, workingTime } from '../open-slots.rules.ts';
import type { Host, SlotRequest } from '../slot-request.rules.ts';

/** A slot that somebody wants to keep: whose time it takes, buffers included, or the booking in which it takes a seat. */
export interface WantedHold extends Interval {
  readonly hostIds: readonly string[];
  readonly joins: string | null;
  readonly withBuffers: Interval;
}

/** How many days in a row keep half of what they have open. */
const WEEK = 7;

/** The days, from today on, of each week that has the day of a slot in it: in the event type's zone, in order. */
export function daysOfShare(start: number, now: number, timeZone: string): readonly [Interval, ...Interval[]] {
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
      places += slot.seatsLeft ?? 1;
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
