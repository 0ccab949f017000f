import type { OwnedId } from '../../../core/id.ts';
import { changed, type Em, row, sql } from '../../../database/sql.ts';
import type { BookableEventType } from '../../event-types/public/event-type-rules.queries.ts';
import { release } from '../occupancy/occupy.ts';

export interface ReservationRow {
  readonly ownerId: string;
  readonly id: string;
  readonly eventTypeId: string;
  /** RFC 3339, as the database writes it */
  readonly start: string;
  readonly end: string;
  readonly hostIds: readonly string[];
  /** The booking in which it keeps a seat; null when it keeps its hosts' time. */
  readonly seatOfId: string | null;
  readonly expiresAt: string;
}

const COLUMNS = sql<ReservationRow>`r.owner_id as "ownerId", r.id, r.event_type_id as "eventTypeId", r.starts_at as start,
  r.ends_at as end, r.host_ids as "hostIds", r.seat_of_id as "seatOfId", r.expires_at as "expiresAt"`;

/** A live reservation. */
export async function findLiveReservation(em: Em, { ownerId, id }: OwnedId): Promise<ReservationRow | undefined> {
  return row(
    em,
    sql<ReservationRow>`select ${COLUMNS} from slot_reservations r
        where r.owner_id = ${ownerId} and r.id = ${id} and r.expires_at > now()`,
  );
}

/** The same, of this event type: one that is over, or of another event type, is ignored. */
export async function findReservation(
  em: Em,
  { id: eventTypeId }: BookableEventType,
  named: OwnedId | null,
): Promise<ReservationRow | undefined> {
  const found = named === null ? undefined : await findLiveReservation(em, named);
  return found?.eventTypeId === eventTypeId ? found : undefined;
}

/** Ends a reservation and gives its time back. */
export async function dropReservation(em: Em, { ownerId, id, hostIds }: ReservationRow): Promise<void> {
  await release(em, hostIds, id);
  await changed(em, sql`delete from slot_reservations where owner_id = ${ownerId} and id = ${id}`);
}
