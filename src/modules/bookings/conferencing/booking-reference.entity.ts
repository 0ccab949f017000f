import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../../database/temporal-types.ts';
import { OF_BOOKING } from '../booking.entity.ts';

/** References show where a booking stands in another service: a meeting room, an event in a calendar. */
export const BookingReference = defineEntity({
  name: 'BookingReference',
  tableName: 'booking_references',
  properties: {
    ...OF_BOOKING,
    /** The id that the other service gave it. */
    id: p.text().primary(),
    /** The other service, such as `zoom`. */
    app: p.text(),
    url: p.text().nullable(),
    createdAt: p.type(InstantType),
  },
});
