/** How a booking is read, with its people: one, several, a series, that of an event, and wherever it has moved. */

import type { OwnedId } from '../../core/id.ts';
import {
  type Part,
  type RowOf,
  type Selected,
  Selection,
  selectColumns,
  selectColumnsAs,
} from '../../database/columns.ts';
import { type Em, type RawBuilder, row, rows, sql } from '../../database/sql.ts';
import type { DomainEventType, RecordedEvent } from '../../events/record-event.ts';
import type { Response } from '../event-types/settings/field-answers.rules.ts';
import { Booking, BookingAttendee, hostIdsOf } from './booking.entity.ts';
import type { BookingKey } from './booking-key.rules.ts';
import type { BookingStatus } from './booking-transitions.rules.ts';

const READ = [
  'ownerId',
  'id',
  'uidVersion',
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

interface BookingHostRow {
  readonly id: string;
  readonly name: string;
  readonly username: string;
  readonly avatarUrl: string | null;
  readonly absent: boolean;
}

export interface Guest {
  readonly email: string;
  /** False before the booker has verified their own address: until then, the guest is not mailed. */
  readonly isInvited: boolean;
}

/** The guests, as everything shows them. */
export function guestsOf({
  guestEmails,
  heldGuestEmails,
}: {
  readonly guestEmails: readonly string[] | null;
  readonly heldGuestEmails: readonly string[] | null;
}): Guest[] {
  return (guestEmails ?? []).map((email) => ({ email, isInvited: !heldGuestEmails?.includes(email) }));
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
  'uidVersion',
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
    select coalesce(json_agg(json_build_object('id', u.id, 'name', u.name, 'username', u.username,
      'avatarUrl', u.avatar_url, 'absent', h.absent)
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

/** SQL: whether `b` is the booking of this key, or the one that has this seat; a key of a uid that was ended is of none. */
export function bookingWith({ ownerId, id, isSeat = false, version }: BookingKey): RawBuilder<boolean> {
  if (!isSeat) return sql`b.owner_id = ${ownerId} and b.id = ${id}${isStanding('b', version)}`;
  return sql`b.owner_id = ${ownerId} and b.id = (
    select a.booking_id from booking_attendees a
    where a.owner_id = ${ownerId} and a.seat_id = ${id}${isStanding('a', version)})`;
}

function isStanding(alias: string, version: number | undefined): RawBuilder<unknown> {
  return version === undefined ? sql`` : sql` and ${sql.ref(`${alias}.uid_version`)} = ${version}`;
}

/** One booking of a series. */
export interface SeriesBooking {
  readonly id: string;
  /** RFC 3339 */
  readonly start: string;
  readonly status: BookingStatus;
}

const MOST_MADE_MEANWHILE = 200;

/**
 * SQL: the bookings of a series as they were made. That is at one moment, so their ids closely follow that of the first: a few
 * rows of the primary key, however many bookings there are. What they were moved to is of the series too, and not among them.
 */
function madeWith({ ownerId, id }: OwnedId): RawBuilder<unknown> {
  return sql`(
        select b.* from (
          select * from bookings where owner_id = ${ownerId} and id >= ${id} order by id limit ${MOST_MADE_MEANWHILE}::int
        ) b
        where b.recurring_id = ${id} and b.rescheduled_from_id is null
      ) made`;
}

/** All bookings of a series as they were made, by the first one, in order of their starts. */
export async function findSeries(em: Em, first: OwnedId): Promise<SeriesBooking[]> {
  return rows(
    em,
    sql<SeriesBooking>`
      select made.id, made.starts_at as start, made.status
      from ${madeWith(first)}
      order by made.starts_at`,
  );
}

/** A booking of a series as it is now: the one that it was moved to, if it was. */
interface SeriesMeeting extends SeriesBooking {
  readonly uidVersion: number;
  /** The id that it had when the series was booked: the same, unless it has moved. */
  readonly madeId: string;
  /** RFC 3339 */
  readonly end: string;
  /** Whether the host of a cancelled one has asked for another time. */
  readonly rescheduleRequested: boolean;
}

/** The same wherever each has moved, in order of their starts; with `hostId`, those that this user hosts. */
export async function findSeriesNow(em: Em, first: OwnedId, hostId?: string): Promise<SeriesMeeting[]> {
  const { ownerId } = first;
  const isHosted = hostId === undefined ? sql`true` : sql`${hostId}::uuid = any(${hostIdsOf('b')})`;
  return rows(
    em,
    sql<SeriesMeeting>`
      with recursive moved as (
        select made.id, made.rescheduled_to_id, made.id as made_id
        from ${madeWith(first)}
        union all
        select b.id, b.rescheduled_to_id, moved.made_id from moved, lateral (
          select b.id, b.rescheduled_to_id from bookings b where b.owner_id = ${ownerId} and b.id = moved.rescheduled_to_id limit 1
        ) b
      ), last as (
        select distinct on (id) id, made_id from moved where rescheduled_to_id is null order by id, made_id
      )
      select ${selectColumns(Booking, ['id', 'uidVersion', 'status', 'rescheduleRequested'], 'b')}, last.made_id as "madeId",
        b.starts_at as start, b.ends_at as end
      from last join bookings b on b.owner_id = ${ownerId} and b.id = last.id
      where ${isHosted}
      order by b.starts_at, b.id`,
  );
}

/**
 * SQL: `given`, the ids of all bookings that whoever has a uid of this one comes to, or has uids of: those of its series, or it alone,
 * each wherever it was and has moved. For `with recursive`.
 */
export function givenTogetherWith({
  ownerId,
  id,
  recurringId,
}: Pick<BookingRow, 'ownerId' | 'id' | 'recurringId'>): RawBuilder<unknown> {
  const made =
    recurringId === null
      ? sql`bookings made where made.owner_id = ${ownerId} and made.id in (select id from before)`
      : madeWith({ ownerId, id: recurringId });
  return sql`before as (
        select id, rescheduled_from_id from bookings where owner_id = ${ownerId} and id = ${id}
        union all
        select b.id, b.rescheduled_from_id from before, lateral (
          select b.id, b.rescheduled_from_id from bookings b where b.owner_id = ${ownerId} and b.id = before.rescheduled_from_id limit 1
        ) b
      ), given as (
        select made.id, made.rescheduled_to_id from ${made}
        union
        select b.id, b.rescheduled_to_id from given, lateral (
          select b.id, b.rescheduled_to_id from bookings b where b.owner_id = ${ownerId} and b.id = given.rescheduled_to_id limit 1
        ) b
      )`;
}

/**
 * Whether the uid of this booking leads to all of its series: that of the first does, wherever it has moved, as its booker was
 * given it first. Who was shown the address of another one has that one alone.
 */
export async function leadsToSeries(em: Em, { ownerId, id }: OwnedId, recurringId: string): Promise<boolean> {
  if (id === recurringId) return true;
  const meetings = await findSeriesNow(em, { ownerId, id: recurringId });
  return meetings.some((one) => one.id === id && one.madeId === recurringId);
}

/** An event that tells of a booking. Background work asks below which bookings it is about, and what has become of one. */
export type BookingEvent = Extract<RecordedEvent, { readonly booking: object }>;

/** A series is made by one event, and a booking that moves is two. */
export async function bookingIdsOf(em: Em, event: BookingEvent): Promise<string[]> {
  const { ownerId, booking } = event;
  if (event.type === 'BOOKING_RESCHEDULED') return [booking.id, event.previousId];
  if ('bookingIds' in event) return [...event.bookingIds];
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

/** The events of bookings that somebody is mailed about, and that calendars follow. */
export const BOOKING_CHANGES = [
  'BOOKING_CREATED',
  'BOOKING_REQUESTED',
  'BOOKING_CONFIRMED',
  'BOOKING_REJECTED',
  'BOOKING_CANCELLED',
  'BOOKING_RESCHEDULED',
  'BOOKING_LOCATION_CHANGED',
  'BOOKING_LINK_MISSED',
  'BOOKING_REASSIGNED',
  'BOOKING_GUESTS_ADDED',
  'BOOKING_GUESTS_RELEASED',
  'BOOKING_ATTENDEE_ADDED',
  'BOOKING_UID_ROTATED',
] as const satisfies readonly DomainEventType[];

export type BookingChange = Extract<RecordedEvent, { readonly type: (typeof BOOKING_CHANGES)[number] }>;
