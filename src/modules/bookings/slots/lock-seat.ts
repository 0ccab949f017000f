import { COUNT, NOW } from '../../../database/expressions.ts';
import { type Em, row } from '../../../database/sql.ts';
import { selectFrom } from '../../../database/statements.ts';
import type { BookableEventType } from '../../event-types/public/event-type-rules.queries.ts';
import type { BookingRow } from '../booking.queries.ts';
import { holdsTime } from '../booking-transitions.rules.ts';
import { lockBooking } from '../locked-booking.ts';
import { SlotLost } from '../occupancy/lock.ts';
import { SlotReservation } from './slot-reservation.entity.ts';

/**
 * A booking in which a seat is free for the caller's transaction: seats are counted under the lock of the booking, and
 * there are as many as when it was booked.
 * @throws SlotLost when none is left
 */
export async function lockSeat(em: Em, eventType: BookableEventType, bookingId: string): Promise<BookingRow> {
  const booking = await lockBooking(em, { ownerId: eventType.ownerId, id: bookingId });
  const taken = booking.attendees.length + (await countReserved(em, eventType, bookingId));
  if (!holdsTime(booking.status) || taken >= (booking.seats?.perSlot ?? 0)) throw new SlotLost();
  return booking;
}

/** Seats that others have reserved; a caller's own reservation is given up by now. */
async function countReserved(em: Em, { ownerId, id }: BookableEventType, bookingId: string): Promise<number> {
  const found = await row(
    em,
    selectFrom(SlotReservation, { ownerId, eventTypeId: id, seatOfId: bookingId })
      .where('expiresAt', '>', NOW)
      .select(COUNT.as('count')),
  );
  return found?.count ?? 0;
}
