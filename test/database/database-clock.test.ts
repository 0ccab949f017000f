/** The database's clock, as a process knows it by its readings. */
import { afterEach, expect, test, vi } from 'vitest';
import { DatabaseClock } from '../../src/database/database-clock.ts';

const START = Temporal.Instant.from('2026-01-01T00:00:00Z');

/** A clock, and a way to give it what the database said, in milliseconds after the start, between two times here. */
function clockOf() {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const clock = new DatabaseClock();
  return {
    read: (said: number, beganAt: number, endedAt: number) => {
      now = endedAt;
      clock.observe(START.add({ milliseconds: said }), beganAt, endedAt);
    },
    at: (time: number) => {
      now = time;
      return clock.now() - START.epochMilliseconds;
    },
  };
}

afterEach(() => vi.restoreAllMocks());

test('goes on from its first reading, made half-way, by the clock that nobody sets', () => {
  const { read, at } = clockOf();
  read(1_000, 100, 104);
  vi.spyOn(Date, 'now').mockReturnValue(0);
  expect([at(104), at(5_104)]).toEqual([1_002, 6_002]);
});

test('a later reading that says more replaces one that says less', () => {
  const { read, at } = clockOf();
  read(1_000, 100, 900);
  expect(at(900)).toBe(1_400);
  read(1_100, 1_000, 1_002);
  expect(at(1_002)).toBe(1_101);
});

test.each([
  ['late sent', 2_098],
  ['late heard', 1_302],
])('a reading %s does not spoil a good one', (_, said) => {
  const { read, at } = clockOf();
  read(200, 100, 102);
  read(said, 1_200, 2_000);
  expect(at(2_000)).toBe(2_099);
});

test('drift is followed: an old reading gives way to one that is as sure by now', () => {
  const { read, at } = clockOf();
  read(200, 100, 102);
  read(60_220, 60_100, 60_110);
  expect(at(60_110)).toBe(60_225);
});

test.each([-3_600_000, 3_600_000])(
  'a clock that was set by %i ms is followed at once, however busy the process',
  (by) => {
    const { read, at } = clockOf();
    read(200, 100, 102);
    read(2_000 + by, 1_200, 2_000);
    expect(at(2_000)).toBe(2_400 + by);
  },
);
