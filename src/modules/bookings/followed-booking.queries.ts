/**
 * Background work that follows bookings starts from here: it asks which bookings an event is about, and what has become
 * of one.
 */
import type { OwnedId } from '../../core/id.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import type { RecordedEvent } from '../../events/record-event.ts';
import { type AttendeeRow, BOOKING_COLUMNS, type BookingRow } from './booking.queries.ts';
import { findSeries } from './booking-series.queries.ts';

/** An event that tells of a booking. */
export type BookingEvent = Extract<RecordedEvent, { readonly booking: object }>;

/** A series is made by one event, and a booking that moves is two. */
export async function bookingIdsOf(em: Em, event: BookingEvent): Promise<string[]> {
  const { ownerId, booking } = event;
  if (event.type === 'BOOKING_RESCHEDULED') return [booking.id, event.previousId];
  if (event.type === 'BOOKING_GUESTS_RELEASED') return [...event.bookingIds];
  if (event.type !== 'BOOKING_CREATED') return [booking.id];
  const series = await findSeries(em, { ownerId, id: booking.thread });
  return [booking.id, ...series.map(({ id }) => id)];
}

/**
 * The booking with those who came when the event happened, however late it is told: who came later is told of that by another event,
 * and a seat may have gone to another booking meanwhile, or its booking have been left by it.
 */
export function withPeopleAt(event: BookingEvent, booking: BookingRow): BookingRow {
  const { attendeeIds, seated, guestEmails = booking.guestEmails } = event.booking;
  const came = ({ id, email }: AttendeeRow): boolean =>
    attendeeIds === undefined ||
    attendeeIds.includes(id) ||
    (event.type === 'BOOKING_ATTENDEE_ADDED' && email === event.attendeeEmail);
  const attendees = booking.attendees.filter(came);
  const hasLeft = event.type === 'BOOKING_CANCELLED' && event.leaving != null;
  if (seated && !hasLeft && !attendees.some(({ id }) => id === seated.id)) attendees.push(seated as AttendeeRow);
  const invited = 'guestEmails' in event ? event.guestEmails : [];
  return {
    ...booking,
    attendees: attendees.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    guestEmails: [...new Set([...guestEmails, ...invited])],
  };
}

/** A booking that has moved as a whole is the one that it moved to. */
export function findAsItIsNow(
  em: Em,
  { ownerId, id, icsId }: OwnedId & { readonly icsId: string },
): Promise<BookingRow | undefined> {
  return row(
    em,
    sql<BookingRow>`
      with recursive moved as (
        select id, rescheduled_to_id, 0 as moves from bookings where owner_id = ${ownerId} and id = ${id}
        union all
        select b.id, b.rescheduled_to_id, moved.moves + 1 from moved
        join bookings b on b.owner_id = ${ownerId} and b.id = moved.rescheduled_to_id and b.ics_id = ${icsId}
      )
      select ${BOOKING_COLUMNS} from bookings b
      where b.owner_id = ${ownerId} and b.id = (select id from moved order by moves desc limit 1)`,
  );
}
