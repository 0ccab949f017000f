import type { OwnedId } from '../../../core/id.ts';
import { IDEMPOTENCY_KEY_CODES, idempotencyKeyMistake } from '../../../core/idempotency-key.ts';
import { type Mistake, Problem } from '../../../core/problem.ts';
import { tidyText } from '../../../core/text.ts';
import type { BookingField } from '../../event-types/settings/booking-field.rules.ts';
import type { Location, OfferedLocation } from '../../event-types/settings/location.rules.ts';
import { occurrencesMistakes } from '../../event-types/settings/recurrence.rules.ts';
import type { EventTypeRules } from '../../event-types/settings/scheduling.rules.ts';
import { ATTENDEE_CODES, type AttendeeInput, bookingTextMistakes, tidyAttendee } from '../attendee.rules.ts';
import { BOOKING_LOCATION_CODES, decideLocation, type LocationChoice } from '../booking-location.rules.ts';
import { GUEST_CODES, guestMistakes } from '../guest.rules.ts';
import { RESPONSE_CODES, responseMistakes, tidyResponses } from '../response.rules.ts';

/** The input of a booking, as the caller sent it. */
export interface BookingRequest {
  readonly start: Temporal.Instant;
  /** Null is the event type's own length. */
  readonly lengthInMinutes: number | null;
  readonly attendee: AttendeeInput;
  /** The e-mail addresses of guests. */
  readonly guests: readonly string[];
  /** Null is the first of the event type's locations. */
  readonly location: LocationChoice | null;
  readonly notes: string | null;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, string>>;
  /** A reservation that the caller holds, or null. */
  readonly reservationId: OwnedId | null;
  /** How many bookings of a series; null is as many as the event type says. */
  readonly occurrences: number | null;
  readonly idempotencyKey: string | null;
  /** The token of the private link through which it is booked. */
  readonly privateLinkToken?: string | null;
}

/** The parts of an event type that decide about a request, beside its slots. */
export interface BookingTerms {
  readonly rules: EventTypeRules;
  readonly locations: readonly OfferedLocation[];
  readonly bookingFields: readonly BookingField[];
}

/** A request as it is stored. */
export interface CheckedRequest {
  readonly attendee: AttendeeInput;
  readonly guests: readonly string[];
  readonly location: Location | null;
  /** Whether the booker has named the location; otherwise the first one that is offered will do. */
  readonly isLocationChosen: boolean;
  readonly notes: string | null;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, string>>;
}

export const REQUEST_CODES = [
  ...ATTENDEE_CODES,
  ...GUEST_CODES,
  ...BOOKING_LOCATION_CODES,
  ...RESPONSE_CODES,
  ...IDEMPOTENCY_KEY_CODES,
  'NOT_POSSIBLE',
  'OCCURRENCES_NOT_OFFERED',
] as const;

/** Tidies and checks all that can be checked without a clock or a calendar. @throws Problem with every mistake at once */
export function checkedRequest(terms: BookingTerms, request: BookingRequest): CheckedRequest {
  const attendee = tidyAttendee(request.attendee);
  const notes = request.notes === null ? null : tidyText(request.notes) || null;
  const guests = request.guests.map((email) => email.trim());
  const responses = tidyResponses(terms.bookingFields, request.responses);
  const place = decideLocation(['location'], terms.locations, request.location);
  Problem.throwIfAny([
    ...bookingTextMistakes({ attendee, notes, metadata: request.metadata }),
    ...seatMetadataMistakes(terms.rules, request),
    // A seat is one person's: guests would come to everybody's meeting without a seat of their own.
    ...guestMistakes(['guests'], guests, {
      disableGuests: terms.rules.disableGuests || terms.rules.seats !== null,
      attendeeEmails: [attendee.email],
      guestEmails: [],
    }),
    ...(place.kind === 'REFUSED' ? [place.mistake] : []),
    ...responseMistakes(['responses'], terms.bookingFields, responses),
    ...occurrencesMistakes(terms.rules.recurrence, request.occurrences),
    ...keyMistakes(request.idempotencyKey),
  ]);
  const location = place.kind === 'DECIDED' ? place.location : null;
  const isLocationChosen = request.location !== null;
  return { attendee, guests, location, isLocationChosen, notes, responses, metadata: request.metadata };
}

/** Attendees who take a seat later could not add metadata of their own, and would not know what is stored already. */
function seatMetadataMistakes({ seats }: EventTypeRules, { metadata }: BookingRequest): Mistake[] {
  if (seats === null || Object.keys(metadata).length === 0) return [];
  const message = 'A booking with seats is of several people, and takes no metadata of one of them; leave it out.';
  return [{ code: 'NOT_POSSIBLE', message, path: ['metadata'] }];
}

function keyMistakes(key: string | null): Mistake[] {
  const mistake = key === null ? undefined : idempotencyKeyMistake(key);
  return mistake ? [mistake] : [];
}
