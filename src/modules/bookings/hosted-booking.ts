import type { Em } from '../../database/sql.ts';
import type { BookingRow } from './booking.queries.ts';
import { bookingNotFound, holdBooking } from './held-booking.ts';

/** A booking, and the host of it who acts. */
export interface HostedBooking {
  readonly uid: string;
  readonly hostId: string;
}

/** Holds a booking for one of its hosts. @throws Problem NOT_FOUND, the same for somebody else's and for the uid of a seat */
export async function holdHostedBooking(em: Em, { uid, hostId }: HostedBooking): Promise<BookingRow> {
  const booking = await holdBooking(em, uid);
  if (booking.uid === uid && booking.hostIds.includes(hostId)) return booking;
  throw bookingNotFound(uid);
}
