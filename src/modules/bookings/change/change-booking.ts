import { newId, type OwnedId } from '../../../core/id.ts';
import { type Mistake, Problem } from '../../../core/problem.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import { json } from '../../../database/expressions.ts';
import { changed, type Em, sql } from '../../../database/sql.ts';
import { updateTable } from '../../../database/statements.ts';
import { type LastSeen, throwIfNotAsSeen } from '../../../database/updates/if-unchanged.ts';
import { type DomainEvent, recordEvent } from '../../../events/record-event.ts';
import type { BookableEventType } from '../../event-types/public/event-type-rules.queries.ts';
import {
  isSaidByAttendee,
  isSameLocation,
  LOCATION_CODES,
  type Location,
  locationMistakes,
  type OfferedLocation,
} from '../../event-types/settings/location.rules.ts';
import { ATTENDEE_CODES, type AttendeeInput, attendeeMistakes, tidyAttendee } from '../attendee.rules.ts';
import { insertAttendee } from '../book/insert-booking.ts';
import { Booking } from '../booking.entity.ts';
import type { BookingRow } from '../booking.queries.ts';
import type { HistoryEntry } from '../booking-history.rules.ts';
import {
  BOOKING_LOCATION_CODES,
  type BookedLocation,
  decideHostsLocation,
  inApp,
  type LocationChoice,
} from '../booking-location.rules.ts';
import { GUEST_CODES, guestMistakes } from '../guest.rules.ts';
import { byHost, type HostedBooking, lockHostedBooking, requireVerifiedHost } from '../hosted-booking.ts';
import { factsOf, factsOfSeat, requireStanding, STANDING_CODES, saveBooking } from '../locked-booking.ts';
import { AT_ONCE, inTurn, lockEventType, SlotLost } from '../occupancy/lock.ts';
import { lockSeat } from '../slots/slot-reservation.queries.ts';

export const UPDATE_LOCATION_CODES = [
  'CONFLICT',
  ...STANDING_CODES,
  ...LOCATION_CODES,
  ...BOOKING_LOCATION_CODES,
] as const;

export const ADD_ATTENDEE_CODES = [
  'DUPLICATE',
  'TOO_MANY',
  'SLOT_TAKEN',
  'EMAIL_NOT_VERIFIED',
  ...ATTENDEE_CODES,
  ...STANDING_CODES,
] as const;

export const ADD_GUESTS_CODES = [...STANDING_CODES, 'EMAIL_NOT_VERIFIED', ...GUEST_CODES] as const;

const MAX_ATTENDEES = 100;

/** Invites more people. `disableGuests` is the event type's. @throws Problem NOT_FOUND, NOT_POSSIBLE, BOOKING_OVER, EMAIL_NOT_VERIFIED, and every mistake of the guests */
export async function addGuests(
  em: Em,
  hosted: HostedBooking,
  guests: readonly string[],
  disableGuests: boolean,
): Promise<void> {
  const added = guests.map((email) => email.trim());
  if (added.length === 0) throw new Problem('REQUIRED', 'There are no guests; name some.', ['guests']);
  await changeStanding(em, hosted, async (inner, booking) => {
    const attendeeEmails = booking.attendees.map(({ email }) => email);
    const { ownerId, id, guestEmails } = booking;
    await requireVerifiedHost(inner, hosted);
    Problem.throwIfAny(guestMistakes(['guests'], added, { disableGuests, attendeeEmails, guestEmails }));
    await changed(
      inner,
      updateTable(Booking, { ownerId, id }).set({
        guestEmails: sql`coalesce(guest_emails, '{}') || ${added}::text[]`,
      }),
    );
    return {
      event: { type: 'BOOKING_GUESTS_ADDED', booking: factsOf(booking), guestEmails: added, by: byHost(hosted) },
      entry: { kind: 'GUESTS_ADDED', by: hosted.hostId, count: added.length },
    };
  });
}

/**
 * Says where it is: one of the `offered` locations of its event type, by its id, or anywhere else.
 * @throws Problem NOT_FOUND, NOT_POSSIBLE, BOOKING_OVER, CONFLICT, LOCATION_NOT_OFFERED, and every mistake of the location
 */
export async function updateLocation(
  em: Em,
  hosted: HostedBooking,
  offered: readonly OfferedLocation[],
  choice: LocationChoice,
  ifUpdatedAt?: LastSeen,
): Promise<void> {
  const place = decideHostsLocation(['location'], offered, choice);
  Problem.throwIfAny(place.kind === 'REFUSED' ? [place.mistake] : hostsLocationMistakes(place.location));
  const said = place.kind === 'DECIDED' ? place.location : null;
  const location = said && { ...said, saidBy: hosted.hostId };
  await changeStanding(em, hosted, async (inner, booking) => {
    throwIfNotAsSeen(booking.updatedAt, ifUpdatedAt);
    const { ownerId, id, location: before } = booking;
    const isTheSame = location && before && isSameLocation(location, before);
    const url = isTheSame ? before.url : undefined;
    const kept = location && url !== undefined ? { ...location, url } : location;
    await changed(inner, updateTable(Booking, { ownerId, id }).set({ location: json<BookedLocation | null>(kept) }));
    // Said again, a place in an app gets the link that it has missed.
    if (isTheSame && (location.type !== 'CONFERENCING' || url !== undefined)) return undefined;
    const facts = { ...factsOf(booking), ...inApp(before, location) };
    return {
      event: { type: 'BOOKING_LOCATION_CHANGED', booking: facts, by: byHost(hosted) },
      entry: { kind: 'LOCATION_CHANGED', by: hosted.hostId },
    };
  });
}

/**
 * Adds somebody beside who booked; with seats, in a seat of their own. `eventType` is that of the booking.
 * @throws Problem NOT_FOUND, NOT_POSSIBLE, BOOKING_OVER, EMAIL_NOT_VERIFIED, SLOT_TAKEN when no seat is left, and every mistake of the attendee
 */
export async function addAttendee(
  em: Em,
  eventType: BookableEventType,
  hosted: HostedBooking,
  given: AttendeeInput,
): Promise<void> {
  const attendee = tidyAttendee(given);
  Problem.throwIfAny(attendeeMistakes(['attendee'], attendee));
  try {
    await inTurn(eventType.id, undefined, AT_ONCE.counted, () =>
      changeStanding(em, hosted, (inner, booking) => seat(inner, eventType, booking, attendee, hosted), eventType),
    );
  } catch (error) {
    if (!(error instanceof SlotLost)) throw error;
    throw new Problem('SLOT_TAKEN', 'All seats of the booking are taken.', ['uid']);
  }
}

async function seat(
  em: Em,
  eventType: BookableEventType,
  booking: BookingRow,
  attendee: AttendeeInput,
  hosted: HostedBooking,
): Promise<Change> {
  const { attendees, seats } = booking;
  await requireVerifiedHost(em, hosted);
  if (attendees.some(({ email }) => email.toLowerCase() === attendee.email.toLowerCase())) {
    throw new Problem('DUPLICATE', 'Someone with this e-mail address is already attending.', ['attendee', 'email']);
  }
  if (attendees.length >= MAX_ATTENDEES && !seats) {
    const message = `The booking has ${attendees.length} attendees; at most ${MAX_ATTENDEES} are possible.`;
    throw new Problem('TOO_MANY', message, ['attendee']);
  }
  const locked = seats ? await lockSeat(em, eventType, booking.id) : booking;
  const seatId = seats ? newId() : null;
  await insertAttendee(em, locked, { ...attendee, notes: null, responses: {}, seatId, verified: false }, hosted.hostId);
  const by = byHost(hosted);
  const facts = seatId ? await factsOfSeat(em, booking.ownerId, factsOf(booking), seatId) : factsOf(booking);
  return {
    event: { type: 'BOOKING_ATTENDEE_ADDED', booking: facts, attendeeEmail: attendee.email, by },
    ...(seatId === null && { entry: { kind: 'ATTENDEE_ADDED', by: hosted.hostId } }),
  };
}

/** The event to record, and the entry to add to the booking's history. */
interface Change {
  readonly event: DomainEvent;
  readonly entry?: HistoryEntry;
}

/**
 * Changes a booking of a host that still takes place, under its lock and, for seats, that of its event type first.
 * `change` says what has happened.
 */
async function changeStanding(
  em: Em,
  hosted: HostedBooking,
  change: (inner: Em, booking: BookingRow) => Promise<Change | undefined>,
  eventType?: OwnedId,
): Promise<void> {
  await em.transactional(async (inner) => {
    if (eventType) await lockEventType(inner, eventType);
    const booking = await lockHostedBooking(inner, hosted);
    requireStanding(booking, await databaseNow(inner));
    const done = await change(inner, booking);
    await saveBooking(inner, booking, {}, done?.entry);
    if (done) await recordEvent(inner, booking.ownerId, done.event);
  });
}

function hostsLocationMistakes(location: Location | null): readonly Mistake[] {
  if (!location) return [];
  // There is one, so where it would stand in a list is left out of the path.
  const mistakes = locationMistakes(['location'], [location]).map(({ path = [], ...mistake }) => ({
    ...mistake,
    path: path.filter((_, index) => index !== 1),
  }));
  return [...mistakes, ...notForHosts(location)];
}

function notForHosts({ type }: Location): readonly Mistake[] {
  if (!isSaidByAttendee(type)) return [];
  const message = `A location of type ${type} is for the attendee to say; use ADDRESS, LINK, PHONE or CONFERENCING.`;
  return [{ code: 'NOT_POSSIBLE', message, path: ['location', 'type'] }];
}
