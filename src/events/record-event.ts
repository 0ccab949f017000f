import { newOwnedId } from '../core/id.ts';
import { changed, type Em, sql } from '../database/sql.ts';

/** What of a booking is told; whoever needs more looks it up. Times are RFC 3339. */
export interface BookingFacts {
  readonly uid: string;
  readonly eventTypeId: string;
  readonly hostIds: readonly string[];
  readonly start: string;
  readonly end: string;
  /** The seat that it is about, when it is not about the whole booking. */
  readonly seatUid?: string;
}

/** Everything that happens here and that others may ask to be told. To add one: a member here, and `recordEvent`. */
export type DomainEvent =
  | { readonly type: 'BOOKING_CREATED' | 'BOOKING_REQUESTED' | 'BOOKING_CONFIRMED'; readonly booking: BookingFacts }
  | { readonly type: 'BOOKING_REJECTED'; readonly booking: BookingFacts; readonly reason: string | null }
  | {
      readonly type: 'BOOKING_CANCELLED';
      readonly booking: BookingFacts;
      readonly reason: string | null;
      /** Whether the attendee is asked to choose another time. */
      readonly rescheduleRequested: boolean;
    }
  | {
      readonly type: 'BOOKING_RESCHEDULED';
      readonly booking: BookingFacts;
      readonly previousUid: string;
      readonly reason: string | null;
    }
  | {
      readonly type: 'BOOKING_ABSENCE_MARKED';
      readonly booking: BookingFacts;
      readonly absentHostIds: readonly string[];
      readonly absentEmails: readonly string[];
    }
  | {
      readonly type: 'MEETING_STARTED' | 'MEETING_ENDED';
      readonly booking: BookingFacts;
      readonly sessionId: string;
      /** When it did. */
      readonly at: string;
    }
  | { readonly type: 'RECORDING_READY'; readonly booking: BookingFacts; readonly recordingId: string }
  | { readonly type: 'TRANSCRIPT_READY'; readonly booking: BookingFacts; readonly transcriptId: string };

export type DomainEventType = DomainEvent['type'];

/** Writes an event to the outbox of its owner, in the transaction of the change: both happen or neither does. */
export async function recordEvent(em: Em, ownerId: string, { type, ...data }: DomainEvent): Promise<void> {
  await changed(
    em,
    sql`insert into domain_events (owner_id, id, type, data, occurred_at)
        values (${ownerId}, ${newOwnedId('domainEvent', ownerId)}, ${type}, ${JSON.stringify(data)}::jsonb,
                clock_timestamp())`,
  );
}
