import { type Em, type RawBuilder, row, sql } from '../../database/sql.ts';
import type { ManagingTeam } from '../event-types/managed/managing-team.rules.ts';
import type { Seats } from '../event-types/settings/event-type-scheduling.rules.ts';
import type { BookingKey } from './booking-key.rules.ts';
import type { BookedLocation } from './booking-location.rules.ts';
import type { BookingStatus } from './booking-transitions.rules.ts';
import { hostIdsOf } from './host-ids.queries.ts';
import type { Response } from './response.rules.ts';

export interface BookingRow {
  readonly ownerId: string;
  readonly id: string;
  readonly eventTypeId: string;
  readonly title: string;
  readonly description: string | null;
  /** The team that wrote title and description; null: the owner of the event type did. */
  readonly managedBy: ManagingTeam | null;
  readonly status: BookingStatus;
  /** RFC 3339, as the database writes it; so are the other times. */
  readonly start: string;
  readonly end: string;
  readonly location: BookedLocation | null;
  readonly hostIds: readonly string[];
  readonly hosts: readonly BookingHostRow[];
  /** In the order of booking; never empty but in a booking whose seats were all given back. */
  readonly attendees: readonly AttendeeRow[];
  readonly guestEmails: readonly string[];
  /** Those of them who are not mailed yet: the booker has not verified their own address. */
  readonly heldGuestEmails: readonly string[];
  readonly seats: Seats | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly cancellationReason: string | null;
  readonly rejectionReason: string | null;
  readonly reschedulingReason: string | null;
  /** A host has cancelled it and asks its attendee for another time. */
  readonly rescheduleRequested: boolean;
  readonly rescheduledFromId: string | null;
  readonly rescheduledToId: string | null;
  readonly recurringId: string | null;
  readonly icsId: string;
  readonly icsSequence: number;
  /** Mails about it that limits have held back. */
  readonly unsentMails: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface BookingHostRow {
  readonly id: string;
  readonly name: string;
  readonly username: string;
  readonly absent: boolean;
}

export interface AttendeeRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Whether they have shown that the address is theirs, or somebody signed in has named them. */
  readonly verified: boolean;
  readonly timeZone: string;
  readonly locale: string | null;
  readonly phone: string | null;
  readonly notes: string | null;
  readonly responses: Readonly<Record<string, Response>>;
  readonly absent: boolean;
  /** Null in a booking without seats. */
  readonly seatId: string | null;
}

/** For `select`, over `bookings b`. */
export const BOOKING_COLUMNS = sql<BookingRow>`b.owner_id as "ownerId", b.id, b.event_type_id as "eventTypeId", b.title,
  b.description, b.managed_by as "managedBy", b.status, b.starts_at as start, b.ends_at as end, b.location, ${hostIdsOf('b')} as "hostIds", (
    select coalesce(json_agg(json_build_object('id', u.id, 'name', u.name, 'username', u.username, 'absent', h.absent)
      order by array_position(${hostIdsOf('b')}, u.id)), '[]')
    from booking_hosts h join users u on u.id = h.user_id
    where h.user_id = any(${hostIdsOf('b')}) and h.booking_id = b.id
  ) as hosts, (
    select coalesce(json_agg(json_build_object('id', a.id, 'name', a.name, 'email', a.email, 'verified', a.verified, 'timeZone', a.time_zone,
      'locale', a.locale, 'phone', a.phone, 'notes', a.notes, 'responses', coalesce(a.responses, '{}'), 'absent', a.absent,
      'seatId', a.seat_id) order by a.id), '[]')
    from booking_attendees a where a.owner_id = b.owner_id and a.booking_id = b.id
  ) as attendees, coalesce(b.guest_emails, '{}') as "guestEmails",
  coalesce(b.held_guest_emails, '{}') as "heldGuestEmails", b.unsent_mails as "unsentMails", b.seats, coalesce(b.metadata, '{}') as metadata, b.cancellation_reason as "cancellationReason",
  b.rejection_reason as "rejectionReason", b.rescheduling_reason as "reschedulingReason",
  b.reschedule_requested as "rescheduleRequested",
  b.rescheduled_from_id as "rescheduledFromId", b.rescheduled_to_id as "rescheduledToId",
  b.recurring_id as "recurringId", b.ics_id as "icsId", b.ics_sequence as "icsSequence", b.created_at as "createdAt", b.updated_at as "updatedAt"`;

/** A booking by its key, or by that of one of its seats. */
export async function findBooking(em: Em, key: BookingKey): Promise<BookingRow | undefined> {
  return row(em, sql<BookingRow>`select ${BOOKING_COLUMNS} from bookings b where ${bookingWith(key)}`);
}

/** SQL: whether `b` is the booking of this key, or the one that has this seat. */
export function bookingWith({ ownerId, id, isSeat = false }: BookingKey): RawBuilder<boolean> {
  if (!isSeat) return sql`b.owner_id = ${ownerId} and b.id = ${id}`;
  return sql`b.owner_id = ${ownerId} and b.id = (
    select a.booking_id from booking_attendees a where a.owner_id = ${ownerId} and a.seat_id = ${id})`;
}
