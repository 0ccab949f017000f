import { instantOf } from '../../../core/instant.ts';
import { builder } from '../../../graphql/builder.ts';
import { describedValues } from '../../../graphql/descriptions.ts';
import { LONG_TEXT, REASON, SMALL, URL_TEXT } from '../../../graphql/limits/price.ts';
import { rowType } from '../../../graphql/row.ts';
import { reads } from '../../../scopes/declare.ts';
import { ICS_UID_SUFFIX } from '../../calendars/ics-uid.rules.ts';
import { EventType } from '../../event-types/event-type.entity.ts';
import { MAX_HOSTS } from '../../event-types/event-type-host.rules.ts';
import { LocationType } from '../../event-types/event-type-values.graphql.ts';
import { MAX_SEATS, type Seats } from '../../event-types/settings/scheduling.rules.ts';
import { Booking as BookingEntity } from '../booking.entity.ts';
import { BookingStatus } from '../booking-input.graphql.ts';
import { uidOf } from '../booking-key.rules.ts';
import { placeText } from '../booking-location.rules.ts';
import { type CalendarLink, calendarLinks, LINKED_CALENDARS } from '../calendar-link.rules.ts';
import { MAX_GUESTS } from '../guest.rules.ts';
import { icsUrl } from '../ics.rules.ts';
import { BookingMail } from '../mails/booking-mail.graphql.ts';
import { ATTENDEES, BOOKER, EVENT_TYPE, HOSTS, MAILS, MAX_MAILS } from './booking-parts.queries.ts';
import { BookingAttendee, BookingGuest, BookingHost, guestsOf } from './booking-people.graphql.ts';

const data = reads('BOOKING');

const EventTypeReference = rowType(EventType, 'BookingEventType', {
  description: 'The event type of a booking, as the booking shows it.',
  fields: (t) => ({
    id: t.ownedId(['ownerId', 'id'], 'eventType', { requires: data }),
    slug: t.column('slug', { requires: data, description: 'Its name in addresses, unique for its owner.' }),
    title: t.column('title', { requires: data, description: 'What it is called now.' }),
  }),
});

const BookingSeats = builder.objectRef<Seats>('BookingSeats').implement({
  description: 'How many people can book the same slot one by one.',
  fields: (t) => ({
    perSlot: t.exposeInt('perSlot', { requires: data, description: 'How many people can book one slot.' }),
    showAttendees: t.exposeBoolean('showAttendees', {
      requires: data,
      description: 'Whether attendees see each other’s names.',
    }),
  }),
});

const LinkedCalendar = builder.enumType('LinkedCalendar', {
  description: 'What a link opens.',
  values: describedValues(LINKED_CALENDARS, {
    GOOGLE: 'Google Calendar.',
    OUTLOOK: 'Outlook for personal accounts, at outlook.live.com.',
    OFFICE_365: 'Outlook for work and school, at outlook.office.com.',
    ICS: 'A file in the format of RFC 5545 (iCalendar), which any other calendar opens.',
  }),
});

const CalendarLinkType = builder.objectRef<CalendarLink>('BookingCalendarLink').implement({
  description:
    'An address that opens a calendar with the meeting filled in. Anybody with the address of ICS has the uid.',
  fields: (t) => ({
    calendar: t.field({
      type: LinkedCalendar,
      requires: data,
      description: 'Which one it opens.',
      resolve: ({ calendar }) => calendar,
    }),
    url: t.expose('url', { type: 'URL', price: URL_TEXT, requires: data, description: 'The https address to follow.' }),
  }),
});

export const Booking = rowType(BookingEntity, 'Booking', {
  description: 'A booking as its hosts see it, from the request to after the meeting.',
  fields: (t) => ({
    id: t.ownedId(['ownerId', 'id'], 'booking', {
      requires: data,
      description: 'The `uid`, for caches that go by `id`.',
    }),
    uid: t.ownedId(['ownerId', 'id'], 'booking', {
      type: 'String',
      requires: data,
      description: 'Anybody with the uid may see, cancel and reschedule the booking: pass it to its attendees only.',
    }),
    title: t.column('title', { requires: data, description: 'The title that its event type had when it was booked.' }),
    description: t.column('description', {
      price: LONG_TEXT,
      requires: data,
      description: 'The description that its event type had when it was booked. Null: none.',
    }),
    status: t.column('status', { type: BookingStatus, requires: data, description: 'The status of the booking.' }),
    start: t.column('startsAt', { requires: data, description: 'When it starts.' }),
    end: t.column('endsAt', { requires: data, description: 'When it ends.' }),
    durationInMinutes: t.from(['startsAt', 'endsAt'], {
      type: 'Int',
      requires: data,
      description: 'How long it takes, without buffers.',
      resolve: ({ startsAt, endsAt }) => instantOf(endsAt).since(instantOf(startsAt)).total('minutes'),
    }),
    location: t.from(['location'], {
      type: 'String',
      nullable: true,
      requires: data,
      description:
        'Where it is: an address, a link, a number, the link of a conferencing app (its slug until that has one), or what the attendee says.',
      resolve: ({ location }) => location && placeText(location),
    }),
    locationType: t.from(['location'], {
      type: LocationType,
      nullable: true,
      requires: data,
      description: 'Who says where it is. Null: nobody has said it.',
      resolve: ({ location }) => location?.type,
    }),
    eventType: t.part(EVENT_TYPE, {
      type: EventTypeReference,
      nullable: true,
      requires: data,
      description: 'The event type that was booked. Null if it was deleted.',
    }),
    hosts: t.part(HOSTS, {
      type: [BookingHost],
      price: { max: MAX_HOSTS },
      requires: data,
      description: 'With whom it was booked.',
    }),
    attendees: t.part(ATTENDEES, {
      type: [BookingAttendee],
      price: { max: MAX_SEATS },
      requires: data,
      description: 'The attendees in the order in which they booked. The first is the booker.',
    }),
    guests: t.from(['guestEmails', 'heldGuestEmails'], {
      type: [BookingGuest],
      price: { max: MAX_GUESTS, weight: SMALL },
      requires: data,
      description: `The people the booker brings along: at most ${MAX_GUESTS}.`,
      resolve: guestsOf,
    }),
    notes: t.fromPart(
      [],
      { part: BOOKER, columns: ['notes'] },
      {
        type: 'String',
        nullable: true,
        requires: data,
        price: LONG_TEXT,
        description: 'What the booker wrote to the hosts. With seats, see each attendee.',
        resolve: ({ booker }) => booker[0]?.notes ?? null,
      },
    ),
    responses: t.fromPart(
      [],
      { part: BOOKER, columns: ['responses'] },
      {
        type: 'BookingResponses',
        requires: data,
        description: 'The answers of the booker; with seats, see each attendee.',
        resolve: ({ booker }) => booker[0]?.responses ?? {},
      },
    ),
    calendarLinks: t.from(['ownerId', 'id', 'title', 'description', 'startsAt', 'endsAt', 'location'], {
      type: [CalendarLinkType],
      price: { max: LINKED_CALENDARS.length, weight: SMALL },
      requires: data,
      description: 'Links that add the booking to a calendar, one for each kind of calendar.',
      resolve: ({ startsAt, endsAt, ...booking }, _args, { publicUrl }) => [
        ...calendarLinks({
          ...booking,
          start: instantOf(startsAt),
          end: instantOf(endsAt),
          icsUrl: icsUrl(publicUrl, uidOf(booking)),
        }),
      ],
    }),
    seats: t.column('seats', {
      type: BookingSeats,
      requires: data,
      description: 'The seats of its event type at the time of booking. Null: it has no seats.',
    }),
    metadata: t.from(['metadata'], {
      type: 'Metadata',
      requires: data,
      description: 'Keys and values that were sent with the booking. Bookers do not see them.',
      resolve: ({ metadata }) => metadata ?? {},
    }),
    cancellationReason: t.column('cancellationReason', {
      price: REASON,
      requires: data,
      description: 'Why it was cancelled; attendees see it. Null: not cancelled, or nobody has said why.',
    }),
    rejectionReason: t.column('rejectionReason', {
      price: REASON,
      requires: data,
      description: 'Why a host has declined it; attendees see it. Null: not declined, or nobody has said why.',
    }),
    reschedulingReason: t.column('reschedulingReason', {
      price: REASON,
      requires: data,
      description: 'Why it was moved, or why a host asks for another time. Null: neither, or no reason was given.',
    }),
    reassignmentReason: t.column('reassignmentReason', {
      price: REASON,
      requires: data,
      description:
        'Why it was last reassigned to another host. Hosts and attendees are told. Null: it was not, or no reason was given.',
    }),
    rescheduleRequested: t.column('rescheduleRequested', {
      requires: data,
      description: 'Whether a host has cancelled it and asked the attendee to choose another time.',
    }),
    rescheduledFromUid: t.ownedId(['ownerId', 'rescheduledFromId'], 'booking', {
      type: 'String',
      requires: data,
      description: 'The uid of the booking that was moved to this one. Null: none was.',
    }),
    rescheduledToUid: t.ownedId(['ownerId', 'rescheduledToId'], 'booking', {
      type: 'String',
      requires: data,
      description: 'The uid of the booking that it was moved to. Null: it was not moved.',
    }),
    recurringUid: t.ownedId(['ownerId', 'recurringId'], 'booking', {
      type: 'String',
      requires: data,
      description: 'The uid of the first booking of its series. Null: it is not part of a series.',
    }),
    mails: t.part(MAILS, {
      type: [BookingMail],
      price: { max: MAX_MAILS, weight: SMALL },
      requires: data,
      description: `What became of the last mail about it to each receiver: those that were not sent first, at most ${MAX_MAILS}. What was sent is forgotten after 30 days.`,
    }),
    unsentMails: t.column('unsentMails', {
      requires: data,
      description:
        'How many mails and SMS about it will not be sent because of limits: see `mails`, and tell these people yourself. Those that wait are not counted: see `mails` and `waitingMessages`.',
    }),
    icsUid: t.uuid('icsId', ICS_UID_SUFFIX, {
      requires: data,
      description: 'Its UID in calendars (RFC 5545 §3.8.4.7).',
    }),
    createdAt: t.column('createdAt', { requires: data }),
    updatedAt: t.column('updatedAt', { requires: data }),
  }),
});
