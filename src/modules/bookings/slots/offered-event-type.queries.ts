import { Problem } from '../../../core/problem.ts';
import type { Em } from '../../../database/sql.ts';
import { findPrivatelyLinked } from '../../event-types/private-links.ts';
import {
  type BookableEventType,
  type EventTypeName,
  findEventTypeRules,
} from '../../event-types/public/event-type-rules.queries.ts';
import { findBooking } from '../booking.queries.ts';
import type { BookingKey } from '../booking-key.rules.ts';
import { bookingNotFound } from '../locked-booking.ts';
import { opensEventType } from './moved-booking.queries.ts';

/** The viewer, link or booking that opens a hidden event type, or one of a private team. */
export interface OfferedTo {
  /** The user who asks; null is anybody. */
  readonly viewerId: string | null;
  readonly privateLinkToken: string | null;
  /** A booking of it, or a seat in one, which may be rescheduled. */
  readonly booking?: BookingKey | null;
  /** Where a private link leads. */
  readonly follow?: typeof findPrivatelyLinked | undefined;
}

/**
 * An event type as the caller may see it: with a private link, the one that it leads to, hidden or not; without one, one
 * that is neither hidden nor closed to them, or that of their booking.
 */
export async function findOfferedEventType(
  em: Em,
  name: EventTypeName,
  { viewerId, privateLinkToken, booking = null, follow = findPrivatelyLinked }: OfferedTo,
): Promise<BookableEventType | undefined> {
  const found = await findEventTypeRules(em, name, viewerId);
  if (!found) return undefined;
  if (privateLinkToken !== null) return (await follow(em, privateLinkToken))?.id === found.id ? found : undefined;
  if (!found.isHidden && !found.isClosed) return found;
  return booking !== null && (await opensEventType(em, booking, found.id)) ? found : undefined;
}

/** The event type of a booking or a seat; undefined when either is gone. */
export async function findBookedEventType(em: Em, key: BookingKey): Promise<BookableEventType | undefined> {
  const booking = await findBooking(em, key);
  return booking && findEventTypeRules(em, { ownerId: booking.ownerId, id: booking.eventTypeId });
}

/** The event type of a booking that is to move. @throws Problem NOT_FOUND without the booking, NOT_POSSIBLE without the event type */
export async function requireBookedEventType(em: Em, key: BookingKey): Promise<BookableEventType> {
  const booking = await findBooking(em, key);
  if (!booking) throw bookingNotFound(key);
  const found = await findEventTypeRules(em, { ownerId: booking.ownerId, id: booking.eventTypeId });
  if (found) return found;
  // Whether it was deleted or its owner suspended is not for a booker to know.
  const message =
    'What was booked is offered no longer, so no other time can be chosen; cancel the booking, or ask its host.';
  throw new Problem('NOT_POSSIBLE', message, ['bookingId']);
}

/** Where only somebody signed in can book. @throws Problem AUTHENTICATION_REQUIRED */
export function requireSignedIn({ requiresAuthentication }: BookableEventType, callerId: string | null): void {
  if (!requiresAuthentication || callerId !== null) return;
  const message = 'This event type is booked by signed-in users only; sign in, or send an access token.';
  throw new Problem('AUTHENTICATION_REQUIRED', message);
}
