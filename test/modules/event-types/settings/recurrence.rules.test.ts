import { describe, expect, test } from 'vitest';
import { occurrencesOf, type Recurrence } from '../../../../src/modules/event-types/settings/recurrence.rules.ts';
import { at } from '../../schedules/support/a-schedule.ts';

function starts(first: string, recurrence: Recurrence, timeZone = 'UTC'): string[] {
  return occurrencesOf(at(first), recurrence, timeZone).map((ms) => new Date(ms).toISOString().slice(0, 16));
}

describe('a series', () => {
  test.each<[string, string, Recurrence, string, string[]]>([
    [
      'goes on by days',
      '2026-02-27T09:00Z',
      { frequency: 'DAILY', interval: 2, occurrences: 2 },
      'UTC',
      ['2026-02-27T09:00', '2026-03-01T09:00'],
    ],
    [
      'keeps its hour when the clocks change',
      '2026-03-23T08:00Z',
      { frequency: 'WEEKLY', interval: 1, occurrences: 2 },
      'Europe/Berlin',
      ['2026-03-23T08:00', '2026-03-30T07:00'],
    ],
    [
      'keeps the day of the month, or takes the last',
      '2026-01-31T09:00Z',
      { frequency: 'MONTHLY', interval: 1, occurrences: 4 },
      'UTC',
      ['2026-01-31T09:00', '2026-02-28T09:00', '2026-03-31T09:00', '2026-04-30T09:00'],
    ],
    [
      'keeps the day of the year, or takes the last of its month',
      '2028-02-29T09:00Z',
      { frequency: 'YEARLY', interval: 2, occurrences: 3 },
      'UTC',
      ['2028-02-29T09:00', '2030-02-28T09:00', '2032-02-29T09:00'],
    ],
    [
      'moves on by what the clock skips',
      '2026-03-28T01:30Z',
      { frequency: 'DAILY', interval: 1, occurrences: 3 },
      'Europe/Berlin',
      ['2026-03-28T01:30', '2026-03-29T01:30', '2026-03-30T00:30'],
    ],
  ])('%s', (_, first, recurrence, zone, expected) => {
    expect(starts(first, recurrence, zone)).toEqual(expected);
  });

  test('is never longer than a year of weeks, whatever is stored', () => {
    expect(starts('2026-01-01T09:00Z', { frequency: 'DAILY', interval: 1, occurrences: 1_000_000 })).toHaveLength(52);
  });
});
