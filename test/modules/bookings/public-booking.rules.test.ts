import { describe, expect, test } from 'vitest';
import { newId, newUserId } from '../../../src/core/id.ts';
import type { BookingKey } from '../../../src/modules/bookings/booking-key.rules.ts';
import { BOOKING_STATUSES } from '../../../src/modules/bookings/booking-transitions.rules.ts';
import {
  type ConfirmableBooking,
  confirmationFor,
  idOfKey,
} from '../../../src/modules/bookings/public/public-booking.rules.ts';

const ownerId = newUserId();
const [KEY, NEXT] = [
  { ownerId, id: newId() },
  { ownerId, id: newId() },
];
const [SEAT_A, SEAT_B] = [newId(), newId()].map((id) => ({ ownerId, id, isSeat: true })) as [BookingKey, BookingKey];

// No public id holds a space or a dot, so neither name can stand in one.
const ADA = { name: 'Ada L.', email: 'ada@example.com', timeZone: 'Europe/Berlin', seatId: null };
const BOB = { name: 'Bob B.', email: 'bob@example.com', timeZone: 'UTC', seatId: null };

const BOOKING: ConfirmableBooking<string> = {
  ...KEY,
  title: 'Intro',
  description: 'Half an hour',
  managedBy: null,
  status: 'ACCEPTED',
  start: '2026-06-15T09:00:00Z',
  end: '2026-06-15T09:30:00Z',
  location: { type: 'LINK', value: 'https://meet.example.com/1' },
  hosts: [{ name: 'Cyd', avatarUrl: null }],
  attendees: [ADA],
  guestEmails: ['max@example.com', 'lin@example.com', 'kim@example.com'],
  heldGuestEmails: ['max@example.com'],
  cancellationReason: null,
  rejectionReason: null,
  reschedulingReason: 'Mine',
  rescheduleRequested: false,
  rescheduledToId: NEXT.id,
  seats: null,
};
const SEATED: ConfirmableBooking<string> = {
  ...BOOKING,
  attendees: [
    { ...ADA, seatId: SEAT_A.id },
    { ...BOB, seatId: SEAT_B.id },
  ],
  seats: { perSlot: 5, showsAttendees: false },
};
const SHOWN = { ...SEATED, seats: { perSlot: 5, showsAttendees: true } };

describe('a person who looks up a booking sees', () => {
  test('its time, its place and its booker', () => {
    expect(confirmationFor(BOOKING, KEY, idOfKey)).toEqual({
      id: idOfKey(KEY),
      name: idOfKey(KEY),
      title: 'Intro',
      description: 'Half an hour',
      managedBy: null,
      status: 'ACCEPTED',
      start: '2026-06-15T09:00:00Z',
      end: '2026-06-15T09:30:00Z',
      location: { type: 'LINK', value: 'https://meet.example.com/1' },
      hosts: [{ name: 'Cyd', avatarUrl: null }],
      attendee: { name: 'Ada L.', email: 'ada@example.com', timeZone: 'Europe/Berlin' },
      otherAttendeeNames: [],
      invitedGuestCount: 2,
      waitingGuestCount: 1,
      remainingSeatCount: null,
      cancellationReason: null,
      rejectionReason: null,
      rescheduleRequested: false,
      rescheduleRequestReason: null,
      movedTo: idOfKey(NEXT),
    });
  });

  test('no place that another attendee has said', () => {
    const location = { type: 'ATTENDEE_PHONE', value: '+4930123456' } as const;
    expect(confirmationFor({ ...BOOKING, location }, KEY, idOfKey)?.location).toEqual(location);
    expect(confirmationFor({ ...SEATED, location }, SEAT_B, idOfKey)?.location).toBeNull();
    expect(confirmationFor(SEATED, SEAT_B, idOfKey)?.location).toEqual(SEATED.location);
  });

  test('the name alone of a host, whatever else is known of them', () => {
    const host = { name: 'Cyd', email: 'cyd@example.com' };
    expect(JSON.stringify(confirmationFor({ ...BOOKING, hosts: [host] }, KEY, idOfKey))).not.toContain('cyd@');
  });

  test('why a host asks for another time', () => {
    const asked = { ...BOOKING, reschedulingReason: 'Ill', rescheduleRequested: true };
    expect(confirmationFor(asked, KEY, idOfKey)).toMatchObject({
      rescheduleRequested: true,
      rescheduleRequestReason: 'Ill',
    });
  });

  test.each(BOOKING_STATUSES)('the place of a booking that is %s only when it takes place', (status) => {
    expect(confirmationFor({ ...BOOKING, status }, KEY, idOfKey)?.location !== null).toBe(status === 'ACCEPTED');
  });
});

describe('a person who looks up a booking with seats sees', () => {
  test('nobody by the uid of the booking', () => {
    const confirmation = confirmationFor(SEATED, KEY, idOfKey);
    expect(confirmation).toMatchObject({
      attendee: null,
      otherAttendeeNames: [],
      remainingSeatCount: 3,
      movedTo: null,
    });
    expect(JSON.stringify(confirmation)).not.toMatch(
      new RegExp(`Ada L|Bob B|ada@|bob@|${idOfKey(SEAT_A)}|${idOfKey(SEAT_B)}|${SEAT_A.id}|${SEAT_B.id}`),
    );
  });

  test('themselves by the uid of their seat, and no others', () => {
    const confirmation = confirmationFor(SEATED, SEAT_B, idOfKey);
    expect(confirmation).toMatchObject({
      name: idOfKey(SEAT_B),
      attendee: { email: 'bob@example.com' },
      otherAttendeeNames: [],
    });
    expect(JSON.stringify(confirmation)).not.toMatch(new RegExp(`Ada L|ada@|${idOfKey(SEAT_A)}|${SEAT_A.id}`));
  });

  test('the names of the others where the event type shows them, never their addresses', () => {
    const confirmation = confirmationFor(SHOWN, SEAT_B, idOfKey);
    expect(confirmation).toMatchObject({ attendee: { name: 'Bob B.' }, otherAttendeeNames: ['Ada L.'] });
    expect(JSON.stringify(confirmation)).not.toMatch(new RegExp(`ada@|${idOfKey(SEAT_A)}|${SEAT_A.id}`));
    expect(confirmationFor(SHOWN, KEY, idOfKey)).toMatchObject({
      attendee: null,
      otherAttendeeNames: ['Ada L.', 'Bob B.'],
    });
  });
});

test('another uid shows nothing', () => {
  expect(confirmationFor(BOOKING, NEXT, idOfKey)).toBeUndefined();
  expect(confirmationFor(SEATED, { ...NEXT, isSeat: true }, idOfKey)).toBeUndefined();
  // The same random bits, of something else.
  expect(confirmationFor(SEATED, { ...SEAT_A, isSeat: false }, idOfKey)).toBeUndefined();
  expect(confirmationFor(BOOKING, { ...KEY, isSeat: true }, idOfKey)).toBeUndefined();
});
