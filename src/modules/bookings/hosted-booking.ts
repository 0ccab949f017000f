import type { OwnedId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { type Em, row } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import type { Doer } from '../../events/record-event.ts';
import { User } from '../accounts/user.entity.ts';
import type { BookingRow } from './booking.queries.ts';
import { bookingNotFound, lockBooking } from './locked-booking.ts';

/** A booking, and the host of it who acts. */
export interface HostedBooking extends OwnedId {
  readonly hostId: string;
  /** From which the host acts (limits/network.ts). */
  readonly network: string;
}

/**
 * For what sends mails to people who have not requested any: a host does so in their own name, once it is verified.
 * @throws Problem EMAIL_NOT_VERIFIED
 */
export async function requireVerifiedHost(em: Em, { hostId }: HostedBooking): Promise<void> {
  const verified = selectFrom(User, { id: hostId }).where('emailVerifiedAt', 'is not', null);
  const found = await row(em, verified.select('id'));
  if (found) return;
  const message =
    'People whom you add are mailed in your name; verify your e-mail address first, at /settings/account.';
  throw new Problem('EMAIL_NOT_VERIFIED', message);
}

/** For what is recorded of it. */
export function byHost({ hostId, network }: HostedBooking): Doer {
  return { userId: hostId, network };
}

/** Locks a booking for one of its hosts. @throws Problem NOT_FOUND, the same for somebody else's */
export async function lockHostedBooking(em: Em, { ownerId, id, hostId }: HostedBooking): Promise<BookingRow> {
  const booking = await lockBooking(em, { ownerId, id });
  if (booking.hostIds.includes(hostId)) return booking;
  throw bookingNotFound({ ownerId, id });
}
