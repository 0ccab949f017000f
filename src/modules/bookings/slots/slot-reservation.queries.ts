import { newId, type OwnedId } from '../../../core/id.ts';
import { Problem } from '../../../core/problem.ts';
import type { RowOf } from '../../../database/columns.ts';
import { ago, COUNT, changed, type Em, NOW, row, sql } from '../../../database/sql.ts';
import { deleteFrom, selectFrom, updateTable } from '../../../database/statements.ts';
import { type Sweep, sweepOf } from '../../../database/sweep.ts';
import type { BookingRow } from '../booking.queries.ts';
import { holdsTime } from '../booking-transitions.rules.ts';
import { lockBooking } from '../locked-booking.ts';
import { OccupiedTime } from '../occupancy/occupied-time.entity.ts';
import { lockHosts, release, SlotLost } from '../occupancy/take-time.ts';
import type { Assignment } from './assign-hosts.rules.ts';
import type { BookableEventType } from './bookable-event-type.queries.ts';
import { SlotReservation } from './slot-reservation.entity.ts';

export interface ReservationRow extends Pick<RowOf<typeof SlotReservation>, (typeof READ)[number]> {
  /** RFC 3339, as the database writes it */
  readonly start: string;
  readonly end: string;
}

/** `seatOfId`: the booking in which it keeps a seat; null when it keeps its hosts' time. */
const READ = ['ownerId', 'id', 'eventTypeId', 'hostIds', 'seatOfId', 'heldSince', 'expiresAt'] as const;

/** A live reservation. */
export async function findLiveReservation(em: Em, { ownerId, id }: OwnedId): Promise<ReservationRow | undefined> {
  return row(
    em,
    selectFrom(SlotReservation, { ownerId, id })
      .where('expiresAt', '>', NOW)
      .select([...READ, 'startsAt as start', 'endsAt as end']),
  );
}

/** The same, of this event type; undefined for one that is over, or of another event type. */
export async function findReservation(
  em: Em,
  { id: eventTypeId }: BookableEventType,
  named: OwnedId | null,
): Promise<ReservationRow | undefined> {
  const found = named === null ? undefined : await findLiveReservation(em, named);
  return found?.eventTypeId === eventTypeId ? found : undefined;
}

/**
 * Gives back the time of a reservation as it is given up. Its uid leads nowhere any more, and its row stays for a while under another
 * one, since what its caller has held goes on counting for them. The millisecond: the column rounds the time of now.
 */
export async function endReservation(em: Em, { ownerId, id, hostIds }: ReservationRow): Promise<void> {
  await release(em, hostIds, id);
  const ended = { id: newId(), expiresAt: sql<string>`now() - interval '1 millisecond'` };
  await changed(em, updateTable(SlotReservation, { ownerId, id }).set(ended));
}

/** Removes a reservation that is being booked; no trace of it is kept. */
async function dropReservation(em: Em, { ownerId, id, hostIds }: ReservationRow): Promise<void> {
  await release(em, hostIds, id);
  await changed(em, deleteFrom(SlotReservation, { ownerId, id }));
}

/**
 * Before time is taken: locks the hosts, with those whose time is given back besides, and gives back what the caller has reserved. A
 * caller who takes one time of one host and gives nothing back needs no lock: those who wait for it hold nothing that it needs.
 */
export async function makeRoom(
  em: Em,
  {
    reservation,
    assignments,
  }: { readonly reservation: ReservationRow | undefined; readonly assignments: readonly Assignment[] },
  givenBackIds: readonly string[] = [],
): Promise<void> {
  const takenIds = assignments.flatMap((assignment) => assignment.hostIds);
  const hostIds = [...givenBackIds, ...(reservation?.hostIds ?? []), ...takenIds];
  if (hostIds.length > 1) await lockHosts(em, hostIds);
  if (reservation) await dropReservation(em, reservation);
}

/** The same answer for one that is over, for one that never was, and for a text that is no such uid. The uid stays out of messages. */
export function reservationNotFound(): Problem {
  const message = 'No reservation has this uid, or it is over; reserve the slot again, or go on without it.';
  return new Problem('NOT_FOUND', message, ['reservationUid']);
}

/**
 * A booking in which a seat is free for the caller's transaction: seats are counted under the lock of the booking, and
 * there are as many as when it was booked.
 * @throws SlotLost when none is left
 */
export async function lockSeat(em: Em, eventType: BookableEventType, bookingId: string): Promise<BookingRow> {
  const booking = await lockBooking(em, { ownerId: eventType.ownerId, id: bookingId });
  const taken = booking.attendees.length + (await countReserved(em, eventType, bookingId));
  if (!holdsTime(booking.status) || taken >= (booking.seats?.perSlot ?? 0)) throw new SlotLost();
  return booking;
}

/** Seats that others have reserved; the caller's own reservation is given up by now. */
async function countReserved(em: Em, { ownerId, id }: BookableEventType, bookingId: string): Promise<number> {
  const found = await row(
    em,
    selectFrom(SlotReservation, { ownerId, eventTypeId: id, seatOfId: bookingId })
      .where('expiresAt', '>', NOW)
      .select(COUNT.as('count')),
  );
  return found?.count ?? 0;
}

const AN_HOUR_AGO = ago(1, 'hours');
const SWEEPS = [sweepOf(OccupiedTime, 'expiresAt', AN_HOUR_AGO), sweepOf(SlotReservation, 'expiresAt', AN_HOUR_AGO)];

/** Sweeps away reservations that were over an hour ago and that nobody has come across since, at most `limit` rows of each table. */
export const removeExpiredReservations: Sweep = async (em, limit) => {
  let removed = 0;
  for (const sweep of SWEEPS) removed += await sweep(em, limit);
  return removed;
};
