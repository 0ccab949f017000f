import { TIME_ZONE_IN_WORDS } from '../../../core/text.ts';
import { builder } from '../../../graphql/builder.ts';
import { LONG_TEXT, REASON, SMALL } from '../../../graphql/limits/price.ts';
import { PUBLIC } from '../../../scopes/declare.ts';
import { MAX_HOSTS } from '../../event-types/event-type-host.rules.ts';
import {
  LocationType,
  MANAGED_BY_DESCRIPTION,
  PublicManagingTeam,
} from '../../event-types/event-type-values.graphql.ts';
import { MAX_SEATS } from '../../event-types/settings/scheduling.rules.ts';
import {
  type ConfirmableBooking,
  type BookingConfirmation as Confirmation,
  confirmationFor,
} from '../booking-confirmation.rules.ts';
import { BookingStatus } from '../booking-input.graphql.ts';
import type { BookingKey } from '../booking-key.rules.ts';
import { placeText } from '../booking-location.rules.ts';

export type ConfirmationShape = Confirmation<string>;

const ConfirmedHost = builder.objectRef<{ readonly name: string }>('PublicBookingHost').implement({
  description: 'A host of a booking, as anybody with its uid may see them.',
  fields: (t) => ({ name: t.exposeString('name', { requires: PUBLIC, description: 'What people call them.' }) }),
});

const ConfirmedAttendee = builder
  .objectRef<NonNullable<ConfirmationShape['attendee']>>('PublicBookingAttendee')
  .implement({
    description: 'The attendee whose uid you sent, with the details from the booking.',
    fields: (t) => ({
      name: t.exposeString('name', { requires: PUBLIC, description: 'What people call them.' }),
      email: t.expose('email', {
        type: 'EmailAddress',
        requires: PUBLIC,
        description: 'Where mails about the booking go.',
      }),
      timeZone: t.expose('timeZone', {
        type: 'TimeZone',
        requires: PUBLIC,
        description: `The time zone of times in mails: ${TIME_ZONE_IN_WORDS}.`,
      }),
    }),
  });

const reason = (description: string) => ({ price: REASON, nullable: true, requires: PUBLIC, description }) as const;

export const PublicBooking = builder.objectRef<ConfirmationShape>('PublicBooking').implement({
  description: 'A booking as anybody with its uid may see it: without the addresses of others, answers or notes.',
  fields: (t) => ({
    id: t.exposeID('uid', { requires: PUBLIC, description: 'The `uid`, for caches that go by `id`.' }),
    uid: t.exposeString('uid', {
      requires: PUBLIC,
      description:
        'Of the booking, or of your seat in it. Anybody with the uid may cancel and reschedule: keep it to yourself.',
    }),
    title: t.exposeString('title', {
      requires: PUBLIC,
      description: 'The title that its event type had when it was booked.',
    }),
    description: t.exposeString('description', {
      price: LONG_TEXT,
      nullable: true,
      requires: PUBLIC,
      description: 'The description that its event type had when it was booked. Null: none.',
    }),
    managedBy: t.expose('managedBy', {
      type: PublicManagingTeam,
      nullable: true,
      requires: PUBLIC,
      description: MANAGED_BY_DESCRIPTION,
    }),
    status: t.field({
      type: BookingStatus,
      requires: PUBLIC,
      description: 'The status of the booking.',
      resolve: ({ status }) => status,
    }),
    start: t.expose('start', { type: 'DateTime', requires: PUBLIC, description: 'When it starts.' }),
    end: t.expose('end', { type: 'DateTime', requires: PUBLIC, description: 'When it ends.' }),
    location: t.string({
      nullable: true,
      requires: PUBLIC,
      description:
        'Where it is: an address, a link, a number, the link of a conferencing app (its slug until that has one), or what the attendee says. Null until the booking is accepted.',
      resolve: ({ location }) => location && placeText(location),
    }),
    locationType: t.field({
      type: LocationType,
      nullable: true,
      requires: PUBLIC,
      description: 'Who says where it is. Null: nobody has, or the booking is not accepted.',
      resolve: ({ location }) => location?.type,
    }),
    hosts: t.field({
      type: [ConfirmedHost],
      price: { max: MAX_HOSTS, weight: SMALL },
      requires: PUBLIC,
      description: 'With whom it was booked.',
      resolve: ({ hosts }) => [...hosts],
    }),
    attendee: t.expose('attendee', {
      type: ConfirmedAttendee,
      nullable: true,
      requires: PUBLIC,
      description:
        'The attendee whose uid you sent. Null for the uid of a whole booking with seats, which belongs to nobody alone.',
    }),
    otherAttendeeNames: t.stringList({
      price: { max: MAX_SEATS },
      requires: PUBLIC,
      description: 'Who else has a seat, where the event type shows it.',
      resolve: ({ otherAttendeeNames }) => [...otherAttendeeNames],
    }),
    seatsLeft: t.exposeInt('seatsLeft', {
      nullable: true,
      requires: PUBLIC,
      description: 'How many more people can book it. Null when the event type has no seats.',
    }),
    guestsInvited: t.exposeInt('guestsInvited', { requires: PUBLIC, description: 'How many guests are invited.' }),
    guestsWaiting: t.exposeInt('guestsWaiting', {
      requires: PUBLIC,
      description:
        'How many guests are invited only once the booker has followed the link in the mail to them, since neither a session with a verified address nor a code has shown that the attendee’s address is theirs.',
    }),
    cancellationReason: t.exposeString(
      'cancellationReason',
      reason('Why it was cancelled. Null: not cancelled, or nobody has said why.'),
    ),
    rejectionReason: t.exposeString(
      'rejectionReason',
      reason('Why a host has declined it. Null: not declined, or nobody has said why.'),
    ),
    rescheduleRequested: t.exposeBoolean('rescheduleRequested', {
      requires: PUBLIC,
      description:
        'A host has cancelled it and asks for another time: `bookingReschedule` takes it until `rescheduledToUid` is there.',
    }),
    rescheduleRequestReason: t.exposeString(
      'rescheduleRequestReason',
      reason('Why the host asks for another time. Null: they do not, or have not said why.'),
    ),
    rescheduledToUid: t.exposeString('rescheduledToUid', {
      nullable: true,
      requires: PUBLIC,
      description: 'The uid of the booking that it was moved to. Null: it was not moved, or has seats.',
    }),
  }),
});

/** The view of a booking that the holder of a uid has; undefined when the booking is not theirs. */
export function confirmation(
  booking: ConfirmableBooking<string> | undefined,
  key: BookingKey,
): ConfirmationShape | undefined {
  return booking && confirmationFor(booking, key);
}
