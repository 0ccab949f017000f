import type { InputShapeFromFields } from '@pothos/core';
import { type OwnedId, ownedIdOf } from '../../../core/id.ts';
import type { InputBuilder } from '../../../graphql/builder.ts';
import { MAX_NOTES_LENGTH } from '../attendee.rules.ts';
import {
  AttendeeInput,
  attendeeFrom,
  LocationInput,
  locationFrom,
  RESERVED,
  slotFields,
} from '../booking-input.graphql.ts';
import { MAX_GUESTS_A_CALL } from '../guest.rules.ts';
import { reservationNotFound } from '../slots/slot-reservation.queries.ts';
import type { BookingRequest } from './booking-request.rules.ts';

/** The input fields of a booking, beside its event type. */
export function bookingRequestFields(t: InputBuilder) {
  return {
    ...slotFields(t),
    attendee: t.field({ type: AttendeeInput, required: true, description: 'Who books.' }),
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
    reservationId: t.id({ description: RESERVED }),
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
export function requestFrom(input: InputShapeFromFields<ReturnType<typeof bookingRequestFields>>): BookingRequest {
  return {
    start: input.start,
    lengthInMinutes: input.lengthInMinutes ?? null,
    attendee: attendeeFrom(input.attendee),
    guests: input.guests ?? [],
    location: input.location ? locationFrom(input.location) : null,
    notes: input.notes ?? null,
    responses: input.responses ?? {},
    metadata: input.metadata ?? {},
    reservationId: reservationNamed(input.reservationId),
    occurrences: input.occurrences ?? null,
    idempotencyKey: input.idempotencyKey ?? null,
  };
}

/** The reservation that an input names, if any. @throws Problem NOT_FOUND for what cannot be the id of one */
export function reservationNamed(named: string | null | undefined): OwnedId | null {
  if (named == null) return null;
  const id = ownedIdOf('reservation', named);
  if (!id) throw reservationNotFound(named);
  return id;
}
