import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../../database/temporal-types.ts';
import { OF_BOOKING } from '../booking.entity.ts';

/** A recording of a meeting, as the conferencing provider told of it. */
export const BookingRecording = defineEntity({
  name: 'BookingRecording',
  tableName: 'booking_recordings',
  properties: {
    ...OF_BOOKING,
    /** The id that the provider gave it. */
    id: p.text().primary(),
    url: p.text(),
    durationInSeconds: p.integer().nullable(),
    createdAt: p.type(InstantType),
  },
});
