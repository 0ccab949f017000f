/**
 * A booking gets another time. `rescheduleBooking` moves it, or one seat of it: whether it may go, whether the new time is open,
 * and how it gets there, in one transaction. By `requestReschedule`, a host has somebody else choose the time.
 */

import { newId, type OwnedId } from '../../../core/id.ts';
import { Problem } from '../../../core/problem.ts';
import { OPTIONAL_TEXT_CODES } from '../../../core/text.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import { changed, type Em, sql } from '../../../database/sql.ts';
import { updateTable } from '../../../database/statements.ts';
import { type Actor, recordEvent } from '../../../events/record-event.ts';
import type { AttendeeRow, BookingRow } from '../booking.queries.ts';
import { type AttendeeKey, type BookingKey, keyOfBooking, keyOfSeat } from '../booking-key.rules.ts';
import { withoutLink } from '../booking-location.rules.ts';
import {
  awaitsReschedule,
  type BookingActor,
  type BookingStatus,
  bookingActorOf,
  CUT_OFF_CODES,
  checkedReason,
  initialStatus,
  movesMistake,
  movingMistake,
  requireNotOver,
  statusAfter,
  TRANSITION_CODES,
} from '../booking-transitions.rules.ts';
import { BookingReference } from '../conferencing/conferencing.entity.ts';
import { actorIn, byHost, type HostedBooking, lockHostedBooking } from '../locked-booking.ts';
import { release, SlotLost, whileSlotIsLost } from '../occupancy/take-time.ts';
import { type Assignment, SLOT_CODES, START_CODES } from '../slots/assign-hosts.rules.ts';
import type { BookableEventType } from '../slots/bookable-event-type.queries.ts';
import { lockSeat, makeRoom, requireOpen } from '../slots/take-slot.ts';
import { factsOf, factsOfSeat, insertBooking, lockBooking, saveBooking } from '../stored-booking.ts';

export const RESCHEDULE_BOOKING_CODES = [
  'NOT_FOUND',
  'FORBIDDEN',
  ...TRANSITION_CODES.RESCHEDULE,
  ...CUT_OFF_CODES.reschedule,
  'TOO_MANY_MOVES',
  ...OPTIONAL_TEXT_CODES,
  ...SLOT_CODES,
  ...START_CODES,
] as const;

export const REQUEST_RESCHEDULE_CODES = [
  'NOT_FOUND',
  'BOOKING_OVER',
  'TOO_MANY_MOVES',
  ...TRANSITION_CODES.REQUEST_RESCHEDULE,
  ...OPTIONAL_TEXT_CODES,
] as const;

interface Rescheduling {
  readonly key: BookingKey;
  readonly start: Temporal.Instant;
  /** Null keeps the length. */
  readonly durationInMinutes: number | null;
  readonly reason: string | null;
  /** A reservation that the caller holds, or null. */
  readonly reservationId: OwnedId | null;
  /** The host or administrator who acts; null for the holder of the uid. */
  readonly callerId: string | null;
  /** Left out: the caller. */
  readonly by?: Actor;
  /** The booking at the level of the one who acts, where they come by its id. */
  readonly acting?: HostedBooking | undefined;
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
): Promise<AttendeeKey> {
  const reason = checkedReason(request.reason);
  const wanted = { eventType, start: request.start, isCounted: true };
  return whileSlotIsLost(em, wanted, async (inner, _, asking) => {
    const { acting } = request;
    const booking = await (acting ? lockHostedBooking(inner, acting) : lockBooking(inner, request.key));
    const actor = acting ? actorIn(acting) : bookingActorOf(booking, request.callerId);
    const byHostId = actor === 'UID_HOLDER' ? null : request.callerId;
    const by = request.by ?? { userId: request.callerId, network: null };
    const now = await databaseNow(inner);
    const mistake = movingMistake(eventType.rules, booking, actor, now);
    Problem.throwIfAny(mistake ? [mistake] : []);
    const { key, start, durationInMinutes, reservationId } = request;
    const slot = { start, durationInMinutes, occurrences: 1, reservationId, moved: { booking, key }, now };
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

/** Cancels a booking and asks its attendee for another time. @throws Problem NOT_FOUND, NOT_POSSIBLE, BOOKING_OVER, TOO_MANY_MOVES, … of the reason */
export async function requestReschedule(em: Em, hosted: HostedBooking, given: string | null): Promise<void> {
  const reason = checkedReason(given);
  await em.transactional(async (inner) => {
    const booking = await lockHostedBooking(inner, hosted);
    const now = await databaseNow(inner);
    const status = statusAfter(booking, { action: 'REQUEST_RESCHEDULE', actor: actorIn(hosted), reason, now });
    requireNotOver(booking, now);
    const often = movesMistake(booking.moves);
    Problem.throwIfAny(often ? [often] : []);
    const changes = { status, reschedulingReason: reason, rescheduleRequested: true };
    await saveBooking(inner, booking, changes, { kind: 'RESCHEDULE_REQUESTED', by: hosted.hostId, reason });
    await recordEvent(inner, booking.ownerId, {
      type: 'BOOKING_CANCELLED',
      booking: factsOf(booking),
      reason,
      rescheduleRequested: true,
      byHostId: hosted.hostId,
      by: byHost(hosted),
    });
  });
}

/** A move that is being made: the booking, the person who moves it, and the reason. */
interface Move {
  readonly booking: BookingRow;
  readonly actor: BookingActor;
  readonly reason: string | null;
  readonly now: number;
  /** The host or the administrator who acts; null for the booker. */
  readonly byHostId: string | null;
  readonly by: Actor;
}

/** Gives the old time back and ends the booking for a new one with the same people. @returns the key of the new one. @throws SlotLost */
async function moveBooking(
  em: Em,
  eventType: BookableEventType,
  move: Move,
  assignment: Assignment,
): Promise<AttendeeKey> {
  const { booking, reason, byHostId, by } = move;
  await release(em, booking.hostIds, booking.id);
  // A seat keeps its uid, so it goes along; the booker of a booking without seats stays in both.
  const stayInBoth = booking.seats ? [] : booking.attendees;
  const { ownerId, id, moves } = booking;
  const made = await insertMoved(em, eventType, move, assignment, {
    attendees: stayInBoth,
    isWhole: true,
    moves: moves + 1,
  });
  if (booking.seats) await moveAttendees(em, booking, made.id, null);
  await moveReference(em, booking, made.id);
  await saveBooking(
    em,
    booking,
    { ...endingOf(move), rescheduledToId: made.id },
    { kind: 'MOVED', by: byHostId, reason },
  );
  await recordEvent(em, ownerId, {
    type: 'BOOKING_RESCHEDULED',
    booking: made,
    previousId: id,
    reason,
    byHostId,
    by,
  });
  return keyOfBooking({ ownerId, id: made.id, uidVersion: booking.uidVersion });
}

/** Takes one seat to another booking, or to a new one. @returns its key, which stays the same. @throws SlotLost */
async function moveSeat(
  em: Em,
  eventType: BookableEventType,
  move: Move,
  seat: BookingKey,
  assignment: Assignment,
): Promise<AttendeeKey> {
  const { booking, reason, byHostId, by } = move;
  const { ownerId, id } = booking;
  const isLast = booking.attendees.length === 1;
  if (isLast) await release(em, booking.hostIds, id);
  const joined = assignment.joins === null ? undefined : await lockSeat(em, eventType, assignment.joins);
  const target = joined
    ? factsOf(joined)
    : await insertMoved(em, eventType, move, assignment, { attendees: [], isWhole: isLast });
  await moveAttendees(em, booking, target.id, seat.id);
  if (joined) await saveBooking(em, joined, {});
  // The booking has no attendees left.
  if (isLast) {
    const entry = { kind: 'CANCELLED', by: byHostId, reason } as const;
    await saveBooking(em, booking, { ...endingOf(move), rescheduleRequested: false }, entry);
  } else await saveBooking(em, booking, {});
  const moved = await factsOfSeat(em, ownerId, target, seat.id);
  await recordEvent(em, ownerId, {
    type: 'BOOKING_RESCHEDULED',
    booking: moved,
    previousId: id,
    reason,
    byHostId,
    by,
  });
  const { uidVersion = 0 } = booking.attendees.find(({ seatId }) => seatId === seat.id) ?? {};
  return keyOfSeat(ownerId, seat.id, { uidVersion });
}

/** The end of a booking that all attendees have left. The reason of a host who requested another time is kept. */
function endingOf({ booking, reason }: Move) {
  return awaitsReschedule(booking) ? {} : ({ status: 'CANCELLED', reschedulingReason: reason } as const);
}

/** The parts of a booking that move. */
interface Moved {
  /** The attendees, who stand in the old and the new booking. */
  readonly attendees: readonly AttendeeRow[];
  /** Whether all attendees move. */
  readonly isWhole: boolean;
  /** How often the new booking has been moved. Moves of a seat are not counted, as the booking itself stays. */
  readonly moves?: number;
}

/**
 * Inserts the booking in its new place. A booking that moves as a whole stays the same entry in calendars, its changes
 * counted on; the old booking counts one more, too.
 */
async function insertMoved(
  em: Em,
  eventType: BookableEventType,
  { booking, actor, reason, now }: Move,
  { start, end, hostIds }: Assignment,
  { attendees, isWhole, moves = 0 }: Moved,
) {
  const { rules } = eventType;
  // Where others stay behind, what was given with the booking stays with them.
  const { guestEmails, heldGuestEmails, metadata } = isWhole ? booking : NOTHING_GIVEN;
  const made = await insertBooking(em, eventType, {
    id: newId(),
    start,
    end,
    hostIds,
    status: statusOfMoved(booking, actor, initialStatus(rules.confirmation, start, now)),
    location: isWhole ? booking.location : withoutLink(booking.location),
    guestEmails,
    heldGuestEmails,
    // Whatever its event type has become: each of its people has a seat, or none has. A seat that leaves others begins a new meeting,
    // of as many seats as one has now.
    seats: isWhole || booking.seats === null ? booking.seats : (rules.seats ?? booking.seats),
    metadata,
    attendees,
    reschedulingReason: reason,
    rescheduledFromId: booking.id,
    moves,
    recurringId: booking.recurringId,
    uidVersion: booking.uidVersion,
    ...(isWhole && { ics: { id: booking.icsId, sequence: booking.icsSequence + 2 } }),
  });
  return { ...made, heldGuestEmails };
}

const NOTHING_GIVEN = { guestEmails: [], heldGuestEmails: [], metadata: {} } as const;

/** A host or administrator who moves a booking that was agreed on agrees to the new time; a request remains a request. */
function statusOfMoved({ status }: BookingRow, actor: BookingActor, initial: 'PENDING' | 'ACCEPTED'): BookingStatus {
  if (status === 'PENDING') return 'PENDING';
  return actor === 'UID_HOLDER' ? initial : 'ACCEPTED';
}

/** Its meeting room goes along. */
async function moveReference(em: Em, { ownerId, id: bookingId, location }: BookingRow, toId: string): Promise<void> {
  if (location?.url === undefined) return;
  const { url } = location;
  await changed(em, updateTable(BookingReference, { ownerId, bookingId, url }).set({ bookingId: toId }));
}

/** All attendees, or the one of a seat. */
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
