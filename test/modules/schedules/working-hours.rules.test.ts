import { describe, expect, test } from 'vitest';
import { commonWindows, workingWindows } from '../../../src/modules/schedules/working-hours.rules.ts';
import { aSchedule, between } from './support/a-schedule.ts';

const utc = (ms: number) => new Date(ms).toISOString().slice(5, 16);

/** The windows that overlap the range, in UTC without the year, and where their grid begins if not at their start. */
function windowsOf(schedule: ReturnType<typeof aSchedule>, range: string): string[] {
  const { start, end } = between(range);
  return workingWindows(schedule, { start, end })
    .filter((window) => window.start < end && start < window.end)
    .map((window) => {
      const grid = window.gridStart === window.start ? '' : ` from ${utc(window.gridStart)}`;
      return `${utc(window.start)}–${utc(window.end)}${grid}`;
    });
}

describe('hours on the wall clock are', () => {
  test.each<[string, string, string, string, string[]]>([
    [
      'earlier in UTC east of it',
      'Asia/Kolkata',
      '09:00-17:00',
      '2026-06-15T00:00Z/2026-06-16T00:00Z',
      ['06-15T03:30–06-15T11:30'],
    ],
    [
      'those of the dates that the zone has',
      'Pacific/Auckland',
      '08:00-10:00',
      '2026-06-15T00:00Z/2026-06-16T00:00Z',
      ['06-15T20:00–06-15T22:00'],
    ],
    [
      'up to midnight, where the next day goes on',
      'UTC',
      '22:00-24:00',
      '2026-06-15T00:00Z/2026-06-16T00:00Z',
      ['06-15T22:00–06-16T00:00'],
    ],
    [
      'an hour earlier in UTC from spring on',
      'Europe/Berlin',
      '09:00-10:00',
      '2026-03-28T00:00Z/2026-03-30T00:00Z',
      ['03-28T08:00–03-28T09:00', '03-29T07:00–03-29T08:00'],
    ],
  ])('%s', (_, zone, hours, range, windows) => {
    expect(windowsOf(aSchedule(zone, [hours]), range)).toEqual(windows);
  });
});

describe('when the clock jumps forward (Berlin, 02:00 to 03:00, 01:00 UTC), hours', () => {
  test.each([
    ['that are skipped do not exist', '02:00-03:00', []],
    ['that begin in the gap begin behind it', '02:30-04:00', ['03-29T01:00–03-29T02:00 from 03-29T00:30']],
    ['that end in the gap end before it', '01:00-02:30', ['03-29T00:00–03-29T01:00']],
    [
      'around it are an hour short, in two parts',
      '00:00-04:00',
      ['03-28T23:00–03-29T01:00', '03-29T01:00–03-29T02:00 from 03-28T22:00'],
    ],
  ])('%s', (_, hours, windows) => {
    const schedule = aSchedule('Europe/Berlin', [hours]);
    expect(windowsOf(schedule, '2026-03-28T23:00Z/2026-03-29T12:00Z')).toEqual(windows);
  });
});

describe('when the clock jumps back (Berlin, 03:00 to 02:00, 01:00 UTC), hours', () => {
  test.each([
    ['that are repeated exist twice', '02:00-03:00', ['10-25T00:00–10-25T01:00', '10-25T01:00–10-25T02:00']],
    ['that begin in them begin twice', '02:30-04:00', ['10-25T00:30–10-25T01:00', '10-25T01:30–10-25T03:00']],
    [
      'that end in them end twice',
      '01:00-02:30',
      ['10-24T23:00–10-25T00:30', '10-25T01:00–10-25T01:30 from 10-25T00:00'],
    ],
    [
      'around them are an hour long, in two parts',
      '00:00-04:00',
      ['10-24T22:00–10-25T01:00', '10-25T01:00–10-25T03:00 from 10-24T23:00'],
    ],
  ])('%s', (_, hours, windows) => {
    const schedule = aSchedule('Europe/Berlin', [hours]);
    expect(windowsOf(schedule, '2026-10-24T22:00Z/2026-10-25T12:00Z')).toEqual(windows);
  });
});

test('a day without a midnight begins at 01:00', () => {
  const schedule = aSchedule('Africa/Cairo', ['00:00-02:00']);
  expect(windowsOf(schedule, '2024-04-25T21:00Z/2024-04-26T12:00Z')).toEqual([
    '04-25T22:00–04-25T23:00 from 04-25T21:00',
  ]);
});

test('a date that the zone skips has no hours, whatever is said of it', () => {
  const schedule = aSchedule('Pacific/Apia', ['09:00-17:00'], { '2011-12-30': ['00:00-24:00'] });
  expect(windowsOf(schedule, '2011-12-29T00:00Z/2012-01-01T00:00Z')).toEqual([
    '12-28T19:00–12-29T03:00',
    '12-29T19:00–12-30T03:00',
    '12-30T19:00–12-31T03:00',
    '12-31T19:00–01-01T03:00',
  ]);
});

test('a clock that jumps by half an hour shifts the hours by half an hour', () => {
  const schedule = aSchedule('Australia/Lord_Howe', ['09:00-10:00']);
  expect(windowsOf(schedule, '2026-04-03T20:00Z/2026-04-05T20:00Z')).toEqual([
    '04-03T22:00–04-03T23:00',
    '04-04T22:30–04-04T23:30',
  ]);
});

describe('on the date of an override', () => {
  const RANGE = '2026-06-15T00:00Z/2026-06-16T00:00Z';
  const HOURS = ['09:00-17:00'];

  test.each<[string, string[], string[]]>([
    ['its hours stand for those of the week', ['20:00-21:00'], ['06-15T20:00–06-15T21:00']],
    ['several add up', ['12:00-13:00', '08:00-09:00'], ['06-15T08:00–06-15T09:00', '06-15T12:00–06-15T13:00']],
    ['there are no hours when it has none', [], []],
  ])('%s', (_, hours, windows) => {
    expect(windowsOf(aSchedule('UTC', HOURS, { '2026-06-15': hours }), RANGE)).toEqual(windows);
  });

  test('only, and not on the next date', () => {
    expect(windowsOf(aSchedule('UTC', HOURS, { '2026-06-14': [] }), RANGE)).toEqual(['06-15T09:00–06-15T17:00']);
  });
});

test('hours of one day that overlap or touch are one window', () => {
  const schedule = aSchedule('UTC', ['12:00-14:00', '09:00-11:00', '11:00-12:00', '13:00-15:00', '16:00-17:00']);
  expect(windowsOf(schedule, '2026-06-15T00:00Z/2026-06-16T00:00Z')).toEqual([
    '06-15T09:00–06-15T15:00',
    '06-15T16:00–06-15T17:00',
  ]);
});

test('hours stand on their days of the week', () => {
  const [start, end] = [new Temporal.PlainTime(9), new Temporal.PlainTime(10)];
  const schedule = {
    timeZone: 'UTC',
    availability: [{ days: ['SUNDAY', 'TUESDAY'], start, end }],
    overrides: [],
  } as const;
  expect(windowsOf(schedule, '2026-06-14T00:00Z/2026-06-21T00:00Z')).toEqual([
    '06-14T09:00–06-14T10:00',
    '06-16T09:00–06-16T10:00',
  ]);
});

test('two people have in common the time of both, on the grid of whose window opened last', () => {
  const range = between('2026-06-15T00:00Z/2026-06-16T00:00Z');
  const early = workingWindows(aSchedule('UTC', ['08:00-12:00', '13:00-17:00']), range);
  const late = workingWindows(aSchedule('UTC', ['10:15-14:00']), range);
  const expected = ['06-15T10:15–06-15T12:00 10:15', '06-15T13:00–06-15T14:00 13:00'];
  for (const common of [commonWindows(early, late), commonWindows(late, early)]) {
    const shown = common
      .filter(({ start }) => start >= range.start && start < range.end)
      .map((window) => `${utc(window.start)}–${utc(window.end)} ${utc(window.gridStart).slice(6)}`);
    expect(shown).toEqual(expected);
  }
});
