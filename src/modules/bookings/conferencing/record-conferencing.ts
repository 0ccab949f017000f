/**
 * conferencing/ keeps what a conferencing provider tells of a booking: references, sessions, recordings, transcripts.
 * It may import lists/.
 */

import type { InsertQueryBuilder, InsertResult } from 'kysely';
import { ownedIdOf } from '../../../core/id.ts';
import { Problem } from '../../../core/problem.ts';
import { changed, type Em, NOW, type RawBuilder, row, type Statement, sql } from '../../../database/sql.ts';
import { insertInto, selectFrom } from '../../../database/statements.ts';
import { recordEvent } from '../../../events/record-event.ts';
import type { BookingRow } from '../booking.queries.ts';
import { bookingNotFound } from '../booking-key.rules.ts';
import { factsOf, lockBooking } from '../stored-booking.ts';
import { BookingRecording, BookingReference, BookingTranscript, ConferencingSession } from './conferencing.entity.ts';
import type { ConferencingMessage } from './conferencing-message.ts';

/** Recordings, transcripts, references and sessions of a booking: at most this many of each are kept. */
export const MAX_OF_A_KIND = 100;

/**
 * Keeps what a conferencing provider tells of a booking, and tells it on, once: the provider's own id decides, so that a
 * message that comes again, or is replayed, changes nothing. Answers whether it was news. @throws Problem NOT_FOUND
 */
export async function recordConferencing(em: Em, message: ConferencingMessage): Promise<boolean> {
  const { bookingId } = message.data;
  const named = ownedIdOf('booking', bookingId);
  if (!named) throw bookingNotFound(bookingId);
  return em.transactional(async (inner) => {
    const booking = await lockBooking(inner, named);
    await requireRoom(inner, message, booking);
    const isNews = (await changed(inner, statementOf(message, booking))) > 0;
    if (isNews) await notify(inner, booking, message);
    return isNews;
  });
}

/** Where messages of each type are kept. */
const KEPT = {
  'session.started': ConferencingSession,
  'session.ended': ConferencingSession,
  'recording.ready': BookingRecording,
  'transcript.ready': BookingTranscript,
  'reference.created': BookingReference,
} as const;

/** Under the booking's lock, so that no other message comes in between. @throws Problem TOO_MANY */
async function requireRoom(em: Em, { type, data }: ConferencingMessage, { ownerId, id }: BookingRow): Promise<void> {
  const isFull = sql<boolean>`count(*) >= ${MAX_OF_A_KIND} and not coalesce(bool_or(id = ${data.id}), false)`;
  const kept = await row(
    em,
    // Each of them has these columns.
    selectFrom(KEPT[type] as typeof BookingRecording, { ownerId, bookingId: id }).select(isFull.as('isFull')),
  );
  if (!kept?.isFull) return;
  const message = `The booking has ${MAX_OF_A_KIND} of these already; no more are kept.`;
  throw new Problem('TOO_MANY', message, ['data', 'id']);
}

function statementOf(message: ConferencingMessage, { ownerId, id: bookingId }: BookingRow): Statement<unknown> {
  const { id } = message.data;
  const made = { ownerId, bookingId, id, createdAt: NOW };
  switch (message.type) {
    case 'session.started':
      return sessionStatement({ ownerId, bookingId, id }, 'started_at', message.data.startedAt);
    case 'session.ended':
      return sessionStatement({ ownerId, bookingId, id }, 'ended_at', message.data.endedAt);
    case 'recording.ready': {
      const { url, durationInSeconds = null } = message.data;
      return insertNew(insertInto(BookingRecording).values({ ...made, url, durationInSeconds }));
    }
    case 'transcript.ready': {
      const { url, language = null } = message.data;
      return insertNew(insertInto(BookingTranscript).values({ ...made, url, language }));
    }
    case 'reference.created': {
      const { app, url = null } = message.data;
      return insertNew(insertInto(BookingReference).values({ ...made, app, url }));
    }
  }
}

function insertNew<Tables, Name extends keyof Tables>(
  statement: InsertQueryBuilder<Tables, Name, InsertResult>,
): Statement<unknown> {
  return statement.onConflict((earlier) => earlier.doNothing());
}

/** Start and end come in messages of their own, in either order; each is kept as it was first reported. */
function sessionStatement(
  { ownerId, bookingId, id }: { readonly ownerId: string; readonly bookingId: string; readonly id: string },
  column: 'started_at' | 'ended_at',
  instant: string,
): RawBuilder<unknown> {
  const columnName = sql.ref(column);
  return sql`insert into conferencing_sessions as s (owner_id, booking_id, id, ${columnName}, created_at)
    values (${ownerId}, ${bookingId}, ${id}, ${instant}::timestamptz, now())
    on conflict (owner_id, booking_id, id) do update set ${columnName} = excluded.${columnName} where s.${columnName} is null`;
}

async function notify(em: Em, row: BookingRow, message: ConferencingMessage): Promise<void> {
  const booking = factsOf(row);
  const { id } = message.data;
  switch (message.type) {
    case 'session.started':
      return recordEvent(em, row.ownerId, {
        type: 'MEETING_STARTED',
        booking,
        sessionId: id,
        at: message.data.startedAt,
      });
    case 'session.ended':
      return recordEvent(em, row.ownerId, { type: 'MEETING_ENDED', booking, sessionId: id, at: message.data.endedAt });
    case 'recording.ready':
      return recordEvent(em, row.ownerId, { type: 'RECORDING_READY', booking, recordingId: id });
    case 'transcript.ready':
      return recordEvent(em, row.ownerId, { type: 'TRANSCRIPT_READY', booking, transcriptId: id });
    case 'reference.created':
      return undefined;
  }
}
