import { describe, expect, test } from 'vitest';
import { type ConfirmableBooking, confirmationFor } from '../../../src/modules/bookings/booking-confirmation.rules.ts';
import { BOOKING_STATUSES } from '../../../src/modules/bookings/booking-transitions.rules.ts';

const ADA = { name: 'Ada', email: 'ada@example.com', timeZone: 'Europe/Berlin', seatUid: null };
const BOB = { name: 'Bob', email: 'bob@example.com', timeZone: 'UTC', seatUid: null };

const BOOKING: ConfirmableBooking<string> = {
  uid: 'booking',
  title: 'Intro',
  description: 'Half an hour',
  managedBy: null,
  status: 'ACCEPTED',
  start: '2026-06-15T09:00:00Z',
  end: '2026-06-15T09:30:00Z',
  location: { type: 'LINK', value: 'https://meet.example.com/1' },
  hosts: [{ name: 'Cyd' }],
  attendees: [ADA],
  guestEmails: ['max@example.com', 'lin@example.com', 'kim@example.com'],
  heldGuestEmails: ['max@example.com'],
  cancellationReason: null,
  rejectionReason: null,
  reschedulingReason: 'Mine',
  rescheduleRequested: false,
  rescheduledToUid: 'next',
  seats: null,
};
const SEATED: ConfirmableBooking<string> = {
  ...BOOKING,
  attendees: [
    { ...ADA, seatUid: 'seat-a' },
    { ...BOB, seatUid: 'seat-b' },
  ],
  seats: { perSlot: 5, showAttendees: false },
};
const SHOWN = { ...SEATED, seats: { perSlot: 5, showAttendees: true } };

describe('who looks up a booking sees', () => {
  test('its time, its place and who booked it', () => {
    expect(confirmationFor(BOOKING, 'booking')).toEqual({
      uid: 'booking',
      title: 'Intro',
      description: 'Half an hour',
      managedBy: null,
      status: 'ACCEPTED',
      start: '2026-06-15T09:00:00Z',
      end: '2026-06-15T09:30:00Z',
      location: { type: 'LINK', value: 'https://meet.example.com/1' },
      hosts: [{ name: 'Cyd' }],
      attendee: { name: 'Ada', email: 'ada@example.com', timeZone: 'Europe/Berlin' },
      otherAttendeeNames: [],
      guestsInvited: 2,
      guestsWaiting: 1,
      seatsLeft: null,
      cancellationReason: null,
      rejectionReason: null,
      rescheduleRequested: false,
      rescheduleRequestReason: null,
      rescheduledToUid: 'next',
    });
  });

  test('no place that another attendee has said', () => {
    const location = { type: 'ATTENDEE_PHONE', value: '+4930123456' } as const;
    expect(confirmationFor({ ...BOOKING, location }, 'booking')?.location).toEqual(location);
    expect(confirmationFor({ ...SEATED, location }, 'seat-b')?.location).toBeNull();
    expect(confirmationFor(SEATED, 'seat-b')?.location).toEqual(SEATED.location);
  });

  test('the name alone of a host, whatever else is known of them', () => {
    const host = { name: 'Cyd', email: 'cyd@example.com' };
    expect(JSON.stringify(confirmationFor({ ...BOOKING, hosts: [host] }, 'booking'))).not.toContain('cyd@');
  });

  test('why a host asks for another time', () => {
    const asked = { ...BOOKING, reschedulingReason: 'Ill', rescheduleRequested: true };
    expect(confirmationFor(asked, 'booking')).toMatchObject({
      rescheduleRequested: true,
      rescheduleRequestReason: 'Ill',
    });
  });

  test.each(BOOKING_STATUSES)('where a booking that is %s takes place only when it does', (status) => {
    expect(confirmationFor({ ...BOOKING, status }, 'booking')?.location !== null).toBe(status === 'ACCEPTED');
  });
});

describe('who looks up a booking with seats sees', () => {
  test('nobody by the uid of the booking', () => {
    const confirmation = confirmationFor(SEATED, 'booking');
    expect(confirmation).toMatchObject({
      attendee: null,
      otherAttendeeNames: [],
      seatsLeft: 3,
      rescheduledToUid: null,
    });
    expect(JSON.stringify(confirmation)).not.toMatch(/Ada|Bob|ada@|bob@|seat-/);
  });

  test('themselves by the uid of their seat, and no others', () => {
    const confirmation = confirmationFor(SEATED, 'seat-b');
    expect(confirmation).toMatchObject({
      uid: 'seat-b',
      attendee: { email: 'bob@example.com' },
      otherAttendeeNames: [],
    });
    expect(JSON.stringify(confirmation)).not.toMatch(/Ada|ada@|seat-a/);
  });

  test('the names of the others where the event type shows them, never their addresses', () => {
    const confirmation = confirmationFor(SHOWN, 'seat-b');
    expect(confirmation).toMatchObject({ attendee: { name: 'Bob' }, otherAttendeeNames: ['Ada'] });
    expect(JSON.stringify(confirmation)).not.toMatch(/ada@|seat-a/);
    expect(confirmationFor(SHOWN, 'booking')).toMatchObject({ attendee: null, otherAttendeeNames: ['Ada', 'Bob'] });
  });
});

test('another uid shows nothing', () => {
  expect(confirmationFor(BOOKING, 'other')).toBeUndefined();
  expect(confirmationFor(SEATED, 'seat-c')).toBeUndefined();
  expect(confirmationFor(BOOKING, '')).toBeUndefined();
});
