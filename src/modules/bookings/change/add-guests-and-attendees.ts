/** A host brings more people into a booking: guests, who are only invited, and attendees, who may take a seat. */

import { newId } from '../../../core/id.ts';
import { Problem } from '../../../core/problem.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import { type Em, sql } from '../../../database/sql.ts';
import { recordEvent } from '../../../events/record-event.ts';
import type { EventTypeRules } from '../../event-types/settings/scheduling.rules.ts';
import {
  ATTENDEE_CODES,
  type AttendeeInput,
  attendeeMistakes,
  GUEST_CODES,
  guestMistakes,
  tidyAttendee,
} from '../booking-request.rules.ts';
import { requireStanding, STANDING_CODES } from '../booking-transitions.rules.ts';
import { byHost, type HostedBooking, lockHostedBooking, requireVerifiedHost } from '../locked-booking.ts';
import { AT_ONCE, inTurn, lockEventType, SlotLost } from '../occupancy/take-time.ts';
import type { BookableEventType } from '../slots/bookable-event-type.queries.ts';
import { lockSeat } from '../slots/take-slot.ts';
import { factsOf, factsOfSeat, insertAttendee, saveBooking } from '../stored-booking.ts';

export const ADD_ATTENDEE_CODES = [
  'DUPLICATE',
  'TOO_MANY',
  'SLOT_TAKEN',
  'EMAIL_NOT_VERIFIED',
  ...ATTENDEE_CODES,
  ...STANDING_CODES,
] as const;

export const ADD_GUESTS_CODES = [...STANDING_CODES, 'EMAIL_NOT_VERIFIED', ...GUEST_CODES] as const;

const MAX_ATTENDEES = 100;

/** Invites more people, if the event type allows guests. @throws Problem NOT_FOUND, NOT_POSSIBLE, BOOKING_OVER, EMAIL_NOT_VERIFIED, and every mistake of the guests */
export async function addGuests(
  em: Em,
  hosted: HostedBooking,
  guests: readonly string[],
  { allowsGuests }: Pick<EventTypeRules, 'allowsGuests'>,
): Promise<void> {
  const added = guests.map((email) => email.trim());
  if (added.length === 0) throw new Problem('REQUIRED', 'There are no guests; name some.', ['guests']);
  await em.transactional(async (inner) => {
    const booking = await lockHostedBooking(inner, hosted);
    requireStanding(booking, await databaseNow(inner));
    await requireVerifiedHost(inner, hosted);
    const { ownerId, guestEmails } = booking;
    const attendeeEmails = booking.attendees.map(({ email }) => email);
    Problem.throwIfAny(guestMistakes(['guests'], added, { allowsGuests, attendeeEmails, guestEmails }));
    const changes = { guestEmails: sql<never>`coalesce(guest_emails, '{}') || ${added}::text[]` };
    await saveBooking(inner, booking, changes, { kind: 'GUESTS_ADDED', by: hosted.hostId, count: added.length });
    const act = { booking: factsOf(booking), by: byHost(hosted) };
    await recordEvent(inner, ownerId, { ...act, type: 'BOOKING_GUESTS_ADDED', guestEmails: added });
  });
}

/**
 * Adds somebody beside who booked; with seats, in a seat of their own. `eventType` is that of the booking. All who book it or
 * add somebody take turns, as its seats are counted.
 * @throws Problem NOT_FOUND, NOT_POSSIBLE, BOOKING_OVER, EMAIL_NOT_VERIFIED, SLOT_TAKEN when no seat is left, and every mistake of the attendee
 */
export async function addAttendee(
  em: Em,
  eventType: BookableEventType,
  hosted: HostedBooking,
  given: AttendeeInput,
): Promise<void> {
  const attendee = tidyAttendee(given);
  Problem.throwIfAny(attendeeMistakes(['attendee'], attendee));
  const add = () => em.transactional((inner) => addOne(inner, eventType, hosted, attendee));
  try {
    await inTurn(eventType.id, undefined, AT_ONCE.counted, add);
  } catch (error) {
    if (!(error instanceof SlotLost)) throw error;
    throw new Problem('SLOT_TAKEN', 'All seats of the booking are taken.', ['bookingId']);
  }
}

/** @throws SlotLost when no seat is left */
async function addOne(
  em: Em,
  eventType: BookableEventType,
  hosted: HostedBooking,
  attendee: AttendeeInput,
): Promise<void> {
  await lockEventType(em, eventType);
  const booking = await lockHostedBooking(em, hosted);
  requireStanding(booking, await databaseNow(em));
  await requireVerifiedHost(em, hosted);
  const { ownerId, attendees, seats } = booking;
  if (attendees.some(({ email }) => email.toLowerCase() === attendee.email.toLowerCase())) {
    throw new Problem('DUPLICATE', 'Someone with this e-mail address is already attending.', ['attendee', 'email']);
  }
  if (attendees.length >= MAX_ATTENDEES && !seats) {
    const message = `The booking has ${attendees.length} attendees; at most ${MAX_ATTENDEES} are possible.`;
    throw new Problem('TOO_MANY', message, ['attendee']);
  }
  const locked = seats ? await lockSeat(em, eventType, booking.id) : booking;
  const seatId = seats ? newId() : null;
  const person = { ...attendee, notes: null, responses: {}, seatId, verified: false };
  await insertAttendee(em, locked, person, hosted.hostId);
  const facts = seatId ? await factsOfSeat(em, ownerId, factsOf(booking), seatId) : factsOf(booking);
  // With seats, the history is that of the meeting, and not of each seat.
  await saveBooking(em, booking, {}, seatId ? undefined : { kind: 'ATTENDEE_ADDED', by: hosted.hostId });
  const by = byHost(hosted);
  const event = { type: 'BOOKING_ATTENDEE_ADDED', booking: facts, attendeeEmail: attendee.email, by } as const;
  await recordEvent(em, ownerId, event);
}
