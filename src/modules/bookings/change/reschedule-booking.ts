import type { OwnedId } from '../../../core/id.ts';
import { Problem } from '../../../core/problem.ts';
import { OPTIONAL_TEXT_CODES } from '../../../core/text.ts';
import { inTurns } from '../../../core/turns.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import type { Em } from '../../../database/sql.ts';
import type { Actor } from '../../../events/record-event.ts';
import type { BookableEventType } from '../../event-types/public/event-type-rules.queries.ts';
import { bookingActorOf } from '../booking-actor.ts';
import type { BookingKey } from '../booking-key.rules.ts';
import { TRANSITION_CODES } from '../booking-transitions.rules.ts';
import { CUT_OFF_CODES, reschedulingMistake } from '../cut-off.rules.ts';
import { awaitsReschedule, lockBooking, requireFewMoves, statusAfter, timeOf } from '../locked-booking.ts';
import { lockHosts, slotTaken, whileSlotIsLost } from '../occupancy/lock.ts';
import { type Assignment, assignHostsInSteps, hostsTaken } from '../slots/assign-hosts.rules.ts';
import { closedBecauseInSteps, SLOT_CODES } from '../slots/closed-slot.rules.ts';
import { movedBooking } from '../slots/moved-booking.queries.ts';
import { heldBy } from '../slots/open-series.ts';
import { requireBookableStart, START_CODES } from '../slots/requested-start.ts';
import { loadSlotRequest } from '../slots/slot-request.queries.ts';
import type { Host } from '../slots/slot-request.rules.ts';
import {
  dropReservation,
  findReservation,
  type ReservationRow,
  reservationNotFound,
} from '../slots/slot-reservation.queries.ts';
import { checkedReason } from './cancel-booking.ts';
import { type Move, moveBooking, moveSeat } from './move-booking.ts';

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
    const move = { booking, reason, actor, byHostId, by, now: await databaseNow(inner) };
    requireMovable(eventType, move);
    requireBookableStart(request.start, move.now);

    const { isSeat = false } = request.key;
    const reservation = await findReservation(inner, eventType, request.reservationId);
    const { assignment, hosts } = await assign(inner, eventType, request, move, reservation);
    if (request.reservationId && !reservation) throw reservationNotFound(request.reservationId);
    asking.requireFresh(hosts, assignment);
    await lockHosts(inner, [...booking.hostIds, ...assignment.hostIds, ...(reservation?.hostIds ?? [])]);
    if (reservation) await dropReservation(inner, reservation);
    return isSeat
      ? moveSeat(inner, eventType, move, request.key, assignment)
      : moveBooking(inner, eventType, move, assignment);
  });
}

/** @throws Problem NOT_POSSIBLE, BOOKING_OVER, RESCHEDULING_DISABLED, TOO_MANY_MOVES */
export function requireMovable(
  { rules }: Pick<BookableEventType, 'rules'>,
  { booking, actor, reason, now }: Move,
): void {
  statusAfter(booking, { action: 'RESCHEDULE', actor, reason, now });
  requireFewMoves(booking);
  // A host has requested another time: no cut-off applies, and the old time may be over.
  if (awaitsReschedule(booking)) return;
  const late = reschedulingMistake(rules, timeOf(booking), actor, now);
  Problem.throwIfAny(late ? [late] : []);
}

async function assign(
  em: Em,
  eventType: BookableEventType,
  { start, lengthInMinutes, key }: Rescheduling,
  { booking, now }: Move,
  reservation: ReservationRow | undefined,
): Promise<{ readonly assignment: Assignment; readonly hosts: readonly Host[] }> {
  const at = start.epochMilliseconds;
  const { replaces, fits, ...own } = movedBooking(booking, key);
  const request = await loadSlotRequest(
    em,
    eventType,
    {
      range: { start: at, end: at + 1 },
      lengthInMinutes: lengthInMinutes ?? own.lengthInMinutes,
      replaces,
      ...heldBy(reservation),
      reservationId: reservation?.id ?? null,
    },
    now,
  );
  const assignment = await inTurns(assignHostsInSteps(request, at, reservation?.hostIds ?? booking.hostIds));
  const mistake = assignment ? undefined : await inTurns(closedBecauseInSteps(request, at));
  Problem.throwIfAny(mistake ? [mistake] : []);
  if (!assignment) throw new Error('A slot is closed, and no rule says why.');
  if (!fits(assignment)) throw slotTaken(start);
  return { assignment, hosts: hostsTaken(request.hosts, [assignment]) };
}
