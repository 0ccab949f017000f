/**
 * A booking as it is written: inserted with its people and the time of its hosts, locked, and changed, each with what events tell of
 * it then.
 */
import { isTeam, newId, type OwnedId, timeOfId, userOrTeam } from '../../core/id.ts';
import type { KeyedRequest } from '../../core/idempotency-key.ts';
import { instantOf, instantText } from '../../core/instant.ts';
import { anyOf, changed, type Em, LATER, type RawBuilder, row, sql, unnested } from '../../database/sql.ts';
import { updateTable } from '../../database/statements.ts';
import type { Sweep } from '../../database/sweep.ts';
import {
  type AttendeeFacts,
  announcing,
  type BookingFacts,
  type DomainEvent,
  recording,
} from '../../events/record-event.ts';
import { storingKey } from '../../limits/at-most-once.ts';
import type { Location } from '../event-types/settings/location.rules.ts';
import type { Seats } from '../event-types/settings/scheduling.rules.ts';
import type { Interval } from '../schedules/interval.rules.ts';
import { lockingOwner, lockOwner, organizationOf } from '../teams/lock-owner.ts';
import { Booking, BookingHost, hostIdsOf } from './booking.entity.ts';
import { type AttendeeRow, type BookingRow, bookingWith, findBooking, findSeated } from './booking.queries.ts';
import { type HistoryEntry, KEPT_ENTRIES } from './booking-history.rules.ts';
import { type BookingKey, bookingNotFound } from './booking-key.rules.ts';
import type { BookedLocation } from './booking-location.rules.ts';
import type { AttendeeInput } from './booking-request.rules.ts';
import type { BookingStatus } from './booking-transitions.rules.ts';
import {
  lockingMembers,
  type Occupation,
  release,
  removeExpired,
  requireMembers,
  SlotLost,
  taking,
} from './occupancy/take-time.ts';
import type { BookableEventType } from './slots/bookable-event-type.queries.ts';
import { withBuffers } from './slots/open-slots.rules.ts';

/** The values of a new booking. */
interface NewBooking extends Interval {
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
  /** That of what it continues; 0 for what begins here. */
  readonly uidVersion?: number;
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
 * Takes the time of the hosts and writes the booking, its place in their lists and its attendees, by one statement: the exclusion
 * constraint decides whether anything is written. `eventOf`: the event to record with it. Outside of a transaction, one host's time
 * can be taken, of several some would stay taken; several are locked first (`lockHosts`).
 * @throws SlotLost when somebody else has the time; HostLeaving for hosts who are no members of the team by now
 */
export async function insertBooking(
  em: Em,
  eventType: BookableEventType,
  booking: NewBooking,
  eventOf?: (facts: BookingFacts) => DomainEvent,
): Promise<BookingFacts> {
  const { ownerId, rules } = eventType;
  const { id, start, end, hostIds } = booking;
  const time = { ...withBuffers({ start, end }, rules), hostIds, holderId: id, ownerId };
  const { statement, facts } = insertionOfBooking(eventType, booking, time, eventOf);
  const isWritten = async (): Promise<boolean> => (await row(em, statement)) !== undefined;
  if (await isWritten()) return facts;
  await requireMembers(em, ownerId, hostIds);
  if ((await removeExpired(em, time)) === 0) throw new SlotLost();
  await release(em, hostIds, id);
  if (await isWritten()) return facts;
  throw new SlotLost();
}

/** SQL: of a team, the hosts that nobody is removing; the owner is locked, as its deletion would go through all of this. */
function takingAll(time: Occupation): RawBuilder<unknown> {
  const { ownerId, hostIds } = time;
  const hosts = isTeam(ownerId)
    ? lockingMembers(ownerId, hostIds, sql`owner`)
    : sql`select unnest(${hostIds}::uuid[]) as user_id from owner`;
  return sql`owner as (${lockingOwner(ownerId, organizationOf(ownerId))}), host as (${hosts}),
    taken as (${taking(time, sql`(select user_id as host_id from host) host`)} returning host_id),
    whole as (select 1 from taken having count(*) = ${hostIds.length})`;
}

function insertionOfBooking(
  eventType: BookableEventType,
  booking: NewBooking,
  time: Occupation,
  eventOf: ((facts: BookingFacts) => DomainEvent) | undefined,
): { readonly statement: RawBuilder<unknown>; readonly facts: BookingFacts } {
  const { ownerId, title, description, managedBy, id: eventTypeId } = eventType;
  const { id, status, hostIds, location, guestEmails, heldGuestEmails, seats, metadata, attendees } = booking;
  const { reschedulingReason = null, rescheduledFromId = null, recurringId = null, bookedById = null } = booking;
  const { moves = 0, uidVersion = 0 } = booking;
  const ics = booking.ics ?? { id: newId(), sequence: 0 };
  const { userId, teamId } = userOrTeam(ownerId);
  const [start, end] = [instantText(booking.start), instantText(booking.end)];
  const made = instantText(timeOfId(id));
  const people = attendees.map(withId);
  const parts = sql`${takingAll(time)}, made as (
          insert into bookings (owner_id, id, uid_version, user_id, team_id, organization_id, event_type_id, title, description, managed_by, status,
            starts_at, ends_at, location, host_ids, guest_emails, held_guest_emails, seats, metadata, rescheduling_reason, moves,
            rescheduled_from_id, recurring_id, ics_id, ics_sequence, created_at, updated_at)
          select ${ownerId}, ${id}, ${uidVersion}::smallint, ${userId}, ${teamId}, (select organization_id from owner), ${eventTypeId}, ${title}, ${description}, ${jsonOrNull(managedBy)}::jsonb, ${status},
            ${start}::timestamptz, ${end}::timestamptz, ${jsonOrNull(location)}::jsonb, nullif(${hostIds}::uuid[], array[${ownerId}::uuid]),
            nullif(${guestEmails}::text[], '{}'),
            case when ${isVerifiedAccount(bookedById)} then null else nullif(${heldGuestEmails}::text[], '{}') end,
            ${jsonOrNull(seats)}::jsonb, nullif(${JSON.stringify(metadata)}::jsonb, '{}'),
            ${reschedulingReason}, ${moves}, ${rescheduledFromId}, ${recurringId}, ${ics.id}, ${ics.sequence}, ${made}::timestamptz, now()
          from whole
          returning *
        ), hosted as (
          insert into booking_hosts (user_id, booking_id, owner_id, team_id, event_type_id, status, starts_at, ends_at,
            absent, updated_at)
          select unnest(${hostIdsOf('b')}), b.id, b.owner_id, b.team_id, b.event_type_id, b.status, b.starts_at, b.ends_at,
            false, b.updated_at
          from made b
        ), seated as (
          ${insertionOf(people, sql`made b`, bookedById)}
        )${keyStored(ownerId, id, attendees, sql`made`)}`;
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
  const recorded =
    eventOf && sql`, recorded as (${recording(ownerId, eventOf(facts), sql`whole`)}) ${announcing(sql`whole`)}`;
  return { statement: sql`with ${parts} ${recorded ?? sql`select 1 from whole`}`, facts };
}

/** Adds somebody to a booking. */
export async function insertAttendee(
  em: Em,
  { ownerId, id }: OwnedId,
  attendee: NewAttendee,
  bookedById: string | null,
): Promise<void> {
  const booking = sql`(select * from bookings where owner_id = ${ownerId} and id = ${id}) b`;
  const people = insertionOf([withId(attendee)], booking, bookedById);
  await changed(em, sql`with seated as (${people})${keyStored(ownerId, id, [attendee], booking)} select 1`);
}

function withId(attendee: NewAttendee): NewAttendee & { readonly id: string } {
  return { ...attendee, id: newId() };
}

/** SQL: a further part of the statement, which stores the key of the request that made the booking, or the seat in it. */
function keyStored(
  ownerId: string,
  bookingId: string,
  [booker]: readonly NewAttendee[],
  made: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (!booker?.request) return sql``;
  return sql`, keyed as (${storingKey(ownerId, booker.request, booker.seatId ?? bookingId, made)})`;
}

/** SQL: the insertion of people into the booking `b`, in their order. */
function insertionOf(
  people: readonly (NewAttendee & { readonly id: string })[],
  booking: RawBuilder<unknown>,
  bookedById: string | null,
): RawBuilder<unknown> {
  return sql`insert into booking_attendees (owner_id, booking_id, id, starts_at, name, email, verified,
      booked_from, time_zone, locale, phone, notes, responses, absent, seat_id)
    select b.owner_id, b.id, a.id, b.starts_at, a.name, a.email,
      a.verified or ${isVerifiedAccount(bookedById)},
      case when not a.verified and coalesce(b.team_id, (b.managed_by->>'id')::uuid) is not null and not ${isVerifiedAccount(bookedById)}
        then a."bookedFrom" end, a."timeZone", a.locale, a.phone,
      a.notes, nullif(a.responses, '{}'), false, a."seatId"
    from ${booking}, jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as a(id uuid, name text, email text,
      verified boolean, "bookedFrom" text, "timeZone" text, locale text, phone text, notes text, responses jsonb, "seatId" uuid)`;
}

/** SQL: whether somebody is signed in whose e-mail address is known to be theirs. */
function isVerifiedAccount(userId: string | null): RawBuilder<boolean> {
  if (userId === null) return sql<boolean>`false`;
  return sql<boolean>`exists (select 1 from users u where u.id = ${userId} and u.email_verified_at is not null)`;
}

function jsonOrNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

/**
 * A booking that nobody else changes until the transaction ends. Read in a statement of its own after the lock, so that
 * it is what the one before has left. @throws Problem NOT_FOUND
 */
export async function lockBooking(em: Em, key: BookingKey): Promise<BookingRow> {
  if (!(await lockOwner(em, key.ownerId))) throw bookingNotFound(key);
  for (;;) {
    const locked = await row(
      em,
      sql<{ id: string }>`select b.id from bookings b where ${bookingWith(key)} for no key update of b`,
    );
    const found = await findBooking(em, key);
    if (!found) throw bookingNotFound(key);
    // A seat may have been moved to another booking while its old one was waited for.
    if (found.id === locked?.id) return found;
  }
}

/** The columns of a booking that change with its state. */
type BookingChanges = {
  readonly status?: BookingStatus;
  readonly cancellationReason?: string | null;
  readonly rejectionReason?: string | null;
  readonly reschedulingReason?: string | null;
  readonly rescheduleRequested?: boolean;
  readonly rescheduledToId?: string | null;
  readonly location?: RawBuilder<BookedLocation | null>;
  readonly guestEmails?: RawBuilder<readonly string[]>;
};

/** Stores a change of a locked booking, also in the lists of its hosts, and gives back their time once it is off. `entry`: for its history. */
export async function saveBooking(
  em: Em,
  booking: BookingRow,
  values: BookingChanges,
  entry?: HistoryEntry,
): Promise<void> {
  const { ownerId, id, hostIds } = booking;
  await changed(
    em,
    updateTable(Booking, { ownerId, id }).set((eb) => ({
      ...values,
      ...(entry && { history: historyWith(entry) }),
      icsSequence: eb('icsSequence', '+', 1),
      updatedAt: LATER,
    })),
  );
  const status = values.status ?? booking.status;
  await changed(
    em,
    updateTable(BookingHost, { bookingId: id }).set({ status, updatedAt: LATER }).where('userId', '=', anyOf(hostIds)),
  );
  if (status === 'CANCELLED' || status === 'REJECTED') await release(em, hostIds, id);
}

/** Stores that locked bookings are cancelled, as `saveBooking` does for one, by one statement for all. */
export async function cancelAll(
  em: Em,
  bookings: readonly BookingRow[],
  { reason, by }: Pick<HistoryEntry & { readonly kind: 'CANCELLED' }, 'reason' | 'by'>,
): Promise<void> {
  if (bookings.length === 0) return;
  const parts = bookings.flatMap(({ id, hostIds }) => hostIds.map((ownerId) => ({ ownerId, id })));
  await changed(
    em,
    sql`with part as materialized (select * from ${unnested(parts)} as part (host_id, part_id)), cancelled as (
          update bookings b set status = 'CANCELLED', cancellation_reason = ${reason},
            history = ${historyWith({ kind: 'CANCELLED', by, reason }, { history: sql`b.history` })}, ics_sequence = ics_sequence + 1,
            updated_at = ${LATER}
          from ${unnested(bookings)} as one (one_owner_id, one_id) where b.owner_id = one_owner_id and b.id = one_id
        ), listed as (
          update booking_hosts h set status = 'CANCELLED', updated_at = ${LATER}
          from part where h.user_id = host_id and h.booking_id = part_id
        )
        delete from occupied_times t using part where t.host_id = part.host_id and t.holder_id = part_id`,
  );
}

/** The column, and the values of an entry that only the statement knows. */
interface InStatement {
  readonly history?: RawBuilder<unknown>;
  readonly more?: RawBuilder<unknown>;
}

/** SQL: the history of a booking that is being changed, with one entry more. */
export function historyWith(
  entry: HistoryEntry | Omit<HistoryEntry & { readonly kind: 'HANDED_OVER' }, 'toHostId'>,
  { history = sql`history`, more = sql`'{}'::jsonb` }: InStatement = {},
): RawBuilder<never> {
  return sql<never>`case when jsonb_array_length(${history}) >= ${KEPT_ENTRIES} then ${history} - 0
    else coalesce(${history}, '[]') end
    || jsonb_build_array(${JSON.stringify(entry)}::jsonb || jsonb_build_object('at', clock_timestamp()) || ${more})`;
}

/**
 * The facts that others are notified of, as they are at this moment: by the time that the mails are written, the
 * booking may be another.
 */
export function factsOf(booking: BookingRow): BookingFacts {
  const { id, eventTypeId, hostIds, start, end, location, guestEmails, heldGuestEmails, status } = booking;
  return {
    id,
    thread: booking.recurringId ?? booking.icsId,
    eventTypeId,
    hostIds,
    start: instantOf(start).toString(),
    end: instantOf(end).toString(),
    guestEmails,
    heldGuestEmails,
    status,
    // There may be many seats, and an attendee who leaves one, or comes, has an event of their own.
    ...(booking.seats === null && { attendeeIds: booking.attendees.map((attendee) => attendee.id) }),
    ...inApp(location),
  };
}

/** The same where it is about one seat, with the attendee who has it at this moment. */
export async function factsOfSeat(em: Em, ownerId: string, facts: BookingFacts, seatId: string): Promise<BookingFacts> {
  const seated = await findSeated(em, ownerId, seatId);
  return { ...facts, seatId, ...(seated && { seated }) };
}

/** Describes an attendee who will not be found in the booking any more. */
export function attendeeFacts({ name, email, timeZone, locale, verified }: AttendeeRow): AttendeeFacts {
  return { name, email, timeZone, locale, verified };
}

/** Says in an event that a booking takes place in an app, or did before. */
export function inApp(...places: readonly (Location | null)[]): { readonly meetsInApp?: true } {
  return places.some((place) => place?.type === 'CONFERENCING') ? { meetsInApp: true } : {};
}

/** Forgets from which networks strangers have booked, once nothing more goes by the time of their bookings. */
export const forgetNetworks: Sweep = (em, limit) =>
  changed(
    em,
    sql`update booking_attendees set booked_from = null where (owner_id, booking_id, id) in (
          select owner_id, booking_id, id from booking_attendees
          where booked_from is not null and starts_at < now() - interval '32 days' order by starts_at limit ${limit}::int
          for update skip locked)`,
  );
