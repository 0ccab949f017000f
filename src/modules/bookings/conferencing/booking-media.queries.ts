import { type Em, type RawBuilder, rows, sql } from '../../../database/sql.ts';
import { ownerOfCapability } from '../booking-uid.ts';

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

/** The recordings of bookings, by their uids, earliest first; so are all below. */
export function findRecordings(em: Em, uids: readonly string[]): ByBooking<Recording> {
  return findByBooking(
    em,
    uids,
    (where) => sql<Recording & OfBooking>`
    select booking_id as "bookingUid", id, url, duration_in_seconds as "durationInSeconds", created_at as "createdAt"
    from booking_recordings where ${where} order by created_at, id`,
  );
}

export function findTranscripts(em: Em, uids: readonly string[]): ByBooking<Transcript> {
  return findByBooking(
    em,
    uids,
    (where) => sql<Transcript & OfBooking>`
    select booking_id as "bookingUid", id, url, language, created_at as "createdAt"
    from booking_transcripts where ${where} order by created_at, id`,
  );
}

export function findReferences(em: Em, uids: readonly string[]): ByBooking<Reference> {
  return findByBooking(
    em,
    uids,
    (where) => sql<Reference & OfBooking>`
    select booking_id as "bookingUid", id, app, url, created_at as "createdAt"
    from booking_references where ${where} order by created_at, id`,
  );
}

export function findConferencingSessions(em: Em, uids: readonly string[]): ByBooking<ConferencingSession> {
  return findByBooking(
    em,
    uids,
    (where) => sql<ConferencingSession & OfBooking>`
    select booking_id as "bookingUid", id, started_at as "startedAt", ended_at as "endedAt"
    from conferencing_sessions where ${where} order by created_at, id`,
  );
}

interface OfBooking {
  readonly bookingUid: string;
}

async function findByBooking<Row extends OfBooking>(
  em: Em,
  uids: readonly string[],
  select: (where: RawBuilder<boolean>) => RawBuilder<Row>,
): Promise<Map<string, Row[]>> {
  const owners = new Set(uids.map((uid) => ownerOfCapability('booking', uid)).filter((owner) => owner !== undefined));
  const where = sql<boolean>`owner_id = any(${[...owners]}::text[]) and booking_id = any(${uids}::text[])`;
  return Map.groupBy(await rows(em, select(where)), ({ bookingUid }) => bookingUid);
}
