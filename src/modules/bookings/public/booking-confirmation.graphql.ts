import { builder } from '../../../graphql/builder.ts';
import { LONG_TEXT, REASON, SMALL } from '../../../graphql/limits/price.ts';
import { PUBLIC } from '../../../scopes/declare.ts';
import { MAX_HOSTS } from '../../event-types/event-type-host.rules.ts';
import { MANAGED_BY_DESCRIPTION, PublicManagingTeam } from '../../event-types/managed/managing-team.graphql.ts';
import { MAX_SEATS } from '../../event-types/settings/scheduling-input.rules.ts';
import {
  type ConfirmableBooking,
  type BookingConfirmation as Confirmation,
  confirmationFor,
} from '../booking-confirmation.rules.ts';
import { BookingLocationType, BookingStatus } from '../booking-input.graphql.ts';
import type { BookingKey } from '../booking-key.rules.ts';

export type ConfirmationShape = Confirmation<string>;

const ConfirmedHost = builder.objectRef<{ readonly name: string }>('BookingConfirmationHost').implement({
  fields: (t) => ({ name: t.exposeString('name', { requires: PUBLIC }) }),
});

const ConfirmedAttendee = builder
  .objectRef<NonNullable<ConfirmationShape['attendee']>>('BookingConfirmationAttendee')
  .implement({
    fields: (t) => ({
      name: t.exposeString('name', { requires: PUBLIC }),
      email: t.exposeString('email', { requires: PUBLIC }),
      timeZone: t.exposeString('timeZone', { requires: PUBLIC }),
    }),
  });

export const BookingConfirmation = builder.objectRef<ConfirmationShape>('BookingConfirmation').implement({
  description: 'A booking as anybody with its uid may see it: without the addresses of others, answers or notes.',
  fields: (t) => ({
    uid: t.exposeString('uid', {
      requires: PUBLIC,
      description:
        'Of the booking, or of your seat in it. Anybody with the uid may cancel and reschedule: keep it to yourself.',
    }),
    title: t.exposeString('title', { requires: PUBLIC }),
    description: t.exposeString('description', { price: LONG_TEXT, nullable: true, requires: PUBLIC }),
    managedBy: t.expose('managedBy', {
      type: PublicManagingTeam,
      nullable: true,
      requires: PUBLIC,
      description: MANAGED_BY_DESCRIPTION,
    }),
    status: t.field({ type: BookingStatus, requires: PUBLIC, resolve: ({ status }) => status }),
    start: t.expose('start', { type: 'DateTime', requires: PUBLIC }),
    end: t.expose('end', { type: 'DateTime', requires: PUBLIC }),
    location: t.string({
      nullable: true,
      requires: PUBLIC,
      description:
        'Where it is: an address, a link, a number, the slug of a conferencing app, or what the attendee says. Null until the booking is accepted.',
      resolve: ({ location }) => location?.value,
    }),
    locationType: t.field({
      type: BookingLocationType,
      nullable: true,
      requires: PUBLIC,
      resolve: ({ location }) => location?.type,
    }),
    hosts: t.field({
      type: [ConfirmedHost],
      price: { max: MAX_HOSTS, weight: SMALL },
      requires: PUBLIC,
      resolve: ({ hosts }) => [...hosts],
    }),
    attendee: t.expose('attendee', {
      type: ConfirmedAttendee,
      nullable: true,
      requires: PUBLIC,
      description: 'Whose uid it is.',
    }),
    otherAttendeeNames: t.stringList({
      price: { max: MAX_SEATS },
      requires: PUBLIC,
      description: 'Who else has a seat, where the event type shows it.',
      resolve: ({ otherAttendeeNames }) => [...otherAttendeeNames],
    }),
    seatsLeft: t.exposeInt('seatsLeft', { nullable: true, requires: PUBLIC }),
    guestsInvited: t.exposeInt('guestsInvited', { requires: PUBLIC, description: 'How many guests are invited.' }),
    guestsWaiting: t.exposeInt('guestsWaiting', {
      requires: PUBLIC,
      description:
        'How many guests are invited only once the booker has followed the link in the mail to them, since neither a session with a verified address nor a code has shown that the attendee’s address is theirs.',
    }),
    cancellationReason: t.exposeString('cancellationReason', { price: REASON, nullable: true, requires: PUBLIC }),
    rejectionReason: t.exposeString('rejectionReason', { price: REASON, nullable: true, requires: PUBLIC }),
    rescheduleRequested: t.exposeBoolean('rescheduleRequested', {
      requires: PUBLIC,
      description:
        'A host has cancelled it and asks for another time: `bookingReschedule` takes it until `rescheduledToUid` is there.',
    }),
    rescheduleRequestReason: t.exposeString('rescheduleRequestReason', {
      price: REASON,
      nullable: true,
      requires: PUBLIC,
    }),
    rescheduledToUid: t.exposeString('rescheduledToUid', { nullable: true, requires: PUBLIC }),
  }),
});

/** What the holder of a uid sees; undefined when the booking is not theirs. */
export function confirmation(
  booking: ConfirmableBooking<string> | undefined,
  key: BookingKey,
): ConfirmationShape | undefined {
  return booking && confirmationFor(booking, key);
}
