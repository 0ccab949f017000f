import { type OwnedId, publicOwnedId } from '../../../core/id.ts';
import { equalsInConstantTime, macOf } from '../../../core/secret.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import { changed, type Em, LATER, sql } from '../../../database/sql.ts';
import { type Actor, recordEvent } from '../../../events/record-event.ts';
import { hostIdsOf } from '../booking.entity.ts';
import { type BookingRow, findBooking } from '../booking.queries.ts';
import { type BookingKey, bookingNotFound } from '../booking-key.rules.ts';
import { holdsTime, isOver } from '../booking-transitions.rules.ts';
import { bookedTogether, lockTogether } from '../locked-booking.ts';
import { factsOf, historyWith } from '../stored-booking.ts';

/** A request to release guests, by the link in a mail. */
export interface GuestRelease {
  /** The key of the booking as it was when the mail was written. */
  readonly key: BookingKey;
  readonly token: string;
}

/**
 * The target of the link at this moment: the booking wherever it has moved, and the guests who are still to be invited.
 */
export interface HeldGuests {
  readonly booking: BookingRow;
  readonly guestEmails: readonly string[];
}

/** Undefined for an invalid link. No guests if they were invited before, or if the meeting is over or cancelled. */
export async function findHeldGuests(
  em: Em,
  key: Uint8Array,
  { key: bookingKey, token }: GuestRelease,
): Promise<HeldGuests | undefined> {
  const linked = await findBooking(em, bookingKey);
  if (!linked || !isReleaseToken(key, linked, token)) return undefined;
  const bookings = await bookedTogether(em, linked);
  const now = await databaseNow(em);
  const standing = bookings.filter((booking) => awaitsRelease(booking, now));
  return { booking: standing[0] ?? bookings[0] ?? linked, guestEmails: heldGuestsOf(standing) };
}

/**
 * Invites the guests who were held back to all bookings that were made together and still take place. The link may do
 * that, since only the booker reads the mail that has it. Each guest is released once, whatever happens to the bookings
 * at the same moment. Answers where the booking is now.
 * @throws Problem NOT_FOUND
 */
export async function releaseGuests(
  em: Em,
  key: Uint8Array,
  { key: bookingKey, token }: GuestRelease,
  by: Actor,
): Promise<BookingRow> {
  return em.transactional(async (inner) => {
    const linked = await findBooking(inner, bookingKey);
    if (!linked || !isReleaseToken(key, linked, token)) throw bookingNotFound(bookingKey);
    const locked = await lockTogether(inner, linked);
    const now = await databaseNow(inner);
    const standing = locked.filter((booking) => awaitsRelease(booking, now));
    const [first] = standing;
    if (!first) return locked[0] ?? linked;
    const guestEmails = heldGuestsOf(standing);
    const bookingIds = standing.map(({ id }) => id);
    await release(inner, first, bookingIds);
    const booking = { ...factsOf(first), heldGuestEmails: [] };
    await recordEvent(inner, first.ownerId, { type: 'BOOKING_GUESTS_RELEASED', booking, bookingIds, guestEmails, by });
    return first;
  });
}

/** From now on who booked is known by their address, in these bookings. */
async function release(
  em: Em,
  { ownerId, attendees: [booker] }: BookingRow,
  bookingIds: readonly string[],
): Promise<void> {
  await changed(
    em,
    sql`with released as (
          update bookings b set held_guest_emails = null, history = ${historyWith({ kind: 'GUESTS_INVITED', by: null }, { history: sql`b.history` })},
            updated_at = ${LATER}
          where owner_id = ${ownerId} and id = any(${bookingIds}::uuid[]) and held_guest_emails is not null
          returning b.id, ${hostIdsOf('b')} as host_ids
        ), dated as (
          update booking_hosts h set updated_at = ${LATER} from released
          where h.user_id = any(released.host_ids) and h.booking_id = released.id
        )
        update booking_attendees set verified = true
        where owner_id = ${ownerId} and booking_id = any(${bookingIds}::uuid[])
          and lower(email) = ${booker?.email.toLowerCase() ?? ''}`,
  );
}

function awaitsRelease(booking: BookingRow, now: number): boolean {
  return booking.heldGuestEmails.length > 0 && holdsTime(booking.status) && !isOver(booking, now);
}

function heldGuestsOf(bookings: readonly BookingRow[]): readonly string[] {
  return [...new Set(bookings.flatMap(({ heldGuestEmails }) => heldGuestEmails))];
}

/** Whoever has booked, in this booking or series. */
export interface InvitingBooker {
  readonly ownerId: string;
  /** It stays the same where the booking moves, and for all of a series. */
  readonly thread: string;
  readonly email: string;
  /** The version of their uid: the page leads to the booking, so it ends with the uids that were in the same mails. */
  readonly version: number;
}

export function inviterOf({
  ownerId,
  icsId,
  recurringId,
  uidVersion: version,
  attendees: [booker],
}: Pick<BookingRow, 'ownerId' | 'icsId' | 'recurringId' | 'uidVersion' | 'attendees'>): InvitingBooker {
  return { ownerId, thread: recurringId ?? icsId, email: booker?.email.toLowerCase() ?? '', version };
}

/** The page where who booked invites the guests. */
export function releaseLink(publicUrl: string, booking: OwnedId, token: string): string {
  return `${publicUrl}/bookings/${publicOwnedId('booking', booking)}/guests/${token}`;
}

function isReleaseToken(key: Uint8Array, booking: BookingRow, token: string): boolean {
  return equalsInConstantTime(token, releaseToken(key, inviterOf(booking)));
}

/**
 * The last part of its address, which is known from the mail to them alone: it is derived, from the booking and from their address, so
 * that nothing is stored that would let somebody else in.
 */
export function releaseToken(key: Uint8Array, { ownerId, thread, email, version }: InvitingBooker): string {
  return macOf(key, 'guests', ownerId, thread, email, String(version)).toString('base64url');
}
