/** A host answers a request: confirms or declines it, signed in or by the link in the mail that asked them. */

import { type OwnedId, publicOwnedId } from '../../../core/id.ts';
import { equalsInConstantTime, macOf } from '../../../core/secret.ts';
import { OPTIONAL_TEXT_CODES } from '../../../core/text.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import { anyOf, type Em, rows } from '../../../database/sql.ts';
import { selectFrom } from '../../../database/statements.ts';
import { recordEvent } from '../../../events/record-event.ts';
import { User } from '../../accounts/user.entity.ts';
import { askingCalendars } from '../../calendars/fresh-calendars.ts';
import { type BookingRow, findBooking } from '../booking.queries.ts';
import type { BookingKey } from '../booking-key.rules.ts';
import { checkedReason, statusAfter, TRANSITION_CODES } from '../booking-transitions.rules.ts';
import { actorIn, byHost, type HostedBooking, lockHostedBooking } from '../locked-booking.ts';
import { requireStillFree } from '../slots/take-slot.ts';
import { factsOf, saveBooking } from '../stored-booking.ts';

export const CONFIRM_BOOKING_CODES = ['NOT_FOUND', 'SLOT_TAKEN', ...TRANSITION_CODES.CONFIRM] as const;

export const DECLINE_BOOKING_CODES = ['NOT_FOUND', ...TRANSITION_CODES.DECLINE, ...OPTIONAL_TEXT_CODES] as const;

/**
 * Agrees to a request. Its time is taken since it was made; what calendars have got meanwhile is in its way all the same.
 * @throws Problem NOT_FOUND, NOT_POSSIBLE, SLOT_TAKEN
 */
export function confirmBooking(em: Em, hosted: HostedBooking): Promise<void> {
  return askingCalendars(em, (asking) =>
    em.transactional(async (inner) => {
      const booking = await lockHostedBooking(inner, hosted);
      const now = await databaseNow(inner);
      const status = statusAfter(booking, { action: 'CONFIRM', actor: actorIn(hosted), reason: null, now });
      await requireStillFree(inner, booking, asking);
      await saveBooking(inner, booking, { status }, { kind: 'CONFIRMED', by: hosted.hostId });
      const act = { booking: factsOf(booking), by: byHost(hosted) };
      await recordEvent(inner, booking.ownerId, { ...act, type: 'BOOKING_CONFIRMED' });
    }),
  );
}

/** Refuses a request and gives its time back. @throws Problem NOT_FOUND, NOT_POSSIBLE, and mistakes of the reason */
export async function declineBooking(em: Em, hosted: HostedBooking, given: string | null): Promise<void> {
  const reason = checkedReason(given);
  await em.transactional(async (inner) => {
    const booking = await lockHostedBooking(inner, hosted);
    const now = await databaseNow(inner);
    const status = statusAfter(booking, { action: 'DECLINE', actor: actorIn(hosted), reason, now });
    const entry = { kind: 'DECLINED', by: hosted.hostId, reason } as const;
    await saveBooking(inner, booking, { status, rejectionReason: reason }, entry);
    const act = { booking: factsOf(booking), by: byHost(hosted) };
    await recordEvent(inner, booking.ownerId, { ...act, type: 'BOOKING_REJECTED', reason });
  });
}

/** A request for a booking that a link lets this host answer. */
export interface LinkedRequest {
  readonly booking: BookingRow;
  readonly hostId: string;
}

/**
 * The booking that a mail has asked a host about, whatever has become of it. Undefined for an invalid link, and once its host
 * does not host it any more, is suspended, or is not known by the address that it was mailed to.
 */
export async function findLinkedRequest(
  em: Em,
  linkKey: Uint8Array,
  key: BookingKey,
  token: string,
): Promise<LinkedRequest | undefined> {
  const booking = key.isSeat ? undefined : await findBooking(em, key);
  if (!booking) return undefined;
  const hosts = await rows(
    em,
    selectFrom(User)
      .where('id', '=', anyOf(booking.hostIds))
      .where('emailVerifiedAt', 'is not', null)
      .where('suspendedAt', 'is', null)
      .select(['id', 'email']),
  );
  const host = hosts.find((one) => isAnswerToken(linkKey, booking, one, token));
  return host && { booking, hostId: host.id };
}

/** A host, and the address that a mail to them goes to. */
export interface MailedHost {
  readonly id: string;
  readonly email: string;
}

/** The page where a host answers a request without being signed in. */
export function answerLink(publicUrl: string, booking: OwnedId, token: string): string {
  return `${publicUrl}/bookings/${publicOwnedId('booking', booking)}/answer/${token}`;
}

function isAnswerToken(key: Uint8Array, booking: OwnedId, host: MailedHost, token: string): boolean {
  return equalsInConstantTime(token, answerToken(key, booking, host));
}

/**
 * The last part of its address, which is only known from the mail to that host. It is derived from the booking, the host and their
 * address, so that nothing is stored. It opens nothing for another host, nor for another booking, which a moved one becomes, nor once
 * the host has another address.
 */
export function answerToken(key: Uint8Array, { ownerId, id }: OwnedId, host: MailedHost): string {
  return macOf(key, 'answer', ownerId, id, host.id, host.email.toLowerCase()).toString('base64url');
}
