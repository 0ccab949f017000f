import type { Mistake } from '../../core/problem.ts';
import { WEEK_DAYS, type WeekDay } from '../../modules/schedules/schedule.rules.ts';
import type { DateOverrideInput, WeeklyHoursInput } from '../../modules/schedules/schedule-input.rules.ts';

/** A line of the form, as it is typed: hours of a day of the week, or of a date. */
export interface TypedHours {
  /** Of its fields: `MONDAY-0`, `date-3`. */
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

/** What the form says, for the command, with the name of the line that each entry stands in. */
export interface SaidHours {
  readonly timeZone: string;
  readonly availability: readonly WeeklyHoursInput[];
  readonly overrides: readonly DateOverrideInput[];
  readonly lines: { readonly availability: readonly string[]; readonly overrides: readonly string[] };
}

const LINES_A_DAY = 2;
const EMPTY_DATES = 2;
/** More than the form shows are refused by the command. */
const MOST_LINES = 1_100;

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

/** What was typed, line by line. */
export function typedHours(sent: URLSearchParams): HoursForm {
  const text = (name: string): string => (sent.get(name) ?? '').trim();
  const lineOf = (name: string, day: string): TypedHours => ({
    name,
    day,
    start: text(`${name}-start`),
    end: text(`${name}-end`),
  });
  const linesOf = (prefix: string, dayOf: (name: string) => string) =>
    Array.from({ length: MOST_LINES }, (_, index) => `${prefix}-${index}`)
      .filter((name) => sent.has(`${name}-start`))
      .map((name) => lineOf(name, dayOf(name)));
  return {
    timeZone: text('timeZone'),
    week: WEEK_DAYS.flatMap((day) => linesOf(day, () => day)),
    dates: linesOf('date', (name) => text(`${name}-day`)),
  };
}

/** Lines without hours are left out of the week; a date without hours is a day off. */
export function saidIn({ timeZone, week, dates }: HoursForm): SaidHours {
  const ofWeek = week.filter(({ start, end }) => start !== '' || end !== '');
  const ofDates = dates.filter(({ day, start, end }) => day !== '' || start !== '' || end !== '');
  return {
    timeZone,
    availability: ofWeek.map(({ day, start, end }) => ({
      days: [day as WeekDay],
      start: padded(start),
      end: padded(end),
    })),
    overrides: ofDates.map(({ day, start, end }) =>
      start === '' && end === ''
        ? { date: day, start: null, end: null }
        : { date: day, start: padded(start), end: padded(end) },
    ),
    lines: { availability: ofWeek.map(({ name }) => name), overrides: ofDates.map(({ name }) => name) },
  };
}

/** Mistakes of the command at the fields of the form. */
export function atFields(mistakes: readonly Mistake[], { lines }: SaidHours): readonly Mistake[] {
  return mistakes.map(({ code, message, path }) => {
    const [list = '', index = '', part = 'start'] = path ?? [];
    if (list === 'timeZone') return { code, message, path: [list] };
    const line = list === 'availability' || list === 'overrides' ? lines[list][Number(index)] : undefined;
    if (line === undefined) return { code, message };
    return { code, message, path: [`${line}-${part === 'date' ? 'day' : part === 'end' ? 'end' : 'start'}`] };
  });
}

/** `9:00` is meant as `09:00`. */
function padded(time: string): string {
  return /^\d:\d\d$/.test(time) ? `0${time}` : time;
}
