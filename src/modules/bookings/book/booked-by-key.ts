import { type KeyedRequest, keyedRequest, requireSameRequest } from '../../../core/idempotency-key.ts';
import { selectColumns } from '../../../database/columns.ts';
import { type Em, row, sql } from '../../../database/sql.ts';
import type { BookableEventType } from '../../event-types/public/event-type-rules.queries.ts';
import { Booking } from '../booking.entity.ts';
import { BookingAttendee } from '../booking-attendee.entity.ts';
import type { BookingKey } from '../booking-key.rules.ts';
import { findSeries } from '../booking-series.queries.ts';
import type { BookingRequest } from './booking-request.rules.ts';

/** The result of a booking: the booking or the seat in it, and all bookings of a series. */
export interface Booked {
  readonly key: BookingKey;
  readonly keys: readonly BookingKey[];
}

export function bookedAs(keys: readonly BookingKey[]): Booked {
  const [key] = keys;
  if (!key) throw new Error('Nothing was booked.');
  return { key, keys };
}

/** Null without an idempotency key. A key belongs to one event type, and to the user who is signed in, if any. */
export function keyedBy(
  { id }: BookableEventType,
  request: BookingRequest,
  callerId: string | null,
): KeyedRequest | null {
  const { idempotencyKey } = request;
  return idempotencyKey === null ? null : keyedRequest(idempotencyKey, [id, callerId], request);
}

const BOOKED = sql`${selectColumns(Booking, ['id', 'recurringId'], 'b')},
  ${selectColumns(BookingAttendee, ['seatId', 'requestHash'], 'a')}`;

/**
 * Finds the booking that an earlier request of the same key and content has made.
 * @throws Problem IDEMPOTENCY_KEY_REUSED
 */
export async function findBooked(em: Em, ownerId: string, keyed: KeyedRequest): Promise<Booked | undefined> {
  const found = await row(
    em,
    sql<{ id: string; seatId: string | null; recurringId: string | null; requestHash: string }>`
      select ${BOOKED}
      from booking_attendees a join bookings b on b.owner_id = a.owner_id and b.id = a.booking_id
      where a.owner_id = ${ownerId} and a.key_hash = ${keyed.keyHash}`,
  );
  if (!found) return undefined;
  const { id, seatId } = requireSameRequest(found, keyed);
  if (seatId !== null) return bookedAs([{ ownerId, id: seatId, isSeat: true }]);
  if (found.recurringId !== id) return bookedAs([{ ownerId, id }]);
  return bookedAs((await findSeries(em, { ownerId, id })).map((one) => ({ ownerId, id: one.id })));
}
