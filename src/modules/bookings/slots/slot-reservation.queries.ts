import { newId, type OwnedId, publicOwnedId } from '../../../core/id.ts';
import { Problem } from '../../../core/problem.ts';
import { shown } from '../../../core/text.ts';
import type { RowOf } from '../../../database/columns.ts';
import { NOW } from '../../../database/expressions.ts';
import { changed, type Em, row, sql } from '../../../database/sql.ts';
import { deleteFrom, selectFrom, updateTable } from '../../../database/statements.ts';
import type { BookableEventType } from '../../event-types/public/event-type-rules.queries.ts';
import { release } from '../occupancy/occupy.ts';
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
 * Gives back the time of a reservation as it is given up. Its id leads nowhere any more, and its row stays for a while under another
 * one, since what its caller has held goes on counting for them. The millisecond: the column rounds the time of now.
 */
export async function endReservation(em: Em, { ownerId, id, hostIds }: ReservationRow): Promise<void> {
  await release(em, hostIds, id);
  const ended = { id: newId(), expiresAt: sql<string>`now() - interval '1 millisecond'` };
  await changed(em, updateTable(SlotReservation, { ownerId, id }).set(ended));
}

/** Removes a reservation that is being booked; no trace of it is kept. */
export async function dropReservation(em: Em, { ownerId, id, hostIds }: ReservationRow): Promise<void> {
  await release(em, hostIds, id);
  await changed(em, deleteFrom(SlotReservation, { ownerId, id }));
}

/** The same answer for one that is over, for one that never was, and for a text that is no such id. */
export function reservationNotFound(named: OwnedId | string): Problem {
  const id = typeof named === 'string' ? named : publicOwnedId('reservation', named);
  const message = `There is no reservation ${shown(id)}, or it is over; reserve the slot again, or go on without it.`;
  return new Problem('NOT_FOUND', message, ['reservationId']);
}
