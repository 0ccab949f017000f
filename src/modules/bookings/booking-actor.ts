import type { BookingRow } from './booking.queries.ts';
import type { BookingActor } from './booking-transitions.rules.ts';

/** Who the caller is to a booking whose uid they hold: one of its hosts, where they may act as one, or just that. */
export function bookingActorOf({ hostIds }: BookingRow, callerId: string | null): BookingActor {
  return callerId !== null && hostIds.includes(callerId) ? 'HOST' : 'UID_HOLDER';
}
