import { builder } from '../../../graphql/builder.ts';
import { connection, connectionOf, type ListOrder, pageArguments } from '../../../graphql/connection.ts';
import { LONG_TEXT, REASON, SMALL } from '../../../graphql/limits/price.ts';
import { filterArgument, listFilter, within } from '../../../graphql/list-filter.ts';
import { rowType } from '../../../graphql/row.ts';
import { selectionOf } from '../../../graphql/selection.ts';
import { reads } from '../../../scopes/declare.ts';
import { Viewer } from '../../accounts/accounts.graphql.ts';
import { PERSON } from '../../accounts/user.queries.ts';
import { MAX_HOSTS } from '../../event-types/event-type-host.rules.ts';
import { Booking as BookingEntity, BookingHost as BookingHostEntity } from '../booking.entity.ts';
import { BookingStatus } from '../booking-input.graphql.ts';
import { BookingLocation } from '../booking-location.graphql.ts';
import { sharedLocation } from '../booking-location.rules.ts';
import { listAppointments } from './appointments.queries.ts';
import { HOSTS } from './booking-parts.queries.ts';
import type { ListedBooking, ShownBooking } from './list-bookings.queries.ts';

/** The user's level alone: what others let somebody book is no group's. */
const data = reads('BOOKING', ['USER']);

const AppointmentHost = rowType(BookingHostEntity, 'AppointmentHost', {
  description: 'Somebody whom an appointment is with.',
  fields: (t) => ({
    name: t.fromPart(
      [],
      { part: PERSON, columns: ['name'] },
      { type: 'String', requires: data, description: 'What people call them.', resolve: ({ user }) => user.name },
    ),
  }),
});

/** No uid: a token reads what is there, and changes it nowhere. Nobody else who attends, and nothing that hosts wrote for themselves. */
const Appointment = rowType(BookingEntity, 'Appointment', {
  description: 'A booking as its attendee sees it, who has booked it with others.',
  fields: (t) => ({
    bookingId: t.ownedId(['ownerId', 'id'], 'booking', {
      requires: data,
      description: 'The booking, by its id (`bkg_…`), which opens nothing for an attendee.',
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
    location: t.from(['location', 'seats', 'status'], {
      type: BookingLocation,
      nullable: true,
      requires: data,
      description:
        'Where it takes place. Null until the booking is accepted, where nobody has named it, and, with seats, where each attendee says it.',
      resolve: sharedLocation,
    }),
    hosts: t.part(HOSTS, {
      type: [AppointmentHost],
      price: { max: MAX_HOSTS, weight: SMALL },
      requires: data,
      description: 'With whom it is.',
    }),
    cancellationReason: t.column('cancellationReason', {
      price: REASON,
      requires: data,
      description: 'Why it was cancelled. Null: not cancelled, or nobody has said why.',
    }),
    rejectionReason: t.column('rejectionReason', {
      price: REASON,
      requires: data,
      description: 'Why a host has declined it. Null: not declined, or nobody has said why.',
    }),
    isRescheduleRequested: t.column('rescheduleRequested', {
      requires: data,
      description: 'Whether a host has cancelled it and asked you to choose another time, by the link in the mail.',
    }),
  }),
});

const EARLIEST_FIRST: ListOrder<ShownBooking> = {
  columns: ['TIME', 'UUID'],
  keyOf: (booking) => [(booking as ListedBooking).sortTime, booking.id],
};

const AppointmentFilter = listFilter('Appointment', { start: within('a.starts_at', 'Starting in this period.') });

builder.objectField(Viewer, 'appointments', (t) =>
  t.field({
    type: connectionOf(Appointment),
    nullable: true,
    description:
      'The bookings that you attend: those that were made with the verified e-mail address of your account. Earliest start first. To cancel or move one, take the link in the mail about it.',
    requires: data,
    args: { ...filterArgument(AppointmentFilter), ...pageArguments() },
    resolve: ({ id }, args, context, info) => {
      const by = AppointmentFilter.narrowedBy(args.filter, context);
      return connection(EARLIEST_FIRST, args, (request) =>
        listAppointments(context.em, id, request, selectionOf(info, BookingEntity), by),
      );
    },
  }),
);
