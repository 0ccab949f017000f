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

const RULES: SchedulingInput = { ...EVENT_TYPE_DEFAULTS, durationInMinutes: 30 };
const SEATS = { perSlot: 10, showsAttendees: false };

describe('the rules of an event type are accepted', () => {
  test.each<[string, Partial<SchedulingInput>]>([
    ['as they are when nothing is said', {}],
    ['with several lengths', { durationInMinutesOptions: [15, 30, 60] }],
    [
      'with intervals, notice and buffers',
      {
        slotIntervalInMinutes: 5,
        minimumBookingNoticeInMinutes: 527_040,
        bufferBeforeInMinutes: 1_440,
        bufferAfterInMinutes: 0,
      },
    ],
    ['with rolling days', { bookingWindow: { type: 'ROLLING_DAYS', days: 3_660 } }],
    ['with business days', { bookingWindow: { type: 'BUSINESS_DAYS', days: 1 } }],
    ['with one date', { bookingWindow: { type: 'DATE_RANGE', firstDate: '2026-12-01', lastDate: '2026-12-01' } }],
    [
      'with limits',
      {
        bookingLimits: {
          day: { maxBookings: 1, maxMinutes: 30 },
          week: null,
          year: { maxBookings: 100_000, maxMinutes: null },
        },
      },
    ],
    ['with confirmation', { confirmation: { type: 'SHORT_NOTICE', noticeInMinutes: 60 } }],
    ['with a recurrence', { recurrence: { frequency: 'WEEKLY', interval: 12, occurrences: 52 } }],
    ['with seats', { seats: SEATS }],
    [
      'with cut-offs',
      { cancellationPolicy: { type: 'NEVER' }, reschedulingPolicy: { type: 'WITH_NOTICE', noticeInMinutes: 60 } },
    ],
  ])('%s', (_, changes) => {
    expect(schedulingMistakes({ ...RULES, ...changes })).toEqual([]);
  });
});

describe('the rules of an event type are refused when', () => {
  test.each<[string, Partial<SchedulingInput>, string, string]>([
    ['a length is none', { durationInMinutesOptions: [30, 0] }, 'OUT_OF_RANGE', 'durationInMinutesOptions.1'],
    [
      'a length is longer than a day',
      { durationInMinutesOptions: [30, 1_441] },
      'OUT_OF_RANGE',
      'durationInMinutesOptions.1',
    ],
    ['a length is there twice', { durationInMinutesOptions: [30, 30] }, 'CONFLICT', 'durationInMinutesOptions'],
    ['the lengths lack the length', { durationInMinutesOptions: [15, 60] }, 'CONFLICT', 'durationInMinutesOptions'],
    [
      'there are too many lengths',
      { durationInMinutesOptions: Array.from({ length: 21 }, (_, index) => index + 20) },
      'TOO_MANY',
      'durationInMinutesOptions',
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
    ['the window is empty', { bookingWindow: { type: 'ROLLING_DAYS', days: 0 } }, 'OUT_OF_RANGE', 'bookingWindow.days'],
    [
      'the window is endless',
      { bookingWindow: { type: 'BUSINESS_DAYS', days: 3_661 } },
      'OUT_OF_RANGE',
      'bookingWindow.days',
    ],
    [
      'a date does not exist',
      { bookingWindow: { type: 'DATE_RANGE', firstDate: '2026-02-30', lastDate: '2026-12-01' } },
      'INVALID_DATE',
      'bookingWindow.firstDate',
    ],
    [
      'dates are the wrong way round',
      { bookingWindow: { type: 'DATE_RANGE', firstDate: '2026-12-02', lastDate: '2026-12-01' } },
      'INVERTED_RANGE',
      'bookingWindow.lastDate',
    ],
    [
      'a limit is none',
      { bookingLimits: { week: { maxBookings: 0 } } },
      'OUT_OF_RANGE',
      'bookingLimits.week.maxBookings',
    ],
    [
      'a limit holds not even one booking',
      { bookingLimits: { day: { maxMinutes: 29 } } },
      'CONFLICT',
      'bookingLimits.day.maxMinutes',
    ],
    [
      'the notice to confirm is none',
      { confirmation: { type: 'SHORT_NOTICE', noticeInMinutes: 0 } },
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
      { cancellationPolicy: { type: 'WITH_NOTICE', noticeInMinutes: -1 } },
      'OUT_OF_RANGE',
      'cancellationPolicy.noticeInMinutes',
    ],
    [
      'a cut-off is no number',
      { reschedulingPolicy: { type: 'WITH_NOTICE', noticeInMinutes: NaN } },
      'OUT_OF_RANGE',
      'reschedulingPolicy.noticeInMinutes',
    ],
  ])('%s', (_, changes, code, path) => {
    const mistakes = schedulingMistakes({ ...RULES, ...changes });
    expect(mistakes.map((mistake) => [mistake.code, mistake.path?.join('.')])).toEqual([[code, path]]);
    expect(SCHEDULING_CODES).toContain(code);
  });
});

test('an event type is booked in its length, or in one of those to choose from', () => {
  const rules = { ...EVENT_TYPE_DEFAULTS, durationInMinutes: 30, timeZone: 'UTC', weekStart: 'MONDAY' } as const;
  expect(lengthsOf(rules)).toEqual([30]);
  expect(lengthsOf({ ...rules, durationInMinutesOptions: [30, 60] })).toEqual([30, 60]);
});

describe('the settings that belong to the kind of a choice are kept', () => {
  test.each<[BookingWindowChoice, object]>([
    [
      { type: 'ROLLING_DAYS', days: 3, firstDate: null },
      { type: 'ROLLING_DAYS', days: 3 },
    ],
    [
      { type: 'DATE_RANGE', firstDate: '2027-01-01', lastDate: '2027-01-02' },
      { type: 'DATE_RANGE', firstDate: '2027-01-01', lastDate: '2027-01-02' },
    ],
  ])('%j', (choice, window) => {
    expect(bookingWindowOf(choice)).toEqual(window);
    expect(strayMistakes({ bookingWindow: choice })).toEqual([]);
  });

  test.each<[ConfirmationChoice, object]>([
    [{ type: 'NEVER', noticeInMinutes: null }, { type: 'NEVER' }],
    [
      { type: 'SHORT_NOTICE', noticeInMinutes: 5 },
      { type: 'SHORT_NOTICE', noticeInMinutes: 5 },
    ],
  ])('%j', (choice, confirmation) => {
    expect(confirmationOf(choice)).toEqual(confirmation);
    expect(strayMistakes({ confirmation: choice })).toEqual([]);
  });
});

test('settings that do not belong to a kind are refused, not dropped', () => {
  const mistakes = strayMistakes({
    bookingWindow: { type: 'DATE_RANGE', days: 0, firstDate: 'a', lastDate: 'b' },
    confirmation: { type: 'ALWAYS', noticeInMinutes: 5 },
    cancellationPolicy: { type: 'WITH_NOTICE', noticeInMinutes: 5 },
    reschedulingPolicy: { type: 'NEVER', noticeInMinutes: 5 },
  });
  expect(mistakes).toMatchObject([
    { code: 'NOT_POSSIBLE', path: ['bookingWindow', 'days'] },
    { code: 'NOT_POSSIBLE', path: ['confirmation', 'noticeInMinutes'] },
    { code: 'NOT_POSSIBLE', path: ['reschedulingPolicy', 'noticeInMinutes'] },
  ]);
});

test.each<[BookingLimits, BookingLimitsPatch, BookingLimits]>([
  [{ day: { maxBookings: 1 } }, {}, { day: { maxBookings: 1 } }],
  [{ day: { maxBookings: 1 } }, { week: { maxMinutes: 60 } }, { day: { maxBookings: 1 }, week: { maxMinutes: 60 } }],
  [{ day: { maxBookings: 1 } }, { day: { maxMinutes: 60 } }, { day: { maxBookings: 1, maxMinutes: 60 } }],
  [{ day: { maxBookings: 1, maxMinutes: 60 } }, { day: { maxBookings: null } }, { day: { maxMinutes: 60 } }],
  [{ day: { maxBookings: 1 } }, { day: { maxBookings: null } }, {}],
  [{ day: { maxBookings: 1 }, year: { maxBookings: 9 } }, { day: null }, { year: { maxBookings: 9 } }],
])('limits %j changed by %j are %j', (stored, patch, limits) => {
  expect(patchedLimits(stored, patch)).toEqual(limits);
});
