import type { BookingRow } from './booking.queries.ts';
import type { BookingActor } from './booking-transitions.rules.ts';

/**
 * Says as what the caller acts on a booking whose uid they hold: as one of its hosts, where they may act as one, or as
 * its holder.
 */
export function bookingActorOf({ hostIds }: BookingRow, callerId: string | null): BookingActor {
  return callerId !== null && hostIds.includes(callerId) ? 'HOST' : 'UID_HOLDER';
}
