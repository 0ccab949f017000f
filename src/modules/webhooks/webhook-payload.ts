import { publicId, publicOwnedId } from '../../core/id.ts';
import { instantAt, instantOf } from '../../core/instant.ts';
import type { RowOf } from '../../database/columns.ts';
import type { AttendeeFacts, BookingFacts, RecordedEvent } from '../../events/record-event.ts';
import { type AttendeeRow, type BookingRow, guestsOf } from '../bookings/booking.queries.ts';
import { type BookedLocation, bookedPlace, placeText } from '../bookings/booking-location.rules.ts';
import { type BookingStatus, reschedulingReasons, statusAfterEvent } from '../bookings/booking-transitions.rules.ts';
import type { RoutingFormResponse } from '../routing-forms/routing-form.entity.ts';
import { PAYLOAD_VERSION, type WebhookTrigger } from './webhook.rules.ts';
import type {
  AttendeeMessage,
  BookingMessage,
  LeavingAttendeeMessage,
  MessageData,
  ResponseMessage,
} from './webhook-messages.ts';

/** An event that webhooks are notified of. */
export type WebhookEvent = Extract<RecordedEvent, { readonly type: WebhookTrigger }>;

/** The details of a message: the data of any of them. */
type Details = MessageData[WebhookTrigger];

/** The part that every message has, whatever its data. */
interface Envelope {
  /** The same each time that the message is sent, and the `webhook-id` of its headers. */
  readonly id: string;
  /** The same for all that is about one booking, one absence, or one response to a form. */
  readonly subject: string;
}

/**
 * The body of a message. Times are RFC 3339 in UTC; `occurredAt`, to the microsecond, gives the order of messages with the same
 * subject. Without `details` it says that something happened, and not what.
 */
export function payloadOf(event: WebhookEvent, { id, subject }: Envelope, details: Details | null): string {
  return JSON.stringify({
    id,
    type: event.type,
    version: PAYLOAD_VERSION,
    occurredAt: instantOf(event.occurredAt).toString({ smallestUnit: 'microsecond' }),
    subject,
    data: details,
  });
}

/** A message that was written for somebody who may read more. */
export function withoutDetails(payload: string): string {
  return JSON.stringify({ ...(JSON.parse(payload) as object), data: null });
}

/** The body of a message that shows whether a receiver gets them: as of an app that may read nothing. */
export function testPayload(trigger: WebhookTrigger, { id, subject }: Envelope, nowInMs: number): string {
  const occurredAt = instantAt(nowInMs).toString({ smallestUnit: 'microsecond' });
  return JSON.stringify({ id, type: trigger, version: PAYLOAD_VERSION, test: true, occurredAt, subject, data: null });
}

/** Names the thing that an event is about, as far as its order among others is concerned. */
export function aboutOf(event: WebhookEvent): string {
  if (event.type === 'OUT_OF_OFFICE_CREATED') return event.outOfOfficeId;
  return event.type === 'ROUTING_FORM_SUBMITTED' ? event.responseId : event.booking.thread;
}

/** A response to a form, as messages have it. */
export interface ResponseRow extends Pick<RowOf<typeof RoutingFormResponse>, (typeof RESPONSE_COLUMNS)[number]> {
  /** The team of the form; null: an organization's. */
  readonly teamId: string | null;
}
export const RESPONSE_COLUMNS = [
  'ownerId',
  'id',
  'formId',
  'formVersion',
  'fields',
  'answers',
  'routeId',
  'target',
  'createdAt',
] as const;

/** The thing that an event is about, as it is now; undefined where it is gone, or there is none. */
export interface Found {
  readonly booking?: BookingRow | undefined;
  readonly response?: ResponseRow | undefined;
}

/** All the data that a message has for readers who may see it. */
export function detailsOf(event: WebhookEvent, { booking, response }: Found): Details | null {
  if (event.type === 'ROUTING_FORM_SUBMITTED') return response ? responseOf(response) : null;
  if (event.type === 'OUT_OF_OFFICE_CREATED') {
    const { ownerId, outOfOfficeId, start, end } = event;
    return {
      outOfOffice: {
        id: publicOwnedId('outOfOffice', { ownerId, id: outOfOfficeId }),
        userId: publicId('user', ownerId),
        start: utc(start),
        end: utc(end),
      },
    };
  }
  if (!booking) return null;
  return { booking: bookingOf(event, booking), ...besides(event, booking) };
}

function responseOf({
  ownerId,
  teamId,
  id,
  formId,
  fields,
  routeId,
  target,
  ...response
}: ResponseRow): MessageData['ROUTING_FORM_SUBMITTED'] {
  const { formVersion, answers, createdAt } = response;
  return {
    routingFormResponse: {
      id: publicOwnedId('routingFormResponse', { ownerId, id }),
      routingFormId: publicOwnedId('routingForm', { ownerId, id: formId }),
      formVersion,
      fields: fields.map(({ slug, type, label }) => ({ slug, type, label })),
      answers: answers as ResponseMessage['answers'],
      routeId: routeId === null ? null : publicId('route', routeId),
      target: {
        type: target.type,
        eventTypeId: target.type === 'EVENT_TYPE' ? publicOwnedId('eventType', target) : null,
        message: target.type === 'MESSAGE' ? target.message : null,
        url: target.type === 'URL' ? target.url : null,
      },
      createdAt: utc(createdAt),
    },
    teamId: teamId === null ? null : publicId('team', teamId),
  };
}

/** An event of a booking. */
type BookingEvent = Extract<WebhookEvent, { readonly booking: BookingFacts }>;

function bookingOf(event: BookingEvent, booking: BookingRow): BookingMessage {
  const { ownerId, eventTypeId, location, hosts, attendees } = booking;
  const named = (id: string | null): string | null => id && publicOwnedId('booking', { ownerId, id });
  return {
    id: publicOwnedId('booking', booking),
    eventType: { id: publicOwnedId('eventType', { ownerId, id: eventTypeId }) },
    title: booking.title,
    description: booking.description,
    status: statusAt(event, booking),
    start: utc(booking.start),
    end: utc(booking.end),
    location: location && locationOf(location),
    hosts: hosts.map(({ id, absent, ...user }) => ({ user: { ...user, id: publicId('user', id) }, isAbsent: absent })),
    attendees: attendees.map(attendeeOf),
    guests: guestsOf(booking),
    metadata: booking.metadata,
    ...endAt(event, booking),
    rescheduledFromId: named(booking.rescheduledFromId),
    rescheduledToId: isBeginning(event) || event.type === 'BOOKING_CANCELLED' ? null : named(booking.rescheduledToId),
    recurringId: named(booking.recurringId),
  };
}

function locationOf(location: BookedLocation): BookingMessage['location'] {
  const { address = null, url = null, phone = null, app = null } = bookedPlace(location);
  return { type: location.type, text: placeText(location), address, url, phone, app };
}

/** The status that the event led to; what has happened since is reported by other events. */
function statusAt(event: BookingEvent, booking: BookingRow): BookingStatus {
  const { seatId, status = booking.status } = event.booking as {
    readonly seatId?: string;
    readonly status?: BookingStatus;
  };
  if (seatId === undefined) return statusAfterEvent(event.type, status);
  // An attendee who gives back the last seat ends the booking.
  return event.type === 'BOOKING_CANCELLED' && event.leaving == null ? 'CANCELLED' : status;
}

/** Whether the event is about a booking that still stands: nothing has ended it yet. */
function isBeginning({ type }: BookingEvent): boolean {
  return ['BOOKING_CREATED', 'BOOKING_REQUESTED', 'BOOKING_CONFIRMED', 'BOOKING_RESCHEDULED'].includes(type);
}

/** Why the booking is as the event left it: what has ended or moved it since is reported by another event. */
function endAt(event: BookingEvent, booking: BookingRow) {
  const { reschedulingReason, rescheduleRequestReason } = reschedulingReasons(booking);
  if (event.type === 'BOOKING_RESCHEDULED') return { ...STANDING, reschedulingReason: event.reason };
  if (isBeginning(event)) return { ...STANDING, reschedulingReason: booking.rescheduledFromId && reschedulingReason };
  const { cancellationReason, rejectionReason, rescheduleRequested: isRescheduleRequested } = booking;
  return { cancellationReason, rejectionReason, reschedulingReason, isRescheduleRequested, rescheduleRequestReason };
}

const STANDING = {
  cancellationReason: null,
  rejectionReason: null,
  isRescheduleRequested: false,
  rescheduleRequestReason: null,
} as const;

function attendeeOf(attendee: AttendeeRow): AttendeeMessage {
  const { phone, notes, responses, absent: isAbsent } = attendee;
  return { ...leavingOf(attendee), phone, notes, responses, isAbsent };
}

function leavingOf({ name, email, verified, timeZone, locale }: AttendeeFacts): LeavingAttendeeMessage {
  return { name, email, isVerified: verified, timeZone, locale };
}

/** The further data of some events, beside the booking. */
function besides(event: BookingEvent, { attendees }: BookingRow): object {
  switch (event.type) {
    case 'MEETING_STARTED':
      return { conferencingSession: { id: event.sessionId, startedAt: utc(event.at) } };
    case 'MEETING_ENDED':
      return { conferencingSession: { id: event.sessionId, endedAt: utc(event.at) } };
    case 'RECORDING_READY':
      return { recording: { id: event.recordingId } };
    case 'TRANSCRIPT_READY':
      return { transcript: { id: event.transcriptId } };
    case 'BOOKING_CREATED':
    case 'BOOKING_REQUESTED':
    case 'BOOKING_RESCHEDULED':
    case 'BOOKING_CANCELLED': {
      const { seatId } = event.booking;
      if (seatId === undefined) return {};
      const seated = attendees.find((attendee) => attendee.seatId === seatId);
      if (event.type !== 'BOOKING_CANCELLED') return { attendee: seated ? attendeeOf(seated) : null };
      const leaving = event.leaving ?? seated;
      return { attendee: leaving ? leavingOf(leaving) : null };
    }
    default:
      return {};
  }
}

function utc(text: string): string {
  return instantOf(text).toString();
}
