import { type Interval } from '../../schedules/interval.rules.ts';
import { dateAt, startOfDate } from '../../schedules/local-time.rules.ts';
import { WEEK_DAYS, type WeekDay } from '../../schedules/schedule.rules.ts';

export const LIMIT_UNITS = ['day', 'week', 'month', 'year'] as const;
export type LimitUnit = (typeof LIMIT_UNITS)[number];

/** The most bookings that may start in a period, and the most minutes that they may last together. */
export interface BookingLimit {
  readonly maxBookings?: number | null;
  readonly maxMinutes?: number | null;
}

export type BookingLimits = { readonly [Unit in LimitUnit]?: BookingLimit | null };

/** The calendar in which periods begin: an event type's zone, and the day on which its owner's week starts. */
export interface LimitCalendar {
  readonly timeZone: string;
  readonly weekStart: WeekDay;
}

/** A period for which a limit is to be watched: bookings that start in it count. */
export interface LimitPeriod extends Interval {
  readonly unit: LimitUnit;
}

/** A number of bookings, and how long they last together. */
export interface BookedTime {
  readonly count: number;
  readonly minutes: number;
}

/**
 * A period with what is booked in it already: pending and accepted bookings of the event type, however many seats they have,
 * and those that others have reserved.
 */
export interface CountedPeriod extends LimitPeriod, BookedTime {
  /** The part of it that is only reserved; none if left out. */
  readonly reserved?: BookedTime;
}

/** The periods in which bookings must be counted before slots in `range` can be offered: those of the limited units that touch it. */
export function limitPeriods(limits: BookingLimits, calendar: LimitCalendar, range: Interval): readonly LimitPeriod[] {
  return LIMIT_UNITS.filter((unit) => isLimited(limits[unit])).flatMap((unit) => periodsOf(unit, calendar, range));
}

/** Whether a period takes one more booking of this length. */
export function hasRoom({ count, minutes }: CountedPeriod, limit: BookingLimit, durationInMinutes: number): boolean {
  const { maxBookings, maxMinutes } = limit;
  return count + 1 <= (maxBookings ?? Infinity) && minutes + durationInMinutes <= (maxMinutes ?? Infinity);
}

export function isLimited(limit: BookingLimit | null | undefined): limit is BookingLimit {
  return limit != null && (limit.maxBookings != null || limit.maxMinutes != null);
}

function periodsOf(unit: LimitUnit, { timeZone, weekStart }: LimitCalendar, range: Interval): LimitPeriod[] {
  const periods: LimitPeriod[] = [];
  let first = firstDateOf(unit, dateAt(range.start, timeZone), weekStart);
  for (;;) {
    const next = first.add({ [`${unit}s`]: 1 });
    const [start, end] = [startOfDate(first, timeZone), startOfDate(next, timeZone)];
    if (start >= range.end) return periods;
    // A date that the zone skips is a day without a minute.
    if (start < end) periods.push({ unit, start, end });
    first = next;
  }
}

function firstDateOf(unit: LimitUnit, date: Temporal.PlainDate, weekStart: WeekDay): Temporal.PlainDate {
  switch (unit) {
    case 'day':
      return date;
    case 'week':
      return date.subtract({ days: (date.dayOfWeek - 1 - WEEK_DAYS.indexOf(weekStart) + 7) % 7 });
    case 'month':
      return date.with({ day: 1 });
    default:
      return date.with({ month: 1, day: 1 });
  }
}
