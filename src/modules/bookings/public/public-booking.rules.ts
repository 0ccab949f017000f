import { publicOwnedId } from '../../../core/id.ts';
import type { ManagingTeam } from '../../event-types/managed-event-type.rules.ts';
import type { AttendeeKey, BookingKey, Uids } from '../booking-key.rules.ts';
import { type BookedLocation, sharedLocation } from '../booking-location.rules.ts';
import { type BookingStatus, reschedulingReasons } from '../booking-transitions.rules.ts';

/** A host, as far as the people who booked them see one. */
export interface PublicUser {
  readonly name: string;
  /** Left out where no picture is shown, as in mails. */
  readonly avatarUrl?: string | null;
}

/** The parts of a booking that everybody with its uid is shown as they are. */
interface Shown<Instant> {
  readonly title: string;
  readonly description: string | null;
  readonly managedBy: ManagingTeam | null;
  readonly status: BookingStatus;
  readonly start: Instant;
  readonly end: Instant;
  readonly location: BookedLocation | null;
  readonly hosts: readonly PublicUser[];
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
  readonly seats: { readonly perSlot: number; readonly showsAttendees: boolean } | null;
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
  /** The booking, or the seat, that it was found by. */
  readonly id: string;
  /** How it stands in addresses: for its attendee by the uid, for its hosts by the id. */
  readonly name: string;
  /** The attendee who holds the uid; null for the uid of a booking with seats, which no attendee holds. */
  readonly attendee: { readonly name: string; readonly email: string; readonly timeZone: string } | null;
  /** Names of the others, only where the event type shows them. */
  readonly otherAttendeeNames: readonly string[];
  readonly remainingSeatCount: number | null;
  /** Counted for the booker of a booking without seats; otherwise none. */
  readonly invitedGuestCount: number;
  /** How many are invited only once who booked has followed the link of a mail. */
  readonly waitingGuestCount: number;
  /** A host has cancelled it and asks for another time. */
  readonly rescheduleRequested: boolean;
  /** Why, if they said so. */
  readonly rescheduleRequestReason: string | null;
  /** The name of the booking that it was moved to. */
  readonly movedTo: string | null;
}

/** Says how a booking stands in the addresses that its reader is given. */
export type NameOf = (key: BookingKey) => string;

/** For attendees, who come by a uid. */
export function namedByUid(uids: Uids, { version }: AttendeeKey): NameOf {
  return (key) => uids.of({ ...key, version: key.version ?? version });
}

/** For hosts, who come by the id and a session: they are shown no uid. */
export function idOfKey({ ownerId, id, isSeat = false }: BookingKey): string {
  return publicOwnedId(isSeat ? 'seat' : 'booking', { ownerId, id });
}

/**
 * Reduces a booking to what the holder of this key may see: the booking's own key, or that of one of its seats.
 * Undefined when it is neither.
 */
export function confirmationFor<Instant>(
  booking: ConfirmableBooking<Instant>,
  key: BookingKey,
  nameOf: NameOf,
): BookingConfirmation<Instant> | undefined {
  const { ownerId, rescheduledToId } = booking;
  const holder = attendeeWith(key, booking);
  if (!holder && !isOf(key, booking)) return undefined;
  const others = booking.seats?.showsAttendees ? booking.attendees.filter((one) => one !== holder) : [];
  return {
    id: idOfKey(key),
    name: nameOf(key),
    title: booking.title,
    description: booking.description,
    managedBy: booking.managedBy,
    status: booking.status,
    start: booking.start,
    end: booking.end,
    location: sharedLocation(booking),
    hosts: booking.hosts.map(({ name, avatarUrl = null }) => ({ name, avatarUrl })),
    attendee: holder ? { name: holder.name, email: holder.email, timeZone: holder.timeZone } : null,
    otherAttendeeNames: others.map(({ name }) => name),
    invitedGuestCount: holder && !booking.seats ? booking.guestEmails.length - booking.heldGuestEmails.length : 0,
    waitingGuestCount: holder && !booking.seats ? booking.heldGuestEmails.length : 0,
    remainingSeatCount: booking.seats ? booking.seats.perSlot - booking.attendees.length : null,
    cancellationReason: booking.cancellationReason,
    rejectionReason: booking.rejectionReason,
    rescheduleRequested: booking.rescheduleRequested,
    // Otherwise another attendee has said it.
    rescheduleRequestReason: reschedulingReasons(booking).rescheduleRequestReason,
    // With seats, the successor's uid is another attendee's. Without, it has the version of this one, so that it opens nothing once
    // that of the successor was ended.
    movedTo:
      booking.seats || rescheduledToId === null ? null : nameOf({ ownerId, id: rescheduledToId, version: key.version }),
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
