import { newId } from '../../../core/id.ts';
import type { KeyedRequest } from '../../../core/idempotency-key.ts';
import type { Actor } from '../../../events/record-event.ts';
import { networkDigest } from '../../../limits/network.ts';
import type { BookableEventType } from '../../event-types/public/event-type-rules.queries.ts';
import { type BookingStatus, initialStatus } from '../booking-transitions.rules.ts';
import type { Assignment } from '../slots/assign-hosts.rules.ts';
import type { CheckedRequest } from './booking-request.rules.ts';
import type { NewAttendee, NewBooking } from './insert-booking.ts';

/** A request, and who makes it. */
export interface RequestOf extends CheckedRequest {
  readonly keyed: KeyedRequest | null;
  readonly by: Actor;
  /** Whether the booker has proven their address by a code. */
  readonly isEmailVerified: boolean;
}

/** Where a booking stands among those of its request. */
export interface Place {
  /** The database's clock, epoch milliseconds. */
  readonly now: number;
  readonly isSeries: boolean;
  /** The key of the first booking; null for the first itself. */
  readonly firstId: string | null;
}

/** The booker, as an attendee: in a booking with seats, on a seat of their own. */
export function personOf(
  { rules }: BookableEventType,
  { attendee, notes, responses, keyed, by: { network }, isEmailVerified }: RequestOf,
  { firstId }: Place,
): NewAttendee {
  return {
    ...attendee,
    notes,
    responses,
    seatId: rules.seats ? newId() : null,
    verified: isEmailVerified,
    bookedFrom: network === null ? null : networkDigest(network),
    request: firstId === null ? keyed : null,
  };
}

/** A booking that is to be made. */
export function requestedBooking(
  { rules }: BookableEventType,
  { start, end, hostIds }: Assignment,
  { guests, location, metadata, by, isEmailVerified }: RequestOf,
  { now, isSeries, firstId }: Place,
  person: NewAttendee,
): NewBooking {
  const id = newId();
  return {
    id,
    start,
    end,
    status: initialStatus(rules.confirmation, start, now),
    hostIds,
    location,
    guestEmails: guests,
    heldGuestEmails: isEmailVerified ? [] : guests,
    bookedById: by.userId,
    seats: rules.seats,
    metadata,
    attendees: [person],
    recurringId: isSeries ? (firstId ?? id) : null,
  };
}

export function creationOf(status: BookingStatus): 'BOOKING_REQUESTED' | 'BOOKING_CREATED' {
  return status === 'PENDING' ? 'BOOKING_REQUESTED' : 'BOOKING_CREATED';
}
