import { idOf, NO_ID, type OwnedId, ownedIdOf, publicOwnedId } from '../../../core/id.ts';
import { instantOf } from '../../../core/instant.ts';
import { pageRequest } from '../../../core/page.ts';
import { batched } from '../../../graphql/batch.ts';
import { builder } from '../../../graphql/builder.ts';
import { connection, connectionOf, pageArguments } from '../../../graphql/connection.ts';
import { LONG_TEXT, REASON, SMALL, URL_TEXT } from '../../../graphql/limits/price.ts';
import { rowType } from '../../../graphql/row.ts';
import { selectionOf } from '../../../graphql/selection.ts';
import { reads } from '../../../scopes/declare.ts';
import { Viewer } from '../../accounts/accounts.graphql.ts';
import { MAX_HOSTS } from '../../event-types/event-type-host.rules.ts';
import type { Seats } from '../../event-types/settings/event-type-scheduling.rules.ts';
import { MAX_SEATS } from '../../event-types/settings/scheduling-input.rules.ts';
import { Booking as BookingEntity } from '../booking.entity.ts';
import { BookingAttendee as BookingAttendeeEntity } from '../booking-attendee.entity.ts';
import { BookingHost as BookingHostEntity } from '../booking-host.entity.ts';
import { BookingLocationType, BookingStatus } from '../booking-input.graphql.ts';
import { uidOf } from '../booking-key.rules.ts';
import { type CalendarLink, calendarLinks, LINKED_CALENDARS } from '../calendar-link.rules.ts';
import { MAX_GUESTS } from '../guest.rules.ts';
import { icsUid, icsUrl } from '../ics.rules.ts';
import { type BookedEventType, findBookedEventTypes } from './booked-event-type.queries.ts';
import { BOOKING_SORT_KEYS, type BookingFilter as Filter } from './booking-list.rules.ts';
import { ATTENDEES, BOOKER, HOSTS, PERSON } from './booking-parts.queries.ts';
import { findHostBooking, type ListedBooking, listHostBookings, type ShownBooking } from './host-booking.queries.ts';

const data = reads('BOOKING');
const read = reads('BOOKING', ['USER']);

interface Guest {
  readonly email: string;
  readonly invited: boolean;
}

const EventTypeReference = builder.objectRef<BookedEventType>('BookingEventType').implement({
  description: 'What of its event type a booking shows.',
  fields: (t) => ({
    id: t.id({ requires: data, resolve: (eventType) => publicOwnedId('eventType', eventType) }),
    slug: t.exposeString('slug', { requires: data }),
    title: t.exposeString('title', { requires: data }),
  }),
});

const BookingHost = rowType(BookingHostEntity, 'BookingHost', {
  fields: (t) => ({
    id: t.id('userId', 'user', { requires: data }),
    name: t.fromPart(
      [],
      { part: PERSON, columns: ['name'] },
      { type: 'String', requires: data, resolve: ({ user }) => user.name },
    ),
    username: t.fromPart(
      [],
      { part: PERSON, columns: ['username'] },
      { type: 'String', requires: data, resolve: ({ user }) => user.username },
    ),
    absent: t.column('absent', { requires: data }),
  }),
});

const BookingAttendee = rowType(BookingAttendeeEntity, 'BookingAttendee', {
  description: 'An attendee of a booking, by the details that were given when it was made.',
  fields: (t) => ({
    name: t.column('name', { requires: data }),
    email: t.column('email', { requires: data }),
    verified: t.column('verified', {
      requires: data,
      description:
        'Whether the address is known to be theirs, by a code or a link in a mail, or somebody signed in with a verified address has named them.',
    }),
    timeZone: t.column('timeZone', { requires: data }),
    locale: t.column('locale', { requires: data }),
    phone: t.column('phone', { requires: data }),
    notes: t.column('notes', { price: LONG_TEXT, requires: data }),
    responses: t.from(['responses'], {
      type: 'BookingResponses',
      requires: data,
      resolve: ({ responses }) => responses ?? {},
    }),
    absent: t.column('absent', { requires: data }),
    seatUid: t.from(['ownerId', 'seatId'], {
      type: 'String',
      nullable: true,
      requires: data,
      description: 'With seats: the uid of their seat.',
      resolve: ({ ownerId, seatId }) => (seatId === null ? null : uidOf({ ownerId, id: seatId, isSeat: true })),
    }),
  }),
});

const BookingGuest = builder.objectRef<Guest>('BookingGuest').implement({
  description: 'Somebody who comes along.',
  fields: (t) => ({
    email: t.exposeString('email', { requires: data }),
    invited: t.exposeBoolean('invited', {
      requires: data,
      description:
        'False until the booker has followed the link in the mail to them: before that, this address gets no mail.',
    }),
  }),
});

const BookingSeats = builder.objectRef<Seats>('BookingSeats').implement({
  description: 'How many people can book the same slot one by one.',
  fields: (t) => ({
    perSlot: t.exposeInt('perSlot', { requires: data }),
    showAttendees: t.exposeBoolean('showAttendees', { requires: data }),
  }),
});

const CalendarLinkType = builder.objectRef<CalendarLink>('BookingCalendarLink').implement({
  description:
    'An address that opens a calendar with the meeting filled in. Anybody with the address of ICS has the uid.',
  fields: (t) => ({
    calendar: t.field({
      type: builder.enumType('LinkedCalendar', { values: LINKED_CALENDARS }),
      requires: data,
      resolve: ({ calendar }) => calendar,
    }),
    url: t.exposeString('url', { price: URL_TEXT, requires: data }),
  }),
});

function guestsOf({
  guestEmails,
  heldGuestEmails,
}: {
  readonly guestEmails: readonly string[] | null;
  readonly heldGuestEmails: readonly string[] | null;
}): Guest[] {
  return (guestEmails ?? []).map((email) => ({ email, invited: !heldGuestEmails?.includes(email) }));
}

const loadEventType = batched(({ em }, eventTypes: readonly OwnedId[]) => findBookedEventTypes(em, eventTypes));

export const Booking = rowType(BookingEntity, 'Booking', {
  description: 'A meeting that is asked for, agreed on or over, as its hosts see it.',
  fields: (t) => ({
    uid: t.from(['ownerId', 'id'], {
      type: 'String',
      requires: data,
      description: 'Anybody with the uid may see, cancel and reschedule the booking: pass it to its attendees only.',
      resolve: uidOf,
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
    eventType: t.from(['ownerId', 'eventTypeId'], {
      type: EventTypeReference,
      nullable: true,
      requires: data,
      description: 'Null when it was deleted.',
      resolve: ({ ownerId, eventTypeId: id }, _args, context) => loadEventType(context, { ownerId, id }, undefined),
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
    rescheduledFromUid: t.from(['ownerId', 'rescheduledFromId'], {
      type: 'String',
      nullable: true,
      requires: data,
      resolve: ({ ownerId, rescheduledFromId: id }) => id && uidOf({ ownerId, id }),
    }),
    rescheduledToUid: t.from(['ownerId', 'rescheduledToId'], {
      type: 'String',
      nullable: true,
      requires: data,
      resolve: ({ ownerId, rescheduledToId: id }) => id && uidOf({ ownerId, id }),
    }),
    recurringUid: t.from(['ownerId', 'recurringId'], {
      type: 'String',
      nullable: true,
      requires: data,
      description: 'The uid of the first booking of the series that it is part of.',
      resolve: ({ ownerId, recurringId: id }) => id && uidOf({ ownerId, id }),
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

type GivenFilter = Omit<Filter, 'eventTypeIds'> & { readonly eventTypeIds?: readonly string[] | null | undefined };

/** What is no id is nothing's, and leaves the list empty. */
function filterFrom({ eventTypeIds, teamId, hostId, ...rest }: GivenFilter): Filter {
  return {
    ...rest,
    eventTypeIds: eventTypeIds?.flatMap((id) => ownedIdOf('eventType', id) ?? []),
    teamId: teamId == null ? null : (idOf('team', teamId) ?? NO_ID),
    hostId: hostId == null ? null : (idOf('user', hostId) ?? NO_ID),
  };
}

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
    resolve: async ({ id }, { filter, sort, ...page }, { em }, info) => {
      const order = { by: sort?.by ?? 'START', isDescending: sort?.descending ?? false };
      const selection = selectionOf(info, BookingEntity);
      const request = pageRequest(page, ['TIME', 'UUID']);
      const found = await listHostBookings(em, id, filterFrom(filter ?? {}), order, request, selection);
      return connection<ShownBooking>(found, (booking) => [(booking as ListedBooking).sortTime, booking.id]);
    },
  }),
  booking: t.field({
    type: Booking,
    nullable: true,
    description: 'A booking that you host. Null when there is none such.',
    requires: read,
    args: { uid: t.arg.string({ required: true }) },
    resolve: ({ id }, { uid }, { em }, info) => {
      const named = ownedIdOf('booking', uid);
      return named && findHostBooking(em, id, named, selectionOf(info, BookingEntity));
    },
  }),
}));
