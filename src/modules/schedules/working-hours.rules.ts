import { type Interval, MINUTE, unionOf } from './interval.rules.ts';
import { DAY, epochDayOf, evenClocks, weekDayOf } from './local-time.rules.ts';
import { type DateOverride, type Schedule, WEEK_DAYS, type WeekDay, type WeeklyHours } from './schedule.rules.ts';

/** A stretch of working hours. Slots are counted from `gridStart`, when the clock showed the opening time of the hours. */
export interface WorkingWindow extends Interval {
  readonly gridStart: number;
}

/** Hours of one date, in milliseconds since its midnight on the wall clock. */
type DayHours = readonly Interval[];

/** By schedule: those who book a series, or hand many bookings over, ask about many times of the same one. */
const HOURS = new WeakMap<Schedule, (epochDay: number) => DayHours>();

/**
 * The working hours of the dates that `range` touches, in order; what they say of the time before it is of no account.
 *
 * An instant is inside when the zone's wall clock shows, at that instant, a time within the hours of the date that it
 * shows. Nothing else is needed for the days on which a clock jumps: hours that the clock skips do not exist, hours that
 * it repeats exist twice, and a date that it skips has none. Hours of one date that overlap or touch are one window;
 * a window is cut in two where the clock jumps, the parts touching or not.
 */
export function workingWindows(schedule: Schedule, range: Interval): readonly WorkingWindow[] {
  const hoursOf = HOURS.getOrInsertComputed(schedule, hoursByDay);
  const windows: WorkingWindow[] = [];
  for (const clock of evenClocks(schedule.timeZone, range)) {
    const firstDay = Math.floor((Math.max(clock.start, range.start) + clock.offset) / DAY);
    const lastDay = Math.floor((Math.min(clock.end, range.end) + clock.offset) / DAY);
    for (let day = firstDay; day <= lastDay; day += 1) {
      const midnight = day * DAY - clock.offset;
      for (const hours of hoursOf(day)) {
        const gridStart = midnight + hours.start;
        const [start, end] = [Math.max(gridStart, clock.start), Math.min(midnight + hours.end, clock.end)];
        if (start < end) windows.push({ start, end, gridStart });
      }
    }
  }
  return windows;
}

/**
 * The windows common to two people. Slots begin at the start of the window that opened last, so that their first common minute is
 * a slot.
 */
export function commonWindows(a: readonly WorkingWindow[], b: readonly WorkingWindow[]): readonly WorkingWindow[] {
  const common: WorkingWindow[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [left, right] = [a[i] as WorkingWindow, b[j] as WorkingWindow];
    const [start, end] = [Math.max(left.start, right.start), Math.min(left.end, right.end)];
    if (start < end) common.push({ start, end, gridStart: Math.max(left.gridStart, right.gridStart) });
    if (left.end < right.end) i += 1;
    else j += 1;
  }
  return common;
}

/** Each day of the week, and each date with hours of its own, is put together once, when somebody first asks about it. */
function hoursByDay({ availability, overrides }: Schedule): (epochDay: number) => DayHours {
  const overridesOf = Map.groupBy(overrides, ({ date }) => epochDayOf(date));
  const exceptions = new Map<number, DayHours>();
  const week = new Map<WeekDay | undefined, DayHours>();
  return (day) => {
    const those = overridesOf.get(day);
    if (those) return exceptions.getOrInsertComputed(day, () => unionOf(those.flatMap(hoursOfOverride)));
    return week.getOrInsertComputed(WEEK_DAYS[weekDayOf(day)], (name) => hoursOfWeekDay(availability, name));
  };
}

function hoursOfWeekDay(availability: readonly WeeklyHours[], name: WeekDay | undefined): DayHours {
  const those = availability.filter(({ days }) => name !== undefined && days.includes(name));
  return unionOf(those.map(({ start, end }) => hoursBetween(start, end)));
}

function hoursOfOverride({ start, end }: DateOverride): Interval[] {
  return start && end ? [hoursBetween(start, end)] : [];
}

function hoursBetween(start: Temporal.PlainTime, end: Temporal.PlainTime): Interval {
  return { start: millisecondsOf(start), end: millisecondsOf(end) || DAY };
}

function millisecondsOf({ hour, minute, second }: Temporal.PlainTime): number {
  return (hour * 60 + minute) * MINUTE + second * 1_000;
}
