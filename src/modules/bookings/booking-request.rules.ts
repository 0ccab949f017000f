/** Everything that people give with a booking is tidied and checked here: themselves, their guests, their answers, and the whole request. */
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
  urlMistake,
} from '../../core/text.ts';
import { type BookingField, type BookingFieldType, MAX_ANSWER } from '../event-types/settings/booking-field.rules.ts';
import type { Location, OfferedLocation } from '../event-types/settings/location.rules.ts';
import { occurrencesMistakes } from '../event-types/settings/recurrence.rules.ts';
import type { EventTypeRules } from '../event-types/settings/scheduling.rules.ts';
import { BOOKING_LOCATION_CODES, decideLocation, type LocationChoice } from './booking-location.rules.ts';
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

export const RESPONSE_CODES = [
  'REQUIRED',
  'UNKNOWN_FIELD',
  'INVALID_RESPONSE',
  'TOO_LONG',
  'TOO_MANY',
  'INVALID_TEXT',
  'INVALID_EMAIL',
  'INVALID_URL',
  'INVALID_PHONE',
] as const;

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

/** The answer to a booking field: text, a number, yes or no, or several texts. */
export type Response = string | number | boolean | readonly string[];

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

/** This many characters may all answers of one person have together. */
const MAX_CHARACTERS = 20_000;

type Check = (path: Path, answer: unknown, field: BookingField) => Mistake | readonly Mistake[] | undefined;

/** The check of an answer to each type of field. */
const CHECKS: Readonly<Record<BookingFieldType, Check>> = {
  TEXT: text((path, answer) => textMistake(path, answer, { max: MAX_ANSWER.line })),
  TEXTAREA: text((path, answer) => textMistake(path, answer, { max: MAX_ANSWER.lines, multiline: true })),
  ADDRESS: text((path, answer) => textMistake(path, answer, { max: MAX_ANSWER.line, multiline: true })),
  PHONE: text(phoneMistake),
  EMAIL: text(emailMistake),
  URL: text(urlMistake),
  SELECT: text(optionMistake),
  RADIO: text(optionMistake),
  MULTI_SELECT: texts(optionMistake),
  CHECKBOX: texts(optionMistake),
  MULTI_EMAIL: texts(emailMistake),
  NUMBER: (path, answer) => (Number.isFinite(answer) ? undefined : wrongType(path, 'a number')),
  BOOLEAN: (path, answer) => (typeof answer === 'boolean' ? undefined : wrongType(path, 'true or false')),
};

/** The answers as they are stored and checked: texts tidied, blank ones and nulls left out. */
export function tidyResponses(
  fields: readonly BookingField[],
  responses: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const phones = new Set(fields.filter(({ type }) => type === 'PHONE').map(({ slug }) => slug));
  const tidied = Object.entries(responses)
    .filter(([, answer]) => !isBlank(answer))
    .map(([slug, answer]) => [slug, tidyAnswer(answer, phones.has(slug) ? tidyPhone : tidyText)]);
  return Object.fromEntries(tidied);
}

/**
 * Everything that is wrong with (tidied) answers, which may be anything that JSON can say, at `path` and the field's slug.
 * A blank answer is none; a required BOOLEAN must be true, as a box that must be ticked.
 */
export function responseMistakes(
  path: Path,
  fields: readonly BookingField[],
  responses: Readonly<Record<string, unknown>>,
): readonly Mistake[] {
  const known = new Set(fields.map(({ slug }) => slug));
  const unknown = Object.keys(responses).find((slug) => !known.has(slug));
  // Only the first: an object may have a million keys.
  const stray = unknown === undefined ? [] : [unknownField(path, unknown)];
  const mistakes = [...stray, ...fields.flatMap((field) => answerMistakes(path, field, responses))];
  // An answer of the wrong kind is refused before its size is measured.
  if (mistakes.length > 0) return mistakes;
  const characters = JSON.stringify(responses).length;
  if (characters <= MAX_CHARACTERS) return [];
  const message = `The answers have ${characters} characters together; ${MAX_CHARACTERS} are possible: shorten them.`;
  return [{ code: 'TOO_LONG', message, path, bounds: { given: characters, most: MAX_CHARACTERS } }];
}

function answerMistakes(
  path: Path,
  field: BookingField,
  responses: Readonly<Record<string, unknown>>,
): readonly Mistake[] {
  const own: Path = [...path, field.slug];
  const answer = Object.hasOwn(responses, field.slug) ? responses[field.slug] : undefined;
  if (isBlank(answer) || (field.isRequired && answer === false)) return field.isRequired ? [missing(own, field)] : [];
  return [CHECKS[field.type](own, answer, field) ?? []].flat();
}

function tidyAnswer(answer: unknown, tidy: (text: string) => string): unknown {
  if (typeof answer === 'string') return tidy(answer);
  return Array.isArray(answer) ? answer.map((one: unknown) => (typeof one === 'string' ? tidy(one) : one)) : answer;
}

function isBlank(answer: unknown): boolean {
  if (answer === null || answer === undefined) return true;
  if (typeof answer === 'string') return answer.trim() === '';
  return Array.isArray(answer) && answer.length === 0;
}

function text(check: (path: Path, answer: string, field: BookingField) => Mistake | undefined): Check {
  return (path, answer, field) => (typeof answer === 'string' ? check(path, answer, field) : wrongType(path, 'a text'));
}

function texts(check: (path: Path, answer: string, field: BookingField) => Mistake | undefined): Check {
  return (path, answer, field) => {
    if (!Array.isArray(answer) || !answer.every((one): one is string => typeof one === 'string')) {
      return wrongType(path, 'a list of texts');
    }
    const max = field.options.length || MAX_ANSWER.emails;
    if (answer.length > max) {
      const message = `There are ${answer.length} answers to ${shown(field.label)}; give at most ${max}.`;
      return { code: 'TOO_MANY', message, path, bounds: { given: answer.length, most: max } };
    }
    return answer.map((one, index) => check([...path, String(index)], one, field)).filter((one) => one !== undefined);
  };
}

function optionMistake(path: Path, answer: string, { label, options }: BookingField): Mistake | undefined {
  if (options.includes(answer)) return undefined;
  const message = `${shown(answer)} is none of the options of ${shown(label)}; choose one of them.`;
  return { code: 'INVALID_RESPONSE', message, path };
}

function wrongType(path: Path, what: string): Mistake {
  return { code: 'INVALID_RESPONSE', message: `The answer to "${path.at(-1)}" must be ${what}.`, path };
}

function missing(path: Path, { label }: BookingField): Mistake {
  return { code: 'REQUIRED', message: `${shown(label)} must be answered.`, path };
}

function unknownField(path: Path, slug: string): Mistake {
  const message = `${shown(slug)} is no field that can be answered here; leave it out.`;
  return { code: 'UNKNOWN_FIELD', message, path };
}
