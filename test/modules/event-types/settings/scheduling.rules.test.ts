import { describe, expect, test } from 'vitest';
import type { BookingLimits } from '../../../../src/modules/event-types/settings/booking-limit.rules.ts';
import {
  type BookingLimitsPatch,
  type BookingWindowChoice,
  bookingWindowOf,
  type ConfirmationChoice,
  confirmationOf,
  EVENT_TYPE_DEFAULTS,
  lengthsOf,
  patchedLimits,
  SCHEDULING_CODES,
  type SchedulingInput,
  schedulingMistakes,
  strayMistakes,
} from '../../../../src/modules/event-types/settings/scheduling.rules.ts';

const RULES: SchedulingInput = { ...EVENT_TYPE_DEFAULTS, lengthInMinutes: 30 };
const SEATS = { perSlot: 10, showAttendees: false };

describe('the rules of an event type are accepted', () => {
  test.each<[string, Partial<SchedulingInput>]>([
    ['as they are when nothing is said', {}],
    ['with several lengths', { lengthInMinutesOptions: [15, 30, 60] }],
    [
      'with intervals, notice and buffers',
      {
        slotIntervalInMinutes: 5,
        minimumBookingNoticeInMinutes: 527_040,
        bufferBeforeInMinutes: 1_440,
        bufferAfterInMinutes: 0,
      },
    ],
    ['with rolling days', { bookingWindow: { kind: 'ROLLING_DAYS', days: 3_660 } }],
    ['with business days', { bookingWindow: { kind: 'BUSINESS_DAYS', days: 1 } }],
    ['with one date', { bookingWindow: { kind: 'DATE_RANGE', from: '2026-12-01', to: '2026-12-01' } }],
    [
      'with limits',
      { bookingLimits: { day: { count: 1, minutes: 30 }, week: null, year: { count: 100_000, minutes: null } } },
    ],
    ['with confirmation', { confirmation: { kind: 'SHORT_NOTICE', noticeInMinutes: 60 } }],
    ['with a recurrence', { recurrence: { frequency: 'WEEKLY', interval: 12, occurrences: 52 } }],
    ['with seats', { seats: SEATS }],
    ['with cut-offs', { disableCancelling: { minutesBefore: null }, disableRescheduling: { minutesBefore: 60 } }],
  ])('%s', (_, changes) => {
    expect(schedulingMistakes({ ...RULES, ...changes })).toEqual([]);
  });
});

describe('the rules of an event type are refused when', () => {
  test.each<[string, Partial<SchedulingInput>, string, string]>([
    ['a length is none', { lengthInMinutesOptions: [30, 0] }, 'OUT_OF_RANGE', 'lengthInMinutesOptions.1'],
    [
      'a length is longer than a day',
      { lengthInMinutesOptions: [30, 1_441] },
      'OUT_OF_RANGE',
      'lengthInMinutesOptions.1',
    ],
    ['a length is there twice', { lengthInMinutesOptions: [30, 30] }, 'CONFLICT', 'lengthInMinutesOptions'],
    ['the lengths lack the length', { lengthInMinutesOptions: [15, 60] }, 'CONFLICT', 'lengthInMinutesOptions'],
    [
      'there are too many lengths',
      { lengthInMinutesOptions: Array.from({ length: 21 }, (_, index) => index + 20) },
      'TOO_MANY',
      'lengthInMinutesOptions',
    ],
    ['the interval is none', { slotIntervalInMinutes: 0 }, 'OUT_OF_RANGE', 'slotIntervalInMinutes'],
    ['the interval is no whole number', { slotIntervalInMinutes: 7.5 }, 'OUT_OF_RANGE', 'slotIntervalInMinutes'],
    ['the notice is negative', { minimumBookingNoticeInMinutes: -1 }, 'OUT_OF_RANGE', 'minimumBookingNoticeInMinutes'],
    [
      'the notice is over a year',
      { minimumBookingNoticeInMinutes: 527_041 },
      'OUT_OF_RANGE',
      'minimumBookingNoticeInMinutes',
    ],
    ['a buffer is negative', { bufferBeforeInMinutes: -5 }, 'OUT_OF_RANGE', 'bufferBeforeInMinutes'],
    ['a buffer is longer than a day', { bufferAfterInMinutes: 1_441 }, 'OUT_OF_RANGE', 'bufferAfterInMinutes'],
    ['the window is empty', { bookingWindow: { kind: 'ROLLING_DAYS', days: 0 } }, 'OUT_OF_RANGE', 'bookingWindow.days'],
    [
      'the window is endless',
      { bookingWindow: { kind: 'BUSINESS_DAYS', days: 3_661 } },
      'OUT_OF_RANGE',
      'bookingWindow.days',
    ],
    [
      'a date does not exist',
      { bookingWindow: { kind: 'DATE_RANGE', from: '2026-02-30', to: '2026-12-01' } },
      'INVALID_DATE',
      'bookingWindow.from',
    ],
    [
      'dates are the wrong way round',
      { bookingWindow: { kind: 'DATE_RANGE', from: '2026-12-02', to: '2026-12-01' } },
      'INVERTED_RANGE',
      'bookingWindow.to',
    ],
    ['a limit is none', { bookingLimits: { week: { count: 0 } } }, 'OUT_OF_RANGE', 'bookingLimits.week.count'],
    [
      'a limit holds not even one booking',
      { bookingLimits: { day: { minutes: 29 } } },
      'CONFLICT',
      'bookingLimits.day.minutes',
    ],
    [
      'the notice to confirm is none',
      { confirmation: { kind: 'SHORT_NOTICE', noticeInMinutes: 0 } },
      'OUT_OF_RANGE',
      'confirmation.noticeInMinutes',
    ],
    [
      'a series is one booking',
      { recurrence: { frequency: 'DAILY', interval: 1, occurrences: 1 } },
      'OUT_OF_RANGE',
      'recurrence.occurrences',
    ],
    [
      'a series is endless',
      { recurrence: { frequency: 'DAILY', interval: 1, occurrences: 53 } },
      'OUT_OF_RANGE',
      'recurrence.occurrences',
    ],
    [
      'a series stands still',
      { recurrence: { frequency: 'DAILY', interval: 0, occurrences: 2 } },
      'OUT_OF_RANGE',
      'recurrence.interval',
    ],
    ['there is no seat', { seats: { ...SEATS, perSlot: 0 } }, 'OUT_OF_RANGE', 'seats.perSlot'],
    [
      'a series has seats',
      { seats: SEATS, recurrence: { frequency: 'DAILY', interval: 1, occurrences: 2 } },
      'CONFLICT',
      'seats',
    ],
    [
      'a cut-off is negative',
      { disableCancelling: { minutesBefore: -1 } },
      'OUT_OF_RANGE',
      'disableCancelling.minutesBefore',
    ],
    [
      'a cut-off is no number',
      { disableRescheduling: { minutesBefore: NaN } },
      'OUT_OF_RANGE',
      'disableRescheduling.minutesBefore',
    ],
  ])('%s', (_, changes, code, path) => {
    const mistakes = schedulingMistakes({ ...RULES, ...changes });
    expect(mistakes.map((mistake) => [mistake.code, mistake.path?.join('.')])).toEqual([[code, path]]);
    expect(SCHEDULING_CODES).toContain(code);
  });
});

test('an event type is booked in its length, or in one of those to choose from', () => {
  const rules = { ...EVENT_TYPE_DEFAULTS, lengthInMinutes: 30, timeZone: 'UTC', weekStart: 'MONDAY' } as const;
  expect(lengthsOf(rules)).toEqual([30]);
  expect(lengthsOf({ ...rules, lengthInMinutesOptions: [30, 60] })).toEqual([30, 60]);
});

describe('the settings that belong to the kind of a choice are kept', () => {
  test.each<[BookingWindowChoice, object]>([
    [
      { kind: 'ROLLING_DAYS', days: 3, from: null },
      { kind: 'ROLLING_DAYS', days: 3 },
    ],
    [
      { kind: 'DATE_RANGE', from: '2027-01-01', to: '2027-01-02' },
      { kind: 'DATE_RANGE', from: '2027-01-01', to: '2027-01-02' },
    ],
  ])('%j', (choice, window) => {
    expect(bookingWindowOf(choice)).toEqual(window);
    expect(strayMistakes(choice, null)).toEqual([]);
  });

  test.each<[ConfirmationChoice, object]>([
    [{ kind: 'NONE', noticeInMinutes: null }, { kind: 'NONE' }],
    [
      { kind: 'SHORT_NOTICE', noticeInMinutes: 5 },
      { kind: 'SHORT_NOTICE', noticeInMinutes: 5 },
    ],
  ])('%j', (choice, confirmation) => {
    expect(confirmationOf(choice)).toEqual(confirmation);
    expect(strayMistakes(undefined, choice)).toEqual([]);
  });
});

test('settings that do not belong to a kind are refused, not dropped', () => {
  const mistakes = strayMistakes(
    { kind: 'DATE_RANGE', days: 0, from: 'a', to: 'b' },
    { kind: 'ALWAYS', noticeInMinutes: 5 },
  );
  expect(mistakes).toMatchObject([
    { code: 'NOT_POSSIBLE', path: ['bookingWindow', 'days'] },
    { code: 'NOT_POSSIBLE', path: ['confirmation', 'noticeInMinutes'] },
  ]);
});

test.each<[BookingLimits, BookingLimitsPatch, BookingLimits]>([
  [{ day: { count: 1 } }, {}, { day: { count: 1 } }],
  [{ day: { count: 1 } }, { week: { minutes: 60 } }, { day: { count: 1 }, week: { minutes: 60 } }],
  [{ day: { count: 1 } }, { day: { minutes: 60 } }, { day: { count: 1, minutes: 60 } }],
  [{ day: { count: 1, minutes: 60 } }, { day: { count: null } }, { day: { minutes: 60 } }],
  [{ day: { count: 1 } }, { day: { count: null } }, {}],
  [{ day: { count: 1 }, year: { count: 9 } }, { day: null }, { year: { count: 9 } }],
])('limits %j changed by %j are %j', (stored, patch, limits) => {
  expect(patchedLimits(stored, patch)).toEqual(limits);
});
