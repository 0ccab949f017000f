import { describe, expect, test } from 'vitest';
import { CUT_OFF_CODES, cancellingMistake, reschedulingMistake } from '../../../src/modules/bookings/cut-off.rules.ts';
import type { CutOff } from '../../../src/modules/event-types/settings/scheduling.rules.ts';

const MINUTE = 60_000;
const BOOKING = { start: 1_000 * MINUTE, end: 1_030 * MINUTE };
const ALLOWED = { disableCancelling: null, disableRescheduling: null };

const before = (minutes: number) => BOOKING.start - minutes * MINUTE;

describe.each([
  ['cancelled', cancellingMistake, 'disableCancelling', 'CANCELLING_DISABLED'],
  ['rescheduled', reschedulingMistake, 'disableRescheduling', 'RESCHEDULING_DISABLED'],
] as const)('a booking can be %s', (_, mistakeOf, field, code) => {
  const rules = (cutOff: CutOff | null) => ({ ...ALLOWED, [field]: cutOff });

  test('by its attendee at any time before its end', () => {
    expect(mistakeOf(ALLOWED, BOOKING, 'UID_HOLDER', 0)).toBeUndefined();
    expect(mistakeOf(ALLOWED, BOOKING, 'UID_HOLDER', BOOKING.end - 1)).toBeUndefined();
  });

  test('by its attendee up to the cut-off', () => {
    const cutOff = rules({ minutesBefore: 60 });
    expect(mistakeOf(cutOff, BOOKING, 'UID_HOLDER', before(60))).toBeUndefined();
    expect(mistakeOf(cutOff, BOOKING, 'UID_HOLDER', before(60) + 1)).toMatchObject({ code, path: ['uid'] });
    expect(mistakeOf(cutOff, BOOKING, 'UID_HOLDER', BOOKING.start)).toMatchObject({ code });
  });

  test('by its attendee never, if that is what the event type says', () => {
    expect(mistakeOf(rules({ minutesBefore: null }), BOOKING, 'UID_HOLDER', 0)).toMatchObject({ code });
  });

  test.each(['HOST', 'ADMIN'] as const)('by a %s whatever the cut-off', (actor) => {
    expect(mistakeOf(rules({ minutesBefore: null }), BOOKING, actor, before(1))).toBeUndefined();
  });

  test.each(['HOST', 'ADMIN', 'UID_HOLDER'] as const)('by a %s not when it is over', (actor) => {
    expect(mistakeOf(ALLOWED, BOOKING, actor, BOOKING.end)).toMatchObject({ code: 'BOOKING_OVER' });
  });

  test('whatever the other cut-off says', () => {
    const both = { disableCancelling: { minutesBefore: null }, disableRescheduling: { minutesBefore: null } };
    expect(mistakeOf({ ...both, [field]: null }, BOOKING, 'UID_HOLDER', 0)).toBeUndefined();
    expect(CUT_OFF_CODES[field === 'disableCancelling' ? 'cancel' : 'reschedule']).toContain(code);
  });
});
