import { publicOwnedId } from '../../../core/id.ts';
import type { ManagingTeam } from '../../event-types/managed-event-type.rules.ts';
import type { Location } from '../../event-types/settings/location.rules.ts';
import { type BookingKey, uidOf } from '../booking-key.rules.ts';
import { sharedLocation } from '../booking-location.rules.ts';
import type { BookingStatus } from '../booking-transitions.rules.ts';

/** The parts of a booking that everybody with its uid is shown as they are. */
interface Shown<Instant> {
  readonly title: string;
  readonly description: string | null;
  readonly managedBy: ManagingTeam | null;
  readonly status: BookingStatus;
  readonly start: Instant;
  readonly end: Instant;
  readonly location: Location | null;
  readonly hosts: readonly { readonly name: string }[];
  readonly cancellationReason: string | null;
  readonly rejectionReason: string | null;
}

/** The values of a booking from which a public look-up starts. Instants are whatever the caller holds them as. */
export interface ConfirmableBooking<Instant> extends Shown<Instant> {
  readonly ownerId: string;
  readonly id: string;
  /** In the order of booking; the first is the booker of a booking without seats. */
  readonly attendees: readonly ConfirmableAttendee[];
  readonly guestEmails: readonly string[];
  readonly heldGuestEmails: readonly string[];
  readonly reschedulingReason: string | null;
  readonly rescheduleRequested: boolean;
  readonly rescheduledToId: string | null;
  readonly seats: { readonly perSlot: number; readonly showAttendees: boolean } | null;
}

interface ConfirmableAttendee {
  readonly name: string;
  readonly email: string;
  readonly timeZone: string;
  /** Null in a booking without seats. */
  readonly seatId: string | null;
}

/** A booking as anybody with a uid may see it: without the addresses of others, answers, notes and metadata. */
export interface BookingConfirmation<Instant> extends Shown<Instant> {
  /** The one that it was found by. */
  readonly uid: string;
  /** The attendee who holds the uid; null for the uid of a booking with seats, which no attendee holds. */
  readonly attendee: { readonly name: string; readonly email: string; readonly timeZone: string } | null;
  /** Names of the others, only where the event type shows them. */
  readonly otherAttendeeNames: readonly string[];
  readonly seatsLeft: number | null;
  /** Counted for the booker of a booking without seats; otherwise none. */
  readonly guestsInvited: number;
  /** How many are invited only once who booked has followed the link of a mail. */
  readonly guestsWaiting: number;
  /** A host has cancelled it and asks for another time. */
  readonly rescheduleRequested: boolean;
  /** Why, if they said so. */
  readonly rescheduleRequestReason: string | null;
  readonly rescheduledToUid: string | null;
}

/**
 * Reduces a booking to what the holder of this key may see: the booking's own key, or that of one of its seats.
 * Undefined when it is neither.
 */
export function confirmationFor<Instant>(
  booking: ConfirmableBooking<Instant>,
  key: BookingKey,
): BookingConfirmation<Instant> | undefined {
  const { ownerId, rescheduledToId } = booking;
  const holder = attendeeWith(key, booking);
  if (!holder && !isOf(key, booking)) return undefined;
  const others = booking.seats?.showAttendees ? booking.attendees.filter((one) => one !== holder) : [];
  return {
    uid: uidOf(key),
    title: booking.title,
    description: booking.description,
    managedBy: booking.managedBy,
    status: booking.status,
    start: booking.start,
    end: booking.end,
    // A meeting that is not agreed on has no room yet, and one that is cancelled has lost it.
    location: booking.status === 'ACCEPTED' ? sharedLocation(booking) : null,
    hosts: booking.hosts.map(({ name }) => ({ name })),
    attendee: holder ? { name: holder.name, email: holder.email, timeZone: holder.timeZone } : null,
    otherAttendeeNames: others.map(({ name }) => name),
    guestsInvited: holder && !booking.seats ? booking.guestEmails.length - booking.heldGuestEmails.length : 0,
    guestsWaiting: holder && !booking.seats ? booking.heldGuestEmails.length : 0,
    seatsLeft: booking.seats ? booking.seats.perSlot - booking.attendees.length : null,
    cancellationReason: booking.cancellationReason,
    rejectionReason: booking.rejectionReason,
    rescheduleRequested: booking.rescheduleRequested,
    // Otherwise another attendee has said it.
    rescheduleRequestReason: booking.rescheduleRequested ? booking.reschedulingReason : null,
    // With seats, the successor's uid is another attendee's capability.
    rescheduledToUid:
      booking.seats || rescheduledToId === null ? null : publicOwnedId('booking', { ownerId, id: rescheduledToId }),
  };
}

/** Finds the attendee who holds a key: the booker or, with seats, the one in the seat. */
export function attendeeWith<Attendee extends ConfirmableAttendee>(
  key: BookingKey,
  booking: Pick<ConfirmableBooking<unknown>, 'id' | 'seats'> & { readonly attendees: readonly Attendee[] },
): Attendee | undefined {
  const { seats, attendees } = booking;
  if (seats) return key.isSeat ? attendees.find(({ seatId }) => seatId === key.id) : undefined;
  return isOf(key, booking) ? attendees[0] : undefined;
}

function isOf({ id, isSeat = false }: BookingKey, booking: { readonly id: string }): boolean {
  return !isSeat && id === booking.id;
}
