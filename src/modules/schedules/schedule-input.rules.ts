import type { Mistake } from '../../core/problem.ts';
import { nameOf, type Path, shown, TEXT_CODES, textMistake, timeZoneMistake } from '../../core/text.ts';
import {
  type DateOverride,
  type Schedule,
  WEEK_DAYS,
  type WeekDay,
  type WeeklyHours,
  wallTimeFrom,
} from './schedule.rules.ts';

export const SCHEDULE_CODES = [
  ...TEXT_CODES,
  'TOO_MANY',
  'INVALID_TIME_ZONE',
  'INVALID_TIME',
  'INVALID_DATE',
  'INVERTED_HOURS',
  'INVALID_DAYS',
  'CONTRADICTION',
] as const;

/** Hours as they are typed: `HH:MM`, and `24:00` for the end of the day. */
export interface WeeklyHoursInput {
  readonly days: readonly WeekDay[];
  readonly start: string;
  readonly end: string;
}

/** `YYYY-MM-DD` with hours, or without any: a day off. */
export interface DateOverrideInput {
  readonly date: string;
  readonly start?: string | null | undefined;
  readonly end?: string | null | undefined;
}

export interface ScheduleInput {
  readonly name: string;
  readonly timeZone: string;
  readonly availability: readonly WeeklyHoursInput[];
  readonly overrides: readonly DateOverrideInput[];
}

export const MAX_NAME_LENGTH = 100;
export const MAX_WEEKLY_HOURS = 100;
export const MAX_OVERRIDES = 1_000;

/** Everything that is wrong with a whole schedule: a new one, or one with its changes laid over it. */
export function scheduleMistakes(input: ScheduleInput): readonly Mistake[] {
  return [
    textMistake(['name'], input.name, { max: MAX_NAME_LENGTH }),
    timeZoneMistake(['timeZone'], input.timeZone),
    ...availabilityMistakes(['availability'], input.availability),
    ...overrideMistakes(['overrides'], input.overrides),
  ].filter((mistake) => mistake !== undefined);
}

export function availabilityMistakes(path: Path, availability: readonly WeeklyHoursInput[]): readonly Mistake[] {
  if (availability.length > MAX_WEEKLY_HOURS) return [tooMany(path, availability.length, MAX_WEEKLY_HOURS)];
  return availability.flatMap((hours, index) => {
    const own: Path = [...path, String(index)];
    return [...daysMistakes([...own, 'days'], hours.days), ...hoursMistakes(own, hours.start, hours.end)];
  });
}

export function overrideMistakes(path: Path, overrides: readonly DateOverrideInput[]): readonly Mistake[] {
  if (overrides.length > MAX_OVERRIDES) return [tooMany(path, overrides.length, MAX_OVERRIDES)];
  const working = new Set(overrides.filter(({ start, end }) => start != null || end != null).map(({ date }) => date));
  return overrides.flatMap(({ date, start, end }, index) => {
    const own: Path = [...path, String(index)];
    const dateMistake = dateTextMistake([...own, 'date'], date);
    if (dateMistake) return [dateMistake];
    if (start != null || end != null) return hoursMistakes(own, start ?? '', end ?? '');
    if (!working.has(date)) return [];
    const message = `The date ${date} is a day off here and has hours elsewhere; leave out one of them.`;
    return [{ code: 'CONTRADICTION', message, path: own }];
  });
}

/** A date of the calendar as `YYYY-MM-DD`, in the years 2000 to 2999. */
export function dateTextMistake(path: Path, text: string): Mistake | undefined {
  if (dateFrom(text) !== undefined) return undefined;
  const message = `The ${nameOf(path)} ${shown(text)} is not a date from 2000 to 2999; write it as YYYY-MM-DD.`;
  return { code: 'INVALID_DATE', message, path };
}

/** Reads what scheduleMistakes found nothing wrong with. @throws TypeError for anything else */
export function scheduleFrom(input: Omit<ScheduleInput, 'name'>): Schedule {
  return {
    timeZone: input.timeZone,
    availability: availabilityFrom(input.availability),
    overrides: overridesFrom(input.overrides),
  };
}

export function availabilityFrom(availability: readonly WeeklyHoursInput[]): readonly WeeklyHours[] {
  return availability.map(({ days, start, end }) => ({
    days,
    start: checkedTime(start, 'start'),
    end: checkedTime(end, 'end'),
  }));
}

export function overridesFrom(overrides: readonly DateOverrideInput[]): readonly DateOverride[] {
  return overrides.map(({ date, start, end }) => ({
    date: Temporal.PlainDate.from(date),
    start: start == null ? null : checkedTime(start, 'start'),
    end: end == null ? null : checkedTime(end, 'end'),
  }));
}

function daysMistakes(path: Path, days: readonly string[]): readonly Mistake[] {
  const isGood =
    days.length > 0 &&
    new Set(days).size === days.length &&
    days.every((day) => WEEK_DAYS.some((known) => known === day));
  if (isGood) return [];
  return [{ code: 'INVALID_DAYS', message: 'The days must be days of the week, each once; name at least one.', path }];
}

function hoursMistakes(path: Path, start: string, end: string): readonly Mistake[] {
  const [from, to] = [wallTimeFrom(start, 'start'), wallTimeFrom(end, 'end')];
  const mistakes = [
    from ? undefined : timeMistake([...path, 'start'], start, 'HH:MM, from 00:00 to 23:59'),
    to ? undefined : timeMistake([...path, 'end'], end, 'HH:MM, up to 24:00'),
  ].filter((mistake) => mistake !== undefined);
  // Both are written with two digits each, so that their order as text is that of the clock.
  if (mistakes.length > 0 || start < end) return mistakes;
  const message = `The end ${end} is not after the start ${start}; hours past midnight go on at 00:00 of the next day.`;
  return [{ code: 'INVERTED_HOURS', message, path: [...path, 'end'] }];
}

function timeMistake(path: Path, text: string, form: string): Mistake {
  const message = `The ${nameOf(path)} ${shown(text)} is not a time of day; write it as ${form}.`;
  return { code: 'INVALID_TIME', message, path };
}

function tooMany(path: Path, count: number, max: number): Mistake {
  const message = `The ${nameOf(path)} has ${count} entries; at most ${max} are possible.`;
  return { code: 'TOO_MANY', message, path, bounds: { given: count, most: max } };
}

function dateFrom(text: string): Temporal.PlainDate | undefined {
  if (!/^2\d{3}-\d\d-\d\d$/.test(text)) return undefined;
  try {
    return Temporal.PlainDate.from(text);
  } catch {
    return undefined;
  }
}

function checkedTime(text: string, as: 'start' | 'end'): Temporal.PlainTime {
  const time = wallTimeFrom(text, as);
  if (!time) throw new TypeError(`${shown(text)} was not checked: it is no time of day.`);
  return time;
}
