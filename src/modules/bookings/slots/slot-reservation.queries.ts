import { changed, type Em, row, sql } from '../../../database/sql.ts';
import type { BookableEventType } from '../../event-types/public/event-type-rules.queries.ts';
import { ownerOfCapability } from '../booking-uid.ts';
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
  readonly seatOfUid: string | null;
  readonly expiresAt: string;
}

const COLUMNS = sql<ReservationRow>`r.owner_id as "ownerId", r.id, r.event_type_id as "eventTypeId", r.starts_at as start,
  r.ends_at as end, r.host_ids as "hostIds", r.seat_of_id as "seatOfUid", r.expires_at as "expiresAt"`;

/** A live reservation by the id that its holder shows. */
export async function findLiveReservation(em: Em, id: string): Promise<ReservationRow | undefined> {
  const ownerId = ownerOfCapability('reservation', id);
  if (ownerId === undefined) return undefined;
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
  id: string | null,
): Promise<ReservationRow | undefined> {
  const found = id === null ? undefined : await findLiveReservation(em, id);
  return found?.eventTypeId === eventTypeId ? found : undefined;
}

/** Ends a reservation and gives its time back. */
export async function dropReservation(em: Em, { ownerId, id, hostIds }: ReservationRow): Promise<void> {
  await release(em, hostIds, id);
  await changed(em, sql`delete from slot_reservations where owner_id = ${ownerId} and id = ${id}`);
}
