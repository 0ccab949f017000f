import type { OwnedId } from '../../core/id.ts';
import type { Em } from '../../database/sql.ts';
import type { Actor } from '../../events/record-event.ts';
import { requireVerifiedEmail } from '../accounts/require-verified-email.ts';
import { type Owner, requireInCharge } from '../levels/reach.ts';
import type { BookingRow } from './booking.queries.ts';
import type { BookingActor } from './booking-transitions.rules.ts';
import { bookingNotFound, lockBooking } from './locked-booking.ts';

/** A booking, and its actor: one of its hosts, or somebody who administers its owner. */
export interface HostedBooking extends OwnedId, Omit<Actor, 'userId'> {
  readonly hostId: string;
  /** The right by which an administrator acts; left out: as a host. */
  readonly right?: Owner;
}

/** The role in which they act, for its transitions. */
export function actorIn({ right }: HostedBooking): BookingActor {
  return right ? 'ADMIN' : 'HOST';
}

/**
 * Requires a verified host for changes that send mails to people who have not asked for any: a host does so in their
 * own name.
 * @throws Problem EMAIL_NOT_VERIFIED
 */
export async function requireVerifiedHost(em: Em, { hostId }: Pick<HostedBooking, 'hostId'>): Promise<void> {
  await requireVerifiedEmail(em, hostId, 'People whom you add are mailed in your name');
}

/** The actor, for what is recorded of it. */
export function byHost({ hostId, network, clientId }: HostedBooking): Actor {
  return { userId: hostId, network, ...(clientId !== undefined && { clientId }) };
}

/** Locks a booking for its actor. @throws Problem NOT_FOUND, the same for somebody else's; FORBIDDEN in groups */
export async function lockHostedBooking(em: Em, acting: HostedBooking): Promise<BookingRow> {
  const { ownerId, id, hostId, right } = acting;
  const booking = await lockBooking(em, { ownerId, id });
  // They may have lost their role while they have waited for the lock.
  if (right) await requireRight(em, acting);
  if (right || booking.hostIds.includes(hostId)) return booking;
  throw bookingNotFound({ ownerId, id });
}

/** Whether who acts as an administrator is one. @throws Problem NOT_FOUND, FORBIDDEN */
export async function requireRight(em: Em, { right, ownerId, id }: HostedBooking): Promise<void> {
  if (right) await requireInCharge(em, right, bookingNotFound({ ownerId, id }));
}
