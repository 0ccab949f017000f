import { describe, expect, test } from 'vitest';
import { type BookingWindow, bookableTime } from '../../../../src/modules/event-types/settings/booking-window.rules.ts';
import { at } from '../../schedules/support/a-schedule.ts';

const utc = (ms: number) => new Date(ms).toISOString().slice(0, 16);

function bookable(window: BookingWindow, now: string, timeZone = 'UTC'): string {
  const { start, end } = bookableTime(window, at(now), timeZone);
  return `${utc(start)} to ${utc(end)}`;
}

// 2026-06-17 is a Wednesday.
describe('rolling days are today and so many after it', () => {
  test.each<[number, string, string, string]>([
    [1, '2026-06-17T23:59Z', 'UTC', '2026-06-17T00:00 to 2026-06-19T00:00'],
    [30, '2026-06-17T00:00Z', 'UTC', '2026-06-17T00:00 to 2026-07-18T00:00'],
    [1, '2026-06-17T23:00Z', 'Europe/Berlin', '2026-06-17T22:00 to 2026-06-19T22:00'],
    [1, '2026-03-28T12:00Z', 'Europe/Berlin', '2026-03-27T23:00 to 2026-03-29T22:00'],
  ])('%i from %s in %s', (days, now, zone, expected) => {
    expect(bookable({ type: 'ROLLING_DAYS', days }, now, zone)).toBe(expected);
  });
});

describe('business days end with the so-manieth Monday-to-Friday after today', () => {
  test.each<[number, string, string]>([
    [1, '2026-06-17', '2026-06-18'],
    [2, '2026-06-17', '2026-06-19'],
    [3, '2026-06-17', '2026-06-22'],
    [5, '2026-06-17', '2026-06-24'],
    [10, '2026-06-17', '2026-07-01'],
    [1, '2026-06-19', '2026-06-22'],
    [1, '2026-06-20', '2026-06-22'],
    [5, '2026-06-20', '2026-06-26'],
    [5, '2026-06-21', '2026-06-26'],
    [6, '2026-06-21', '2026-06-29'],
    [3_660, '2026-06-17', '2040-06-27'],
  ])('%i from %s: up to %s', (days, today, last) => {
    const end = Temporal.PlainDate.from(last).add({ days: 1 }).toString();
    expect(bookable({ type: 'BUSINESS_DAYS', days }, `${today}T12:00Z`)).toBe(`${today}T00:00 to ${end}T00:00`);
  });
});

test('a range of dates holds both', () => {
  const window: BookingWindow = { type: 'DATE_RANGE', firstDate: '2026-06-20', lastDate: '2026-06-20' };
  expect(bookable(window, '2020-01-01T00:00Z', 'Asia/Kolkata')).toBe('2026-06-19T18:30 to 2026-06-20T18:30');
});
