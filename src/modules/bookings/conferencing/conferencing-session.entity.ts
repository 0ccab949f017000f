import { defineEntity, p } from '@mikro-orm/core';
import { InstantType, instantCheck } from '../../../database/temporal-types.ts';
import { OF_BOOKING } from '../booking.entity.ts';

/** A time at which people met for a booking. Its end may be told before its start: messages overtake each other. */
export const ConferencingSession = defineEntity({
  name: 'ConferencingSession',
  tableName: 'conferencing_sessions',
  checks: [instantCheck('conferencing_sessions', 'started_at', 'ended_at')],
  properties: {
    ...OF_BOOKING,
    /** The id that the provider gave it. */
    id: p.text().primary(),
    startedAt: p.type(InstantType).nullable(),
    endedAt: p.type(InstantType).nullable(),
    createdAt: p.type(InstantType),
  },
});
