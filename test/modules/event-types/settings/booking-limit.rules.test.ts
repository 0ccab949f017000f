import { describe, expect, test } from 'vitest';
import {
  type BookingLimits,
  type CountedPeriod,
  hasRoom,
  type LimitCalendar,
  limitPeriods,
} from '../../../../src/modules/event-types/settings/booking-limit.rules.ts';
import { at, between } from '../../schedules/support/a-schedule.ts';
import { countInto } from '../support/count-into.ts';

const utc = (ms: number) => new Date(ms).toISOString().slice(0, 16);
const LIMITED = { maxBookings: 1 };

function periods(limits: BookingLimits, range: string, calendar: Partial<LimitCalendar> = {}): string[] {
  const whole = { timeZone: 'UTC', weekStart: 'MONDAY', ...calendar } as const;
  return limitPeriods(limits, whole, between(range)).map(
    ({ unit, start, end }) => `${unit} ${utc(start)} to ${utc(end)}`,
  );
}

// 2026-06-17 is a Wednesday.
describe('bookings are counted in the periods that a range touches:', () => {
  test.each<[string, BookingLimits, Partial<LimitCalendar>, string[]]>([
    ['none without limits', { day: null, week: {}, month: { maxBookings: null } }, {}, []],
    [
      'days',
      { day: LIMITED },
      {},
      ['day 2026-06-17T00:00 to 2026-06-18T00:00', 'day 2026-06-18T00:00 to 2026-06-19T00:00'],
    ],
    ['weeks from Monday', { week: LIMITED }, {}, ['week 2026-06-15T00:00 to 2026-06-22T00:00']],
    ['weeks from Sunday', { week: LIMITED }, { weekStart: 'SUNDAY' }, ['week 2026-06-14T00:00 to 2026-06-21T00:00']],
    [
      'weeks from Thursday',
      { week: LIMITED },
      { weekStart: 'THURSDAY' },
      ['week 2026-06-11T00:00 to 2026-06-18T00:00', 'week 2026-06-18T00:00 to 2026-06-25T00:00'],
    ],
    [
      'months and years of the zone',
      { month: { maxMinutes: 60 }, year: LIMITED },
      { timeZone: 'America/New_York' },
      ['month 2026-06-01T04:00 to 2026-07-01T04:00', 'year 2026-01-01T05:00 to 2027-01-01T05:00'],
    ],
  ])('%s', (_, limits, calendar, expected) => {
    expect(periods(limits, '2026-06-17T22:00Z/2026-06-18T02:00Z', calendar)).toEqual(expected);
  });

  test('a period that ends where the range begins, or begins where it ends, is not touched', () => {
    expect(periods({ day: LIMITED }, '2026-06-17T00:00Z/2026-06-18T00:00Z')).toEqual([
      'day 2026-06-17T00:00 to 2026-06-18T00:00',
    ]);
  });

  test('a day of the zone is as long as its clock makes it, and a skipped one is none', () => {
    const berlin = { timeZone: 'Europe/Berlin' };
    expect(periods({ day: LIMITED }, '2026-03-29T12:00Z/2026-03-29T13:00Z', berlin)).toEqual([
      'day 2026-03-28T23:00 to 2026-03-29T22:00',
    ]);
    const apia = { timeZone: 'Pacific/Apia' };
    expect(periods({ day: LIMITED }, '2011-12-30T09:00Z/2011-12-30T11:00Z', apia)).toEqual([
      'day 2011-12-29T10:00 to 2011-12-30T10:00',
      'day 2011-12-30T10:00 to 2011-12-31T10:00',
    ]);
  });
});

test('a booking counts in the period in which it starts, with its whole length', () => {
  const days = limitPeriods(
    { day: LIMITED },
    { timeZone: 'UTC', weekStart: 'MONDAY' },
    between('2026-06-17T00:00Z/2026-06-19T00:00Z'),
  );
  const bookings = [
    '2026-06-16T23:00Z/2026-06-17T01:00Z',
    '2026-06-17T00:00Z/2026-06-17T00:30Z',
    '2026-06-17T23:45Z/2026-06-18T00:30Z',
  ];
  expect(countInto(days, bookings.map(between)).map(({ count, minutes }) => [count, minutes])).toEqual([
    [2, 75],
    [0, 0],
  ]);
});

describe('a period has room', () => {
  const counted: CountedPeriod = {
    unit: 'day',
    start: at('2026-06-17T00:00Z'),
    end: at('2026-06-18T00:00Z'),
    count: 2,
    minutes: 60,
  };

  test.each([
    ['up to the count', { maxBookings: 3 }, true],
    ['not beyond the count', { maxBookings: 2 }, false],
    ['up to the minutes', { maxMinutes: 90 }, true],
    ['not beyond the minutes', { maxMinutes: 89 }, false],
    ['only within both', { maxBookings: 3, maxMinutes: 89 }, false],
    ['without a limit', { maxBookings: null, maxMinutes: null }, true],
  ])('%s', (_, limit, room) => {
    expect(hasRoom(counted, limit, 30)).toBe(room);
  });
});
