import type { OwnedId } from '../../../core/id.ts';
import type { ColumnOf, RowOf } from '../../../database/columns.ts';
import { anyOf, type Em, rows } from '../../../database/sql.ts';
import { selectFrom } from '../../../database/statements.ts';
import { BookingRecording, BookingReference, BookingTranscript, ConferencingSession } from './conferencing.entity.ts';

/** The recordings of bookings, by the ids of these, earliest first; so are all below. */
export const findRecordings = finderOf(BookingRecording, ['id', 'url', 'durationInSeconds', 'createdAt']);
export const findTranscripts = finderOf(BookingTranscript, ['id', 'url', 'language', 'createdAt']);
export const findReferences = finderOf(BookingReference, ['id', 'app', 'url', 'createdAt']);
export const findConferencingSessions = finderOf(ConferencingSession, ['id', 'startedAt', 'endedAt']);

type Media = typeof BookingRecording | typeof BookingTranscript | typeof BookingReference | typeof ConferencingSession;

export type Recording = Found<typeof findRecordings>;
export type Transcript = Found<typeof findTranscripts>;
export type Reference = Found<typeof findReferences>;
export type Session = Found<typeof findConferencingSessions>;

type Found<Find extends (...given: never[]) => Promise<ReadonlyMap<string, readonly unknown[]>>> =
  Awaited<ReturnType<Find>> extends ReadonlyMap<string, readonly (infer Row)[]> ? Row : never;

function finderOf<E extends Media, Name extends ColumnOf<E>>(entity: E, columns: readonly Name[]) {
  type Row = Pick<RowOf<E>, Name>;
  return async (em: Em, bookings: readonly OwnedId[]): Promise<ReadonlyMap<string, readonly Row[]>> => {
    const owners = new Set(bookings.map(({ ownerId }) => ownerId));
    const found = await rows(
      em,
      // All of these tables have the columns of this one that are named here.
      selectFrom(entity as typeof BookingRecording)
        .where('ownerId', '=', anyOf([...owners]))
        .where('bookingId', '=', anyOf(bookings.map(({ id }) => id)))
        .select([...(columns as readonly never[]), 'bookingId'])
        .orderBy('createdAt')
        .orderBy('id'),
    );
    return Map.groupBy(found as unknown as readonly (Row & { bookingId: string })[], ({ bookingId }) => bookingId);
  };
}
