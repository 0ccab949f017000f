import { newId, type OwnedId } from '../../../core/id.ts';
import { Problem } from '../../../core/problem.ts';
import { OPTIONAL_TEXT_CODES } from '../../../core/text.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import { changed, type Em, sql } from '../../../database/sql.ts';
import { type Doer, recordEvent } from '../../../events/record-event.ts';
import type { BookableEventType } from '../../event-types/public/event-type-rules.queries.ts';
import { MINUTE } from '../../schedules/interval.rules.ts';
import { insertBooking } from '../book/insert-booking.ts';
import type { AttendeeRow, BookingRow } from '../booking.queries.ts';
import { actorOf } from '../booking-actor.ts';
import type { BookingKey } from '../booking-key.rules.ts';
import {
  type BookingActor,
  type BookingStatus,
  holdsTime,
  initialStatus,
  TRANSITION_CODES,
} from '../booking-transitions.rules.ts';
import { awaitsReschedule, factsOf, lockBooking, saveBooking, statusAfter, timeOf } from '../locked-booking.ts';
import { withBuffers } from '../occupancy/booking-time.rules.ts';
import { lockHosts, occupy, release } from '../occupancy/occupy.ts';
import { SlotLost, slotTaken, whileSlotIsLost } from '../occupancy/slot-lost.ts';
import { type Assignment, assignHosts } from '../slots/assign-hosts.rules.ts';
import { closedBecause, SLOT_CODES } from '../slots/closed-slot.rules.ts';
import { lockSeat } from '../slots/lock-seat.ts';
import { requireBookableStart, START_CODES } from '../slots/requested-start.ts';
import { loadSlotRequest } from '../slots/slot-request.queries.ts';
import { dropReservation, findReservation, type ReservationRow } from '../slots/slot-reservation.queries.ts';
import { checkedReason } from './cancel-booking.ts';
import { CUT_OFF_CODES, reschedulingMistake } from './cut-off.rules.ts';

export const RESCHEDULE_BOOKING_CODES = [
  'NOT_FOUND',
  ...TRANSITION_CODES,
  ...CUT_OFF_CODES.reschedule,
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
  /** Who is signed in, if anybody. */
  readonly callerId: string | null;
  /** Left out: the caller. */
  readonly by?: Doer;
}

/** A booking that is to move, who moves it, and how. */
export interface Move {
  readonly booking: BookingRow;
  readonly actor: BookingActor;
  readonly reason: string | null;
  readonly now: number;
  /** Which host it is, when a host acts. */
  readonly byHostId?: string | null;
}

/** A move that is being made. */
interface MoveBy extends Move {
  readonly byHostId: string | null;
  readonly by: Doer;
}

/**
 * Cancels a booking in favour of a new one with the same people, and returns the new one's key; a seat keeps its key and changes
 * its booking. The same goes for a booking that a host has cancelled to have it at another time. In one transaction: the
 * old time is given back only if the new one can be had. `eventType` must be that of the booking. @throws Problem NOT_FOUND, NOT_POSSIBLE, BOOKING_OVER, RESCHEDULING_DISABLED, whatever closes a slot
 */
export async function rescheduleBooking(
  em: Em,
  eventType: BookableEventType,
  request: Rescheduling,
): Promise<BookingKey> {
  const reason = checkedReason(request.reason);
  const wanted = { eventType, start: request.start, isCounted: true };
  return whileSlotIsLost(em, wanted, async (inner) => {
    const booking = await lockBooking(inner, request.key);
    const actor = actorOf(booking, request.callerId);
    const byHostId = actor === 'HOST' ? request.callerId : null;
    const by = request.by ?? { userId: request.callerId, network: null };
    const move = { booking, reason, actor, byHostId, by, now: await databaseNow(inner) };
    requireMovable(eventType, move);
    requireBookableStart(request.start, move.now);

    const { isSeat = false } = request.key;
    const reservation = await findReservation(inner, eventType, request.reservationId);
    const assignment = await assign(
      inner,
      eventType,
      request,
      { ...move, isAlone: !isSeat || booking.attendees.length === 1 },
      reservation,
    );
    if (assignment.joins !== null && !isSeat) throw slotTaken(request.start);
    await lockHosts(inner, [...booking.hostIds, ...assignment.hostIds, ...(reservation?.hostIds ?? [])]);
    if (reservation) await dropReservation(inner, reservation);
    return isSeat
      ? moveSeat(inner, eventType, move, request.key, assignment)
      : moveBooking(inner, eventType, move, assignment);
  });
}

/** @throws Problem NOT_POSSIBLE, BOOKING_OVER, RESCHEDULING_DISABLED */
export function requireMovable(
  { rules }: Pick<BookableEventType, 'rules'>,
  { booking, actor, reason, now }: Move,
): void {
  statusAfter(booking, { action: 'RESCHEDULE', actor, reason, now });
  // A host has requested another time: no cut-off applies, and the old time may be over.
  if (awaitsReschedule(booking)) return;
  const late = reschedulingMistake(rules, timeOf(booking), actor, now);
  Problem.throwIfAny(late ? [late] : []);
}

async function assign(
  em: Em,
  eventType: BookableEventType,
  { start, lengthInMinutes, key }: Rescheduling,
  { booking, now, isAlone }: Move & { readonly isAlone: boolean },
  reservation: ReservationRow | undefined,
): Promise<Assignment> {
  const at = start.epochMilliseconds;
  const old = timeOf(booking);
  const request = await loadSlotRequest(
    em,
    eventType,
    {
      range: { start: at, end: at + 1 },
      lengthInMinutes: lengthInMinutes ?? (old.end - old.start) / MINUTE,
      // Where others stay in the booking, its time is not given back; where it was cancelled, it is already.
      replaces: isAlone && holdsTime(booking.status) ? { id: booking.id, hostIds: booking.hostIds, ...old } : null,
      reservationId: reservation?.id ?? null,
    },
    now,
  );
  const assignment = assignHosts(request, at, reservation?.hostIds ?? booking.hostIds);
  if (!assignment) Problem.throwIfAny([closedBecause(request, at)].filter((mistake) => mistake !== undefined));
  if (!assignment) throw new Error('A slot is closed, and no rule says why.');
  // A seat that is there already, with others or alone.
  const isThere = holdsTime(booking.status) && old.start === assignment.start && old.end === assignment.end;
  if (isThere && key.isSeat) throw slotTaken(start);
  return assignment;
}

async function moveBooking(
  em: Em,
  eventType: BookableEventType,
  move: MoveBy,
  assignment: Assignment,
): Promise<BookingKey> {
  const { booking, reason, byHostId, by } = move;
  await release(em, booking.hostIds, booking.id);
  // A seat keeps its uid, so it goes along; who made a booking without seats stays in both.
  const stayInBoth = booking.seats ? [] : booking.attendees;
  const made = await insertMoved(em, eventType, move, assignment, stayInBoth, true);
  const { ownerId, id } = booking;
  if (booking.seats) await moveAttendees(em, booking, made.id, null);
  await saveBooking(em, booking, { ...endingOf(move), rescheduledToId: made.id });
  await recordEvent(em, ownerId, {
    type: 'BOOKING_RESCHEDULED',
    booking: made,
    previousId: id,
    reason,
    byHostId,
    by,
  });
  return { ownerId, id: made.id };
}

async function moveSeat(
  em: Em,
  eventType: BookableEventType,
  move: MoveBy,
  seat: BookingKey,
  assignment: Assignment,
): Promise<BookingKey> {
  const { booking, reason, byHostId, by } = move;
  const { ownerId, id } = booking;
  const isLast = booking.attendees.length === 1;
  if (isLast) await release(em, booking.hostIds, id);
  const target =
    assignment.joins === null
      ? await insertMoved(em, eventType, move, assignment, [], isLast)
      : factsOf(await lockSeat(em, eventType, assignment.joins));
  await moveAttendees(em, booking, target.id, seat.id);
  await saveBooking(em, booking, isLast ? { ...endingOf(move), rescheduleRequested: false } : {});
  const moved = { ...target, seatId: seat.id };
  await recordEvent(em, ownerId, {
    type: 'BOOKING_RESCHEDULED',
    booking: moved,
    previousId: id,
    reason,
    byHostId,
    by,
  });
  return seat;
}

/** The end of a booking that all attendees have left. The reason of a host who requested another time is kept. */
function endingOf({ booking, reason }: Move) {
  return awaitsReschedule(booking) ? {} : ({ status: 'CANCELLED', reschedulingReason: reason } as const);
}

/** What moves as a whole stays the same entry in calendars, its changes counted on; the old booking counts one more, too. */
async function insertMoved(
  em: Em,
  eventType: BookableEventType,
  { booking, actor, reason, now }: Move,
  { start, end, hostIds }: Assignment,
  attendees: readonly AttendeeRow[],
  isWhole: boolean,
) {
  const { ownerId, rules } = eventType;
  const id = newId();
  if (!(await occupy(em, { ...withBuffers({ start, end }, rules), hostIds, holderId: id, ownerId })))
    throw new SlotLost();
  // Where others stay behind, what was given with the booking stays with them.
  const { guestEmails, heldGuestEmails, metadata } = isWhole ? booking : NOTHING_GIVEN;
  const made = await insertBooking(em, eventType, {
    id,
    start,
    end,
    hostIds,
    status: statusOfMoved(booking, actor, initialStatus(rules.confirmation, start, now)),
    location: booking.location,
    guestEmails,
    heldGuestEmails,
    // Whatever its event type has become: each of its people has a seat, or none has.
    seats: booking.seats,
    metadata,
    attendees,
    reschedulingReason: reason,
    rescheduledFromId: booking.id,
    recurringId: booking.recurringId,
    ...(isWhole && { ics: { id: booking.icsId, sequence: booking.icsSequence + 2 } }),
  });
  return { ...made, heldGuestEmails };
}

const NOTHING_GIVEN = { guestEmails: [], heldGuestEmails: [], metadata: {} } as const;

/** A host who moves a booking that was agreed on agrees to the new time; a request remains a request. */
function statusOfMoved({ status }: BookingRow, actor: BookingActor, initial: 'PENDING' | 'ACCEPTED'): BookingStatus {
  if (status === 'PENDING') return 'PENDING';
  return actor === 'HOST' ? 'ACCEPTED' : initial;
}

/** All of them, or one seat. */
async function moveAttendees(em: Em, { ownerId, id }: BookingRow, toId: string, seatId: string | null): Promise<void> {
  await changed(
    em,
    sql`update booking_attendees a
        set booking_id = b.id, starts_at = b.starts_at
        from bookings b
        where b.owner_id = ${ownerId} and b.id = ${toId}
          and a.owner_id = ${ownerId} and a.booking_id = ${id} and (${seatId}::uuid is null or a.seat_id = ${seatId})`,
  );
}
