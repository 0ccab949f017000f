import type { OwnedId } from '../../../core/id.ts';
import { batched } from '../../../graphql/batch.ts';
import { builder } from '../../../graphql/builder.ts';
import { URL_TEXT } from '../../../graphql/limits/price.ts';
import { addRowFields } from '../../../graphql/row.ts';
import { reads } from '../../../scopes/declare.ts';
import { Booking as BookingEntity } from '../booking.entity.ts';
import { Booking } from '../lists/booking.graphql.ts';
import {
  type ConferencingSession,
  findConferencingSessions,
  findRecordings,
  findReferences,
  findTranscripts,
  type Recording,
  type Reference,
  type Transcript,
} from './booking-media.queries.ts';
import { MAX_OF_A_KIND } from './conferencing-message.ts';

const data = reads('BOOKING');

const BookingRecording = builder.objectRef<Recording>('BookingRecording').implement({
  fields: (t) => ({
    id: t.exposeID('id', { requires: data, description: 'The provider’s.' }),
    url: t.exposeString('url', { price: URL_TEXT, requires: data }),
    durationInSeconds: t.exposeInt('durationInSeconds', { nullable: true, requires: data }),
    createdAt: t.expose('createdAt', { type: 'DateTime', requires: data }),
  }),
});

const BookingTranscript = builder.objectRef<Transcript>('BookingTranscript').implement({
  fields: (t) => ({
    id: t.exposeID('id', { requires: data, description: 'The provider’s.' }),
    url: t.exposeString('url', { price: URL_TEXT, requires: data }),
    language: t.exposeString('language', { nullable: true, requires: data }),
    createdAt: t.expose('createdAt', { type: 'DateTime', requires: data }),
  }),
});

const BookingReference = builder.objectRef<Reference>('BookingReference').implement({
  description: 'What represents a booking in another service: a meeting room, an event in a calendar.',
  fields: (t) => ({
    id: t.exposeID('id', { requires: data, description: 'The other service’s.' }),
    app: t.exposeString('app', { requires: data, description: 'The other service.' }),
    url: t.exposeString('url', { price: URL_TEXT, nullable: true, requires: data }),
    createdAt: t.expose('createdAt', { type: 'DateTime', requires: data }),
  }),
});

const BookingSession = builder.objectRef<ConferencingSession>('BookingConferencingSession').implement({
  description: 'A time at which people met.',
  fields: (t) => ({
    id: t.exposeID('id', { requires: data, description: 'The provider’s.' }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      nullable: true,
      requires: data,
      description: 'Null as long as only its end is known.',
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      requires: data,
      description: 'Null as long as it lasts.',
    }),
  }),
});

const loadRecordings = batched(({ em }, bookings: readonly OwnedId[]) => findRecordings(em, bookings));
const loadTranscripts = batched(({ em }, bookings: readonly OwnedId[]) => findTranscripts(em, bookings));
const loadReferences = batched(({ em }, bookings: readonly OwnedId[]) => findReferences(em, bookings));
const loadSessions = batched(({ em }, bookings: readonly OwnedId[]) => findConferencingSessions(em, bookings));

addRowFields(Booking, BookingEntity, (t) => ({
  recordings: t.from(['ownerId', 'id'], {
    type: [BookingRecording],
    price: { max: MAX_OF_A_KIND },
    requires: data,
    description: 'As the conferencing provider reported them; so are transcripts, references and sessions.',
    resolve: async (booking, _args, context) => [...((await loadRecordings(context, booking, undefined)) ?? [])],
  }),
  transcripts: t.from(['ownerId', 'id'], {
    type: [BookingTranscript],
    price: { max: MAX_OF_A_KIND },
    requires: data,
    resolve: async (booking, _args, context) => [...((await loadTranscripts(context, booking, undefined)) ?? [])],
  }),
  references: t.from(['ownerId', 'id'], {
    type: [BookingReference],
    price: { max: MAX_OF_A_KIND },
    requires: data,
    resolve: async (booking, _args, context) => [...((await loadReferences(context, booking, undefined)) ?? [])],
  }),
  conferencingSessions: t.from(['ownerId', 'id'], {
    type: [BookingSession],
    price: { max: MAX_OF_A_KIND },
    requires: data,
    resolve: async (booking, _args, context) => [...((await loadSessions(context, booking, undefined)) ?? [])],
  }),
}));
