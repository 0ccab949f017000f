import type { OwnedId } from '../../../core/id.ts';
import { Problem } from '../../../core/problem.ts';
import { OPTIONAL_TEXT_CODES } from '../../../core/text.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import type { Em } from '../../../database/sql.ts';
import type { Actor } from '../../../events/record-event.ts';
import type { BookableEventType } from '../../event-types/public/event-type-rules.queries.ts';
import { bookingActorOf } from '../booking-actor.ts';
import type { BookingKey } from '../booking-key.rules.ts';
import { TRANSITION_CODES } from '../booking-transitions.rules.ts';
import { CUT_OFF_CODES } from '../cut-off.rules.ts';
import { lockBooking } from '../locked-booking.ts';
import { SlotLost, whileSlotIsLost } from '../occupancy/lock.ts';
import { SLOT_CODES } from '../slots/availability.rules.ts';
import { requireOpen } from '../slots/availability.ts';
import { movingMistake } from '../slots/moved-booking.queries.ts';
import { START_CODES } from '../slots/slot-request.rules.ts';
import { makeRoom } from '../slots/slot-reservation.queries.ts';
import { checkedReason } from './cancel-booking.ts';
import { moveBooking, moveSeat } from './move-booking.ts';

export const RESCHEDULE_BOOKING_CODES = [
  'NOT_FOUND',
  ...TRANSITION_CODES,
  ...CUT_OFF_CODES.reschedule,
  'TOO_MANY_MOVES',
  ...OPTIONAL_TEXT_CODES,
  ...SLOT_CODES,
  ...START_CODES,
] as const;

export interface Rescheduling {
  readonly key: BookingKey;
  readonly start: Temporal.Instant;
  /** Null keeps the length. */
  readonly lengthInMinutes: number | null;
  readonly reason: string | null;
  /** A reservation that the caller holds, or null. */
  readonly reservationId: OwnedId | null;
  /** The signed-in user; null where nobody is signed in. */
  readonly callerId: string | null;
  /** Left out: the caller. */
  readonly by?: Actor;
}

/**
 * Cancels a booking in favour of a new one with the same people, and returns the new one's key; a seat keeps its key and changes
 * its booking. The same goes for a booking that a host has cancelled to have it at another time. In one transaction: the
 * old time is given back only if the new one can be had. `eventType` must be that of the booking. @throws Problem NOT_FOUND, NOT_POSSIBLE, BOOKING_OVER, RESCHEDULING_DISABLED, TOO_MANY_MOVES, whatever closes a slot
 */
export async function rescheduleBooking(
  em: Em,
  eventType: BookableEventType,
  request: Rescheduling,
): Promise<BookingKey> {
  const reason = checkedReason(request.reason);
  const wanted = { eventType, start: request.start, isCounted: true };
  return whileSlotIsLost(em, wanted, async (inner, _, asking) => {
    const booking = await lockBooking(inner, request.key);
    const actor = bookingActorOf(booking, request.callerId);
    const byHostId = actor === 'HOST' ? request.callerId : null;
    const by = request.by ?? { userId: request.callerId, network: null };
    const now = await databaseNow(inner);
    const mistake = movingMistake(eventType.rules, booking, actor, now);
    Problem.throwIfAny(mistake ? [mistake] : []);
    const { key, start, lengthInMinutes, reservationId } = request;
    const slot = { start, lengthInMinutes, occurrences: 1, reservationId, moved: { booking, key }, now };
    const open = await requireOpen(inner, eventType, slot, asking);
    const [assignment] = open.assignments;
    if (!assignment) throw new SlotLost();
    await makeRoom(inner, open, booking.hostIds);
    const move = { booking, reason, actor, byHostId, by, now };
    return key.isSeat
      ? moveSeat(inner, eventType, move, key, assignment)
      : moveBooking(inner, eventType, move, assignment);
  });
}
