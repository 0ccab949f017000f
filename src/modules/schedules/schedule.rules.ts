import { lineField, TIME_ZONE_FIELD } from '../../core/field-rules.ts';
import type { FieldRules } from '../../core/fields.ts';
import type { Mistake } from '../../core/problem.ts';
import { nameOf, type Path, shown, TEXT_CODES, textMistake, timeZoneMistake } from '../../core/text.ts';

/** The days as users name them; their order is that of `Temporal` (Monday is 1). */
export const WEEK_DAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const;
export type WeekDay = (typeof WEEK_DAYS)[number];

/** Hours of each of these days, on the wall clock of the schedule's zone. An `end` of 00:00 is the next midnight. */
export interface WeeklyHours {
  readonly days: readonly WeekDay[];
  readonly start: Temporal.PlainTime;
  readonly end: Temporal.PlainTime;
}

/** Hours that stand for those of the week on one date; several add up. Without hours, the day is off. */
export interface DateOverride {
  readonly date: Temporal.PlainDate;
  readonly start: Temporal.PlainTime | null;
  readonly end: Temporal.PlainTime | null;
}

/** When somebody can be booked, on the wall clock of `timeZone` (an IANA name). */
export interface Schedule {
  readonly timeZone: string;
  readonly availability: readonly WeeklyHours[];
  readonly overrides: readonly DateOverride[];
}

/** The hours of a new schedule without any: Monday to Friday, 09:00 to 17:00. */
export const DEFAULT_AVAILABILITY: readonly WeeklyHours[] = [
  {
    days: ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'],
    start: new Temporal.PlainTime(9),
    end: new Temporal.PlainTime(17),
  },
];

const WALL_TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const MIDNIGHT = new Temporal.PlainTime();
/** Those that were read, 1,440 at most: the hours of a team with a year of overrides each have a million. */
const TIMES = new Map<string, Temporal.PlainTime>();

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

/** A user has this many at most. */
export const MAX_SCHEDULES = 1_000;
export const MAX_NAME_LENGTH = 100;
export const MAX_WEEKLY_HOURS = 100;
export const MAX_OVERRIDES = 1_000;

/** Each field of a schedule by itself: no rule of theirs needs two of them, so a patch is checked as it is. */
export const SCHEDULE_FIELDS: FieldRules<ScheduleInput> = {
  name: lineField(MAX_NAME_LENGTH),
  timeZone: TIME_ZONE_FIELD,
  // Hours that overlap stay as they were typed; calculations count each minute once.
  availability: {
    tidy: (hours) => hours.map(({ days, start, end }) => ({ days, start, end })),
    check: availabilityMistakes,
  },
  overrides: {
    tidy: (overrides) => overrides.map(({ date, start = null, end = null }) => ({ date, start, end })),
    check: overrideMistakes,
  },
};

/** `HH:MM` as a time of day; as an end, `24:00` is the next midnight. Undefined when it is no such text. */
export function wallTimeFrom(text: string, as: 'start' | 'end'): Temporal.PlainTime | undefined {
  if (as === 'end' && text === '24:00') return MIDNIGHT;
  return WALL_TIME.test(text) ? TIMES.getOrInsertComputed(text, (known) => Temporal.PlainTime.from(known)) : undefined;
}

/** The inverse of wallTimeFrom: a midnight that ends something is written `24:00`. */
export function wallTimeText(time: Temporal.PlainTime, as: 'start' | 'end'): string {
  return as === 'end' && time.equals(MIDNIGHT) ? '24:00' : time.toString({ smallestUnit: 'minute' });
}

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

function tooMany(path: Path, count: number, max: number): Mistake {
  const message = `The ${nameOf(path)} has ${count} entries; at most ${max} are possible.`;
  return { code: 'TOO_MANY', message, path, bounds: { given: count, most: max } };
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
