import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { OF_BOOKING } from './booking.entity.ts';
import type { Response } from './response.rules.ts';

const BOOKED_FROM_INDEX = 'booking_attendees_booked_from_idx';

/** The attendees of a booking, without its hosts and guests. With seats, each has a uid of their own. */
export const BookingAttendee = defineEntity({
  name: 'BookingAttendee',
  tableName: 'booking_attendees',
  indexes: [
    // Serves lists that are narrowed to an attendee. It begins with the address, so that it also finds the owners they
    // have met. An attendee's bookings with one owner are sorted by other times as a whole. It holds a hash of the
    // address, a third of its length; statements compare the address as well (hasEmail).
    {
      name: 'booking_attendees_start_idx',
      expression:
        'create index booking_attendees_start_idx on booking_attendees (hashtextextended(lower(email), 0), owner_id, starts_at, booking_id)',
    },
    {
      name: BOOKED_FROM_INDEX,
      expression: `create index ${BOOKED_FROM_INDEX} on booking_attendees (starts_at) where booked_from is not null`,
    },
  ],
  uniques: [
    {
      name: 'booking_attendees_seat_key',
      expression:
        'create unique index booking_attendees_seat_key on booking_attendees (owner_id, seat_id) where seat_id is not null',
    },
  ],
  properties: {
    ...OF_BOOKING,
    /** In the order of booking. */
    id: p.uuid().primary(),
    /** When the booking is, which never changes: an attendee who moves to another booking gets its time. */
    startsAt: p.type(InstantType),
    name: p.text(),
    email: p.text(),
    /** Whether they have shown that the address is theirs, or somebody signed in, whose own is verified, has named them. */
    verified: p.boolean().defaultRaw('false'),
    /**
     * The digest of the booker's network, of a team's booking that a stranger has made with an address that is not
     * verified: mails that go by the booking's time count for it. Null otherwise, and once they are over.
     */
    bookedFrom: p.text().nullable(),
    timeZone: p.text(),
    locale: p.text().nullable(),
    phone: p.text().nullable(),
    notes: p.text().nullable(),
    /** Null: none. */
    responses: p.json<Record<string, Response>>().nullable(),
    absent: p.boolean(),
    seatId: p.uuid().nullable(),
  },
});
