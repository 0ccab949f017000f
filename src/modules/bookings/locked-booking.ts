/** The frame of every change to a booking: who may make it, its lock, how it is stored, and what is told of it. */

import type { OwnedId } from '../../core/id.ts';
import { instantOf } from '../../core/instant.ts';
import { anyOf, changed, type Em, LATER, type RawBuilder, row, rows, sql, unnested } from '../../database/sql.ts';
import { selectFrom, updateTable } from '../../database/statements.ts';
import type { Actor, AttendeeFacts, BookingFacts } from '../../events/record-event.ts';
import { requireVerifiedEmail } from '../accounts/require-verified-email.ts';
import { type Owner, requireInCharge } from '../levels/reach.ts';
import { lockOwner } from '../teams/lock-owner.ts';
import { Booking, BookingHost } from './booking.entity.ts';
import {
  type AttendeeRow,
  type BookingRow,
  bookingWith,
  findAsItIsNow,
  findBooking,
  findBookings,
  findSeated,
  findSeriesNow,
} from './booking.queries.ts';
import { historyWith } from './booking-history.queries.ts';
import type { HistoryEntry } from './booking-history.rules.ts';
import { type BookingKey, bookingNotFound } from './booking-key.rules.ts';
import { type BookedLocation, inApp } from './booking-location.rules.ts';
import { type BookingActor, type BookingStatus, bookingActorOf } from './booking-transitions.rules.ts';
import { release } from './occupancy/take-time.ts';

/**
 * A booking that nobody else changes until the transaction ends. Read in a statement of its own after the lock, so that
 * it is what the one before has left. @throws Problem NOT_FOUND
 */
export async function lockBooking(em: Em, key: BookingKey): Promise<BookingRow> {
  if (!(await lockOwner(em, key.ownerId))) throw bookingNotFound(key);
  for (;;) {
    const locked = await row(
      em,
      sql<{ id: string }>`select b.id from bookings b where ${bookingWith(key)} for no key update of b`,
    );
    const found = await findBooking(em, key);
    if (!found) throw bookingNotFound(key);
    // A seat may have been moved to another booking while its old one was waited for.
    if (found.id === locked?.id) return found;
  }
}

/** The columns of a booking that change with its state. */
type BookingChanges = {
  readonly status?: BookingStatus;
  readonly cancellationReason?: string | null;
  readonly rejectionReason?: string | null;
  readonly reschedulingReason?: string | null;
  readonly rescheduleRequested?: boolean;
  readonly rescheduledToId?: string | null;
  readonly location?: RawBuilder<BookedLocation | null>;
  readonly guestEmails?: RawBuilder<readonly string[]>;
};

/** Stores a change of a locked booking, also in the lists of its hosts, and gives back their time once it is off. `entry`: for its history. */
export async function saveBooking(
  em: Em,
  booking: BookingRow,
  values: BookingChanges,
  entry?: HistoryEntry,
): Promise<void> {
  const { ownerId, id, hostIds } = booking;
  await changed(
    em,
    updateTable(Booking, { ownerId, id }).set((eb) => ({
      ...values,
      ...(entry && { history: historyWith(entry) }),
      icsSequence: eb('icsSequence', '+', 1),
      updatedAt: LATER,
    })),
  );
  const status = values.status ?? booking.status;
  await changed(
    em,
    updateTable(BookingHost, { bookingId: id }).set({ status, updatedAt: LATER }).where('userId', '=', anyOf(hostIds)),
  );
  if (status === 'CANCELLED' || status === 'REJECTED') await release(em, hostIds, id);
}

/** Stores that locked bookings are cancelled, as `saveBooking` does for one, by one statement for all. */
export async function cancelAll(
  em: Em,
  bookings: readonly BookingRow[],
  { reason, by }: Pick<HistoryEntry & { readonly kind: 'CANCELLED' }, 'reason' | 'by'>,
): Promise<void> {
  if (bookings.length === 0) return;
  const parts = bookings.flatMap(({ id, hostIds }) => hostIds.map((ownerId) => ({ ownerId, id })));
  await changed(
    em,
    sql`with part as materialized (select * from ${unnested(parts)} as part (host_id, part_id)), cancelled as (
          update bookings b set status = 'CANCELLED', cancellation_reason = ${reason},
            history = ${historyWith({ kind: 'CANCELLED', by, reason }, { history: sql`b.history` })}, ics_sequence = ics_sequence + 1,
            updated_at = ${LATER}
          from ${unnested(bookings)} as one (one_owner_id, one_id) where b.owner_id = one_owner_id and b.id = one_id
        ), listed as (
          update booking_hosts h set status = 'CANCELLED', updated_at = ${LATER}
          from part where h.user_id = host_id and h.booking_id = part_id
        )
        delete from occupied_times t using part where t.host_id = part.host_id and t.holder_id = part_id`,
  );
}

/**
 * The facts that others are notified of, as they are at this moment: by the time that the mails are written, the
 * booking may be another.
 */
export function factsOf(booking: BookingRow): BookingFacts {
  const { id, eventTypeId, hostIds, start, end, location, guestEmails, heldGuestEmails, status } = booking;
  return {
    id,
    thread: booking.recurringId ?? booking.icsId,
    eventTypeId,
    hostIds,
    start: instantOf(start).toString(),
    end: instantOf(end).toString(),
    guestEmails,
    heldGuestEmails,
    status,
    // There may be many seats, and an attendee who leaves one, or comes, has an event of their own.
    ...(booking.seats === null && { attendeeIds: booking.attendees.map((attendee) => attendee.id) }),
    ...inApp(location),
  };
}

/** The same where it is about one seat, with the attendee who has it at this moment. */
export async function factsOfSeat(em: Em, ownerId: string, facts: BookingFacts, seatId: string): Promise<BookingFacts> {
  const seated = await findSeated(em, ownerId, seatId);
  return { ...facts, seatId, ...(seated && { seated }) };
}

/** Describes an attendee who will not be found in the booking any more. */
export function attendeeFacts({ name, email, timeZone, locale, verified }: AttendeeRow): AttendeeFacts {
  return { name, email, timeZone, locale, verified };
}

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
