import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../../database/temporal-types.ts';
import { Booking } from '../booking.entity.ts';

/** What represents a booking in another service: a meeting room, an event in a calendar. */
export const BookingReference = defineEntity({
  name: 'BookingReference',
  tableName: 'booking_references',
  properties: {
    booking: () => p.manyToOne(Booking).joinColumns('owner_id', 'booking_id').deleteRule('cascade').index(false),
    ownerId: p.uuid().primary(),
    bookingId: p.uuid().primary(),
    /** The other service's. */
    id: p.text().primary(),
    /** The other service, such as `zoom`. */
    app: p.text(),
    url: p.text().nullable(),
    createdAt: p.type(InstantType),
  },
});
