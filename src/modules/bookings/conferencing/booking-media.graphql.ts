import type { ObjectRef } from '@pothos/core';
import type { OwnedId } from '../../../core/id.ts';
import { LOCALE_IN_WORDS } from '../../../core/text.ts';
import type { Em } from '../../../database/sql.ts';
import { batched } from '../../../graphql/batch.ts';
import { builder, type Types } from '../../../graphql/builder.ts';
import type { GraphQLContext } from '../../../graphql/context.ts';
import { URL_TEXT } from '../../../graphql/limits/price.ts';
import { addRowFields } from '../../../graphql/row.ts';
import { reads } from '../../../scopes/declare.ts';
import { Booking as BookingEntity } from '../booking.entity.ts';
import { Booking } from '../lists/booking.graphql.ts';
import {
  findConferencingSessions,
  findRecordings,
  findReferences,
  findTranscripts,
  type Recording,
  type Reference,
  type Session,
  type Transcript,
} from './booking-media.queries.ts';
import { MAX_OF_A_KIND } from './record-conferencing.ts';

const data = reads('BOOKING');

const BookingRecording = mediaType<Recording>('BookingRecording', {
  description: 'A recording of the meeting, as its conferencing provider reported it.',
  url: 'Where it can be watched, at the provider.',
});
builder.objectField(BookingRecording, 'durationInSeconds', (t) =>
  t.exposeInt('durationInSeconds', {
    nullable: true,
    requires: data,
    description: 'How long the recording is. Null: the provider has not said.',
  }),
);

const BookingTranscript = mediaType<Transcript>('BookingTranscript', {
  description: 'What was said in the meeting, as its conferencing provider reported it.',
  url: 'Where it can be read, at the provider.',
});
builder.objectField(BookingTranscript, 'language', (t) =>
  t.exposeString('language', {
    nullable: true,
    requires: data,
    description: `The language that was spoken: ${LOCALE_IN_WORDS}. Null: the provider has not said.`,
  }),
);

const BookingReference = builder.objectRef<Reference>('BookingReference').implement({
  description: 'What represents a booking in another service: a meeting room, an event in a calendar.',
  fields: (t) => ({
    id: t.exposeID('id', { requires: data, description: 'Its id in the other service.' }),
    app: t.exposeString('app', { requires: data, description: 'The name of the other service.' }),
    url: t.expose('url', {
      type: 'URL',
      price: URL_TEXT,
      nullable: true,
      requires: data,
      description: 'Where it is, in the other service. Null: it has no address.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', requires: data }),
  }),
});

const BookingSession = builder.objectRef<Session>('BookingConferencingSession').implement({
  description: 'A period in which people met, as the conferencing provider reported it.',
  fields: (t) => ({
    id: t.exposeID('id', { requires: data, description: 'The id that the conferencing provider gave it.' }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      nullable: true,
      requires: data,
      description: 'When it started. Null if only its end is known.',
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      requires: data,
      description: 'When it ended. Null while it goes on.',
    }),
  }),
});

type Medium = Pick<Recording & Transcript, 'id' | 'url' | 'createdAt'>;

/** Declares the type of a file that a provider keeps of a meeting, at an address of its own. */
function mediaType<Row extends Medium>(
  name: string,
  { description, url }: { readonly description: string; readonly url: string },
): ObjectRef<Types, Row> {
  const Media = builder.objectRef<Medium>(name).implement({
    description,
    fields: (t) => ({
      id: t.exposeID('id', { requires: data, description: 'The id that the conferencing provider gave it.' }),
      url: t.expose('url', { type: 'URL', price: URL_TEXT, requires: data, description: url }),
      createdAt: t.expose('createdAt', { type: 'DateTime', requires: data }),
    }),
  });
  return Media as unknown as ObjectRef<Types, Row>;
}

/** A list of what one statement finds of all bookings. */
function foundBy<Row>(
  type: ObjectRef<Types, Row>,
  find: (em: Em, bookings: readonly OwnedId[]) => Promise<ReadonlyMap<string, readonly Row[]>>,
) {
  const load = batched(({ em }, bookings: readonly OwnedId[]) => find(em, bookings));
  return {
    type: [type] as [typeof type],
    price: { max: MAX_OF_A_KIND },
    requires: data,
    resolve: async (booking: OwnedId, _args: object, context: GraphQLContext) => [
      ...((await load(context, booking, undefined)) ?? []),
    ],
  };
}

addRowFields(Booking, BookingEntity, (t) => ({
  recordings: t.from(['ownerId', 'id'], {
    ...foundBy(BookingRecording, findRecordings),
    description: 'Recordings, as the conferencing provider reported them.',
  }),
  transcripts: t.from(['ownerId', 'id'], {
    ...foundBy(BookingTranscript, findTranscripts),
    description: `Earliest first, at most ${MAX_OF_A_KIND}.`,
  }),
  references: t.from(['ownerId', 'id'], {
    ...foundBy(BookingReference, findReferences),
    description: `The meetings and calendar entries that represent it in other services, earliest first, at most ${MAX_OF_A_KIND}.`,
  }),
  conferencingSessions: t.from(['ownerId', 'id'], {
    ...foundBy(BookingSession, findConferencingSessions),
    description: `The times at which people met, earliest first, at most ${MAX_OF_A_KIND}.`,
  }),
}));
