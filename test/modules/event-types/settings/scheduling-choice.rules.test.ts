import { describe, expect, test } from 'vitest';
import type { BookingLimits } from '../../../../src/modules/event-types/settings/booking-limit.rules.ts';
import {
  type BookingLimitsPatch,
  type BookingWindowChoice,
  bookingWindowOf,
  type ConfirmationChoice,
  confirmationOf,
  patchedLimits,
  strayMistakes,
} from '../../../../src/modules/event-types/settings/scheduling-choice.rules.ts';

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
