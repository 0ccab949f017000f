import { describe, expect, test } from 'vitest';
import {
  BOOKING_ACTIONS,
  BOOKING_ACTORS,
  BOOKING_STATUSES,
  type BookingAction,
  type BookingActor,
  type BookingStatus,
  CUT_OFF_CODES,
  cancellingMistake,
  holdsTime,
  initialStatus,
  reasonMistake,
  reschedulingMistake,
  statusWithoutSeat,
  TRANSITION_CODES,
  type TransitionOutcome,
  transition,
} from '../../../src/modules/bookings/booking-transitions.rules.ts';
import type { AttendeePolicy } from '../../../src/modules/event-types/settings/scheduling.rules.ts';

const START = 1_000_000_000;
const AFTER_START = { now: START, reason: 'because' };

/** The whole table, row by row, as it is promised. */
const MOVES: readonly (readonly [BookingStatus, BookingAction, BookingActor, BookingStatus])[] = [
  ['PENDING', 'CONFIRM', 'HOST', 'ACCEPTED'],
  ['PENDING', 'CONFIRM', 'ADMIN', 'ACCEPTED'],
  ['PENDING', 'DECLINE', 'HOST', 'REJECTED'],
  ['PENDING', 'DECLINE', 'ADMIN', 'REJECTED'],
  ['PENDING', 'CANCEL', 'HOST', 'CANCELLED'],
  ['PENDING', 'CANCEL', 'ADMIN', 'CANCELLED'],
  ['PENDING', 'CANCEL', 'UID_HOLDER', 'CANCELLED'],
  ['ACCEPTED', 'CANCEL', 'HOST', 'CANCELLED'],
  ['ACCEPTED', 'CANCEL', 'ADMIN', 'CANCELLED'],
  ['ACCEPTED', 'CANCEL', 'UID_HOLDER', 'CANCELLED'],
  ['PENDING', 'RESCHEDULE', 'HOST', 'CANCELLED'],
  ['PENDING', 'RESCHEDULE', 'ADMIN', 'CANCELLED'],
  ['PENDING', 'RESCHEDULE', 'UID_HOLDER', 'CANCELLED'],
  ['ACCEPTED', 'RESCHEDULE', 'HOST', 'CANCELLED'],
  ['ACCEPTED', 'RESCHEDULE', 'ADMIN', 'CANCELLED'],
  ['ACCEPTED', 'RESCHEDULE', 'UID_HOLDER', 'CANCELLED'],
  ['ACCEPTED', 'REQUEST_RESCHEDULE', 'HOST', 'CANCELLED'],
  ['ACCEPTED', 'REQUEST_RESCHEDULE', 'ADMIN', 'CANCELLED'],
  ['ACCEPTED', 'MARK_ABSENT', 'HOST', 'ACCEPTED'],
  ['ACCEPTED', 'MARK_ABSENT', 'ADMIN', 'ACCEPTED'],
];

describe('a booking goes', () => {
  test.each(MOVES)('from %s by %s of %s to %s', (status, action, actor, next) => {
    expect(transition({ status, start: START }, { action, actor, ...AFTER_START })).toEqual({
      kind: 'DONE',
      status: next,
    });
  });

  const others = BOOKING_STATUSES.flatMap((status) =>
    BOOKING_ACTIONS.flatMap((action) => BOOKING_ACTORS.map((actor) => [status, action, actor] as const)),
  ).filter((one) => !MOVES.some((move) => one.every((part, index) => move[index] === part)));

  test.each(others)('not from %s by %s of %s', (status, action, actor) => {
    const outcome = transition({ status, start: START }, { action, actor, ...AFTER_START });
    const mayEver = MOVES.some((move) => move[1] === action && move[2] === actor);
    const code = mayEver ? 'NOT_POSSIBLE' : 'FORBIDDEN';
    expect(outcome).toMatchObject({ kind: 'REFUSED', mistake: { code, path: ['bookingId'] } });
    expect(TRANSITION_CODES[action]).toContain(code);
  });

  test('and the table is whole', () => {
    expect(MOVES.length + others.length).toBe(72);
  });
});

describe('a booking that a host has cancelled to have it at another time', () => {
  test.each(BOOKING_ACTORS)('can be rescheduled by a %s, and nothing else', (actor) => {
    const booking = { status: 'CANCELLED', start: START, awaitsReschedule: true } as const;
    const possible = BOOKING_ACTIONS.filter(
      (action) => transition(booking, { action, actor, ...AFTER_START }).kind === 'DONE',
    );
    expect(possible).toEqual(['RESCHEDULE']);
  });
});

describe('the reason for a cancellation', () => {
  test.each<BookingActor>(['HOST', 'ADMIN'])('must be given by a %s', (actor) => {
    for (const reason of [null, '', ' \n']) {
      expect(cancel(actor, reason)).toMatchObject({
        kind: 'REFUSED',
        mistake: { code: 'REASON_REQUIRED', path: ['reason'] },
      });
    }
    expect(cancel(actor, 'ill')).toMatchObject({ kind: 'DONE' });
  });

  test('may be left out by an attendee', () => {
    expect(cancel('UID_HOLDER', null)).toMatchObject({ kind: 'DONE' });
  });
});

test('somebody is absent only once the booking has started', () => {
  const mark = (now: number) =>
    transition({ status: 'ACCEPTED', start: START }, { action: 'MARK_ABSENT', actor: 'HOST', reason: null, now });
  expect(mark(START - 1)).toMatchObject({ kind: 'REFUSED', mistake: { code: 'NOT_STARTED' } });
  expect(mark(START)).toEqual({ kind: 'DONE', status: 'ACCEPTED' });
});

test('each action gives the codes that are listed for it, and no others', () => {
  for (const action of BOOKING_ACTIONS) {
    const given = BOOKING_STATUSES.flatMap((status) =>
      BOOKING_ACTORS.flatMap((actor) =>
        [START - 1, START].map((now) => transition({ status, start: START }, { action, actor, reason: null, now })),
      ),
    ).flatMap((outcome) => (outcome.kind === 'REFUSED' ? [outcome.mistake.code] : []));
    expect([action, new Set(given)]).toEqual([action, new Set(TRANSITION_CODES[action])]);
  }
});

describe('a new booking is', () => {
  const short = { type: 'SHORT_NOTICE', noticeInMinutes: 60 } as const;
  test.each([
    ['accepted without confirmation', { type: 'NEVER' } as const, 0, 'ACCEPTED'],
    ['pending with confirmation', { type: 'ALWAYS' } as const, 10_000, 'PENDING'],
    ['pending when its notice is short', short, 59.99, 'PENDING'],
    ['accepted when its notice is long enough', short, 60, 'ACCEPTED'],
  ])('%s', (_, confirmation, minutes, status) => {
    expect(initialStatus(confirmation, START + minutes * 60_000, START)).toBe(status);
  });
});

test('a booking without its last seat is cancelled, and stays what it was while seats are left', () => {
  expect(statusWithoutSeat('ACCEPTED', 1)).toBe('ACCEPTED');
  expect(statusWithoutSeat('PENDING', 1)).toBe('PENDING');
  expect(statusWithoutSeat('ACCEPTED', 0)).toBe('CANCELLED');
});

test('pending and accepted bookings hold their time', () => {
  expect(BOOKING_STATUSES.filter(holdsTime)).toEqual(['PENDING', 'ACCEPTED']);
});

function cancel(actor: BookingActor, reason: string | null): TransitionOutcome {
  return transition({ status: 'ACCEPTED', start: START }, { action: 'CANCEL', actor, reason, now: 0 });
}

const MINUTE = 60_000;
const BOOKING = { start: 1_000 * MINUTE, end: 1_030 * MINUTE };
const ALLOWED = { cancellationPolicy: { type: 'ALWAYS' }, reschedulingPolicy: { type: 'ALWAYS' } } as const;

const before = (minutes: number) => BOOKING.start - minutes * MINUTE;

describe.each([
  ['cancelled', cancellingMistake, 'cancellationPolicy', 'CANCELLING_DISABLED'],
  ['rescheduled', reschedulingMistake, 'reschedulingPolicy', 'RESCHEDULING_DISABLED'],
] as const)('a booking can be %s', (_, mistakeOf, field, code) => {
  const rules = (cutOff: AttendeePolicy) => ({ ...ALLOWED, [field]: cutOff });

  test('by its attendee at any time before its end', () => {
    expect(mistakeOf(ALLOWED, BOOKING, 'UID_HOLDER', 0)).toBeUndefined();
    expect(mistakeOf(ALLOWED, BOOKING, 'UID_HOLDER', BOOKING.end - 1)).toBeUndefined();
  });

  test('by its attendee up to the cut-off', () => {
    const cutOff = rules({ type: 'WITH_NOTICE', noticeInMinutes: 60 });
    expect(mistakeOf(cutOff, BOOKING, 'UID_HOLDER', before(60))).toBeUndefined();
    expect(mistakeOf(cutOff, BOOKING, 'UID_HOLDER', before(60) + 1)).toMatchObject({ code, path: ['bookingId'] });
    expect(mistakeOf(cutOff, BOOKING, 'UID_HOLDER', BOOKING.start)).toMatchObject({ code });
  });

  test('by its attendee never, if that is what the event type says', () => {
    expect(mistakeOf(rules({ type: 'NEVER' }), BOOKING, 'UID_HOLDER', 0)).toMatchObject({ code });
  });

  test.each(['HOST', 'ADMIN'] as const)('by a %s whatever the cut-off', (actor) => {
    expect(mistakeOf(rules({ type: 'NEVER' }), BOOKING, actor, before(1))).toBeUndefined();
  });

  test.each(['HOST', 'ADMIN', 'UID_HOLDER'] as const)('by a %s not when it is over', (actor) => {
    expect(mistakeOf(ALLOWED, BOOKING, actor, BOOKING.end)).toMatchObject({ code: 'BOOKING_OVER' });
  });

  test('whatever the other cut-off says', () => {
    const both = { cancellationPolicy: { type: 'NEVER' }, reschedulingPolicy: { type: 'NEVER' } } as const;
    expect(mistakeOf({ ...both, [field]: { type: 'ALWAYS' } }, BOOKING, 'UID_HOLDER', 0)).toBeUndefined();
    expect(CUT_OFF_CODES[field === 'cancellationPolicy' ? 'cancel' : 'reschedule']).toContain(code);
  });
});

test('a reason may be missing or empty, not endless', () => {
  expect([null, '', 'ill\nagain', 'a'.repeat(1_000)].map((reason) => reasonMistake(['reason'], reason))).toEqual(
    Array.from({ length: 4 }, () => undefined),
  );
  expect(reasonMistake(['reason'], 'a'.repeat(1_001))).toMatchObject({ code: 'TOO_LONG', path: ['reason'] });
});
