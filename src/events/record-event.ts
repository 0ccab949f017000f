/**
 * events/ records what has happened, in the transaction in which it does, and hands it to those who are told:
 * `recordEvent` writes, jobs/ reads.
 */
import { newId } from '../core/id.ts';
import { type Em, type RawBuilder, rows, sql } from '../database/sql.ts';

/**
 * The facts about a booking that an event of its owner holds; consumers that need more look it up. Times are RFC 3339.
 */
export interface BookingFacts {
  readonly id: string;
  /** The same for a booking and all that it is rescheduled to, and for a series: what happens to them is notified in its order. */
  readonly thread: string;
  readonly eventTypeId: string;
  readonly hostIds: readonly string[];
  readonly start: string;
  readonly end: string;
  /** Whether it takes, or took, place in a conferencing app: others are told once it has its link, or is known to wait for it. */
  readonly meetsInApp?: true;
  /** The seat that it is about, when it is not about the whole booking. */
  readonly seatId?: string;
  /**
   * The attendee who had that seat: it may have gone to another booking before the event is told. Left out: whoever has
   * it.
   */
  readonly seated?: SeatedFacts;
  /**
   * The attendees of a booking without seats at that moment: others who come later have an event of their own. Left
   * out: all.
   */
  readonly attendeeIds?: readonly string[];
  /** The guests then; left out: those of the booking. */
  readonly guestEmails?: readonly string[];
  /** The guests who were not to be mailed yet; left out: those of the booking. */
  readonly heldGuestEmails?: readonly string[];
  /** The status that the event found, of a booking that it made the one that it gave; left out: that of the booking. */
  readonly status?: string;
}

/** Somebody who comes to a booking. */
export interface AttendeeFacts {
  readonly name: string;
  readonly email: string;
  readonly timeZone: string;
  readonly locale: string | null;
  /** Whether they have shown that the address is theirs, or somebody signed in has named them. */
  readonly verified: boolean;
}

/** Somebody who has a seat, with what they said. */
export interface SeatedFacts extends AttendeeFacts {
  readonly id: string;
  readonly seatId: string | null;
  readonly bookedFrom: string | null;
  readonly phone: string | null;
  readonly notes: string | null;
  readonly absent: boolean;
  readonly responses: Readonly<Record<string, unknown>>;
}

/** The actor: mails about the event count for them. */
export interface Actor {
  /** The signed-in user; null where nobody was signed in. */
  readonly userId: string | null;
  /** The network that they called from (limits/network.ts); null where nobody called: what is not verified then shares one count. */
  readonly network: string | null;
  /** The app that called with a token; left out: none did. */
  readonly clientId?: string;
}

/** The actor of what the service does by itself. */
export const NOBODY: Actor = { userId: null, network: null };

/** Everything that happens here and that others can subscribe to. To add one: a member here, and `recordEvent`. */
export type DomainEvent =
  | (Act & { readonly type: 'BOOKING_CREATED' | 'BOOKING_REQUESTED' | 'BOOKING_CONFIRMED' })
  | (Act & { readonly type: 'BOOKING_REJECTED'; readonly reason: string | null })
  | (Act & {
      readonly type: 'BOOKING_CANCELLED';
      readonly reason: string | null;
      /** Whether the attendee is asked to choose another time. */
      readonly rescheduleRequested: boolean;
      /** The host who did it; null for somebody who just holds the uid. */
      readonly byHostId?: string | null;
      /** The attendee whose seat was given back: nothing else remembers them. */
      readonly leaving?: AttendeeFacts | null;
      /**
       * The bookings of a series that were cancelled at once: the first one's event names them and tells of all, and is
       * empty in the others.
       */
      readonly together?: readonly string[];
    })
  | (Act & {
      readonly type: 'BOOKING_RESCHEDULED';
      readonly previousId: string;
      readonly reason: string | null;
      readonly byHostId?: string | null;
    })
  | (Act & { readonly type: 'BOOKING_LOCATION_CHANGED' })
  /** A conferencing app has given no link for it, and is not asked any more. */
  | (Act & { readonly type: 'BOOKING_LINK_MISSED' })
  | (Act & {
      readonly type: 'BOOKING_REASSIGNED';
      readonly fromHostId: string;
      /** Null: the other hosts do it without them. */
      readonly toHostId: string | null;
      readonly reason: string | null;
    })
  | (Act & { readonly type: 'BOOKING_GUESTS_ADDED'; readonly guestEmails: readonly string[] })
  /** The booker has verified their address: these guests, of all these bookings, are invited now. */
  | (Act & {
      readonly type: 'BOOKING_GUESTS_RELEASED';
      readonly bookingIds: readonly string[];
      readonly guestEmails: readonly string[];
    })
  | (Act & { readonly type: 'BOOKING_ATTENDEE_ADDED'; readonly attendeeEmail: string })
  /** The uids of these bookings, or of the seat, were ended; the attendee is mailed a new one. */
  | (Act & { readonly type: 'BOOKING_UID_ROTATED'; readonly bookingIds: readonly string[] })
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
  | { readonly type: 'TRANSCRIPT_READY'; readonly booking: BookingFacts; readonly transcriptId: string }
  | {
      readonly type: 'OUT_OF_OFFICE_CREATED';
      readonly outOfOfficeId: string;
      readonly start: string;
      readonly end: string;
    }
  | {
      readonly type: 'ROUTING_FORM_SUBMITTED';
      /** The ids of the form and the response, in the team or organization that owns the event. */
      readonly routingFormId: string;
      readonly responseId: string;
      readonly by: Actor;
    }
  /** The reminders of a team's workflow, before or after bookings, have changed, and are planned anew. */
  | { readonly type: 'WORKFLOW_CHANGED'; readonly workflowId: string }
  /** A feed is to be read from now on. */
  | { readonly type: 'ICS_FEED_ADDED'; readonly feedId: string }
  /** The events of a calendar are to make its user busy: from now on it is read, under this name. */
  | { readonly type: 'CALENDAR_SELECTED'; readonly calendarId: string; readonly readingId: string }
  /** The account of a conferencing app lets us in no more; its owner is notified. */
  | { readonly type: 'CONFERENCING_APP_BROKEN'; readonly conferencingAppId: string }
  /** An account elsewhere is connected no more: its tokens, which are sealed, are to be revoked. */
  | {
      readonly type: 'CONNECTION_ENDED';
      readonly connectionId: string;
      readonly provider: string;
      readonly credentials: string;
    }
  /** An account with calendars is connected: they are listed again from now on. */
  | { readonly type: 'CALENDAR_ACCOUNT_CONNECTED'; readonly calendarAccountId: string }
  /** It has let us in again, by a new password or consent, or by the one that it had refused. */
  | { readonly type: 'CALENDAR_ACCOUNT_RECONNECTED'; readonly calendarAccountId: string }
  /** A calendar account does not work. `isAway`: its server does not answer; otherwise it does not let us in. */
  | { readonly type: 'CALENDAR_ACCOUNT_FAILING'; readonly calendarAccountId: string; readonly isAway: boolean }
  /** A calendar that makes its user busy cannot be read, though its account works. */
  | { readonly type: 'CALENDAR_UNREADABLE'; readonly calendarId: string }
  /** Somebody looks at the slots of a calendar's or a feed's user: it is read again. */
  | { readonly type: 'CALENDAR_LOOKED_AT'; readonly calendarId: string }
  | { readonly type: 'ICS_FEED_LOOKED_AT'; readonly feedId: string }
  /** A calendar or a feed did not answer while somebody was about to take time of its user's. */
  | { readonly type: 'CALENDAR_SILENT'; readonly calendarId: string }
  | { readonly type: 'ICS_FEED_SILENT'; readonly feedId: string }
  /** A calendar does not follow bookings, though that was tried for long. */
  | { readonly type: 'CALENDAR_UNWRITTEN'; readonly calendarId: string }
  /** These calendars that were in use are not in the account any more. */
  | {
      readonly type: 'CALENDARS_GONE';
      readonly calendarAccountId: string;
      readonly calendars: readonly { readonly name: string; readonly isDestination: boolean }[];
    }
  /** A message to a webhook is to be sent, which is none about an event. */
  | { readonly type: 'WEBHOOK_DELIVERY_WANTED'; readonly webhookId: string; readonly deliveryId: string }
  /** A user, whose event it is, may not sign in any more. */
  | { readonly type: 'USER_SUSPENDED' }
  /** A user, whose event it is, may sign in again. */
  | { readonly type: 'USER_REINSTATED' }
  /** The address of a user, whose event it is, is verified for the first time. */
  | { readonly type: 'USER_VERIFIED' }
  /** Somebody answers for a webhook again: what was kept for it meanwhile is sent. */
  | { readonly type: 'WEBHOOK_RESUMED'; readonly webhookId: string }
  /** A webhook is notified no more, as its receiver has only failed for long. */
  | { readonly type: 'WEBHOOK_DISABLED'; readonly webhookId: string };

/** Something that somebody did to a booking. */
export interface Act {
  readonly booking: BookingFacts;
  readonly by: Actor;
}

export type DomainEventType = DomainEvent['type'];

/** An event as its subscribers get it. */
export type RecordedEvent<Event extends DomainEvent = DomainEvent> = Event & {
  readonly id: string;
  /** The id of a user, a team or an organization: whose matter it is. */
  readonly ownerId: string;
  readonly occurredAt: string;
};

/** Processes listen here; a message says only that there is something to do. */
export const JOBS_CHANNEL = 'jobs';

/**
 * Writes an event to the outbox of its owner, in the transaction of the change: both happen or neither does. The
 * relay of events is notified when that commits.
 */
export async function recordEvent(em: Em, ownerId: string, event: DomainEvent): Promise<void> {
  await rows(em, sql`with recorded as (${recording(ownerId, event)}) ${announcing()}`);
}

/** Records many events, in this order. */
export async function recordEvents(
  em: Em,
  events: readonly { readonly ownerId: string; readonly event: DomainEvent }[],
): Promise<void> {
  if (events.length === 0) return;
  const types = events.map(({ event }) => event.type);
  const data = events.map(({ event }) => JSON.stringify({ ...event, type: undefined }));
  await rows(
    em,
    sql`with recorded as (
          insert into domain_events (owner_id, id, type, data, occurred_at)
          select owner_id, id, type, data::jsonb, clock_timestamp()
          from unnest(${events.map(({ ownerId }) => ownerId)}::uuid[], ${events.map(() => newId())}::uuid[],
            ${types}::text[], ${data}::text[]) as event (owner_id, id, type, data)
        ) ${announcing()}`,
  );
}

/** SQL: the event as a part of the statement that changes something, recorded if `changed` has a row, which is one at most. */
export function recording(
  ownerId: string,
  { type, ...data }: DomainEvent,
  changed: RawBuilder<unknown> = sql`(select) as always`,
): RawBuilder<unknown> {
  return sql`
    insert into domain_events (owner_id, id, type, data, occurred_at)
    select ${ownerId}::uuid, ${newId()}::uuid, ${type}::text, ${JSON.stringify(data)}::jsonb, clock_timestamp() from ${changed}`;
}

/** SQL: what ends such a statement. */
export function announcing(changed: RawBuilder<unknown> = sql`(select) as always`): RawBuilder<unknown> {
  return sql`select pg_notify(${JOBS_CHANNEL}, '') from ${changed}`;
}
