import { pageRequest } from '../../core/page.ts';
import { batched } from '../../graphql/batch.ts';
import { builder } from '../../graphql/builder.ts';
import { connection, connectionOf, pageArguments } from '../../graphql/connection.ts';
import { reads } from '../../scopes/declare.ts';
import { Viewer } from '../accounts/accounts.graphql.ts';
import type { Seats } from '../event-types/event-type-scheduling.rules.ts';
import { type BookedEventType, findBookedEventTypes } from './booked-event-type.queries.ts';
import type { AttendeeRow, BookingHostRow, BookingRow } from './booking.queries.ts';
import { BookingLocationType, BookingStatus } from './booking-input.graphql.ts';
import { BOOKING_SORT_KEYS } from './booking-list.rules.ts';
import { type CalendarLink, calendarLinks, LINKED_CALENDARS } from './calendar-link.rules.ts';
import { findHostBooking, type ListedBooking, listHostBookings } from './host-booking.queries.ts';
import { icsUrl } from './ics.rules.ts';

const data = reads('BOOKING');
const read = reads('BOOKING', ['USER']);

const EventTypeReference = builder.objectRef<BookedEventType>('BookingEventType').implement({
  description: 'What of its event type a booking shows.',
  fields: (t) => ({
    id: t.exposeID('id', { requires: data }),
    slug: t.exposeString('slug', { requires: data }),
    title: t.exposeString('title', { requires: data }),
  }),
});

const BookingHost = builder.objectRef<BookingHostRow>('BookingHost').implement({
  fields: (t) => ({
    id: t.exposeID('id', { requires: data }),
    name: t.exposeString('name', { requires: data }),
    username: t.exposeString('username', { requires: data }),
    absent: t.exposeBoolean('absent', { requires: data }),
  }),
});

const BookingAttendee = builder.objectRef<AttendeeRow>('BookingAttendee').implement({
  description: 'Who comes to a booking, as they said of themselves.',
  fields: (t) => ({
    name: t.exposeString('name', { requires: data }),
    email: t.exposeString('email', { requires: data }),
    timeZone: t.exposeString('timeZone', { requires: data }),
    locale: t.exposeString('locale', { nullable: true, requires: data }),
    phone: t.exposeString('phone', { nullable: true, requires: data }),
    notes: t.exposeString('notes', { nullable: true, requires: data }),
    responses: t.expose('responses', { type: 'BookingResponses', requires: data }),
    absent: t.exposeBoolean('absent', { requires: data }),
    seatUid: t.exposeString('seatUid', {
      nullable: true,
      requires: data,
      description: 'With seats: the uid of theirs.',
    }),
  }),
});

const BookingGuest = builder.objectRef<string>('BookingGuest').implement({
  description: 'Somebody who comes along.',
  fields: (t) => ({ email: t.string({ requires: data, resolve: (email) => email }) }),
});

const BookingSeats = builder.objectRef<Seats>('BookingSeats').implement({
  description: 'How many people can book the same slot one by one.',
  fields: (t) => ({
    perSlot: t.exposeInt('perSlot', { requires: data }),
    showAttendees: t.exposeBoolean('showAttendees', { requires: data }),
  }),
});

const CalendarLinkType = builder.objectRef<CalendarLink>('BookingCalendarLink').implement({
  description: 'An address that opens a calendar with the meeting filled in. Who has that of ICS has the uid.',
  fields: (t) => ({
    calendar: t.field({
      type: builder.enumType('LinkedCalendar', { values: LINKED_CALENDARS }),
      requires: data,
      resolve: ({ calendar }) => calendar,
    }),
    url: t.exposeString('url', { requires: data }),
  }),
});

const loadEventType = batched(({ em }, ids) => findBookedEventTypes(em, ids));

export const Booking = builder.objectRef<BookingRow>('Booking').implement({
  description: 'A meeting that is asked for, agreed on or over, as its hosts see it.',
  fields: (t) => ({
    uid: t.exposeString('uid', {
      requires: data,
      description: 'Whoever has it may see, cancel and reschedule the booking: pass it to its attendees only.',
    }),
    title: t.exposeString('title', { requires: data }),
    description: t.exposeString('description', { nullable: true, requires: data }),
    status: t.field({ type: BookingStatus, requires: data, resolve: ({ status }) => status }),
    start: t.field({ type: 'DateTime', requires: data, resolve: ({ start }) => Temporal.Instant.from(start) }),
    end: t.field({ type: 'DateTime', requires: data, resolve: ({ end }) => Temporal.Instant.from(end) }),
    durationInMinutes: t.int({
      requires: data,
      resolve: ({ start, end }) => Temporal.Instant.from(end).since(Temporal.Instant.from(start)).total('minutes'),
    }),
    location: t.string({
      nullable: true,
      requires: data,
      description:
        'Where it is: an address, a link, a number, the slug of a conferencing app, or what the attendee says.',
      resolve: ({ location }) => location?.value,
    }),
    locationType: t.field({
      type: BookingLocationType,
      nullable: true,
      requires: data,
      resolve: ({ location }) => location?.type,
    }),
    eventType: t.field({
      type: EventTypeReference,
      nullable: true,
      requires: data,
      description: 'Null when it was deleted.',
      resolve: ({ eventTypeId }, _args, context) => loadEventType(context, eventTypeId, undefined),
    }),
    hosts: t.field({ type: [BookingHost], requires: data, resolve: ({ hosts }) => [...hosts] }),
    attendees: t.field({
      type: [BookingAttendee],
      requires: data,
      description: 'In the order of booking; the first is who booked.',
      resolve: ({ attendees }) => [...attendees],
    }),
    guests: t.field({ type: [BookingGuest], requires: data, resolve: ({ guestEmails }) => [...guestEmails] }),
    notes: t.string({
      nullable: true,
      requires: data,
      description: 'Of who booked; with seats, see each attendee.',
      resolve: ({ attendees, seats }) => (seats ? null : (attendees[0]?.notes ?? null)),
    }),
    responses: t.field({
      type: 'BookingResponses',
      requires: data,
      description: 'The answers of who booked; with seats, see each attendee.',
      resolve: ({ attendees, seats }) => (seats ? {} : (attendees[0]?.responses ?? {})),
    }),
    calendarLinks: t.field({
      type: [CalendarLinkType],
      requires: data,
      resolve: ({ start, end, ...booking }, _args, { publicUrl }) => [
        ...calendarLinks({
          ...booking,
          start: Temporal.Instant.from(start),
          end: Temporal.Instant.from(end),
          icsUrl: icsUrl(publicUrl, booking.uid),
        }),
      ],
    }),
    seats: t.expose('seats', { type: BookingSeats, nullable: true, requires: data }),
    metadata: t.expose('metadata', { type: 'Metadata', requires: data }),
    cancellationReason: t.exposeString('cancellationReason', { nullable: true, requires: data }),
    rejectionReason: t.exposeString('rejectionReason', { nullable: true, requires: data }),
    reschedulingReason: t.exposeString('reschedulingReason', { nullable: true, requires: data }),
    rescheduleRequested: t.exposeBoolean('rescheduleRequested', {
      requires: data,
      description: 'A host has cancelled it and asks its attendee for another time.',
    }),
    rescheduledFromUid: t.exposeString('rescheduledFromUid', { nullable: true, requires: data }),
    rescheduledToUid: t.exposeString('rescheduledToUid', { nullable: true, requires: data }),
    recurringUid: t.exposeString('recurringUid', {
      nullable: true,
      requires: data,
      description: 'The uid of the first booking of the series that it is part of.',
    }),
    icsUid: t.exposeString('icsUid', { requires: data, description: 'Its UID in calendars (RFC 5545 §3.8.4.7).' }),
    createdAt: t.field({
      type: 'DateTime',
      requires: data,
      resolve: ({ createdAt }) => Temporal.Instant.from(createdAt),
    }),
    updatedAt: t.field({
      type: 'DateTime',
      requires: data,
      resolve: ({ updatedAt }) => Temporal.Instant.from(updatedAt),
    }),
  }),
});

const BookingConnection = connectionOf(Booking);

const TimeRangeInput = builder.inputType('TimeRangeInput', {
  description: 'From one instant up to, not including, another; either may be left open.',
  fields: (t) => ({ from: t.field({ type: 'DateTime' }), to: t.field({ type: 'DateTime' }) }),
});

const BookingFilter = builder.inputType('BookingFilter', {
  description: 'All that is given must hold.',
  fields: (t) => ({
    status: t.field({ type: [BookingStatus] }),
    eventTypeIds: t.idList(),
    teamId: t.id({ description: 'Of a team’s event types.' }),
    hostId: t.id({ description: 'Hosted by this user too.' }),
    attendeeEmail: t.string(),
    start: t.field({ type: TimeRangeInput }),
    end: t.field({ type: TimeRangeInput }),
    created: t.field({ type: TimeRangeInput }),
    updated: t.field({ type: TimeRangeInput }),
  }),
});

const BookingSort = builder.inputType('BookingSort', {
  fields: (t) => ({
    by: t.field({ type: builder.enumType('BookingSortKey', { values: BOOKING_SORT_KEYS }), required: true }),
    descending: t.boolean({ description: 'Latest first.' }),
  }),
});

builder.objectFields(Viewer, (t) => ({
  bookings: t.field({
    type: BookingConnection,
    nullable: true,
    description:
      'The bookings that you host, through your own event types and your teams’; earliest start first, unless sorted.',
    requires: read,
    args: {
      filter: t.arg({ type: BookingFilter }),
      sort: t.arg({ type: BookingSort }),
      ...pageArguments(),
    },
    resolve: async ({ id }, { filter, sort, ...page }, { em }) => {
      const order = { by: sort?.by ?? 'START', isDescending: sort?.descending ?? false };
      const found = await listHostBookings(em, id, filter ?? {}, order, pageRequest(page, 2));
      return connection<BookingRow>(found, (booking) => [(booking as ListedBooking).sortTime, booking.uid]);
    },
  }),
  booking: t.field({
    type: Booking,
    nullable: true,
    description: 'A booking that you host. Null when there is none such.',
    requires: read,
    args: { uid: t.arg.string({ required: true }) },
    resolve: ({ id }, { uid }, { em }) => findHostBooking(em, id, uid),
  }),
}));
