import { sha256Hex } from '../../core/secret.ts';
import type { BookingRequest } from '../../modules/bookings/booking-request.rules.ts';
import type { SeriesDate } from '../../modules/bookings/slots/availability.ts';
import type { BookableEventType } from '../../modules/event-types/public/event-type-rules.queries.ts';
import type { BookingField } from '../../modules/event-types/settings/booking-field.rules.ts';
import { responseName, type TypedResponses } from './booking-field-parts.ts';
import type { TypedBooking } from './booking-form-page.ts';
import { saidName } from './location-part.ts';
import { bookableOf } from './series-dates-part.ts';

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
export interface Chosen {
  readonly start: Temporal.Instant;
  readonly lengthInMinutes: number;
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
  const said = location.said.get(location.id) ?? '';
  const request = {
    ...rest,
    attendee: { name, email, timeZone, locale, phone: phone.trim() || null },
    guests: linesOf(guests),
    location: location.id === '' ? null : { type: null, value: said || null, id: location.id },
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
    case 'MULTISELECT':
      return values;
    case 'MULTIEMAIL':
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
export function linesOf(text: string): readonly string[] {
  return text
    .split(/[\r\n,;]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
