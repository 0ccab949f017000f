import type { OwnedId } from '../../../core/id.ts';
import { type Em, type RawBuilder, rows, sql } from '../../../database/sql.ts';

/** Instants are RFC 3339, as the database writes them. */
export interface Recording {
  readonly id: string;
  readonly url: string;
  readonly durationInSeconds: number | null;
  readonly createdAt: string;
}

export interface Transcript {
  readonly id: string;
  readonly url: string;
  readonly language: string | null;
  readonly createdAt: string;
}

export interface Reference {
  readonly id: string;
  readonly app: string;
  readonly url: string | null;
  readonly createdAt: string;
}

export interface ConferencingSession {
  readonly id: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

type ByBooking<Row> = Promise<ReadonlyMap<string, readonly Row[]>>;

/** The recordings of bookings, by the ids of these, earliest first; so are all below. */
export function findRecordings(em: Em, bookings: readonly OwnedId[]): ByBooking<Recording> {
  return findByBooking(
    em,
    bookings,
    (where) => sql<Recording & OfBooking>`
    select booking_id as "bookingId", id, url, duration_in_seconds as "durationInSeconds", created_at as "createdAt"
    from booking_recordings where ${where} order by created_at, id`,
  );
}

export function findTranscripts(em: Em, bookings: readonly OwnedId[]): ByBooking<Transcript> {
  return findByBooking(
    em,
    bookings,
    (where) => sql<Transcript & OfBooking>`
    select booking_id as "bookingId", id, url, language, created_at as "createdAt"
    from booking_transcripts where ${where} order by created_at, id`,
  );
}

export function findReferences(em: Em, bookings: readonly OwnedId[]): ByBooking<Reference> {
  return findByBooking(
    em,
    bookings,
    (where) => sql<Reference & OfBooking>`
    select booking_id as "bookingId", id, app, url, created_at as "createdAt"
    from booking_references where ${where} order by created_at, id`,
  );
}

export function findConferencingSessions(em: Em, bookings: readonly OwnedId[]): ByBooking<ConferencingSession> {
  return findByBooking(
    em,
    bookings,
    (where) => sql<ConferencingSession & OfBooking>`
    select booking_id as "bookingId", id, started_at as "startedAt", ended_at as "endedAt"
    from conferencing_sessions where ${where} order by created_at, id`,
  );
}

interface OfBooking {
  readonly bookingId: string;
}

async function findByBooking<Row extends OfBooking>(
  em: Em,
  bookings: readonly OwnedId[],
  select: (where: RawBuilder<boolean>) => RawBuilder<Row>,
): Promise<Map<string, Row[]>> {
  const owners = new Set(bookings.map(({ ownerId }) => ownerId));
  const where = sql<boolean>`owner_id = any(${[...owners]}::uuid[]) and booking_id = any(${bookings.map(({ id }) => id)}::uuid[])`;
  return Map.groupBy(await rows(em, select(where)), ({ bookingId }) => bookingId);
}
