import { type OwnedId, ownedIdOf, publicOwnedId } from '../../core/id.ts';

/**
 * The key that a uid holds: it opens a booking, or a seat in one. Its random bits are known to those alone who were
 * given it.
 */
export interface BookingKey extends OwnedId {
  readonly isSeat?: boolean;
}

/** Undefined for a text that is no uid. */
export function bookingKeyOf(uid: string): BookingKey | undefined {
  const booking = ownedIdOf('booking', uid);
  if (booking) return booking;
  const seat = ownedIdOf('seat', uid);
  return seat && { ...seat, isSeat: true };
}

/** The uid by which callers know a booking or a seat. */
export function uidOf({ ownerId, id, isSeat = false }: BookingKey): string {
  return publicOwnedId(isSeat ? 'seat' : 'booking', { ownerId, id });
}
