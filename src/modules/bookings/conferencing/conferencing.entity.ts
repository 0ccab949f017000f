import { defineEntity, p } from '@mikro-orm/core';
import { InstantType, instantCheck } from '../../../database/temporal-types.ts';
import { ConferencingApp } from '../../conferencing/conferencing-app.entity.ts';
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

/** The meeting of a booking in an account at a provider, made or about to be. A booking that moves keeps it. Sharded by the booking's owner. */
export const ConferencingMeeting = defineEntity({
  name: 'ConferencingMeeting',
  tableName: 'conferencing_meetings',
  indexes: [{ name: 'conferencing_meetings_app_idx', properties: ['holderId', 'appId'] }],
  properties: {
    /** The id of the booking. */
    ownerId: p.uuid().primary(),
    icsId: p.uuid().primary(),
    /** The app whose account it is in. */
    app: () => p.manyToOne(ConferencingApp).joinColumns('holder_id', 'app_id').deleteRule('cascade').index(false),
    /** The id of the user or team that has connected the app. */
    holderId: p.uuid(),
    appId: p.uuid().primary(),
    /** The provider's id of the meeting; null while it is not known to exist. */
    externalId: p.text().nullable(),
    url: p.text().nullable(),
    /** SHA-256 of what the provider was last told of it. */
    content: p.text().nullable(),
    /** The provider was asked for it, and what came of that is not known: it is looked for before it is asked again. */
    askedAt: p.type(InstantType).nullable(),
    /** The claim of the process that works at the meeting; no other process does until `claimedUntil`. */
    claim: p.uuid().nullable(),
    claimedUntil: p.type(InstantType).nullable(),
    createdAt: p.type(InstantType),
  },
});

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
