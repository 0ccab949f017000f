import type { AnyRule, Parts } from './any-rule.ts';

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const DAY = 86_400_000;
/** From a Monday on, for as long as rules are tried. */
const FIRST = new Temporal.PlainDate(2016, 1, 4);

/** A place among so many, the first being 1. */
interface Place {
  readonly place: number;
  readonly size: number;
}

interface Day {
  readonly time: number;
  readonly year: number;
  readonly month: number;
  readonly weekday: string;
  readonly ofMonth: Place;
  readonly ofYear: Place;
  /** Among the days of its month, or year, that are the same weekday. */
  readonly alikeInMonth: Place;
  readonly alikeInYear: Place;
}

/** All days, as a calendar on the wall has them. */
const CALENDAR: readonly Day[] = (() => {
  const dates = Array.from({ length: 9_500 }, (_, days) => FIRST.add({ days }));
  const placesIn = (key: (date: Temporal.PlainDate) => string): Map<Temporal.PlainDate, Place> => {
    const groups = [...Map.groupBy(dates, key).values()];
    return new Map(groups.flatMap((all) => all.map((date, index) => [date, { place: index + 1, size: all.length }])));
  };
  const inMonth = placesIn((date) => `${date.year}-${date.month} ${date.dayOfWeek}`);
  const inYear = placesIn((date) => `${date.year} ${date.dayOfWeek}`);
  const nowhere = { place: 0, size: 0 };
  return dates.map((date) => ({
    time: date.toZonedDateTime('UTC').epochMilliseconds,
    year: date.year,
    month: date.month,
    weekday: WEEKDAYS[date.dayOfWeek - 1] ?? '',
    ofMonth: { place: date.day, size: date.daysInMonth },
    ofYear: { place: date.dayOfYear, size: date.daysInYear },
    alikeInMonth: inMonth.get(date) ?? nowhere,
    alikeInYear: inYear.get(date) ?? nowhere,
  }));
})();

interface Week {
  /** The year in which most of its days are, so its fourth. */
  readonly year: number;
  readonly ofYear: Place;
}

/** The week of each day, by the weekday that weeks begin with. */
const weeksFrom = new Map(
  WEEKDAYS.map((weekStart, shift) => {
    const starts = CALENDAR.filter(({ weekday }) => weekday === weekStart);
    const years = starts.map(({ time }) => dayAt(time + 3 * DAY)?.year ?? 0);
    const weeks = years.map((year, index): Week => {
      const [first, last] = [years.indexOf(year), years.lastIndexOf(year)];
      return { year, ofYear: { place: index - first + 1, size: last - first + 1 } };
    });
    return [weekStart, { weeks, shift }];
  }),
);

/**
 * The days that a rule of days makes: each day is asked, part by part, by the words of RFC 5545 §3.3.10, and nothing is expanded.
 * Written from the RFC alone; it is slow, and has no times of day.
 */
export function daysByDefinition({ frequency, parts, start }: AnyRule, until: number): number[] {
  const first = dayAt(start);
  if (!first) throw new Error('The calendar does not reach so far.');
  const periodOf = (day: Day): number => {
    if (frequency === 'YEARLY') return parts.BYWEEKNO ? weekOf(day, parts).year : day.year;
    if (frequency === 'MONTHLY') return day.year * 12 + day.month;
    return frequency === 'WEEKLY' ? weekNumber(day, parts) : day.time / DAY;
  };
  const origin = periodOf(first);
  const isOf = (day: Day): boolean => {
    if ((periodOf(day) - origin) % parts.INTERVAL !== 0) return false;
    if (parts.BYMONTH && !parts.BYMONTH.includes(day.month)) return false;
    if (parts.BYWEEKNO && !isListed(parts.BYWEEKNO, weekOf(day, parts).ofYear)) return false;
    if (parts.BYYEARDAY && !isListed(parts.BYYEARDAY, day.ofYear)) return false;
    if (parts.BYMONTHDAY && !isListed(parts.BYMONTHDAY, day.ofMonth)) return false;
    if (parts.BYDAY) return parts.BYDAY.some((text) => isWeekday(text, day, frequency, parts));
    // The start says what the rule does not say.
    if (parts.BYYEARDAY || parts.BYMONTHDAY || frequency === 'DAILY') return true;
    if (parts.BYWEEKNO || frequency === 'WEEKLY') return day.weekday === first.weekday;
    if (day.ofMonth.place !== first.ofMonth.place) return false;
    return frequency === 'MONTHLY' || parts.BYMONTH !== undefined || day.month === first.month;
  };
  // From before the start on, as a set begins with its period, to after the end.
  const near = CALENDAR.slice(placeOf(start) - 380, placeOf(until) + 380);
  const sets = [...Map.groupBy(near.filter(isOf), periodOf).values()];
  const taken = sets.flatMap((set) =>
    set.filter((_, index) => !parts.BYSETPOS || isListed(parts.BYSETPOS, { place: index + 1, size: set.length })),
  );
  const times = taken.map(({ time }) => time).filter((time) => time >= start);
  return times.slice(0, parts.COUNT).filter((time) => time <= until);
}

function placeOf(time: number): number {
  return Math.floor((time - (CALENDAR[0]?.time ?? 0)) / DAY);
}

function dayAt(time: number): Day | undefined {
  return CALENDAR[placeOf(time)];
}

/** The number of a week among all weeks; the calendar begins within the first. */
function weekNumber(day: Day, { WKST = 'MO' }: Parts): number {
  const shift = weeksFrom.get(WKST)?.shift ?? 0;
  return Math.floor((placeOf(day.time) - shift) / 7);
}

function weekOf(day: Day, parts: Parts): Week {
  const week = weeksFrom.get(parts.WKST ?? 'MO')?.weeks[weekNumber(day, parts)];
  if (!week) throw new Error('The calendar does not reach so far.');
  return week;
}

function isListed(list: readonly number[], { place, size }: Place): boolean {
  return list.some((one) => (one > 0 ? one === place : size + 1 + one === place));
}

function isWeekday(text: string, day: Day, frequency: string, parts: Parts): boolean {
  if (day.weekday !== text.slice(-2)) return false;
  if (text.length === 2) return true;
  const isOfMonth = frequency === 'MONTHLY' || parts.BYMONTH !== undefined;
  return isListed([Number(text.slice(0, -2))], isOfMonth ? day.alikeInMonth : day.alikeInYear);
}
