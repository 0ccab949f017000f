import { type Em, row, sql } from '../../../database/sql.ts';
import type { BookableEventType } from '../../event-types/public/event-type-rules.queries.ts';
import type { BookingRow } from '../booking.queries.ts';
import { holdsTime } from '../booking-transitions.rules.ts';
import { lockBooking } from '../locked-booking.ts';
import { SlotLost } from '../occupancy/slot-lost.ts';

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
    sql<{ count: number }>`select count(*)::int as count from slot_reservations r
        where r.owner_id = ${ownerId} and r.event_type_id = ${id} and r.seat_of_id = ${bookingId}
          and r.expires_at > now()`,
  );
  return found?.count ?? 0;
}
