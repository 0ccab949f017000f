import { instantAt } from '../../core/instant.ts';
import { type Interval, MINUTE } from './interval.rules.ts';

export const DAY = 24 * 60 * MINUTE;

/** A stretch of time in which a zone's clock runs evenly: it shows the instant plus `offset`, all in milliseconds. */
interface EvenClock extends Interval {
  readonly offset: number;
}

/**
 * Cuts `range` where the zone's clock jumps. Between two jumps local time is plain arithmetic, so that a zone is consulted
 * once a jump, not once a slot; the outer ends are open, so that no stretch depends on where the range was cut.
 */
export function evenClocks(timeZone: string, range: Interval): readonly EvenClock[] {
  let at = new Temporal.ZonedDateTime(BigInt(Math.floor(range.start)) * 1_000_000n, timeZone);
  let start = -Infinity;
  const clocks: EvenClock[] = [];
  for (;;) {
    const jump = at.getTimeZoneTransition('next');
    const isLast = jump === null || jump.epochMilliseconds >= range.end;
    clocks.push({ start, end: isLast ? Infinity : jump.epochMilliseconds, offset: at.offsetNanoseconds / 1_000_000 });
    if (isLast) return clocks;
    at = jump;
    start = at.epochMilliseconds;
  }
}

/** The epoch days of the dates that a zone's calendar shows at instants of a range: the zone is consulted once a jump. */
export function epochDaysIn(timeZone: string, range: Interval): (instant: number) => number {
  const clocks = evenClocks(timeZone, range);
  return (instant) => Math.floor((instant + (clocks.find(({ end }) => instant < end)?.offset ?? 0)) / DAY);
}

/** Days since 1970-01-01: a date as a number that can be counted on. */
export function epochDayOf(date: Temporal.PlainDate): number {
  return Date.UTC(date.year, date.month - 1, date.day) / DAY;
}

/** Monday is 0. */
export function weekDayOf(epochDay: number): number {
  return (((epochDay + 3) % 7) + 7) % 7;
}

/** The first instant of a date: 01:00 where the clock jumps over midnight, and that of the next date where it skips the date. */
export function startOfDate(date: Temporal.PlainDate, timeZone: string): number {
  return date.toZonedDateTime(timeZone).epochMilliseconds;
}

/** The date that the zone's calendar shows at an instant. */
export function dateAt(instant: number, timeZone: string): Temporal.PlainDate {
  return instantAt(instant).toZonedDateTimeISO(timeZone).toPlainDate();
}
