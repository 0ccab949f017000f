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

/** `HH:MM` as a time of day; as an end, `24:00` is the next midnight. Undefined when it is no such text. */
export function wallTimeFrom(text: string, as: 'start' | 'end'): Temporal.PlainTime | undefined {
  if (as === 'end' && text === '24:00') return MIDNIGHT;
  return WALL_TIME.test(text) ? TIMES.getOrInsertComputed(text, (known) => Temporal.PlainTime.from(known)) : undefined;
}

/** The inverse of wallTimeFrom: a midnight that ends something is written `24:00`. */
export function wallTimeText(time: Temporal.PlainTime, as: 'start' | 'end'): string {
  return as === 'end' && time.equals(MIDNIGHT) ? '24:00' : time.toString({ smallestUnit: 'minute' });
}
