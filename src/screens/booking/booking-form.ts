import type { Mistake } from '../../core/problem.ts';
import { sha256Hex } from '../../core/secret.ts';
import { shown } from '../../core/text.ts';
import type { BookingRequest } from '../../modules/bookings/booking-request.rules.ts';
import { SLOT_CODES, START_CODES } from '../../modules/bookings/slots/assign-hosts.rules.ts';
import type { SeriesDate } from '../../modules/bookings/slots/availability.ts';
import type { BookableEventType } from '../../modules/bookings/slots/bookable-event-type.queries.ts';
import type { BookingField } from '../../modules/event-types/settings/booking-field.rules.ts';
import { isPlaceField, placeIn } from '../../modules/event-types/settings/location.rules.ts';
import { problemWords, textOf } from '../kit/problem-words.ts';
import { responseName, type TypedResponses } from './booking-field-parts.ts';
import { bookableOf, saidLabel, saidName, type TypedBooking } from './booking-form-page.ts';
import { bookingWords, mistakeWords } from './booking-words.ts';

/** A booking form before anybody has typed: of a series, with as many bookings as can be had. */
export function untypedBooking(name: string, email: string, dates: readonly SeriesDate[]): TypedBooking {
  return {
    name,
    email,
    phone: '',
    notes: '',
    guests: '',
    occurrences: String(bookableOf(dates) || ''),
    location: { id: '', said: new Map() },
    responses: new Map(),
  };
}

/** The typed booking, as it can be shown again. */
export function typedBooking(form: URLSearchParams, { locations, bookingFields }: BookableEventType): TypedBooking {
  const text = (name: string): string => form.get(name) ?? '';
  return {
    name: text('name'),
    email: text('email'),
    phone: text('phone'),
    notes: text('notes'),
    guests: text('guests'),
    occurrences: text('occurrences'),
    location: { id: text('location'), said: new Map(locations.map(({ id }) => [id, text(saidName(id))])) },
    responses: typedResponses(form, bookingFields),
  };
}

/** The answers that were typed or chosen in the controls of these questions. */
export function typedResponses(form: URLSearchParams, fields: readonly BookingField[]): TypedResponses {
  return new Map(fields.map(({ slug }) => [slug, form.getAll(responseName(slug)).filter((answer) => answer !== '')]));
}

/** The answers that it makes, as the rules take them. */
export function answersIn(fields: readonly BookingField[], typed: TypedResponses): Readonly<Record<string, unknown>> {
  return Object.fromEntries(fields.map((field) => [field.slug, answerTo(field, typed.get(field.slug) ?? [])]));
}

/** Where and for how long, beside what is typed. */
interface Chosen {
  readonly start: Temporal.Instant;
  readonly durationInMinutes: number;
  readonly timeZone: string;
  /** The language in which mails are written; null where the browser has named none. */
  readonly locale: string | null;
  readonly idempotencyKey: string;
  readonly privateLinkToken: string | null;
}

/** The request that a form makes, for the same command that every booking goes through. */
export function requestOf(eventType: BookableEventType, typed: TypedBooking, chosen: Chosen): BookingRequest {
  const { name, email, phone, notes, guests, occurrences, location, responses } = typed;
  const { timeZone, locale, idempotencyKey: formKey, ...rest } = chosen;
  const place = eventType.locations.find(({ id }) => id === location.id);
  const said = location.said.get(location.id) || null;
  const request = {
    ...rest,
    attendee: { name, email, timeZone, locale, phone: phone.trim() || null },
    guests: linesOf(guests),
    location: location.id === '' ? null : { id: location.id, type: null, ...(place && placeIn(place.type, said)) },
    notes,
    responses: answersIn(eventType.bookingFields, responses),
    metadata: {},
    reservationId: null,
    // A text that is no number is refused as such.
    occurrences: eventType.rules.recurrence && occurrences.trim() !== '' ? numberIn(occurrences) : null,
  };
  // A form that is sent again books once; one that was filled in anew is another request.
  return { ...request, idempotencyKey: `${formKey}-${sha256Hex(JSON.stringify(request))}` };
}

function answerTo({ type }: BookingField, values: readonly string[]): unknown {
  const [text = ''] = values;
  switch (type) {
    case 'NUMBER':
      return text.trim() === '' ? null : numberIn(text);
    case 'BOOLEAN':
      return values.length > 0;
    case 'CHECKBOX':
    case 'MULTI_SELECT':
      return values;
    case 'MULTI_EMAIL':
      return linesOf(text);
    default:
      return text;
  }
}

/** As people write it, NaN for anything else: not what programs write, such as 0x10 or 1e3. */
function numberIn(text: string): number {
  const written = text.trim().replace(',', '.');
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(written) ? Number(written) : Number.NaN;
}

/** The addresses of a list, one a line or with commas. */
function linesOf(text: string): readonly string[] {
  return text
    .split(/[\r\n,;]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Another time helps. */
const CLOSED_CODES: readonly string[] = [...SLOT_CODES, ...START_CODES];

/** Whether it is the time that cannot be had, and not something in the form. */
export function isClosed({ code }: Mistake): boolean {
  return CLOSED_CODES.includes(code);
}

/** A mistake in words for these pages; one of the time is at the choice of another one. */
export function wordsOf(mistake: Mistake, locale: string): Mistake {
  const { code, path } = mistake;
  const { texts, gone } = mistakeWords(locale);
  if (isClosed(mistake)) return { code, message: texts[code] ?? gone, path: ['start'] };
  return { ...(path && { path }), code, message: texts[code] ?? textOf(mistake, locale) };
}

/** Mistakes of a request, each at the field of the form that it is about. */
export function mistakesOfForm(
  mistakes: readonly Mistake[],
  typed: TypedBooking,
  eventType: BookableEventType,
  locale: string,
): readonly Mistake[] {
  const { closedSeries } = mistakeWords(locale);
  const { about } = problemWords(locale);
  return mistakes.map((mistake) => {
    const { path, ...worded } = wordsOf(mistake, locale);
    if (isClosed(mistake)) {
      const isOfSeries = eventType.rules.recurrence !== null && mistake.code !== 'DURATION_NOT_OFFERED';
      return { ...worded, ...(path && { path }), ...(isOfSeries && { message: closedSeries }) };
    }
    const control = controlOf(path ?? [], typed, eventType, locale);
    if (!control) return worded;
    return { code: mistake.code, message: about(control.subject, worded.message), path: [control.name] };
  });
}

/** A field of the form, and what a mistake there is about: its label, or one of the lines or options in it. */
interface Control {
  readonly name: string;
  readonly subject: string;
}

function controlOf(
  [first, second, third]: readonly string[],
  typed: TypedBooking,
  { bookingFields, locations }: BookableEventType,
  locale: string,
): Control | undefined {
  const { fields, where } = bookingWords(locale);
  switch (first) {
    case 'attendee':
      return second === 'name' || second === 'email' || second === 'phone'
        ? { name: second, subject: fields[second] }
        : undefined;
    case 'responses': {
      if (second === undefined) return undefined;
      const field = bookingFields.find(({ slug }) => slug === second);
      const answers = typed.responses.get(second) ?? [];
      const all = field?.type === 'MULTI_EMAIL' ? answers.flatMap(linesOf) : answers;
      return { name: responseName(second), subject: oneOf(all, third) ?? field?.label ?? second };
    }
    case 'location': {
      if (!isPlaceField(second)) return { name: 'location', subject: where };
      const said = locations.find(({ id }) => id === typed.location.id);
      return { name: saidName(typed.location.id), subject: said ? saidLabel(said, locale) : where };
    }
    case 'emailVerificationCode':
      return { name: 'code', subject: fields.code };
    case 'guests':
      return { name: first, subject: oneOf(linesOf(typed.guests), second) ?? fields.guests };
    case 'notes':
    case 'occurrences':
      return { name: first, subject: fields[first] };
    default:
      return undefined;
  }
}

function oneOf(lines: readonly string[], index: string | undefined): string | undefined {
  const line = index === undefined ? undefined : lines[Number(index)];
  return line === undefined ? undefined : shown(line);
}
