import { describe, expect, test } from 'vitest';
import {
  dateAt,
  epochDayOf,
  epochDaysIn,
  evenClocks,
  startOfDate,
  weekDayOf,
} from '../../../src/modules/schedules/local-time.rules.ts';

const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds;
const HOUR = 3_600_000;

describe('a zone is cut where its clock jumps:', () => {
  test.each<[string, string, string, string, readonly (readonly [string, number])[]]>([
    ['not at all', 'Asia/Kolkata', '2026-01-01T00:00Z', '2027-01-01T00:00Z', [['', 5.5]]],
    [
      'forward in spring',
      'Europe/Berlin',
      '2026-03-28T00:00Z',
      '2026-03-30T00:00Z',
      [
        ['', 1],
        ['2026-03-29T01:00Z', 2],
      ],
    ],
    [
      'by half an hour',
      'Australia/Lord_Howe',
      '2026-04-01T00:00Z',
      '2026-04-06T00:00Z',
      [
        ['', 11],
        ['2026-04-04T15:00Z', 10.5],
      ],
    ],
    [
      'by a day',
      'Pacific/Apia',
      '2011-12-29T00:00Z',
      '2012-01-01T00:00Z',
      [
        ['', -10],
        ['2011-12-30T10:00Z', 14],
      ],
    ],
    [
      'twice in a year, south of the equator',
      'Australia/Sydney',
      '2026-01-01T00:00Z',
      '2027-01-01T00:00Z',
      [
        ['', 11],
        ['2026-04-04T16:00Z', 10],
        ['2026-10-03T16:00Z', 11],
      ],
    ],
  ])('%s', (_, zone, start, end, expected) => {
    const clocks = evenClocks(zone, { start: at(start), end: at(end) });
    expect(clocks.map((clock) => [clock.start, clock.offset / HOUR])).toEqual(
      expected.map(([from, hours]) => [from === '' ? -Infinity : at(from), hours]),
    );
    expect(clocks.map((clock) => clock.end)).toEqual([...clocks.slice(1).map((clock) => clock.start), Infinity]);
  });
});

describe('a date begins', () => {
  test.each([
    ['at midnight', '2026-06-15', 'Europe/Berlin', '2026-06-14T22:00Z'],
    ['at 01:00 where the clock jumps over midnight', '2024-04-26', 'Africa/Cairo', '2024-04-25T22:00Z'],
    ['at the first of two midnights', '2026-04-05', 'America/Santiago', '2026-04-05T04:00Z'],
    ['when the next one does, if the zone skips it', '2011-12-30', 'Pacific/Apia', '2011-12-30T10:00Z'],
  ])('%s', (_, date, zone, instant) => {
    expect(startOfDate(Temporal.PlainDate.from(date), zone)).toBe(at(instant));
  });
});

test('days are counted from 1970-01-01, a Thursday, in both directions', () => {
  const dates = ['1969-12-28', '1970-01-01', '1970-01-05', '2026-06-15', '2999-12-31'].map((d) =>
    Temporal.PlainDate.from(d),
  );
  expect(dates.map(epochDayOf)).toEqual([-4, 0, 4, 20_619, 376_199]);
  expect(dates.map((date) => weekDayOf(epochDayOf(date)) + 1)).toEqual(dates.map(({ dayOfWeek }) => dayOfWeek));
});

test("an instant's date is that of the zone's calendar", () => {
  expect(dateAt(at('2026-06-15T23:00Z'), 'Europe/Berlin').toString()).toBe('2026-06-16');
  expect(dateAt(at('2026-06-15T23:00Z'), 'America/New_York').toString()).toBe('2026-06-15');
});

test.each([
  ['Europe/Berlin', '2026-03-28T00:00Z'],
  ['Australia/Lord_Howe', '2026-10-02T00:00Z'],
  ['America/Santiago', '2026-09-04T00:00Z'],
  ['America/St_Johns', '2010-11-06T00:00Z'],
  ['Pacific/Apia', '2011-12-28T00:00Z'],
])('the days of a range in %s are those of its calendar, around a jump too', (zone, from) => {
  const range = { start: at(from), end: at(from) + 96 * HOUR };
  const dayOf = epochDaysIn(zone, range);
  const instants = Array.from({ length: 96 * 60 }, (_, minute) => range.start + minute * 60_000);
  expect(instants.map(dayOf)).toEqual(instants.map((instant) => epochDayOf(dateAt(instant, zone))));
});
