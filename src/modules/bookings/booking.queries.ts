import { type RowOf, type Selected, selectColumns, selectColumnsAs } from '../../database/columns.ts';
import { type Part, Selection } from '../../database/selection.ts';
import { type Em, type RawBuilder, row, rows, sql } from '../../database/sql.ts';
import { Booking } from './booking.entity.ts';
import { BookingAttendee } from './booking-attendee.entity.ts';
import type { BookingKey } from './booking-key.rules.ts';
import { hostIdsOf } from './host-ids.queries.ts';
import type { Response } from './response.rules.ts';

const READ = [
  'ownerId',
  'id',
  'eventTypeId',
  'title',
  'description',
  'managedBy',
  'status',
  'location',
  'seats',
  'cancellationReason',
  'rejectionReason',
  'reschedulingReason',
  'rescheduleRequested',
  'moves',
  'rescheduledFromId',
  'rescheduledToId',
  'recurringId',
  'icsId',
  'icsSequence',
  'unsentMails',
  'createdAt',
  'updatedAt',
] as const;

/** A booking with its people. */
export interface BookingRow extends Pick<RowOf<typeof Booking>, (typeof READ)[number]>, Selected<typeof TIMES> {
  readonly hostIds: readonly string[];
  readonly hosts: readonly BookingHostRow[];
  /** In the order of booking; never empty but in a booking whose seats were all given back. */
  readonly attendees: readonly AttendeeRow[];
  readonly guestEmails: readonly string[];
  /** The guests who are not mailed yet: the booker has not verified their own address. */
  readonly heldGuestEmails: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
}

export interface BookingHostRow {
  readonly id: string;
  readonly name: string;
  readonly username: string;
  readonly absent: boolean;
}

const READ_OF_ATTENDEE = [
  'id',
  'name',
  'email',
  'verified',
  'bookedFrom',
  'timeZone',
  'locale',
  'phone',
  'notes',
  'absent',
  'seatId',
] as const;

export interface AttendeeRow extends Pick<RowOf<typeof BookingAttendee>, (typeof READ_OF_ATTENDEE)[number]> {
  readonly responses: Readonly<Record<string, Response>>;
}

const RESPONSES: Part = {
  name: 'responses',
  holds: 'ONE',
  entity: BookingAttendee,
  from: (alias) => sql`coalesce(${sql.ref(`${alias}.responses`)}, '{}')`,
};
const ATTENDEE = new Selection(BookingAttendee, READ_OF_ATTENDEE, [
  { part: RESPONSES, of: new Selection(BookingAttendee, []) },
]);

/** RFC 3339, as the database writes them; so are the other times. */
const TIMES = selectColumnsAs(Booking, { start: 'startsAt', end: 'endsAt' }, 'b');

/** For `select`, over `bookings b`. */
export const BOOKING_COLUMNS = sql<BookingRow>`${selectColumns(Booking, READ, 'b')},
  ${TIMES}, ${hostIdsOf('b')} as "hostIds", (
    select coalesce(json_agg(json_build_object('id', u.id, 'name', u.name, 'username', u.username, 'absent', h.absent)
      order by array_position(${hostIdsOf('b')}, u.id)), '[]')
    from booking_hosts h join users u on u.id = h.user_id
    where h.user_id = any(${hostIdsOf('b')}) and h.booking_id = b.id
  ) as hosts, ${ATTENDEE.jsonArray(
    'a',
    sql`from booking_attendees a where a.owner_id = b.owner_id and a.booking_id = b.id order by a.id`,
  )} as attendees, coalesce(b.guest_emails, '{}') as "guestEmails",
  coalesce(b.held_guest_emails, '{}') as "heldGuestEmails", coalesce(b.metadata, '{}') as metadata`;

/** A booking by its key, or by that of one of its seats. */
export async function findBooking(em: Em, key: BookingKey): Promise<BookingRow | undefined> {
  return row(em, sql<BookingRow>`select ${BOOKING_COLUMNS} from bookings b where ${bookingWith(key)}`);
}

/** Finds the attendee on a seat, wherever the seat is now. */
export async function findSeated(em: Em, ownerId: string, seatId: string): Promise<AttendeeRow | undefined> {
  const people = ATTENDEE.jsonArray(
    'a',
    sql`from booking_attendees a where a.owner_id = ${ownerId} and a.seat_id = ${seatId}`,
  );
  const found = await row(em, sql<{ people: readonly AttendeeRow[] }>`select ${people} as people`);
  return found?.people[0];
}

/** Several bookings of one owner, in the order of their starts. */
export async function findBookings(em: Em, ownerId: string, ids: readonly string[]): Promise<readonly BookingRow[]> {
  return rows(
    em,
    sql<BookingRow>`select ${BOOKING_COLUMNS} from bookings b
        where b.owner_id = ${ownerId} and b.id = any(${ids}::uuid[]) order by b.starts_at`,
  );
}

/** SQL: whether `b` is the booking of this key, or the one that has this seat. */
export function bookingWith({ ownerId, id, isSeat = false }: BookingKey): RawBuilder<boolean> {
  if (!isSeat) return sql`b.owner_id = ${ownerId} and b.id = ${id}`;
  return sql`b.owner_id = ${ownerId} and b.id = (
    select a.booking_id from booking_attendees a where a.owner_id = ${ownerId} and a.seat_id = ${id})`;
}
