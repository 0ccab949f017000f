/**
 * A stretch of time from `start` up to, not including, `end`, in epoch milliseconds. Plain numbers, because an answer
 * about slots goes through thousands of them.
 */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** Intervals in order that neither overlap nor touch, none of them empty: what the functions of this file return. */
export type IntervalSet = readonly Interval[];

export const MINUTE = 60_000;
export const ALWAYS: IntervalSet = [{ start: -Infinity, end: Infinity }];

/** The time that any of them covers. Order does not matter; empty and inverted ones count for nothing. */
export function unionOf(intervals: readonly Interval[]): IntervalSet {
  const sorted = intervals.filter(({ start, end }) => start < end).toSorted((a, b) => a.start - b.start);
  const union: { start: number; end: number }[] = [];
  for (const { start, end } of sorted) {
    const last = union.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else union.push({ start, end });
  }
  return union;
}

/** The time that both cover. */
export function intersectionOf(a: IntervalSet, b: IntervalSet): IntervalSet {
  const common: Interval[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [left, right] = [a[i] as Interval, b[j] as Interval];
    const [start, end] = [Math.max(left.start, right.start), Math.min(left.end, right.end)];
    if (start < end) common.push({ start, end });
    if (left.end < right.end) i += 1;
    else j += 1;
  }
  return common;
}

/** The time of `a` that `b` does not cover. */
export function differenceOf(a: IntervalSet, b: IntervalSet): IntervalSet {
  const rest: Interval[] = [];
  let j = 0;
  for (const { start, end } of a) {
    let from = start;
    while (j < b.length && (b[j] as Interval).end <= from) j += 1;
    for (let k = j; k < b.length && (b[k] as Interval).start < end; k += 1) {
      const taken = b[k] as Interval;
      if (from < taken.start) rest.push({ start: from, end: taken.start });
      from = Math.max(from, taken.end);
    }
    if (from < end) rest.push({ start: from, end });
  }
  return rest;
}

export function isIn(set: IntervalSet, instant: number): boolean {
  return set.some(({ start, end }) => start <= instant && instant < end);
}
