/** A booking under the lock of whoever acts on it: one, as a host or an administrator does, or all that were made together. */
import type { OwnedId } from '../../core/id.ts';
import { anyOf, type Em, rows } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import type { Actor } from '../../events/record-event.ts';
import { requireVerifiedEmail } from '../accounts/require-verified-email.ts';
import { type Owner, requireInCharge } from '../levels/reach.ts';
import { lockOwner } from '../teams/lock-owner.ts';
import { Booking } from './booking.entity.ts';
import { type BookingRow, findAsItIsNow, findBooking, findBookings, findSeriesNow } from './booking.queries.ts';
import { type BookingKey, bookingNotFound } from './booking-key.rules.ts';
import { type BookingActor, bookingActorOf } from './booking-transitions.rules.ts';
import { lockBooking } from './stored-booking.ts';

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

/** Each booking of a series, or the one, wherever it has moved; in order of their starts. */
export async function bookedTogether(em: Em, linked: BookingRow): Promise<readonly BookingRow[]> {
  const { ownerId, recurringId } = linked;
  if (recurringId === null) return [(await findAsItIsNow(em, linked)) ?? linked];
  const series = await findSeriesNow(em, { ownerId, id: recurringId });
  return findBookings(
    em,
    ownerId,
    series.map(({ id }) => id),
  );
}

/**
 * The same, which nobody else changes until the transaction ends: those of each look by their ids, as every command locks several.
 * What one of them has moved to meanwhile is made later, so its id is greater. @throws Problem NOT_FOUND
 */
export async function lockTogether(em: Em, linked: BookingRow): Promise<readonly BookingRow[]> {
  const { ownerId } = linked;
  if (!(await lockOwner(em, ownerId))) throw bookingNotFound(linked);
  const lockedIds = new Set<string>();
  for (;;) {
    const bookings = await bookedTogether(em, linked);
    const ids = bookings.map(({ id }) => id).filter((id) => !lockedIds.has(id));
    if (ids.length === 0) return bookings;
    const those = selectFrom(Booking, { ownerId }).where('id', '=', anyOf(ids));
    await rows(em, those.select('id').orderBy('id').forNoKeyUpdate());
    for (const id of ids) lockedIds.add(id);
  }
}

/**
 * Finds the booking that a host or an administrator acts on, or a booker without a `callerId`, and locks all that were made with it.
 * Nothing more is read for a caller who does not host it: a foreign booking takes as long as none. @throws Problem NOT_FOUND
 */
export async function lockNamed(
  em: Em,
  key: BookingKey,
  callerId: string | null,
  acting: HostedBooking | undefined,
): Promise<{ readonly linked: BookingRow; readonly together: readonly BookingRow[] }> {
  const linked = await findBooking(em, key);
  if (!linked) throw bookingNotFound(key);
  if (!acting?.right) bookingActorOf(linked, callerId);
  const together = await lockTogether(em, linked);
  // They may have lost their role while they have waited for the lock.
  if (acting) await requireRight(em, acting);
  return { linked, together };
}
