import { type Interval, type IntervalSet, MINUTE, unionOf } from '../../schedules/interval.rules.ts';
import { dateAt, startOfDate } from '../../schedules/local-time.rules.ts';

/**
 * How far ahead an event type can be booked, in dates of its zone: today and a number of days after it; today and all days up
 * to the so-manieth Monday-to-Friday after it; or from one date to another (`YYYY-MM-DD`), both included.
 */
export type BookingWindow =
  | { readonly type: 'ROLLING_DAYS'; readonly days: number }
  | { readonly type: 'BUSINESS_DAYS'; readonly days: number }
  | { readonly type: 'DATE_RANGE'; readonly firstDate: string; readonly lastDate: string };

export const BOOKING_WINDOW_TYPES = ['ROLLING_DAYS', 'BUSINESS_DAYS', 'DATE_RANGE'] as const;

const FRIDAY = 5;

/** The time that bookings must lie in, wholly: from the first date's first instant to the last date's end. */
export function bookableTime(window: BookingWindow, now: number, timeZone: string): Interval {
  const [first, last] = datesOf(window, dateAt(now, timeZone));
  return { start: startOfDate(first, timeZone), end: startOfDate(last.add({ days: 1 }), timeZone) };
}

/**
 * The starts that leave the notice that an event type wants, and besides them `heldStart`, which its holder has kept before it was too
 * late. Instants are epoch milliseconds.
 */
export function startsAfterNotice(minutes: number, now: number, heldStart: number | undefined): IntervalSet {
  const held = heldStart === undefined ? [] : [{ start: heldStart, end: heldStart + 1 }];
  return unionOf([{ start: now + minutes * MINUTE, end: Infinity }, ...held]);
}

function datesOf(window: BookingWindow, today: Temporal.PlainDate): [Temporal.PlainDate, Temporal.PlainDate] {
  switch (window.type) {
    case 'ROLLING_DAYS':
      return [today, today.add({ days: window.days })];
    case 'BUSINESS_DAYS':
      return [today, businessDayAfter(today, window.days)];
    default:
      return [Temporal.PlainDate.from(window.firstDate), Temporal.PlainDate.from(window.lastDate)];
  }
}

function businessDayAfter(date: Temporal.PlainDate, count: number): Temporal.PlainDate {
  // Five of them are a week; the odd ones are walked, so that a window of years costs no more than one of days.
  let day = date.add({ weeks: Math.floor(count / 5) });
  // From a weekend, whole weeks lead to a weekend: the last business day is the Friday before it.
  if (count % 5 === 0 && count > 0 && day.dayOfWeek > FRIDAY) return day.subtract({ days: day.dayOfWeek - FRIDAY });
  for (let left = count % 5; left > 0; ) {
    day = day.add({ days: 1 });
    if (day.dayOfWeek <= FRIDAY) left -= 1;
  }
  return day;
}
