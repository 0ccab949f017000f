import { describe, expect, test } from 'vitest';
import { weekDaysFrom, weeksOf } from '../../../src/screens/booking/calendar-parts.ts';

function days(month: string, weekStart: 'MONDAY' | 'SUNDAY' | 'SATURDAY'): string[] {
  return weeksOf(Temporal.PlainYearMonth.from(month), weekStart).map((week) =>
    week.map((day) => String(day?.day ?? '.')).join(' '),
  );
}

describe('a month is laid out in weeks', () => {
  test('that begin where the reader’s do', () => {
    expect(days('2026-11', 'MONDAY')).toEqual([
      '. . . . . . 1',
      '2 3 4 5 6 7 8',
      '9 10 11 12 13 14 15',
      '16 17 18 19 20 21 22',
      '23 24 25 26 27 28 29',
      '30 . . . . . .',
    ]);
    expect(days('2026-11', 'SUNDAY')[0]).toBe('1 2 3 4 5 6 7');
    expect(weekDaysFrom('SATURDAY')).toEqual([
      'SATURDAY',
      'SUNDAY',
      'MONDAY',
      'TUESDAY',
      'WEDNESDAY',
      'THURSDAY',
      'FRIDAY',
    ]);
  });

  test('of which February may fill four, and a leap year’s has one day more', () => {
    expect(days('2027-02', 'MONDAY')).toHaveLength(4);
    expect(days('2028-02', 'MONDAY').at(-1)).toBe('28 29 . . . . .');
  });
});
