import { instantOf } from '../../../core/instant.ts';
import { builder } from '../../../graphql/builder.ts';
import { describedValues } from '../../../graphql/descriptions.ts';
import { LONG_TEXT, REASON, SMALL, URL_TEXT } from '../../../graphql/limits/price.ts';
import { rowType } from '../../../graphql/row.ts';
import { reads } from '../../../scopes/declare.ts';
import { EventType } from '../../event-types/event-type.entity.ts';
import { MAX_HOSTS } from '../../event-types/event-type-host.rules.ts';
import type { Seats } from '../../event-types/settings/event-type-scheduling.rules.ts';
import { MAX_SEATS } from '../../event-types/settings/scheduling-input.rules.ts';
import { Booking as BookingEntity } from '../booking.entity.ts';
import { BookingLocationType, BookingStatus } from '../booking-input.graphql.ts';
import { uidOf } from '../booking-key.rules.ts';
import { type CalendarLink, calendarLinks, LINKED_CALENDARS } from '../calendar-link.rules.ts';
import { MAX_GUESTS } from '../guest.rules.ts';
import { icsUid, icsUrl } from '../ics.rules.ts';
import { ATTENDEES, BOOKER, EVENT_TYPE, HOSTS } from './booking-parts.queries.ts';
import { BookingAttendee, BookingGuest, BookingHost, guestsOf } from './booking-people.graphql.ts';

const data = reads('BOOKING');

const EventTypeReference = rowType(EventType, 'BookingEventType', {
  description: 'What of its event type a booking shows.',
  fields: (t) => ({
    id: t.ownedId(['ownerId', 'id'], 'eventType', { requires: data }),
    slug: t.column('slug', { requires: data }),
    title: t.column('title', { requires: data }),
  }),
});

const BookingSeats = builder.objectRef<Seats>('BookingSeats').implement({
  description: 'How many people can book the same slot one by one.',
  fields: (t) => ({
    perSlot: t.exposeInt('perSlot', { requires: data }),
    showAttendees: t.exposeBoolean('showAttendees', { requires: data }),
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
      resolve: ({ calendar }) => calendar,
    }),
    url: t.exposeString('url', { price: URL_TEXT, requires: data }),
  }),
});

export const Booking = rowType(BookingEntity, 'Booking', {
  description: 'A meeting that is asked for, agreed on or over, as its hosts see it.',
  fields: (t) => ({
    uid: t.ownedId(['ownerId', 'id'], 'booking', {
      type: 'String',
      requires: data,
      description: 'Anybody with the uid may see, cancel and reschedule the booking: pass it to its attendees only.',
    }),
    title: t.column('title', { requires: data }),
    description: t.column('description', { price: LONG_TEXT, requires: data }),
    status: t.column('status', { type: BookingStatus, requires: data }),
    start: t.column('startsAt', { requires: data }),
    end: t.column('endsAt', { requires: data }),
    durationInMinutes: t.from(['startsAt', 'endsAt'], {
      type: 'Int',
      requires: data,
      resolve: ({ startsAt, endsAt }) => instantOf(endsAt).since(instantOf(startsAt)).total('minutes'),
    }),
    location: t.from(['location'], {
      type: 'String',
      nullable: true,
      requires: data,
      description:
        'Where it is: an address, a link, a number, the slug of a conferencing app, or what the attendee says.',
      resolve: ({ location }) => location?.value,
    }),
    locationType: t.from(['location'], {
      type: BookingLocationType,
      nullable: true,
      requires: data,
      resolve: ({ location }) => location?.type,
    }),
    eventType: t.part(EVENT_TYPE, {
      type: EventTypeReference,
      nullable: true,
      requires: data,
      description: 'Null when it was deleted.',
    }),
    hosts: t.part(HOSTS, { type: [BookingHost], price: { max: MAX_HOSTS }, requires: data }),
    attendees: t.part(ATTENDEES, {
      type: [BookingAttendee],
      price: { max: MAX_SEATS },
      requires: data,
      description: 'In the order of booking; the first is the booker.',
    }),
    guests: t.from(['guestEmails', 'heldGuestEmails'], {
      type: [BookingGuest],
      price: { max: MAX_GUESTS, weight: SMALL },
      requires: data,
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
        description: 'Of the booker; with seats, see each attendee.',
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
      resolve: ({ startsAt, endsAt, ...booking }, _args, { publicUrl }) => [
        ...calendarLinks({
          ...booking,
          start: instantOf(startsAt),
          end: instantOf(endsAt),
          icsUrl: icsUrl(publicUrl, uidOf(booking)),
        }),
      ],
    }),
    seats: t.column('seats', { type: BookingSeats, requires: data }),
    metadata: t.from(['metadata'], { type: 'Metadata', requires: data, resolve: ({ metadata }) => metadata ?? {} }),
    cancellationReason: t.column('cancellationReason', { price: REASON, requires: data }),
    rejectionReason: t.column('rejectionReason', { price: REASON, requires: data }),
    reschedulingReason: t.column('reschedulingReason', { price: REASON, requires: data }),
    rescheduleRequested: t.column('rescheduleRequested', {
      requires: data,
      description: 'A host has cancelled it and asks its attendee for another time.',
    }),
    rescheduledFromUid: t.ownedId(['ownerId', 'rescheduledFromId'], 'booking', { type: 'String', requires: data }),
    rescheduledToUid: t.ownedId(['ownerId', 'rescheduledToId'], 'booking', { type: 'String', requires: data }),
    recurringUid: t.ownedId(['ownerId', 'recurringId'], 'booking', {
      type: 'String',
      requires: data,
      description: 'The uid of the first booking of the series that it is part of.',
    }),
    unsentMails: t.column('unsentMails', {
      requires: data,
      description: 'How many mails about it were not sent because there were too many: tell people yourself.',
    }),
    icsUid: t.from(['icsId'], {
      type: 'String',
      requires: data,
      description: 'Its UID in calendars (RFC 5545 §3.8.4.7).',
      resolve: ({ icsId }) => icsUid(icsId),
    }),
    createdAt: t.column('createdAt', { requires: data }),
    updatedAt: t.column('updatedAt', { requires: data }),
  }),
});
