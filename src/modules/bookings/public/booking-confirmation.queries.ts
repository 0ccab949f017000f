import { readOne } from '../../../database/read.ts';
import { Selection } from '../../../database/selection.ts';
import { type Em, type RawBuilder, sql } from '../../../database/sql.ts';
import { PERSON } from '../../accounts/person.queries.ts';
import { User } from '../../accounts/user.entity.ts';
import { Booking } from '../booking.entity.ts';
import { bookingWith } from '../booking.queries.ts';
import { BookingAttendee } from '../booking-attendee.entity.ts';
import type { ConfirmableBooking } from '../booking-confirmation.rules.ts';
import { BookingHost } from '../booking-host.entity.ts';
import type { BookingKey } from '../booking-key.rules.ts';
import { ATTENDEES, HOSTS } from '../lists/booking-parts.queries.ts';

/** A booking may have a thousand attendees, with long notes and answers that nobody else is shown. */
const CONFIRMABLE = new Selection(
  Booking,
  [
    'ownerId',
    'id',
    'title',
    'description',
    'managedBy',
    'status',
    'startsAt',
    'endsAt',
    'location',
    'guestEmails',
    'heldGuestEmails',
    'cancellationReason',
    'rejectionReason',
    'reschedulingReason',
    'rescheduleRequested',
    'rescheduledToId',
    'seats',
  ],
  [
    { part: ATTENDEES, of: new Selection(BookingAttendee, ['name', 'email', 'timeZone', 'seatId']) },
    {
      part: HOSTS,
      of: new Selection(BookingHost, [], [{ part: PERSON, of: new Selection(User, ['name']) }]),
    },
  ],
).from('b') as RawBuilder<Found>;

interface Found
  extends Omit<ConfirmableBooking<string>, 'start' | 'end' | 'hosts' | 'guestEmails' | 'heldGuestEmails'> {
  readonly guestEmails: readonly string[] | null;
  readonly heldGuestEmails: readonly string[] | null;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly hosts: readonly { readonly user: { readonly name: string } }[];
}

/** Finds the parts of a booking that anybody with its uid, or with the uid of one of its seats, is shown. */
export async function findConfirmable(em: Em, key: BookingKey): Promise<ConfirmableBooking<string> | undefined> {
  const found = await readOne(em, sql<Found>`select ${CONFIRMABLE} from bookings b where ${bookingWith(key)}`);
  if (!found) return undefined;
  const { startsAt: start, endsAt: end, hosts, guestEmails, heldGuestEmails, ...booking } = found;
  const guests = { guestEmails: guestEmails ?? [], heldGuestEmails: heldGuestEmails ?? [] };
  return { ...booking, ...guests, start, end, hosts: hosts.map(({ user }) => user) };
}
