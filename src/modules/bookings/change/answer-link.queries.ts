import { anyOf } from '../../../database/expressions.ts';
import { type Em, rows } from '../../../database/sql.ts';
import { selectFrom } from '../../../database/statements.ts';
import { User } from '../../accounts/user.entity.ts';
import { type BookingRow, findBooking } from '../booking.queries.ts';
import type { BookingKey } from '../booking-key.rules.ts';
import { isAnswerToken } from './answer-link.ts';

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
