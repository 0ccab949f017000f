/** The input of whoever books, moves or keeps a slot, and the same as commands take it: the event type, the time, the people. */

import type { InputShapeFromFields } from '@pothos/core';
import { type OwnedId, ownedIdOf } from '../../core/id.ts';
import { EMAIL_IN_WORDS, LOCALE_IN_WORDS, TIME_ZONE_IN_WORDS } from '../../core/text.ts';
import { builder, type InputBuilder } from '../../graphql/builder.ts';
import type { GraphQLContext } from '../../graphql/context.ts';
import { describedValues } from '../../graphql/descriptions.ts';
import { badValue, taking } from '../../graphql/scalars.ts';
import { type findOncePrivatelyLinked, privateLinkNotFound } from '../event-types/private-links.ts';
import { notFoundHere } from '../levels/change-owned.ts';
import { insiderId } from '../teams/team.graphql.ts';
import { reservationNotFound, type Uids } from './booking-key.rules.ts';
import { LocationInput, locationFrom } from './booking-location.graphql.ts';
import { type BookingRequest, MAX_GUESTS_A_CALL, MAX_NAME_LENGTH, MAX_NOTES_LENGTH } from './booking-request.rules.ts';
import { BOOKING_STATUSES, MAX_REASON_LENGTH } from './booking-transitions.rules.ts';
import { type BookableEventType, findOfferedEventType } from './slots/bookable-event-type.queries.ts';

/**
 * An event type that anybody may book, or anybody with the private link.
 * @throws Problem NOT_FOUND, also for a hidden one
 */
export async function requireOffered(
  context: GraphQLContext,
  eventTypeId: string,
  privateLinkToken: string | null,
  follow?: typeof findOncePrivatelyLinked,
): Promise<BookableEventType> {
  const named = ownedIdOf('eventType', eventTypeId);
  const offeredTo = { viewerId: insiderId(context), privateLinkToken, follow };
  const found = named && (await findOfferedEventType(context.em, named, offeredTo));
  if (!found) throw privateLinkToken === null ? notFoundHere('eventType', eventTypeId) : privateLinkNotFound();
  return found;
}

/** The signed-in user, if there is one: the one source of identity. */
export function callerIdOf({ caller }: GraphQLContext): string | null {
  return caller.kind === 'anonymous' ? null : caller.userId;
}

/** The argument that opens a hidden event type. */
export function privateLinkField(t: InputBuilder) {
  return t.string({ description: 'The last part of a private link’s address: it opens a hidden event type.' });
}

export const BookingStatus = builder.enumType('BookingStatus', {
  description: 'The status of a booking. It does not change when the meeting is over.',
  values: describedValues(BOOKING_STATUSES, {
    PENDING: 'It waits for a host to confirm or decline it; its time is taken meanwhile.',
    ACCEPTED: 'It takes place.',
    REJECTED: 'A host has declined it; its time is free again.',
    CANCELLED: 'A host or an attendee has cancelled or moved it; its time is free again.',
  }),
});

builder.scalarType('BookingResponses', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-4',
  description:
    'Answers to booking fields, by the slug of the field: texts, numbers, true or false, or lists of texts, as the type of the field wants. An example: `{ "company": "ACME", "topics": ["Sales"] }`.',
  serialize: (record) => record,
  ...taking((value) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    throw badValue('BookingResponses', value, 'give an object with answers');
  }),
});

export const AttendeeInput = builder.inputType('BookingAttendeeInput', {
  description: 'The name and contact details of the booker. Nothing here is taken as proof of who they are.',
  fields: (t) => ({
    name: t.string({
      required: true,
      description: `What people call them: at most ${MAX_NAME_LENGTH} characters in one line.`,
    }),
    email: t.field({
      type: 'EmailAddress',
      required: true,
      description: `Where mails about the booking go: ${EMAIL_IN_WORDS}.`,
    }),
    timeZone: t.field({
      type: 'TimeZone',
      required: true,
      description: `The time zone of times in mails: ${TIME_ZONE_IN_WORDS}.`,
    }),
    locale: t.string({
      description: `The language of mails: ${LOCALE_IN_WORDS}. Their words are German or English, their dates in any language.`,
    }),
    phone: t.string({ description: 'A number with its country code, such as `+4930123456`.' }),
  }),
});

const RESERVED =
  'The uid of the slot’s reservation (`uir_…`), which `slotReservationCreate` answered, if you have reserved it. One that is over, or of another event type, is `NOT_FOUND`; leave it out to book without.';

export const UID =
  'The uid of the booking, which begins with `uid_`, or of a seat in it (`uis_…`): what its attendee was given. An id opens nothing here.';

/** The time to which a booking moves, and why. */
export function newTimeFields(t: InputBuilder) {
  return {
    start: t.field({
      type: 'DateTime',
      required: true,
      description: 'The start of one of the `slots`, such as `2026-12-01T09:00:00Z`.',
    }),
    durationInMinutes: t.int({
      description: 'One of the event type’s `durationInMinutesOptions`; as long as it was if left out.',
    }),
    reason: reasonField(t, 'The reason, which the others are told.'),
    reservationUid: t.string({ description: RESERVED }),
  };
}

/** The same as the command takes it. */
export function newTimeFrom(
  { start, durationInMinutes, reason, reservationUid }: InputShapeFromFields<ReturnType<typeof newTimeFields>>,
  uids: Uids,
) {
  return {
    start,
    durationInMinutes: durationInMinutes ?? null,
    reason: reason ?? null,
    reservationId: reservationWith(reservationUid, uids),
  };
}

/** A reason that somebody gives for what they do with a booking. */
export function reasonField(t: InputBuilder, description: string) {
  return t.string({ description: `${description} At most ${MAX_REASON_LENGTH} characters.` });
}

/** When and for how long, for whatever takes a slot. */
export function slotFields(t: InputBuilder) {
  return {
    start: t.field({
      type: 'DateTime',
      required: true,
      description: 'The start of one of the `slots`, such as `2026-12-01T09:00:00Z`.',
    }),
    durationInMinutes: t.int({
      description: 'One of the event type’s `durationInMinutesOptions`; its own length if left out.',
    }),
  };
}

interface AttendeeFields {
  readonly name: string;
  readonly email: string;
  readonly timeZone: string;
  readonly locale?: string | null | undefined;
  readonly phone?: string | null | undefined;
}

/** The attendee as the rules take them. */
export function attendeeFrom({ name, email, timeZone, locale, phone }: AttendeeFields) {
  return { name, email, timeZone, locale: locale ?? null, phone: phone ?? null };
}

/** The input fields of a booking, beside its event type. */
export function bookingRequestFields(t: InputBuilder) {
  return {
    ...slotFields(t),
    attendee: t.field({ type: AttendeeInput, required: true, description: 'The person who books.' }),
    guests: t.field({
      type: ['EmailAddress'],
      description: `E-mail addresses of people who come along; at most ${MAX_GUESTS_A_CALL}.`,
    }),
    location: t.field({
      type: LocationInput,
      description: 'Where it takes place; the first of the event type’s if left out.',
    }),
    notes: t.string({ description: `What the booker writes to the hosts: at most ${MAX_NOTES_LENGTH} characters.` }),
    responses: t.field({ type: 'BookingResponses', description: 'Answers to the event type’s booking fields.' }),
    metadata: t.field({
      type: 'Metadata',
      description: 'What you keep with the booking; hosts and their apps see it.',
    }),
    reservationUid: t.string({ description: RESERVED }),
    occurrences: t.int({
      description: 'Of a recurring event type: how many bookings, up to its `occurrences`; all of them if left out.',
    }),
    idempotencyKey: t.string({
      description:
        'At least 16 characters of your choice. The same request with the same key books once, however often it is sent; another one needs another key.',
    }),
  };
}

/** The request as the rules take it. */
export function requestFrom(
  input: InputShapeFromFields<ReturnType<typeof bookingRequestFields>>,
  uids: Uids,
): BookingRequest {
  return {
    start: input.start,
    durationInMinutes: input.durationInMinutes ?? null,
    attendee: attendeeFrom(input.attendee),
    guests: input.guests ?? [],
    location: input.location ? locationFrom(input.location) : null,
    notes: input.notes ?? null,
    responses: input.responses ?? {},
    metadata: input.metadata ?? {},
    reservationId: reservationWith(input.reservationUid, uids),
    occurrences: input.occurrences ?? null,
    idempotencyKey: input.idempotencyKey ?? null,
  };
}

/** The reservation that an input opens, if any. @throws Problem NOT_FOUND for a text that is no uid of one */
function reservationWith(uid: string | null | undefined, uids: Uids): OwnedId | null {
  if (uid == null) return null;
  const id = uids.readReservation(uid);
  if (!id) throw reservationNotFound();
  return id;
}
