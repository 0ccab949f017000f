import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../../database/temporal-types.ts';
import { Booking } from '../booking.entity.ts';

/** What was said in a meeting, as the conferencing provider told of it. */
export const BookingTranscript = defineEntity({
  name: 'BookingTranscript',
  tableName: 'booking_transcripts',
  properties: {
    booking: () => p.manyToOne(Booking).joinColumns('owner_id', 'booking_id').deleteRule('cascade').index(false),
    ownerId: p.uuid().primary(),
    bookingId: p.uuid().primary(),
    /** The provider's. */
    id: p.text().primary(),
    url: p.text(),
    language: p.text().nullable(),
    createdAt: p.type(InstantType),
  },
});
