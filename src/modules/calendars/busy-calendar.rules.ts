import { type Interval, unionOf } from '../schedules/interval.rules.ts';

const DAY = 86_400_000;
/** Added before and after, as buffers of bookings and days of other time zones reach beyond the time itself. */
const MARGIN = DAY;
/** Whoever is about to take time so near need not ask again. */
const AROUND = 6 * DAY;

/** A calendar, or a feed, whose events make its user busy. */
export interface BusyCalendar {
  readonly kind: 'CALENDAR' | 'FEED';
  readonly id: string;
  /** How long ago it was asked for what it has answered, in milliseconds; null: it has not answered yet. */
  readonly age: number | null;
  /** The answer is about the time from here, in epoch milliseconds, to there; where both are null, it is about all time. */
  readonly from: number | null;
  readonly to: number | null;
}

/** The calendars have to be known for this time before a time in it is taken. */
export function timeToKnowOf({ start, end }: Interval): Interval {
  return { start: start - MARGIN, end: end + MARGIN };
}

/** The calendars are asked about this time, so that somebody who takes a time near it need not ask again. */
export function timeAskedFor({ start, end }: Interval): Interval {
  return { start: start - AROUND, end: end + AROUND };
}

/**
 * Why a calendar is asked. DUE: it has not been for a quarter of an hour. LOOKED_AT: somebody looks when its user has time. BOOKED:
 * somebody is about to take time of its user's. WANTED: its user says so.
 */
export type Trigger = 'DUE' | 'LOOKED_AT' | 'BOOKED' | 'WANTED';

/** For so long what a calendar has said counts as new. */
export const FRESH_SECONDS: Readonly<Record<Exclude<Trigger, 'DUE'>, number>> = {
  LOOKED_AT: 30,
  BOOKED: 2,
  WANTED: 5,
};

/** The CPU that is left for what a visitor has us read, in milliseconds; reading takes from it. */
export interface CpuLeft {
  milliseconds: number;
}

/** In epoch milliseconds, with the UID of the event where that is known: a booking of ours does not block itself. */
export interface BusyTime extends Interval {
  readonly icsUid: string | null;
}

/** Times that overlap become one. Those that may be a booking of ours stay apart, since it does not block itself. */
export function merged(times: readonly BusyTime[]): BusyTime[] {
  const own = times.filter(({ icsUid }) => icsUid !== null);
  const others = unionOf(times.filter(({ icsUid }) => icsUid === null));
  return [...others.map(({ start, end }) => ({ start, end, icsUid: null })), ...own];
}
