import { instantAt } from '../../../core/instant.ts';
import { type Mistake, Problem } from '../../../core/problem.ts';
import type { BusyCalendar } from '../../calendars/busy-calendar.rules.ts';
import type { CountedPeriod } from '../../event-types/settings/booking-limit.rules.ts';
import type { EventTypeRules } from '../../event-types/settings/scheduling.rules.ts';
import { type Interval, MINUTE } from '../../schedules/interval.rules.ts';
import type { Schedule } from '../../schedules/schedule.rules.ts';

/** Time that a booking (pending ones too) or a live reservation holds for a host, its own buffers included. */
export interface OccupiedTime extends Interval {
  readonly bookingId?: string;
  readonly reservationId?: string;
}

/** Somebody who can be booked, with all that decides when. Lists need no order, and may reach beyond the requested range. */
export interface Host {
  readonly userId: string;
  readonly schedule: Schedule;
  /** Takes hours away from the schedule. */
  readonly outOfOffice: readonly Interval[];
  readonly occupied: readonly OccupiedTime[];
  /** From connected calendars and ICS feeds, without the events that stand for our own bookings. */
  readonly busy: readonly Interval[];
  /**
   * The calendars that say so, with the age of what they said; a caller who takes time of this host's asks them first.
   * Null, or left out: none.
   */
  readonly calendars?: readonly BusyCalendar[] | null;
  /** Attends every booking of a round-robin event type. */
  readonly isMandatory: boolean;
  /** The highest goes first, as long as it has time. */
  readonly priority: number;
  /** The share among hosts of one priority: twice the weight, twice the bookings. Positive. */
  readonly weight: number;
  /** The bookings of this event type that the share is counted by: those of the current month. */
  readonly bookingCount: number;
  /** When the last booking of this event type was made for them, epoch milliseconds; null sorts before all. */
  readonly lastBookedAt: number | null;
}

/** A booking with seats: how many it has, as it was booked, and how many are gone (live reservations count). */
export interface SeatedBooking extends Interval {
  readonly id: string;
  readonly hostIds: readonly string[];
  readonly perSlot: number;
  readonly taken: number;
  /** How many of those are only reserved; none if left out. */
  readonly reserved?: number;
}

/** The booking that a new one is to replace: its time, count and seats are free again. */
export interface ReplacedBooking extends Interval {
  readonly id: string;
  readonly hostIds: readonly string[];
}

/** Everything that decides about slots; all times are epoch milliseconds. */
export interface SlotRequest {
  readonly eventType: EventTypeRules;
  readonly hosts: readonly Host[];
  /** Slots start in it; their ends may lie beyond. */
  readonly range: Interval;
  readonly now: number;
  /** One of the event type's lengths. */
  readonly durationInMinutes: number;
  /** The periods of `limitPeriods(…)` with what is booked in them. A limited time that none of them covers is closed. */
  readonly counted: readonly CountedPeriod[];
  /** Bookings of this event type that start in the range; only needed when it has seats. */
  readonly seated: readonly SeatedBooking[];
  readonly replaces: ReplacedBooking | null;
  /** The caller's own reservation, which does not stand in its way. */
  readonly reservationId: string | null;
  /** The start that the reservation keeps for the caller. Its notice was long enough when it was reserved, and stays so. */
  readonly heldStart?: number | undefined;
}

/** A time at which the event type can be booked. */
export interface OpenSlot extends Interval {
  /** Null when the event type has no seats. */
  readonly remainingSeatCount: number | null;
  /** The booking in which a seat is free; null when the slot makes a new booking. */
  readonly joins: string | null;
}

/** A slot with the hosts who could attend: all, or, with round robin, the mandatory hosts and all to choose from. */
export interface Slot extends OpenSlot {
  readonly hostIds: readonly string[];
}

/** The time that a booking takes of its hosts, with the buffers of its event type. */
export function withBuffers(
  { start, end }: Interval,
  { bufferBeforeInMinutes, bufferAfterInMinutes }: EventTypeRules,
): Interval {
  return { start: start - bufferBeforeInMinutes * MINUTE, end: end + bufferAfterInMinutes * MINUTE };
}

/**
 * The time of which hosts' occupied, busy and out-of-office times and date overrides must be known to answer for a range:
 * a slot that starts at its end lasts beyond it, and buffers reach out on both sides.
 */
export function timeToKnow(eventType: EventTypeRules, { start, end }: Interval, durationInMinutes: number): Interval {
  return withBuffers({ start, end: end + durationInMinutes * MINUTE }, eventType);
}

export const SLOT_RANGE_CODES = ['INVERTED_RANGE', 'RANGE_TOO_LONG', 'TOO_FAR_AHEAD'] as const;

export const MAX_DAYS = 93;
const MAX_YEARS_AHEAD = 11;

/**
 * Checks the range of a question for slots: three months at a time bound what it costs. Without `now`, it checks only
 * what is wrong at any time.
 */
export function slotRangeMistakes(
  start: Temporal.Instant,
  end: Temporal.Instant,
  now?: Temporal.Instant,
): readonly Mistake[] {
  const path = ['end'];
  if (Temporal.Instant.compare(start, end) >= 0) {
    const message = `The end ${end.toString()} is not after the start ${start.toString()}; choose a later end.`;
    return [{ code: 'INVERTED_RANGE', message, path }];
  }
  if (end.since(start).total('hours') > MAX_DAYS * 24) {
    const message = `From ${start.toString()} to ${end.toString()} is more than ${MAX_DAYS} days; ask for less at a time.`;
    return [{ code: 'RANGE_TOO_LONG', message, path, bounds: { most: MAX_DAYS } }];
  }
  const farAhead = now && startMistake(path, end, now);
  return farAhead ? [farAhead] : [];
}

/** Checks a time to book before anything is known of the event type: nobody plans that far ahead. */
export function startMistake(
  path: readonly string[],
  start: Temporal.Instant,
  now: Temporal.Instant,
): Mistake | undefined {
  if (start.since(now).total('hours') <= MAX_YEARS_AHEAD * 366 * 24) return undefined;
  const message = `${start.toString()} is more than ${MAX_YEARS_AHEAD} years ahead; choose an earlier time.`;
  return { code: 'TOO_FAR_AHEAD', message, path };
}

/** Codes of a start that is refused before anything is looked up. */
export const START_CODES = ['SLOT_IN_PAST', 'TOO_FAR_AHEAD'] as const;

/**
 * Refuses a start that no event type offers, before it reaches a calendar or the database, neither of which knows the
 * years that can be written. `now` in epoch milliseconds. @throws Problem SLOT_IN_PAST, TOO_FAR_AHEAD
 */
export function requireBookableStart(start: Temporal.Instant, now: number): void {
  if (start.epochMilliseconds < now) {
    throw new Problem('SLOT_IN_PAST', `The start ${start.toString()} is over; choose a later one.`, ['start']);
  }
  const mistake = startMistake(['start'], start, instantAt(now));
  Problem.throwIfAny(mistake ? [mistake] : []);
}
