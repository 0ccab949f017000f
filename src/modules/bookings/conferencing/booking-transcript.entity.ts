import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../../database/temporal-types.ts';
import { OF_BOOKING } from '../booking.entity.ts';

/** The transcript of a meeting, as the conferencing provider sent it. */
export const BookingTranscript = defineEntity({
  name: 'BookingTranscript',
  tableName: 'booking_transcripts',
  properties: {
    ...OF_BOOKING,
    /** The id that the provider gave it. */
    id: p.text().primary(),
    url: p.text(),
    language: p.text().nullable(),
    createdAt: p.type(InstantType),
  },
});
