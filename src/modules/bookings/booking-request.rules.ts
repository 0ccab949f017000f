/** Everything that people give with a booking is tidied and checked here: the whole request, themselves, their guests, and the place. */
import type { OwnedId } from '../../core/id.ts';
import { IDEMPOTENCY_KEY_CODES, idempotencyKeyMistake } from '../../core/idempotency-key.ts';
import { inLanguages } from '../../core/language.ts';
import { phoneMistake, tidyPhone } from '../../core/phone.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import {
  EMAIL_CODES,
  emailMistake,
  localeMistake,
  localeNamed,
  metadataMistakes,
  optionalTextMistake,
  type Path,
  personNameMistake,
  shown,
  TEXT_CODES,
  textMistake,
  tidyText,
  timeZoneMistake,
  timeZoneNamed,
} from '../../core/text.ts';
import type { BookingField } from '../event-types/settings/booking-field.rules.ts';
import {
  RESPONSE_CODES,
  type Response,
  responseMistakes,
  tidyResponses,
} from '../event-types/settings/field-answers.rules.ts';
import {
  isSaidByAttendee,
  isSameLocation,
  type Location,
  type LocationType,
  MAX_ADDRESS_LENGTH,
  misplacedField,
  misplacedMistake,
  type OfferedLocation,
  type Place,
  placePath,
  valueOf,
} from '../event-types/settings/location.rules.ts';
import { occurrencesMistakes } from '../event-types/settings/recurrence.rules.ts';
import type { EventTypeRules } from '../event-types/settings/scheduling.rules.ts';
import { RESPONSE_DE } from './booking-words.de.rules.ts';
import { RESPONSE_EN } from './booking-words.en.rules.ts';

/** The input of a booking, as the caller sent it. */
export interface BookingRequest {
  readonly start: Temporal.Instant;
  /** Null is the event type's own length. */
  readonly durationInMinutes: number | null;
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
interface BookingTerms {
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

export const ATTENDEE_CODES = [
  ...TEXT_CODES,
  ...EMAIL_CODES,
  'INVALID_TIME_ZONE',
  'INVALID_LOCALE',
  'INVALID_PHONE',
] as const;

export const GUEST_CODES = ['GUESTS_DISABLED', 'TOO_MANY', 'REQUIRED', 'INVALID_EMAIL', 'DUPLICATE'] as const;

export const BOOKING_LOCATION_CODES = [...TEXT_CODES, 'INVALID_PHONE', 'LOCATION_NOT_OFFERED'] as const;

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
      allowsGuests: terms.rules.allowsGuests && terms.rules.seats === null,
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

/** The booker, as they describe themselves. */
export interface AttendeeInput {
  readonly name: string;
  readonly email: string;
  readonly timeZone: string;
  readonly locale: string | null;
  readonly phone: string | null;
}

/** The texts of a booking: everything that is given with it besides time, place and answers. */
export interface BookingTexts {
  readonly attendee: AttendeeInput;
  readonly notes: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

export const MAX_NAME_LENGTH = 150;
export const MAX_NOTES_LENGTH = 5_000;

/** The attendee as they are stored and checked. */
export function tidyAttendee({ name, email, timeZone, locale, phone }: AttendeeInput): AttendeeInput {
  return {
    name: tidyText(name),
    email: email.trim(),
    timeZone: timeZoneNamed(timeZone) ?? timeZone,
    locale: locale === null ? null : (localeNamed(locale) ?? locale),
    phone: phone === null ? null : tidyPhone(phone),
  };
}

/** Everything that is wrong with (tidied) texts. */
export function bookingTextMistakes({ attendee, notes, metadata }: BookingTexts): readonly Mistake[] {
  return [
    ...attendeeMistakes(['attendee'], attendee),
    notes === null ? undefined : optionalTextMistake(['notes'], notes, { max: MAX_NOTES_LENGTH, multiline: true }),
    ...metadataMistakes(['metadata'], metadata),
  ].filter((mistake) => mistake !== undefined);
}

export function attendeeMistakes(path: Path, attendee: AttendeeInput): readonly Mistake[] {
  const { name, email, timeZone, locale, phone } = attendee;
  return [
    personNameMistake([...path, 'name'], name, MAX_NAME_LENGTH),
    emailMistake([...path, 'email'], email),
    timeZoneMistake([...path, 'timeZone'], timeZone),
    locale === null ? undefined : localeMistake([...path, 'locale'], locale),
    phone === null ? undefined : phoneMistake([...path, 'phone'], phone),
  ].filter((mistake) => mistake !== undefined);
}

export const MAX_GUESTS_A_CALL = 10;
export const MAX_GUESTS = 30;

/** The booking that guests are added to: its present attendees and guests, by e-mail address. */
export interface GuestList {
  readonly allowsGuests: boolean;
  readonly attendeeEmails: readonly string[];
  readonly guestEmails: readonly string[];
}

/** Everything that is wrong with the e-mail addresses of new guests. */
export function guestMistakes(path: Path, added: readonly string[], list: GuestList): readonly Mistake[] {
  if (added.length === 0) return [];
  if (!list.allowsGuests) {
    return [{ code: 'GUESTS_DISABLED', message: 'This event type takes no guests; leave them out.', path }];
  }
  if (added.length > MAX_GUESTS_A_CALL) {
    const message = `There are ${added.length} guests; at most ${MAX_GUESTS_A_CALL} can be added at once.`;
    return [{ code: 'TOO_MANY', message, path, bounds: { given: added.length, most: MAX_GUESTS_A_CALL } }];
  }
  const total = list.guestEmails.length + added.length;
  if (total > MAX_GUESTS) {
    const message = `The booking would have ${total} guests; at most ${MAX_GUESTS} are possible.`;
    return [{ code: 'TOO_MANY', message, path, bounds: { given: total, most: MAX_GUESTS } }];
  }
  const known = new Set([...list.attendeeEmails, ...list.guestEmails].map(comparable));
  return added
    .map((email, index) => {
      const own: Path = [...path, String(index)];
      const isKnown = known.has(comparable(email));
      known.add(comparable(email));
      return emailMistake(own, email) ?? (isKnown ? comesAlready(own, email) : undefined);
    })
    .filter((mistake) => mistake !== undefined);
}

/** One mailbox, however its address is typed. */
function comparable(email: string): string {
  return email.toLowerCase();
}

function comesAlready(path: Path, email: string): Mistake {
  return { code: 'DUPLICATE', message: `${shown(email)} comes already; leave it out.`, path };
}

/** One of an event type's locations, by its id or by its type, and what the attendee says where it is for them to say. */
export interface LocationChoice extends Place {
  readonly type: LocationType | null;
  readonly id?: string;
}

type LocationOutcome =
  | { readonly kind: 'DECIDED'; readonly location: Location | null }
  | { readonly kind: 'REFUSED'; readonly mistake: Mistake };

/**
 * Where a booking takes place. Without a choice, at the first location, and nowhere in particular if there is none. A
 * choice must be one of the offered locations; of those that the host says, the type suffices if only one has it.
 */
export function decideLocation(
  path: Path,
  offered: readonly OfferedLocation[],
  choice: LocationChoice | null,
): LocationOutcome {
  const [first] = offered;
  if (!choice) return first ? decidedFor(path, first, {}) : decided(null);
  const misplaced = misplacedIn(path, choice);
  if (misplaced) return refused(misplaced);
  const chosen = choice.id === undefined ? byType(offered, choice) : offered.find(({ id }) => id === choice.id);
  if (!chosen || contradicts(choice, chosen)) return refused(notOffered(path, choice, chosen));
  return decidedFor(path, chosen, choice);
}

/** Where a host says that a booking takes place: one of the event type's locations, by its id, or anywhere else. */
export function decideHostsLocation(
  path: Path,
  offered: readonly OfferedLocation[],
  choice: LocationChoice,
): LocationOutcome {
  const { id, type } = choice;
  const misplaced = misplacedIn(path, choice);
  if (misplaced) return refused(misplaced);
  if (id === undefined && type !== null) return decided({ type, value: valueOf(type, choice) ?? null });
  const chosen = offered.find((one) => one.id === id);
  return chosen && !contradicts(choice, chosen) ? decided(placeOf(chosen)) : refused(notOffered(path, choice, chosen));
}

function misplacedIn(path: Path, choice: LocationChoice): Mistake | undefined {
  const mistake = choice.type === null ? undefined : misplacedMistake(path, choice.type, choice);
  return mistake && { ...mistake, code: 'LOCATION_NOT_OFFERED' };
}

function byType(offered: readonly OfferedLocation[], choice: LocationChoice): OfferedLocation | undefined {
  const { type } = choice;
  const ofType = offered.filter((one) => one.type === type);
  const [first, second] = ofType;
  const value = (type && valueOf(type, choice)) ?? null;
  if (type === null || isSaidByAttendee(type) || (value === null && !second)) return first;
  return ofType.find((one) => isSameLocation(one, { type, value }));
}

/** Whether more is given than the id, and it is that of another location. */
function contradicts(choice: LocationChoice, chosen: OfferedLocation): boolean {
  if (choice.type !== null && choice.type !== chosen.type) return true;
  if (misplacedField(chosen.type, choice)) return true;
  const value = valueOf(chosen.type, choice) ?? null;
  return value !== null && value !== chosen.value && !isSaidByAttendee(chosen.type);
}

function decidedFor(path: Path, chosen: OfferedLocation, place: Place): LocationOutcome {
  const { type } = chosen;
  if (!isSaidByAttendee(type)) return decided(placeOf(chosen));
  const said = valueOf(type, place);
  const value = type === 'ATTENDEE_PHONE' ? tidyPhone(said ?? '') : (said ?? '');
  const own = placePath(path, type);
  const mistake =
    type === 'ATTENDEE_PHONE'
      ? phoneMistake(own, value)
      : textMistake(own, value, { max: MAX_ADDRESS_LENGTH, multiline: true });
  return mistake ? refused(mistake) : decided({ type, value });
}

/** The booking keeps this part of a location: an id would lead nowhere once the event type has changed. */
function placeOf({ type, value }: OfferedLocation): Location {
  return { type, value };
}

function notOffered(path: Path, { id, type }: LocationChoice, chosen: OfferedLocation | undefined): Mistake {
  const code = 'LOCATION_NOT_OFFERED';
  if (id === undefined) {
    const message =
      type === null
        ? 'The location names neither an id nor a type; give the id of one of those of this event type.'
        : 'The location is none of those of this event type; choose one of them, by its id.';
    return { code, message, path };
  }
  const message = chosen
    ? `The location ${shown(id)} has another type or value than is given with it; give its id alone.`
    : `The location ${shown(id)} is none of those of this event type; choose one of them.`;
  return { code, message, path };
}

function decided(location: Location | null): LocationOutcome {
  return { kind: 'DECIDED', location };
}

function refused(mistake: Mistake): LocationOutcome {
  return { kind: 'REFUSED', mistake };
}

/**
 * Checks the location that a booker of a further seat chooses. The message tells only the kind of the location of the
 * others.
 */
export function joinedLocationMistake(
  path: Path,
  joined: Location | null,
  chosen: Location | null,
): Mistake | undefined {
  if (joined === chosen || (joined && chosen && isSameLocation(joined, chosen))) return undefined;
  const where = joined ? KINDS[joined.type] : 'at no particular location';
  const message = `The free seat is in a booking that takes place ${where}, which is not the location given; leave the location out to come there.`;
  return { code: 'LOCATION_NOT_OFFERED', message, path };
}

const KINDS: Readonly<Record<LocationType, string>> = {
  ADDRESS: 'at an address',
  LINK: 'online, by a link',
  PHONE: 'by phone',
  CONFERENCING: 'in a conferencing app',
  ATTENDEE_ADDRESS: 'at an address that an attendee has said',
  ATTENDEE_PHONE: 'by phone',
  ATTENDEE_CHOICE: 'where an attendee has said',
};

/** A question as it is asked now, and its answer; of a question that is gone, its slug is left. */
export interface AnsweredQuestion {
  readonly question: string;
  readonly answer: Response;
}

/** Pairs the answers of a person with their questions, for people to read, in the order of the answers. */
export function answeredQuestions(
  responses: Readonly<Record<string, Response>>,
  fields: readonly Pick<BookingField, 'slug' | 'label'>[],
): readonly AnsweredQuestion[] {
  const labels = new Map(fields.map(({ slug, label }) => [slug, label]));
  return Object.entries(responses).map(([slug, response]) => ({
    question: labels.get(slug) ?? slug,
    answer: response,
  }));
}

const wordsFor = inLanguages(RESPONSE_EN, { de: RESPONSE_DE });

/** An answer in words, for a reader of this locale. */
export function answerText(response: Response, locale: string): string {
  const { yes, no } = wordsFor(locale);
  if (typeof response === 'boolean') return response ? yes : no;
  return typeof response === 'object' ? response.join(', ') : String(response);
}
