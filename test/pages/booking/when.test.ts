import { describe, expect, test } from 'vitest';
import { timeLabels } from '../../../src/screens/booking/calendar-parts.ts';
import { type Clock, duration, longTime, monthName } from '../../../src/screens/kit/when.ts';

const BERLIN: Clock = { timeZone: 'Europe/Berlin', locale: 'en-GB', timeFormat: 24, weekStart: 'MONDAY' };
const at = (text: string) => Temporal.Instant.from(text);

test.each([
  [1, '1 minute'],
  [45, '45 minutes'],
  [60, '1 hour'],
  [90, '1 hour 30 minutes'],
  [1_440, '24 hours'],
])('%d minutes are %s', (minutes, words) => {
  expect(duration(minutes)).toBe(words);
});

describe('a time is told', () => {
  test('in the reader’s zone, and by their clock', () => {
    const [start, end] = [at('2026-11-23T08:30:00Z'), at('2026-11-23T09:00:00Z')];
    expect(longTime(start, end, BERLIN)).toBe('Monday, 23 November 2026, 09:30–10:00');
    const newYork: Clock = { ...BERLIN, timeZone: 'America/New_York', timeFormat: 12 };
    expect(longTime(start, end, newYork)).toBe('Monday, 23 November 2026, 3:30 – 4:00 am');
    expect(longTime(start, end, { ...BERLIN, locale: 'en-US', timeFormat: null })).toBe(
      'Monday, November 23, 2026, 9:30 – 10:00 AM',
    );
    expect(longTime(start, end, { ...BERLIN, locale: 'de', timeFormat: null })).toBe(
      'Montag, 23. November 2026, 09:30–10:00 Uhr',
    );
  });

  test('with both dates where it reaches over midnight', () => {
    expect(longTime(at('2026-11-23T22:30:00Z'), at('2026-11-23T23:30:00Z'), BERLIN)).toBe(
      'Monday, 23 November 2026 at 23:30 – Tuesday, 24 November 2026 at 00:30',
    );
  });

  test('with its distance from UTC on the day on which clocks are set back, and on no other', () => {
    const slots = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'].map((start) => {
      const from = at(start).epochMilliseconds;
      return { start: from, end: from + 1_800_000, hostIds: [], remainingSeatCount: null, joins: null };
    });
    const label = timeLabels(slots, BERLIN);
    expect(slots.map(label)).toEqual(['02:30 (UTC+02:00)', '02:30 (UTC+01:00)']);
    expect(slots.slice(0, 1).map(timeLabels(slots.slice(0, 1), BERLIN))).toEqual(['02:30']);
  });
});

test('dates are those of our calendar in digits that all can read, whatever the language', () => {
  const month = Temporal.PlainYearMonth.from('2026-11');
  expect(['th', 'fa', 'ar-EG', 'de'].map((locale) => /2026/.test(monthName(month, locale)))).toEqual([
    true,
    true,
    true,
    true,
  ]);
});

test('a month is named', () => {
  expect(monthName(Temporal.PlainYearMonth.from('2026-11'), 'en-GB')).toBe('November 2026');
});
