import { publicOwnedId } from '../../../core/id.ts';
import { equalsInConstantTime, macOf } from '../../../core/secret.ts';
import type { BookingRow } from '../booking.queries.ts';

type Booked = Pick<BookingRow, 'id' | 'ownerId' | 'icsId' | 'recurringId' | 'attendees'>;

/**
 * The page where who booked invites the guests. Its last part is known from the mail to them alone: it is derived, from
 * the booking and from their address, so that nothing is stored that would let somebody else in. It stays the same where
 * the booking moves, and for all of a series.
 */
export function releaseLink(publicUrl: string, key: Uint8Array, booking: Booked): string {
  return `${publicUrl}/bookings/${publicOwnedId('booking', booking)}/guests/${tokenFor(key, booking)}`;
}

export function isReleaseToken(key: Uint8Array, booking: Booked, token: string): boolean {
  return equalsInConstantTime(token, tokenFor(key, booking));
}

function tokenFor(key: Uint8Array, { ownerId, icsId, recurringId, attendees: [booker] }: Booked): string {
  const email = booker?.email.toLowerCase() ?? '';
  return macOf(key, 'guests', ownerId, recurringId ?? icsId, email).toString('base64url');
}
