import { newId, type OwnedId, timeOfId, userOrTeam } from '../../../core/id.ts';
import type { KeyedRequest } from '../../../core/idempotency-key.ts';
import { instantText } from '../../../core/instant.ts';
import { changed, type Em, type RawBuilder, sql } from '../../../database/sql.ts';
import type { BookingFacts } from '../../../events/record-event.ts';
import type { BookableEventType } from '../../event-types/public/event-type-rules.queries.ts';
import type { Seats } from '../../event-types/settings/event-type-scheduling.rules.ts';
import type { Interval } from '../../schedules/interval.rules.ts';
import { lockingOwner, organizationOf } from '../../teams/lock-owner.ts';
import type { AttendeeInput } from '../attendee.rules.ts';
import { type BookedLocation, inApp } from '../booking-location.rules.ts';
import type { BookingStatus } from '../booking-transitions.rules.ts';
import { hostIdsOf } from '../host-ids.queries.ts';
import { requireMembers } from '../occupancy/slot-lost.ts';

/** The values of a new booking. Its time must be occupied in the same transaction. */
export interface NewBooking extends Interval {
  readonly id: string;
  readonly status: BookingStatus;
  readonly hostIds: readonly string[];
  readonly location: BookedLocation | null;
  readonly guestEmails: readonly string[];
  /** The guests who are not mailed before the booker has verified their own address. */
  readonly heldGuestEmails: readonly string[];
  /** The booker, if signed in: with a verified address, their texts may be mailed, and their guests are mailed at once. */
  readonly bookedById?: string | null;
  /** Null without seats; otherwise, and only then, each attendee has a seat. */
  readonly seats: Seats | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** In the order of booking; those who come along from another booking are moved instead. */
  readonly attendees: readonly NewAttendee[];
  readonly reschedulingReason?: string | null;
  readonly rescheduledFromId?: string | null;
  /** How often what it continues was moved, with this time; 0 for what begins here. */
  readonly moves?: number;
  readonly recurringId?: string | null;
  /** The id by which calendars know it; absent, they do not know it yet. */
  readonly ics?: { readonly id: string; readonly sequence: number };
}

/** Somebody who comes, with their answers. */
export interface NewAttendee extends AttendeeInput {
  readonly notes: string | null;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly seatId: string | null;
  /** Whether they have shown that the address is theirs. */
  readonly verified: boolean;
  /** The digest of their network (`networkDigest`), if they called from one. */
  readonly bookedFrom?: string | null;
  readonly request?: KeyedRequest | null;
}

/**
 * Writes a booking, its place in the lists of its hosts, and its attendees, in one statement. @throws HostLeaving for hosts
 * who are no members of the team by now
 */
export async function insertBooking(em: Em, eventType: BookableEventType, booking: NewBooking): Promise<BookingFacts> {
  const { ownerId } = eventType;
  await requireMembers(em, ownerId, booking.hostIds);
  const { parts, facts } = insertionOfBooking(eventType, booking, sql`owner`);
  await changed(em, sql`with owner as (${lockingOwner(ownerId, organizationOf(ownerId))}), ${parts} select 1`);
  return facts;
}

/**
 * SQL: the same as parts of a statement, which insert where `taken` has a row, and what an event tells of the booking. The part
 * `owner` locks the owner and says which organization it is.
 */
export function insertionOfBooking(
  eventType: BookableEventType,
  booking: NewBooking,
  taken: RawBuilder<unknown>,
): { readonly parts: RawBuilder<unknown>; readonly facts: BookingFacts } {
  const { ownerId, title, description, managedBy, id: eventTypeId } = eventType;
  const { id, status, hostIds, location, guestEmails, heldGuestEmails, seats, metadata, attendees } = booking;
  const { reschedulingReason = null, rescheduledFromId = null, recurringId = null, bookedById = null } = booking;
  const { moves = 0 } = booking;
  const ics = booking.ics ?? { id: newId(), sequence: 0 };
  const { userId, teamId } = userOrTeam(ownerId);
  const [start, end] = [instantText(booking.start), instantText(booking.end)];
  const made = instantText(timeOfId(id));
  const people = attendees.map(withId);
  const parts = sql`made as (
          insert into bookings (owner_id, id, user_id, team_id, organization_id, event_type_id, title, description, managed_by, status,
            starts_at, ends_at, location, host_ids, guest_emails, held_guest_emails, seats, metadata, rescheduling_reason, moves,
            rescheduled_from_id, recurring_id, ics_id, ics_sequence, created_at, updated_at)
          select ${ownerId}, ${id}, ${userId}, ${teamId}, (select organization_id from owner), ${eventTypeId}, ${title}, ${description}, ${jsonOrNull(managedBy)}::jsonb, ${status},
            ${start}::timestamptz, ${end}::timestamptz, ${jsonOrNull(location)}::jsonb, nullif(${hostIds}::uuid[], array[${ownerId}::uuid]),
            nullif(${guestEmails}::text[], '{}'),
            case when ${isVerifiedAccount(bookedById)} then null else nullif(${heldGuestEmails}::text[], '{}') end,
            ${jsonOrNull(seats)}::jsonb, nullif(${JSON.stringify(metadata)}::jsonb, '{}'),
            ${reschedulingReason}, ${moves}, ${rescheduledFromId}, ${recurringId}, ${ics.id}, ${ics.sequence}, ${made}::timestamptz, now()
          from ${taken}
          returning *
        ), hosted as (
          insert into booking_hosts (user_id, booking_id, owner_id, team_id, event_type_id, status, starts_at, ends_at,
            absent, updated_at)
          select unnest(${hostIdsOf('b')}), b.id, b.owner_id, b.team_id, b.event_type_id, b.status, b.starts_at, b.ends_at,
            false, b.updated_at
          from made b
        ), seated as (
          ${insertionOf(people, sql`made b`, bookedById)}
        )`;
  const facts = {
    id,
    thread: recurringId ?? ics.id,
    eventTypeId,
    hostIds,
    start,
    end,
    guestEmails,
    status,
    ...(seats === null && { attendeeIds: people.map((person) => person.id) }),
    ...inApp(location),
  };
  return { parts, facts };
}

/** Adds somebody to a booking. */
export async function insertAttendee(
  em: Em,
  { ownerId, id }: OwnedId,
  attendee: NewAttendee,
  bookedById: string | null,
): Promise<void> {
  const booking = sql`(select * from bookings where owner_id = ${ownerId} and id = ${id}) b`;
  await changed(em, insertionOf([withId(attendee)], booking, bookedById));
}

function withId({ request, ...attendee }: NewAttendee): Omit<NewAttendee, 'request'> & { readonly id: string } {
  return { ...attendee, ...request, id: newId() };
}

/** SQL: the insertion of people into the booking `b`, in their order. */
function insertionOf(
  people: readonly (Omit<NewAttendee, 'request'> & { readonly id: string })[],
  booking: RawBuilder<unknown>,
  bookedById: string | null,
): RawBuilder<unknown> {
  return sql`insert into booking_attendees (owner_id, booking_id, id, starts_at, name, email, verified,
      booked_from, time_zone, locale, phone, notes, responses, absent, seat_id, key_hash, request_hash)
    select b.owner_id, b.id, a.id, b.starts_at, a.name, a.email,
      a.verified or ${isVerifiedAccount(bookedById)},
      case when not a.verified and coalesce(b.team_id, (b.managed_by->>'id')::uuid) is not null and not ${isVerifiedAccount(bookedById)}
        then a."bookedFrom" end, a."timeZone", a.locale, a.phone,
      a.notes, nullif(a.responses, '{}'), false, a."seatId", a."keyHash", a."requestHash"
    from ${booking}, jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as a(id uuid, name text, email text,
      verified boolean, "bookedFrom" text, "timeZone" text, locale text, phone text, notes text, responses jsonb, "seatId" uuid, "keyHash" text,
      "requestHash" text)`;
}

/** SQL: whether somebody is signed in whose e-mail address is known to be theirs. */
function isVerifiedAccount(userId: string | null): RawBuilder<boolean> {
  if (userId === null) return sql<boolean>`false`;
  return sql<boolean>`exists (select 1 from users u where u.id = ${userId} and u.email_verified_at is not null)`;
}

function jsonOrNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
