/** Ends the uids that lead to a booking: for a host when one has leaked, and for a reader in whose name somebody else has booked. */

import { Problem } from '../../../core/problem.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import { anyOf, changed, type Em, LATER, rows, sql } from '../../../database/sql.ts';
import { updateTable } from '../../../database/statements.ts';
import { recordEvent } from '../../../events/record-event.ts';
import { receiverKey } from '../../../limits/mail-receivers.ts';
import { BookingAttendee, hostIdsOf } from '../booking.entity.ts';
import { type AttendeeRow, type BookingRow, findBooking, givenTogetherWith } from '../booking.queries.ts';
import type { HistoryEntry } from '../booking-history.rules.ts';
import { type BookingKey, MAX_UID_VERSION } from '../booking-key.rules.ts';
import { awaitsReschedule, bookingActorOf, holdsTime, isOver } from '../booking-transitions.rules.ts';
import { byHost, type HostedBooking, lockNamed, lockTogether } from '../locked-booking.ts';
import { factsOf, factsOfSeat, historyWith, saveBooking } from '../stored-booking.ts';

export const ROTATE_UID_CODES = ['NOT_FOUND', 'NOT_POSSIBLE'] as const;

/**
 * Ends every uid of a booking, of all that were made or moved together with it, or of one seat in it, and mails its attendee a new
 * one, unless all is over. @throws Problem NOT_FOUND, NOT_POSSIBLE
 */
export async function rotateUid(em: Em, hosted: HostedBooking, seatId: string | null): Promise<void> {
  await em.transactional(async (inner) => {
    const { ownerId, id, hostId, right } = hosted;
    const { linked, together } = await lockNamed(inner, { ownerId, id }, hostId, hosted);
    const booking = meetingNow(linked, together);
    if (!right) bookingActorOf(booking, hostId);
    const seats = booking.attendees.filter((attendee) => attendee.seatId !== null);
    const named = seatId === null ? seats : seats.filter((attendee) => attendee.seatId === seatId);
    if (seatId !== null && named.length === 0) {
      throw new Problem('NOT_FOUND', 'The booking has no such seat.', ['seatId']);
    }
    const ended = await endUids(inner, booking, named, { kind: 'UID_ROTATED', by: hostId });
    if (!ended)
      throw new Problem('NOT_POSSIBLE', 'The booking has no attendee whose uid could be ended.', ['bookingId']);
    const now = await databaseNow(inner);
    const standing = together.filter((one) => leads(one, now));
    const [first] = standing;
    if (!first) return;
    const facts = factsOf(first);
    await recordEvent(inner, ownerId, {
      type: 'BOOKING_UID_ROTATED',
      booking: seatId === null ? facts : await factsOfSeat(inner, ownerId, facts, seatId),
      bookingIds: standing.map((one) => one.id),
      by: byHost(hosted),
    });
  });
}

/**
 * Ends the uids of a booking, or of a seat, whose attendee has the mailbox with this key, and says that it was not them who booked. The
 * booking stands; its hosts read in its history that somebody else has made it. Nothing happens for any other mailbox.
 */
export async function disownBooking(em: Em, key: BookingKey, receiver: string): Promise<void> {
  await em.transactional(async (inner) => {
    const found = await findBooking(inner, key);
    if (!found) return;
    const booking = meetingNow(found, await lockTogether(inner, found));
    const [booker] = booking.attendees;
    const theirs = booking.attendees.filter(({ email }) => receiverKey(email) === receiver);
    const seats = theirs.filter(({ seatId }) => seatId !== null && seatId === key.id);
    if (booking.seats ? seats.length === 0 : !booker || !theirs.includes(booker)) return;
    await endUids(inner, booking, seats, { kind: 'DISOWNED', by: null });
  });
}

/** The booking; with seats, the meeting that the seats are in now. */
function meetingNow(linked: BookingRow, [now = linked]: readonly BookingRow[]): BookingRow {
  return linked.seats ? now : linked;
}

/** Whether its page still lets the attendee do something. */
function leads(booking: BookingRow, now: number): boolean {
  return awaitsReschedule(booking) || (holdsTime(booking.status) && !isOver(booking, now));
}

/**
 * One more, and no uid of before opens anything: the statement that an attendee changes the booking by asks for the version of their
 * uid. @returns whether there was another version
 */
async function endUids(
  em: Em,
  booking: BookingRow,
  seats: readonly AttendeeRow[],
  entry: HistoryEntry,
): Promise<boolean> {
  const { ownerId, id: bookingId } = booking;
  if (booking.seats) {
    const seatIds = seats.flatMap(({ seatId }) => seatId ?? []);
    const ended = await changed(
      em,
      updateTable(BookingAttendee, { ownerId, bookingId })
        .set((eb) => ({ uidVersion: eb('uidVersion', '+', 1) }))
        .where('seatId', '=', anyOf(seatIds))
        .where('uidVersion', '<', MAX_UID_VERSION),
    );
    // With seats, the history is that of the meeting, and not of each seat.
    await saveBooking(em, booking, {}, seats.length === booking.attendees.length ? entry : undefined);
    return ended > 0;
  }
  const ended = await rows(
    em,
    sql`with recursive ${givenTogetherWith(booking)}, ended as (
          update bookings b set uid_version = uid_version + 1, ics_sequence = ics_sequence + 1, updated_at = ${LATER},
            history = case when b.rescheduled_to_id is null then ${historyWith(entry, { history: sql`b.history` })} else b.history end
          where b.owner_id = ${ownerId} and b.id in (select id from given) and b.uid_version < ${MAX_UID_VERSION}
          returning b.id, ${hostIdsOf('b')} as host_ids
        ), dated as (
          update booking_hosts h set updated_at = ${LATER} from ended
          where h.user_id = any(ended.host_ids) and h.booking_id = ended.id
        )
        select id from ended`,
  );
  return ended.length > 0;
}
