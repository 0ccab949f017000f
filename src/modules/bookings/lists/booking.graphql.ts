import { instantOf } from '../../../core/instant.ts';
import { LOCALE_IN_WORDS, TIME_ZONE_IN_WORDS } from '../../../core/text.ts';
import { builder } from '../../../graphql/builder.ts';
import { describedValues } from '../../../graphql/descriptions.ts';
import { LONG_TEXT, REASON, SMALL, URL_TEXT, WITH_ITS_EDGE } from '../../../graphql/limits/price.ts';
import { rowType } from '../../../graphql/row.ts';
import { reads } from '../../../scopes/declare.ts';
import { User } from '../../accounts/accounts.graphql.ts';
import { PERSON } from '../../accounts/user.queries.ts';
import { ICS_UID_SUFFIX } from '../../calendars/ics-uid.rules.ts';
import { EventType } from '../../event-types/event-type.entity.ts';
import { MAX_HOSTS } from '../../event-types/event-type-host.rules.ts';
import { Seats } from '../../event-types/event-type-values.graphql.ts';
import { MAX_SEATS } from '../../event-types/settings/scheduling.rules.ts';
import { type CalendarLink, calendarLinks, icsUrl, LINKED_CALENDARS } from '../add-to-calendar.rules.ts';
import {
  BookingAttendee as BookingAttendeeEntity,
  Booking as BookingEntity,
  BookingHost as BookingHostEntity,
} from '../booking.entity.ts';
import { type Guest, guestsOf } from '../booking.queries.ts';
import { BookingStatus } from '../booking-input.graphql.ts';
import { keyOfBooking } from '../booking-key.rules.ts';
import { BookingLocation } from '../booking-location.graphql.ts';
import { MAX_GUESTS } from '../booking-request.rules.ts';
import { reschedulingReasons } from '../booking-transitions.rules.ts';
import { BookingMail } from '../mails/booking-mail.graphql.ts';
import { ATTENDEES, BOOKER, EVENT_TYPE, HOSTS, MAILS, MAX_MAILS } from './booking-parts.queries.ts';

const data = reads('BOOKING');

const EventTypeReference = rowType(EventType, 'BookingEventType', {
  description: 'The event type of a booking, as the booking shows it.',
  fields: (t) => ({
    id: t.ownedId(['ownerId', 'id'], 'eventType', { requires: data }),
    slug: t.column('slug', { requires: data, description: 'Its name in addresses, unique for its owner.' }),
    title: t.column('title', { requires: data, description: 'Its present title.' }),
  }),
});

const LinkedCalendar = builder.enumType('LinkedCalendar', {
  description: 'A kind of calendar that a link can open.',
  values: describedValues(LINKED_CALENDARS, {
    GOOGLE: 'Google Calendar.',
    OUTLOOK: 'Outlook for personal accounts, at outlook.live.com.',
    OFFICE365: 'Outlook for work and school, at outlook.office.com.',
    ICS: 'A file in the format of RFC 5545 (iCalendar), which any other calendar opens.',
  }),
});

const CalendarLinkType = builder.objectRef<CalendarLink>('BookingCalendarLink').implement({
  description:
    'An address that opens a calendar with the meeting filled in. Anybody with the address of ICS can read what is in the file, and do nothing else.',
  fields: (t) => ({
    calendar: t.field({
      type: LinkedCalendar,
      requires: data,
      description: 'The kind of calendar that it opens.',
      resolve: ({ calendar }) => calendar,
    }),
    url: t.expose('url', {
      type: 'URL',
      price: URL_TEXT,
      requires: data,
      description: 'The https address that opens the calendar.',
    }),
  }),
});

export const BookingHost = rowType(BookingHostEntity, 'BookingHost', {
  description: 'That a user hosts the booking.',
  fields: (t) => ({
    user: t.part(PERSON, {
      type: User,
      price: WITH_ITS_EDGE,
      requires: data,
      description: 'The user who hosts it.',
    }),
    isAbsent: t.column('absent', { requires: data, description: 'Whether a host has marked that they did not come.' }),
  }),
});

export const BookingAttendee = rowType(BookingAttendeeEntity, 'BookingAttendee', {
  description: 'An attendee of a booking, by the details that were given when it was made.',
  fields: (t) => ({
    name: t.column('name', { requires: data, description: 'Their display name.' }),
    email: t.column('email', {
      type: 'EmailAddress',
      requires: data,
      description: 'Where mails about the booking go; see `isVerified`.',
    }),
    isVerified: t.column('verified', {
      requires: data,
      description:
        'Whether the address is known to be theirs: they have used a code or a link from a mail, or were named by somebody signed in with a verified address.',
    }),
    timeZone: t.column('timeZone', {
      type: 'TimeZone',
      requires: data,
      description: `The time zone of times in mails: ${TIME_ZONE_IN_WORDS}.`,
    }),
    locale: t.column('locale', {
      requires: data,
      description: `The language of mails to them: ${LOCALE_IN_WORDS}. Null: they have not said.`,
    }),
    phone: t.column('phone', {
      requires: data,
      description: 'A number with its country code, such as `+4930123456`. Null: they have not said.',
    }),
    notes: t.column('notes', {
      price: LONG_TEXT,
      requires: data,
      description: 'What they wrote to the hosts. Null: nothing.',
    }),
    responses: t.from(['responses'], {
      type: 'BookingResponses',
      requires: data,
      description: 'Their answers to the booking fields; empty when there are none.',
      resolve: ({ responses }) => responses ?? {},
    }),
    isAbsent: t.column('absent', { requires: data, description: 'Whether a host has marked that they did not come.' }),
    seatId: t.ownedId(['ownerId', 'seatId'], 'seat', {
      requires: data,
      description: 'With seats: the id of their seat (`sea_…`). Null: the booking has none.',
    }),
  }),
});

const BookingGuest = builder.objectRef<Guest>('BookingGuest').implement({
  description: 'Somebody who comes along.',
  fields: (t) => ({
    email: t.expose('email', {
      type: 'EmailAddress',
      requires: data,
      description: 'The address to which the invitation goes.',
    }),
    isInvited: t.exposeBoolean('isInvited', {
      requires: data,
      description:
        'False until the booker has followed the link in the mail to them: before that, this address gets no mail.',
    }),
  }),
});

export const Booking = rowType(BookingEntity, 'Booking', {
  description: 'A booking as its hosts see it, from the request to after the meeting.',
  fields: (t) => ({
    id: t.ownedId(['ownerId', 'id'], 'booking', { requires: data }),
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
    location: t.column('location', {
      type: BookingLocation,
      requires: data,
      description: 'Where it takes place. Null: nobody has named it.',
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
      description: 'With whom it was booked. The first one is in charge.',
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
    calendarLinks: t.from(['ownerId', 'id', 'uidVersion', 'title', 'description', 'startsAt', 'endsAt', 'location'], {
      type: [CalendarLinkType],
      price: { max: LINKED_CALENDARS.length, weight: SMALL },
      requires: data,
      description:
        'Links that add the booking to a calendar, one for each kind of calendar. They read it, and change nothing.',
      resolve: ({ startsAt, endsAt, ...booking }, _args, { publicUrl, uids }) => [
        ...calendarLinks({
          ...booking,
          start: instantOf(startsAt),
          end: instantOf(endsAt),
          icsUrl: icsUrl(publicUrl, uids.ofFile(keyOfBooking(booking))),
        }),
      ],
    }),
    seats: t.column('seats', {
      type: Seats,
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
    reschedulingReason: t.from(['rescheduleRequested', 'reschedulingReason'], {
      type: 'String',
      nullable: true,
      price: REASON,
      requires: data,
      description: 'Why it was moved. Null: it was not, or no reason was given.',
      resolve: (booking) => reschedulingReasons(booking).reschedulingReason,
    }),
    rescheduleRequestReason: t.from(['rescheduleRequested', 'reschedulingReason'], {
      type: 'String',
      nullable: true,
      price: REASON,
      requires: data,
      description: 'Why a host asks for another time; attendees see it. Null: none does, or no reason was given.',
      resolve: (booking) => reschedulingReasons(booking).rescheduleRequestReason,
    }),
    reassignmentReason: t.column('reassignmentReason', {
      price: REASON,
      requires: data,
      description:
        'Why it was last reassigned to another host. Hosts and attendees are told. Null: it was not, or no reason was given.',
    }),
    isRescheduleRequested: t.column('rescheduleRequested', {
      requires: data,
      description: 'Whether a host has cancelled it and asked the attendee to choose another time.',
    }),
    rescheduledFromId: t.ownedId(['ownerId', 'rescheduledFromId'], 'booking', {
      requires: data,
      description: 'The id of the booking that was moved to this one. Null: none was.',
    }),
    rescheduledToId: t.ownedId(['ownerId', 'rescheduledToId'], 'booking', {
      requires: data,
      description: 'The id of the booking that it was moved to. Null: it was not moved.',
    }),
    recurringId: t.ownedId(['ownerId', 'recurringId'], 'booking', {
      requires: data,
      description: 'The id of the first booking of its series. Null: it is not part of a series.',
    }),
    mails: t.part(MAILS, {
      type: [BookingMail],
      price: { max: MAX_MAILS, weight: SMALL },
      requires: data,
      description: `What became of the last mail about it to each receiver: those that were not sent first, at most ${MAX_MAILS}. What was sent is forgotten after 30 days.`,
    }),
    unsentMessageCount: t.column('unsentMails', {
      requires: data,
      description:
        'How many mails and SMS about it will not be sent because of limits: see `mails`, and tell these people yourself. Those that wait are not counted: see `mails` and `waitingMessageCount`.',
    }),
    icsUid: t.uuid('icsId', ICS_UID_SUFFIX, {
      requires: data,
      description: 'Its UID in calendars (RFC 5545 §3.8.4.7).',
    }),
    createdAt: t.column('createdAt', { requires: data }),
    updatedAt: t.column('updatedAt', { requires: data }),
  }),
});
