import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  differenceOf,
  type Interval,
  type IntervalSet,
  intersectionOf,
  isIn,
  unionOf,
} from '../../../src/modules/schedules/interval.rules.ts';

const LENGTH = 40;
const anInterval = fc
  .tuple(fc.integer({ min: 0, max: LENGTH }), fc.integer({ min: 0, max: LENGTH }))
  .map(([start, end]) => ({ start, end }));
const someIntervals = fc.array(anInterval, { maxLength: 8 });

describe('sets of intervals are sets of instants', () => {
  test('a union holds what any of the intervals holds, in order, nothing touching, nothing empty', () => {
    fc.assert(
      fc.property(someIntervals, (intervals) => {
        const union = unionOf(intervals);
        expectIsSet(union);
        expect(instantsOf(union)).toEqual(instants((at) => intervals.some((one) => one.start <= at && at < one.end)));
      }),
    );
  });

  test('an intersection holds what both hold', () => {
    fc.assert(
      fc.property(someIntervals, someIntervals, (a, b) => {
        const [left, right] = [unionOf(a), unionOf(b)];
        const both = intersectionOf(left, right);
        expectIsSet(both);
        expect(instantsOf(both)).toEqual(instants((at) => isIn(left, at) && isIn(right, at)));
      }),
    );
  });

  test('a difference holds what the first alone holds', () => {
    fc.assert(
      fc.property(someIntervals, someIntervals, (a, b) => {
        const [left, right] = [unionOf(a), unionOf(b)];
        const rest = differenceOf(left, right);
        expectIsSet(rest);
        expect(instantsOf(rest)).toEqual(instants((at) => isIn(left, at) && !isIn(right, at)));
      }),
    );
  });
});

test('an interval includes its start and not its end', () => {
  const set = unionOf([{ start: 1, end: 3 }]);
  expect([0, 1, 2, 3].map((at) => isIn(set, at))).toEqual([false, true, true, false]);
});

function expectIsSet(set: IntervalSet): void {
  set.forEach(({ start, end }, index) => {
    expect(start).toBeLessThan(end);
    expect(start).toBeGreaterThan(set[index - 1]?.end ?? -Infinity);
  });
}

function instantsOf(set: readonly Interval[]): number[] {
  return instants((at) => set.some(({ start, end }) => start <= at && at < end));
}

function instants(isInside: (at: number) => boolean): number[] {
  return Array.from({ length: LENGTH }, (_, at) => at).filter(isInside);
}
