import type { Mistake } from '../../core/problem.ts';
import { WEEK_DAYS, type WeekDay } from '../../modules/schedules/schedule.rules.ts';
import {
  type DateOverrideInput,
  MAX_OVERRIDES,
  MAX_WEEKLY_HOURS,
  type WeeklyHoursInput,
} from '../../modules/schedules/schedule-input.rules.ts';
import { largeForm } from '../kit/request.ts';

/** A line of the form, as it is typed: hours of a day of the week, or of a date. */
export interface TypedHours {
  /** The name of its fields: `MONDAY-0`, `date-3`. */
  readonly name: string;
  /** A day of the week, or a date as it was typed. */
  readonly day: string;
  readonly start: string;
  readonly end: string;
}

/** Hours as the form has them: some lines are empty, for more. */
export interface HoursForm {
  readonly timeZone: string;
  readonly week: readonly TypedHours[];
  readonly dates: readonly TypedHours[];
}

/** The hours of a form, as the command takes them, with the names of the lines that each entry stands in. */
export interface SaidHours {
  readonly timeZone: string;
  readonly availability: readonly WeeklyHoursInput[];
  readonly overrides: readonly DateOverrideInput[];
  readonly lines: Readonly<Record<'availability' | 'overrides', readonly (readonly string[])[]>>;
}

const LINES_A_DAY = 2;
const EMPTY_DATES = 2;
/** The most lines of a day, or of all dates. The command refuses more hours than are possible. */
const MOST_LINES = MAX_OVERRIDES + 100;

/**
 * The limits of the form: two fields for hours of a day of the week, as each entry may name all days, and three for a
 * date.
 */
export const LIMITS = largeForm(2 * WEEK_DAYS.length * MAX_WEEKLY_HOURS + 3 * (MAX_OVERRIDES + EMPTY_DATES));

/** The form of a schedule as it is stored. */
export function formOf(
  timeZone: string,
  availability: readonly WeeklyHoursInput[],
  overrides: readonly DateOverrideInput[],
): HoursForm {
  const week = WEEK_DAYS.flatMap((day) => {
    const hours = availability
      .filter(({ days }) => days.includes(day))
      .toSorted((a, b) => (a.start < b.start ? -1 : 1));
    const lines = Array.from({ length: Math.max(LINES_A_DAY, hours.length) }, (_, index) => hours[index]);
    return lines.map((line, index) => ({
      name: `${day}-${index}`,
      day,
      start: line?.start ?? '',
      end: line?.end ?? '',
    }));
  });
  const dates = overrides.toSorted((a, b) => (a.date < b.date ? -1 : 1));
  const empty = Array.from({ length: EMPTY_DATES }, () => ({ date: '', start: null, end: null }));
  return {
    timeZone,
    week,
    dates: [...dates, ...empty].map(({ date, start, end }, index) => ({
      name: `date-${index}`,
      day: date,
      start: start ?? '',
      end: end ?? '',
    })),
  };
}

/** The hours as they were typed, line by line. */
export function typedHours(sent: URLSearchParams): HoursForm {
  const values = new Map(sent);
  const text = (name: string): string => (values.get(name) ?? '').trim();
  const lineOf = (name: string, day: string): TypedHours => ({
    name,
    day,
    start: text(`${name}-start`),
    end: text(`${name}-end`),
  });
  const linesOf = (prefix: string, dayOf: (name: string) => string) =>
    Array.from({ length: MOST_LINES }, (_, index) => `${prefix}-${index}`)
      .filter((name) => values.has(`${name}-start`))
      .map((name) => lineOf(name, dayOf(name)));
  return {
    timeZone: text('timeZone'),
    week: WEEK_DAYS.flatMap((day) => linesOf(day, () => day)),
    dates: linesOf('date', (name) => text(`${name}-day`)),
  };
}

/** Lines without hours are left out of the week, and days with the same hours are one entry; a date without hours is a day off. */
export function saidIn({ timeZone, week, dates }: HoursForm): SaidHours {
  const said = week.filter(({ start, end }) => start !== '' || end !== '');
  const ofWeek = [...Map.groupBy(said, ({ start, end }) => `${padded(start)} ${padded(end)}`).values()];
  const ofDates = dates.filter(({ day, start, end }) => day !== '' || start !== '' || end !== '');
  return {
    timeZone,
    availability: ofWeek.map((lines) => ({
      days: [...new Set(lines.map(({ day }) => day as WeekDay))],
      start: padded(lines[0]?.start ?? ''),
      end: padded(lines[0]?.end ?? ''),
    })),
    overrides: ofDates.map(({ day, start, end }) =>
      start === '' && end === ''
        ? { date: day, start: null, end: null }
        : { date: day, start: padded(start), end: padded(end) },
    ),
    lines: {
      availability: ofWeek.map((lines) => lines.map(({ name }) => name)),
      overrides: ofDates.map(({ name }) => [name]),
    },
  };
}

/** Mistakes of the command at the fields of the form. */
export function atFields(mistakes: readonly Mistake[], { lines }: SaidHours): readonly Mistake[] {
  return mistakes.flatMap(({ code, message, path }): readonly Mistake[] => {
    const [list = '', index = '', part = 'start'] = path ?? [];
    if (list === 'timeZone' || list === 'name') return [{ code, message, path: [list] }];
    const names = list === 'availability' || list === 'overrides' ? lines[list][Number(index)] : undefined;
    if (names === undefined) return [{ code, message }];
    const field = part === 'date' ? 'day' : part === 'end' ? 'end' : 'start';
    return names.map((name) => ({ code, message, path: [`${name}-${field}`] }));
  });
}

/** `9:00` is meant as `09:00`. */
function padded(time: string): string {
  return /^\d:\d\d$/.test(time) ? `0${time}` : time;
}
