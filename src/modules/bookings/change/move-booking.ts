/** How a booking, or one seat of it, gets to the time that was found for it: all in the transaction that has locked them. */
import { newId } from '../../../core/id.ts';
import { changed, type Em, sql } from '../../../database/sql.ts';
import { updateTable } from '../../../database/statements.ts';
import { type Actor, recordEvent } from '../../../events/record-event.ts';
import type { BookableEventType } from '../../event-types/public/event-type-rules.queries.ts';
import { insertBooking } from '../book/insert-booking.ts';
import type { AttendeeRow, BookingRow } from '../booking.queries.ts';
import type { BookingKey } from '../booking-key.rules.ts';
import { withoutLink } from '../booking-location.rules.ts';
import { type BookingActor, type BookingStatus, initialStatus } from '../booking-transitions.rules.ts';
import { BookingReference } from '../conferencing/booking-reference.entity.ts';
import { awaitsReschedule, factsOf, factsOfSeat, saveBooking } from '../locked-booking.ts';
import { release } from '../occupancy/occupy.ts';
import type { Assignment } from '../slots/availability.rules.ts';
import { lockSeat } from '../slots/slot-reservation.queries.ts';

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
export interface MoveBy extends Move {
  readonly byHostId: string | null;
  readonly by: Actor;
}

/** Gives the old time back and ends the booking for a new one with the same people. @returns the key of the new one. @throws SlotLost */
export async function moveBooking(
  em: Em,
  eventType: BookableEventType,
  move: MoveBy,
  assignment: Assignment,
): Promise<BookingKey> {
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
  return { ownerId, id: made.id };
}

/** Takes one seat to another booking, or to a new one. @returns its key, which stays the same. @throws SlotLost */
export async function moveSeat(
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
  return seat;
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
