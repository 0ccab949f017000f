import { isId, newId, newIdBody } from '../../core/id.ts';
import { changed, type Em, sql } from '../../database/sql.ts';
import type { BookingFacts } from '../../events/record-event.ts';
import type { BookableEventType } from '../event-types/event-type-rules.queries.ts';
import type { Location } from '../event-types/location.rules.ts';
import type { Interval } from '../schedules/interval.rules.ts';
import type { AttendeeInput } from './attendee.rules.ts';
import { instantText } from './booking-time.rules.ts';
import type { BookingStatus } from './booking-transitions.rules.ts';

/** What a booking is made of. Its time must be occupied in the same transaction. */
export interface NewBooking extends Interval {
  readonly uid: string;
  readonly status: BookingStatus;
  readonly hostIds: readonly string[];
  readonly location: Location | null;
  readonly guestEmails: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly reschedulingReason?: string | null;
  readonly rescheduledFromUid?: string | null;
  readonly recurringUid?: string | null;
  /** What calendars know it by; absent, they do not know it yet. */
  readonly ics?: { readonly uid: string; readonly sequence: number };
}

/** Somebody who comes, with their answers. */
export interface NewAttendee extends AttendeeInput {
  readonly notes: string | null;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly seatUid: string | null;
  readonly requestHash?: string | null;
}

/** Writes a booking and its place in the lists of its hosts. */
export async function insertBooking(em: Em, eventType: BookableEventType, booking: NewBooking): Promise<BookingFacts> {
  const { ownerId, title, description, id: eventTypeId, rules } = eventType;
  const { uid, status, hostIds, location, guestEmails, metadata } = booking;
  const { reschedulingReason = null, rescheduledFromUid = null, recurringUid = null } = booking;
  const ics = booking.ics ?? { uid: `${newIdBody()}@gatehouse`, sequence: 0 };
  const [userId, teamId] = isId('team', ownerId) ? [null, ownerId] : [ownerId, null];
  const [start, end] = [instantText(booking.start), instantText(booking.end)];
  await changed(
    em,
    sql`insert into bookings (owner_id, uid, user_id, team_id, event_type_id, title, description, status, starts_at,
          ends_at, location, host_ids, guest_emails, seats, metadata, rescheduling_reason, rescheduled_from_uid,
          recurring_uid, ics_uid, ics_sequence, created_at, updated_at)
        values (${ownerId}, ${uid}, ${userId}, ${teamId}, ${eventTypeId}, ${title}, ${description}, ${status},
          ${start}::timestamptz, ${end}::timestamptz, ${jsonOrNull(location)}::jsonb, ${hostIds}::text[],
          ${guestEmails}::text[], ${jsonOrNull(rules.seats)}::jsonb, ${JSON.stringify(metadata)}::jsonb,
          ${reschedulingReason}, ${rescheduledFromUid}, ${recurringUid}, ${ics.uid}, ${ics.sequence}, now(), now())`,
  );
  await changed(
    em,
    sql`insert into booking_hosts (user_id, booking_uid, owner_id, team_id, event_type_id, status, starts_at, ends_at,
          absent, created_at, updated_at)
        select host_id, ${uid}, ${ownerId}, ${teamId}, ${eventTypeId}, ${status}, ${start}::timestamptz,
          ${end}::timestamptz, false, now(), now()
        from unnest(${hostIds}::text[]) as host(host_id)`,
  );
  return { uid, eventTypeId, hostIds, start, end };
}

/** Adds somebody to a booking. */
export async function insertAttendee(
  em: Em,
  { ownerId, uid }: { readonly ownerId: string; readonly uid: string },
  attendee: NewAttendee,
): Promise<void> {
  const { name, email, timeZone, locale, phone, notes, responses, seatUid, requestHash = null } = attendee;
  await changed(
    em,
    sql`insert into booking_attendees (owner_id, booking_uid, id, starts_at, ends_at, booked_at, name, email, time_zone,
          locale, phone, notes, responses, absent, seat_uid, request_hash, created_at)
        select b.owner_id, b.uid, ${newId('attendee')}, b.starts_at, b.ends_at, b.created_at, ${name}, ${email}, ${timeZone},
          ${locale}, ${phone}, ${notes}, ${JSON.stringify(responses)}::jsonb, false, ${seatUid}, ${requestHash}, now()
        from bookings b where b.owner_id = ${ownerId} and b.uid = ${uid}`,
  );
}

function jsonOrNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
