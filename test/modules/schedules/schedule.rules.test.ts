import { describe, expect, test } from 'vitest';
import {
  availabilityFrom,
  DEFAULT_AVAILABILITY,
  SCHEDULE_CODES,
  type ScheduleInput,
  scheduleFrom,
  scheduleMistakes,
  WEEK_DAYS,
  wallTimeFrom,
  wallTimeText,
} from '../../../src/modules/schedules/schedule.rules.ts';

const SCHEDULE: ScheduleInput = {
  name: 'Working hours',
  timeZone: 'Europe/Berlin',
  availability: [{ days: ['MONDAY', 'SUNDAY'], start: '09:00', end: '17:00' }],
  overrides: [],
};

describe('a schedule is accepted', () => {
  test.each<[string, Partial<ScheduleInput>]>([
    ['with hours and a zone', {}],
    ['without any hours', { availability: [] }],
    ['with hours to the end of the day', { availability: [{ days: ['MONDAY'], start: '23:59', end: '24:00' }] }],
    ['with hours that overlap', { availability: [...SCHEDULE.availability, ...SCHEDULE.availability] }],
    [
      'with several overrides a date',
      {
        overrides: [
          { date: '2026-12-24', start: '09:00', end: '10:00' },
          { date: '2026-12-24', start: '11:00', end: '12:00' },
          { date: '2026-12-25' },
          { date: '2028-02-29', start: null, end: null },
        ],
      },
    ],
  ])('%s', (_, changes) => {
    expect(scheduleMistakes({ ...SCHEDULE, ...changes })).toEqual([]);
  });
});

describe('a schedule is refused when', () => {
  test.each<[string, Partial<ScheduleInput>, string, string]>([
    ['it has no name', { name: '' }, 'REQUIRED', 'name'],
    ['its name is endless', { name: 'a'.repeat(101) }, 'TOO_LONG', 'name'],
    ['its zone is unknown', { timeZone: 'Europe/Atlantis' }, 'INVALID_TIME_ZONE', 'timeZone'],
    ['its zone is an offset', { timeZone: '+02:00' }, 'INVALID_TIME_ZONE', 'timeZone'],
    ['hours end before they start', hours('17:00', '09:00'), 'INVERTED_HOURS', 'availability.0.end'],
    ['hours are empty', hours('09:00', '09:00'), 'INVERTED_HOURS', 'availability.0.end'],
    ['hours start at 24:00', hours('24:00', '24:00'), 'INVALID_TIME', 'availability.0.start'],
    ['a time is none', hours('09:60', '17:00'), 'INVALID_TIME', 'availability.0.start'],
    ['a time has seconds', hours('09:00', '17:00:01'), 'INVALID_TIME', 'availability.0.end'],
    ['a time is in other digits', hours('०९:००', '17:00'), 'INVALID_TIME', 'availability.0.start'],
    [
      'hours have no day',
      { availability: [{ days: [], start: '09:00', end: '10:00' }] },
      'INVALID_DAYS',
      'availability.0.days',
    ],
    [
      'a day is there twice',
      { availability: [{ days: ['MONDAY', 'MONDAY'], start: '09:00', end: '10:00' }] },
      'INVALID_DAYS',
      'availability.0.days',
    ],
    [
      'it has too many hours',
      { availability: Array.from({ length: 101 }, () => ({ days: WEEK_DAYS, start: '09:00', end: '10:00' })) },
      'TOO_MANY',
      'availability',
    ],
    [
      'it has too many overrides',
      { overrides: Array.from({ length: 1_001 }, () => ({ date: '2026-12-24' })) },
      'TOO_MANY',
      'overrides',
    ],
    ['a date does not exist', override({ date: '2026-02-29' }), 'INVALID_DATE', 'overrides.0.date'],
    ['a date is a time', override({ date: '2026-02-28T00:00' }), 'INVALID_DATE', 'overrides.0.date'],
    ['a date is far away', override({ date: '9999-01-01' }), 'INVALID_DATE', 'overrides.0.date'],
    ['an override has no end', override({ date: '2026-02-28', start: '09:00' }), 'INVALID_TIME', 'overrides.0.end'],
    [
      'an override ends before it starts',
      override({ date: '2026-02-28', start: '09:00', end: '08:00' }),
      'INVERTED_HOURS',
      'overrides.0.end',
    ],
    [
      'a date is both off and worked on',
      override({ date: '2026-02-28', start: '09:00', end: '10:00' }, { date: '2026-02-28' }),
      'CONTRADICTION',
      'overrides.1',
    ],
  ])('%s', (_, changes, code, path) => {
    const mistakes = scheduleMistakes({ ...SCHEDULE, ...changes });
    expect(mistakes.map((mistake) => [mistake.code, mistake.path?.join('.')])).toEqual([[code, path]]);
    expect(SCHEDULE_CODES).toContain(code);
  });

  test('several things are wrong, and all are named', () => {
    const mistakes = scheduleMistakes({
      name: '',
      timeZone: '',
      availability: [{ days: [], start: 'x'.repeat(100_000), end: '\0' }],
      overrides: [{ date: '\ud800' }],
    });
    expect(mistakes.map(({ code }) => code)).toEqual([
      'REQUIRED',
      'INVALID_TIME_ZONE',
      'INVALID_DAYS',
      'INVALID_TIME',
      'INVALID_TIME',
      'INVALID_DATE',
    ]);
    for (const { message } of mistakes) expect(message).toMatch(/^[^\0\ud800]{10,200}$/u);
  });
});

describe('a wall time', () => {
  test.each(['00:00', '09:05', '23:59'])('%s is read and written alike', (text) => {
    expect(wallTimeText(wallTimeFrom(text, 'start') ?? new Temporal.PlainTime(1), 'start')).toBe(text);
  });

  test('24:00 is the midnight that ends a day, and never starts one', () => {
    const end = wallTimeFrom('24:00', 'end');
    expect(end?.toString()).toBe('00:00:00');
    expect(wallTimeText(end ?? new Temporal.PlainTime(1), 'end')).toBe('24:00');
    expect(wallTimeFrom('24:00', 'start')).toBeUndefined();
  });
});

test('a checked schedule is read into wall times and dates', () => {
  const { timeZone, availability, overrides } = scheduleFrom({
    ...SCHEDULE,
    overrides: [{ date: '2026-12-24', start: '22:00', end: '24:00' }, { date: '2026-12-25' }],
  });
  expect(timeZone).toBe('Europe/Berlin');
  expect(availability.map(({ start, end }) => `${start.toString()} ${end.toString()}`)).toEqual(['09:00:00 17:00:00']);
  expect(overrides.map(({ date, end }) => `${date.toString()} ${String(end)}`)).toEqual([
    '2026-12-24 00:00:00',
    '2026-12-25 null',
  ]);
});

test('an unchecked time is not read', () => {
  expect(() => availabilityFrom([{ days: ['MONDAY'], start: '25:00', end: '26:00' }])).toThrow(TypeError);
});

test('a new schedule is from Monday to Friday, 09:00 to 17:00', () => {
  const shown = DEFAULT_AVAILABILITY.map(({ days, start, end }) => [...days, start.toString(), end.toString()]);
  expect(shown).toEqual([['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', '09:00:00', '17:00:00']]);
});

function hours(start: string, end: string): Partial<ScheduleInput> {
  return { availability: [{ days: WEEK_DAYS, start, end }] };
}

function override(...overrides: ScheduleInput['overrides']): Partial<ScheduleInput> {
  return { overrides };
}
