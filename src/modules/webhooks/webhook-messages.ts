/**
 * Declares the messages of webhooks once: `npm run schema` prints them as JSON Schema, and webhook-payload.ts writes
 * them. That takes the types alone, so that the service does not load zod for it. An object in a message is the GraphQL
 * type of its name with some of its fields, which a test compares.
 */
import { z } from 'zod';
import { ID_TAGS, type IdKind } from '../../core/id.ts';
import { BOOKING_STATUSES } from '../bookings/booking-transitions.rules.ts';
import { LOCATION_TYPES } from '../event-types/settings/location.rules.ts';
import { FORM_FIELD_TYPES } from '../routing-forms/form-field.rules.ts';
import { TARGET_TYPES } from '../routing-forms/routing-form.rules.ts';
import { PAYLOAD_VERSION, type WebhookTrigger } from './webhook.rules.ts';

const idOf = (kind: IdKind) => z.string().regex(new RegExp(`^${ID_TAGS[kind]}_[A-Za-z0-9_-]+$`));
const instant = (what: string) => z.string().meta({ format: 'date-time', description: `${what}, RFC 3339 in UTC.` });
const text = (description: string) => z.string().describe(description);
const textOrNull = (description: string) => z.string().nullable().describe(description);
const bookingOrNull = (description: string) => idOf('booking').nullable().describe(description);

const whoTheyAre = {
  name: text('As they have given it.'),
  email: z.string().meta({ format: 'email', description: 'As they have given it.' }),
  isVerified: z
    .boolean()
    .describe('Whether they have shown that the address is theirs, or somebody signed in has named them.'),
  timeZone: text('IANA time zone, such as `Europe/Berlin`.'),
  locale: textOrNull('BCP 47 language tag, such as `de`.'),
};

const Attendee = z
  .strictObject({
    ...whoTheyAre,
    phone: textOrNull('E.164, such as `+4930123456`.'),
    notes: textOrNull('What they have written to the hosts.'),
    responses: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string()).readonly()]))
      .describe('Their answers to the questions of the event type, by the slug of the question.'),
    isAbsent: z.boolean().describe('Whether a host has noted that they did not come.'),
  })
  .meta({ id: 'BookingAttendee', description: 'Somebody who comes to a booking.' });

const LeavingAttendee = z
  .strictObject(whoTheyAre)
  .meta({ id: 'LeavingBookingAttendee', description: 'Who gave their seat back. Their answers are gone with it.' });

const User = z
  .strictObject({
    id: idOf('user'),
    name: text('The name that they show.'),
    username: text('Their name in the address of their booking page.'),
    avatarUrl: textOrNull('The https address of their picture.'),
  })
  .meta({ id: 'User', description: 'A user of the service.' });

const Host = z
  .strictObject({
    user: User.describe('The host.'),
    isAbsent: z.boolean().describe('Whether it was noted that they did not come.'),
  })
  .meta({ id: 'BookingHost', description: 'That a user hosts a booking.' });

const Guest = z
  .strictObject({
    email: z.string().meta({ format: 'email', description: 'Where the invitation goes.' }),
    isInvited: z
      .boolean()
      .describe('Whether it was sent: only once the booker has shown that their address is theirs.'),
  })
  .meta({ id: 'BookingGuest', description: 'Somebody whom the booker brings along.' });

const Location = z
  .strictObject({
    type: z.enum(LOCATION_TYPES).describe('The type of the location: who names the place.'),
    text: textOrNull(
      'The place in a line: the address, the link or the number, or the slug of a conferencing app that has not made its link yet.',
    ),
    address: textOrNull('A postal address, or what the attendee has said.'),
    url: textOrNull('The link by which people join, once it is there.'),
    phone: textOrNull('E.164, such as `+4930123456`.'),
    app: textOrNull('The slug of the conferencing app, such as `zoom`.'),
  })
  .meta({ id: 'BookingLocation', description: 'Where a booking takes place.' });

const Booking = z
  .strictObject({
    id: idOf('booking').describe('It names the booking, and opens nothing.'),
    eventType: z.strictObject({ id: idOf('eventType') }).describe('The event type that was booked.'),
    title: text('The title of the event type when it was booked.'),
    description: textOrNull('The description of the event type when it was booked.'),
    status: z
      .enum(BOOKING_STATUSES)
      .describe('What the event has led to; the rest is as it was when the message was written.'),
    start: instant('When it begins'),
    end: instant('When it ends'),
    location: Location.nullable().describe('Null: nowhere in particular.'),
    hosts: z.array(Host).describe('The first one is in charge.'),
    attendees: z
      .array(Attendee)
      .describe('In the order of booking; the first one is the booker. Of an event with seats, all who sit there.'),
    guests: z.array(Guest).describe('People whom the booker brings along.'),
    metadata: z.record(z.string(), z.string()).describe('Texts that the client that made it has put there.'),
    cancellationReason: textOrNull('Why it was cancelled.'),
    rejectionReason: textOrNull('Why a host has declined it.'),
    reschedulingReason: textOrNull('Why it was moved here.'),
    isRescheduleRequested: z.boolean().describe('Whether a host has cancelled it to have it at another time.'),
    rescheduleRequestReason: textOrNull('Why they want another time.'),
    rescheduledFromId: bookingOrNull('The booking that was moved here.'),
    rescheduledToId: bookingOrNull('The booking that it was moved to.'),
    recurringId: bookingOrNull('The first booking of its series.'),
  })
  .meta({ id: 'Booking', description: 'A booking, with all who come to it.' });

const OutOfOffice = z
  .strictObject({
    id: idOf('outOfOffice'),
    userId: idOf('user').describe('The user who is away.'),
    start: instant('From when'),
    end: instant('Until when'),
  })
  .meta({ id: 'OutOfOffice', description: 'An absence of a user.' });

const ofProvider = { id: text('Its id at the conferencing app.') };
const StartedSession = z
  .strictObject({ ...ofProvider, startedAt: instant('When it began, by the conferencing app') })
  .meta({ id: 'StartedBookingConferencingSession', description: 'A meeting of a booking in a conferencing app.' });

const EndedSession = z
  .strictObject({ ...ofProvider, endedAt: instant('When it ended, by the conferencing app') })
  .meta({ id: 'EndedBookingConferencingSession', description: 'A meeting of a booking in a conferencing app.' });

const FormResponse = z
  .strictObject({
    id: idOf('routingFormResponse'),
    routingFormId: idOf('routingForm'),
    formVersion: z.int().describe('Of the form, when it was answered.'),
    fields: z
      .array(
        z.strictObject({
          slug: text('The key of the answer.'),
          type: z.enum(FORM_FIELD_TYPES).describe('The kind of value that is asked for.'),
          label: text('The question.'),
        }),
      )
      .describe('The questions as they were asked.'),
    answers: z
      .record(z.string(), z.union([z.string(), z.number(), z.array(z.string()).readonly()]))
      .describe('By the slugs of the questions. What was left open is not there.'),
    routeId: idOf('route').nullable().describe('The route that was taken; null: the fallback.'),
    target: z
      .strictObject({
        type: z.enum(TARGET_TYPES).describe('What the answers lead to; it says which of the other properties is set.'),
        eventTypeId: idOf('eventType').nullable().describe('The event type that was offered.'),
        message: textOrNull('What was shown.'),
        url: textOrNull('The address, as the form has it.'),
      })
      .describe('Where the answers have led.'),
    createdAt: instant('When it was answered'),
  })
  .meta({
    id: 'RoutingFormResponse',
    description: 'What somebody has answered to a form. Nobody has shown that an address or a number in it is theirs.',
  });

const withBooking = { booking: Booking };
const OF_SEAT = 'There where the event is about one seat of a booking:';
const withSeat = {
  ...withBooking,
  attendee: Attendee.nullable().optional().describe(`${OF_SEAT} who sits there; null if nobody does any more.`),
};

/** Each trigger has a sentence that describes it, and its `data`. */
const MESSAGES = {
  BOOKING_CREATED: { describes: 'A booking was made.', data: withSeat },
  BOOKING_REQUESTED: { describes: 'A booking was made and waits for a host to confirm it.', data: withSeat },
  BOOKING_CONFIRMED: { describes: 'A host has confirmed a booking.', data: withBooking },
  BOOKING_REJECTED: { describes: 'A host has declined a booking.', data: withBooking },
  BOOKING_CANCELLED: {
    describes: 'A booking was cancelled, or one seat of it given back.',
    data: { ...withBooking, attendee: LeavingAttendee.nullable().optional().describe(`${OF_SEAT} who has left it.`) },
  },
  BOOKING_RESCHEDULED: {
    describes:
      'A booking, or one seat of it, has moved: `booking` is where to, its `rescheduledFromId` the one before.',
    data: withSeat,
  },
  BOOKING_ABSENCE_MARKED: { describes: 'A host has noted who did not come.', data: withBooking },
  MEETING_STARTED: {
    describes: 'The meeting of a booking has begun.',
    data: { ...withBooking, conferencingSession: StartedSession },
  },
  MEETING_ENDED: {
    describes: 'The meeting of a booking has ended.',
    data: { ...withBooking, conferencingSession: EndedSession },
  },
  RECORDING_READY: {
    describes: 'There is a recording of a booking.',
    data: { ...withBooking, recording: z.strictObject(ofProvider) },
  },
  TRANSCRIPT_READY: {
    describes: 'There is a transcript of a booking.',
    data: { ...withBooking, transcript: z.strictObject(ofProvider) },
  },
  OUT_OF_OFFICE_CREATED: { describes: 'A user is going to be away.', data: { outOfOffice: OutOfOffice } },
  ROUTING_FORM_SUBMITTED: {
    describes: 'A response to a routing form was stored.',
    data: {
      routingFormResponse: FormResponse,
      teamId: idOf('team').nullable().describe('The team that has the form; null for a form of the organization.'),
    },
  },
} satisfies Readonly<Record<WebhookTrigger, { readonly describes: string; readonly data: z.core.$ZodLooseShape }>>;

function messageOf(trigger: WebhookTrigger) {
  const { describes, data } = MESSAGES[trigger];
  return z
    .strictObject({
      id: idOf('webhookDelivery').describe(
        'The same each time that the message is sent, and the `webhook-id` of its headers.',
      ),
      type: z.literal(trigger),
      version: z
        .literal(PAYLOAD_VERSION)
        .describe('Grows with each change that a receiver could trip over; what is added is none.'),
      test: z
        .literal(true)
        .optional()
        .describe('There in a message that was asked for, to try a receiver: `data` is null then.'),
      occurredAt: instant('When it happened, to the microsecond: it tells the order of what has the same `subject`'),
      subject: text(
        'The same for all that is about one booking and whatever it moves to, about one absence, or about one response to a form.',
      ),
      data: z
        .strictObject(data)
        .nullable()
        .describe('Null: who set the address may not read more than that it happened.'),
    })
    .meta({ title: trigger, description: describes });
}

/** JSON Schema 2020-12 of the body of a message. */
export function webhookSchema(trigger: WebhookTrigger): object {
  const schema = z.toJSONSchema(messageOf(trigger), {
    target: 'draft-2020-12',
    // That we do not write to a list is nothing to receivers.
    override: ({ jsonSchema }) => delete jsonSchema.readOnly,
  });
  return { $id: `urn:gatehouse:webhooks:${PAYLOAD_VERSION}:${trigger}`, ...schema };
}

export type ResponseMessage = z.output<typeof FormResponse>;
export type BookingMessage = z.output<typeof Booking>;
export type AttendeeMessage = z.output<typeof Attendee>;
export type LeavingAttendeeMessage = z.output<typeof LeavingAttendee>;
/** The `data` of a message, by its trigger. */
export type MessageData = {
  readonly [Trigger in WebhookTrigger]: z.output<z.ZodObject<(typeof MESSAGES)[Trigger]['data']>>;
};
