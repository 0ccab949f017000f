import { OPTIONAL_TEXT_CODES } from '../../../core/text.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import type { Em } from '../../../database/sql.ts';
import { recordEvent } from '../../../events/record-event.ts';
import { TRANSITION_CODES } from '../booking-transitions.rules.ts';
import { byHost, type HostedBooking, lockHostedBooking } from '../hosted-booking.ts';
import { factsOf, requireNotOver, saveBooking, statusAfter } from '../locked-booking.ts';
import { checkedReason } from './cancel-booking.ts';

export const REQUEST_RESCHEDULE_CODES = [
  'NOT_FOUND',
  'BOOKING_OVER',
  ...TRANSITION_CODES,
  ...OPTIONAL_TEXT_CODES,
] as const;

export const DECLINE_BOOKING_CODES = ['NOT_FOUND', ...TRANSITION_CODES, ...OPTIONAL_TEXT_CODES] as const;

export const CONFIRM_BOOKING_CODES = ['NOT_FOUND', ...TRANSITION_CODES] as const;

/** Agrees to a request. Its time is held since it was made. @throws Problem NOT_FOUND, NOT_POSSIBLE */
export async function confirmBooking(em: Em, hosted: HostedBooking): Promise<void> {
  await em.transactional(async (inner) => {
    const booking = await lockHostedBooking(inner, hosted);
    const now = await databaseNow(inner);
    const status = statusAfter(booking, { action: 'CONFIRM', actor: 'HOST', reason: null, now });
    await saveBooking(inner, booking, { status });
    await recordEvent(inner, booking.ownerId, {
      type: 'BOOKING_CONFIRMED',
      booking: factsOf(booking),
      by: byHost(hosted),
    });
  });
}

/** Refuses a request and gives its time back. @throws Problem NOT_FOUND, NOT_POSSIBLE, and mistakes of the reason */
export async function declineBooking(em: Em, hosted: HostedBooking, given: string | null): Promise<void> {
  const reason = checkedReason(given);
  await em.transactional(async (inner) => {
    const booking = await lockHostedBooking(inner, hosted);
    const now = await databaseNow(inner);
    const status = statusAfter(booking, { action: 'DECLINE', actor: 'HOST', reason, now });
    await saveBooking(inner, booking, { status, rejectionReason: reason });
    await recordEvent(inner, booking.ownerId, {
      type: 'BOOKING_REJECTED',
      booking: factsOf(booking),
      reason,
      by: byHost(hosted),
    });
  });
}

/** Cancels a booking and asks its attendee for another time. @throws Problem NOT_FOUND, NOT_POSSIBLE, BOOKING_OVER, … of the reason */
export async function requestReschedule(em: Em, hosted: HostedBooking, given: string | null): Promise<void> {
  const reason = checkedReason(given);
  await em.transactional(async (inner) => {
    const booking = await lockHostedBooking(inner, hosted);
    const now = await databaseNow(inner);
    const status = statusAfter(booking, { action: 'REQUEST_RESCHEDULE', actor: 'HOST', reason, now });
    requireNotOver(booking, now);
    await saveBooking(inner, booking, { status, reschedulingReason: reason, rescheduleRequested: true });
    await recordEvent(inner, booking.ownerId, {
      type: 'BOOKING_CANCELLED',
      booking: factsOf(booking),
      reason,
      rescheduleRequested: true,
      byHostId: hosted.hostId,
      by: byHost(hosted),
    });
  });
}
