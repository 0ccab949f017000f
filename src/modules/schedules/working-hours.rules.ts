import { type Interval, MINUTE, unionOf } from './interval.rules.ts';
import { DAY, epochDayOf, evenClocks, weekDayOf } from './local-time.rules.ts';
import { type DateOverride, type Schedule, WEEK_DAYS } from './schedule.rules.ts';

/** A stretch of working hours. Slots are counted from `gridStart`, when the clock showed the opening time of the hours. */
export interface WorkingWindow extends Interval {
  readonly gridStart: number;
}

/** Hours of one date, in milliseconds since its midnight on the wall clock. */
type DayHours = readonly Interval[];

/**
 * The working hours of the dates that `range` touches, in order; what they say of the time before it is of no account.
 *
 * An instant is inside when the zone's wall clock shows, at that instant, a time within the hours of the date that it
 * shows. Nothing else is needed for the days on which a clock jumps: hours that the clock skips do not exist, hours that
 * it repeats exist twice, and a date that it skips has none. Hours of one date that overlap or touch are one window;
 * a window is cut in two where the clock jumps, the parts touching or not.
 */
export function workingWindows(schedule: Schedule, range: Interval): readonly WorkingWindow[] {
  const hoursOf = hoursByDay(schedule);
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
 * The windows common to two people. The grid is that of the window that opened last, so that their first common minute
 * is a slot where one of them begins to work.
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

function hoursByDay({ availability, overrides }: Schedule): (epochDay: number) => DayHours {
  const week = WEEK_DAYS.map((name) =>
    unionOf(availability.filter(({ days }) => days.includes(name)).map(({ start, end }) => hoursBetween(start, end))),
  );
  const byDate = new Map<number, Interval[]>();
  for (const override of overrides) {
    const day = epochDayOf(override.date);
    byDate.set(day, [...(byDate.get(day) ?? []), ...hoursOfOverride(override)]);
  }
  const exceptions = new Map([...byDate].map(([day, hours]) => [day, unionOf(hours)]));
  return (day) => exceptions.get(day) ?? week[weekDayOf(day)] ?? [];
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
