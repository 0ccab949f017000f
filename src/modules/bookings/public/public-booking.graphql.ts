/**
 * public/ has what anybody may do by a link or a uid: book, look up, move, cancel. It may import book/, change/ and
 * slots/.
 */
import { Problem } from '../../../core/problem.ts';
import { TIME_ZONE_IN_WORDS } from '../../../core/text.ts';
import type { Actor } from '../../../events/record-event.ts';
import { builder } from '../../../graphql/builder.ts';
import { calledFrom, type GraphQLContext } from '../../../graphql/context.ts';
import { LONG_TEXT, REASON, SMALL, URL_TEXT, WITH_ITS_EDGE } from '../../../graphql/limits/price.ts';
import { mutation } from '../../../graphql/mutation.ts';
import { PUBLIC } from '../../../scopes/declare.ts';
import { PublicPerson, publicPersonFields } from '../../accounts/accounts.graphql.ts';
import { MAX_HOSTS } from '../../event-types/event-type-host.rules.ts';
import { MANAGED_BY_DESCRIPTION, PublicManagingTeam } from '../../event-types/event-type-values.graphql.ts';
import { findOncePrivatelyLinked } from '../../event-types/private-links.ts';
import { MAX_OCCURRENCES } from '../../event-types/settings/recurrence.rules.ts';
import { MAX_SEATS } from '../../event-types/settings/scheduling.rules.ts';
import { CREATE_BOOKING_CODES, createBooking } from '../book/book.ts';
import type { BookingRow } from '../booking.queries.ts';
import {
  BookingStatus,
  bookingRequestFields,
  callerIdOf,
  newTimeFields,
  newTimeFrom,
  privateLinkField,
  reasonField,
  requestFrom,
  requireOffered,
  UID,
} from '../booking-input.graphql.ts';
import { type AttendeeKey, keyOfBooking, requireBookingKey, type Uids } from '../booking-key.rules.ts';
import { BookingLocation } from '../booking-location.graphql.ts';
import { MAX_GUESTS_A_CALL } from '../booking-request.rules.ts';
import { CANCEL_BOOKING_CODES, cancelBooking, cancelSeries } from '../change/cancel-booking.ts';
import { RESCHEDULE_BOOKING_CODES, rescheduleBooking } from '../change/reschedule-booking.ts';
import { BOOKED_MAILS, BookedMailType } from '../mails/booking-mail.graphql.ts';
import { mailsOfBooked } from '../mails/mail-outcomes.ts';
import { findBookedEventType, requireBookedEventType } from '../slots/bookable-event-type.queries.ts';
import { findConfirmable } from './public-booking.queries.ts';
import {
  type ConfirmableBooking,
  type BookingConfirmation as Confirmation,
  confirmationFor,
  namedByUid,
  type PublicUser,
} from './public-booking.rules.ts';

declare module '../../../graphql/context.ts' {
  interface ModuleContext {
    /** Writes and reads the keys of attendees. */
    readonly uids: Uids;
  }
}

builder.queryField('publicBooking', (t) =>
  t.field({
    type: PublicBooking,
    nullable: true,
    description:
      'A booking, or a seat in one, by the uid that was given when it was booked. Null for what is no uid, such as an id, and for one that was ended.',
    requires: PUBLIC,
    price: { oneAtATime: true },
    args: { uid: t.arg.string({ required: true, description: UID }) },
    resolve: async (_root, { uid }, context) => {
      const key = context.uids.read(uid);
      return key && confirmation(context, await findConfirmable(context.em, key), key);
    },
  }),
);

mutation('bookingCreate', {
  description:
    'Books an event type. Anybody can, unless the event type requires signing in. With a token or a session, you book as yourself.',
  requires: PUBLIC,
  single: true,
  errors: CREATE_BOOKING_CODES,
  input: (t) => ({
    eventTypeId: t.id({ required: true }),
    ...bookingRequestFields(t),
    privateLinkToken: privateLinkField(t),
    emailVerificationCode: t.string({
      description:
        'The code that `bookerEmailVerificationRequest` mailed to the attendee. Required if the event type asks for it.',
    }),
  }),
  resolve: async ({ eventTypeId, ...input }, context) => {
    // A link that has served its time passes here: whether the request may still use it, the booking decides.
    const link = input.privateLinkToken ?? null;
    const eventType = await requireOffered(context, eventTypeId, link, findOncePrivatelyLinked);
    const request = { ...requestFrom(input, context.uids), privateLinkToken: link };
    const { address, verification } = context;
    const proof = { code: input.emailVerificationCode ?? null, address, verification };
    const by = actorOf(context);
    const { key, keys } = await createBooking(context.em, eventType, request, by, proof);
    const bookings = await Promise.all(keys.map((one) => requireConfirmation(context, one)));
    return { booking: bookings[0], bookings, successRedirectUrl: eventType.successRedirectUrl, booked: { key, by } };
  },
  payload: (t) => ({
    booking: t.expose('booking', { type: PublicBooking, nullable: true, requires: PUBLIC }),
    bookings: t.field({
      type: [PublicBooking],
      price: { max: MAX_OCCURRENCES },
      nullable: true,
      requires: PUBLIC,
      description: 'All bookings of a series, in order; otherwise the one.',
      resolve: ({ bookings }) => bookings,
    }),
    successRedirectUrl: t.expose('successRedirectUrl', {
      type: 'URL',
      price: URL_TEXT,
      nullable: true,
      requires: PUBLIC,
      description: 'Where to send the booker afterwards.',
    }),
    mails: t.field({
      type: [BookedMailType],
      price: { max: 1 + MAX_GUESTS_A_CALL, weight: SMALL },
      nullable: true,
      requires: PUBLIC,
      description: BOOKED_MAILS,
      resolve: ({ booked }, _args, { em, verification }) =>
        booked && mailsOfBooked(em, booked.key, booked.by, verification.mailLimit),
    }),
  }),
});

mutation('bookingCancel', {
  description:
    'Cancels a booking, or gives back a seat, by the uid of its attendee, whoever calls. Hosts cancel by `userBookingCancel`.',
  requires: PUBLIC,
  single: true,
  errors: CANCEL_BOOKING_CODES,
  input: (t) => ({
    uid: t.string({ required: true, description: UID }),
    reason: reasonField(t, 'The reason, which the hosts are told.'),
  }),
  resolve: ({ uid, reason }, context) =>
    byUid(context, uid, async (key) => {
      const rules = (await findBookedEventType(context.em, key))?.rules;
      const cancellation = { key, reason: reason ?? null, callerId: null, by: actorOf(context) };
      return { booking: confirmation(context, await cancelBooking(context.em, rules, cancellation), key) };
    }),
  payload: (t) => ({
    booking: t.expose('booking', { type: PublicBooking, nullable: true, requires: PUBLIC }),
  }),
});

mutation('bookingSeriesCancel', {
  description:
    'Cancels all remaining bookings of a series; those that are over or already cancelled stay as they are. Everybody is mailed once for all of them. Hosts do so by `userBookingSeriesCancel`.',
  requires: PUBLIC,
  single: true,
  errors: CANCEL_BOOKING_CODES,
  input: (t) => ({
    uid: t.string({
      required: true,
      description: 'The uid of the first booking of the series, wherever it has moved.',
    }),
    reason: reasonField(t, 'The reason, which the hosts are told.'),
  }),
  resolve: ({ uid, reason }, context) =>
    byUid(context, uid, async (key) => {
      const rules = (await findBookedEventType(context.em, key))?.rules;
      const cancellation = { key, reason: reason ?? null, callerId: null, by: actorOf(context) };
      const { cancelled, kept } = await cancelSeries(context.em, rules, cancellation);
      return { bookings: confirmations(context, cancelled), keptBookings: confirmations(context, kept) };
    }),
  payload: (t) => ({
    bookings: t.field({
      type: [PublicBooking],
      price: { max: MAX_OCCURRENCES },
      nullable: true,
      requires: PUBLIC,
      description: 'The cancelled bookings, earliest first. Null if it was refused.',
      resolve: ({ bookings }) => bookings,
    }),
    keptBookings: t.field({
      type: [PublicBooking],
      price: { max: MAX_OCCURRENCES },
      nullable: true,
      requires: PUBLIC,
      description:
        'The bookings that still take place, since it is too late for attendees to cancel them. A host can. Null if it was refused.',
      resolve: ({ keptBookings }) => keptBookings,
    }),
  }),
});

mutation('bookingReschedule', {
  description:
    'Moves a booking to another slot, by the uid of its attendee, whoever calls. The old booking is cancelled and a new one made, with a new uid. A seat moves alone and keeps its uid. Hosts do so by `userBookingReschedule`.',
  requires: PUBLIC,
  single: true,
  errors: RESCHEDULE_BOOKING_CODES,
  input: (t) => ({ uid: t.string({ required: true, description: UID }), ...newTimeFields(t) }),
  resolve: ({ uid, ...time }, context) =>
    byUid(context, uid, async (key) => {
      const eventType = await requireBookedEventType(context.em, key);
      const wanted = { key, ...newTimeFrom(time, context.uids), callerId: null, by: actorOf(context) };
      return { booking: await requireConfirmation(context, await rescheduleBooking(context.em, eventType, wanted)) };
    }),
  payload: (t) => ({
    booking: t.expose('booking', { type: PublicBooking, nullable: true, requires: PUBLIC }),
  }),
});

/** Changes what the uid opens. The caller knows it by that alone, so that whatever is wrong with the booking is wrong there. */
async function byUid<Shown>(
  { uids }: GraphQLContext,
  uid: string,
  change: (key: AttendeeKey) => Promise<Shown>,
): Promise<Shown> {
  try {
    return await change(requireBookingKey(uids, uid));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    Problem.throwIfAny(error.mistakes.map((one) => (one.path?.[0] === 'bookingId' ? { ...one, path: ['uid'] } : one)));
    throw error;
  }
}

/** Without seats, the uid of a booking is its booker's. */
function confirmations(context: GraphQLContext, bookings: readonly BookingRow[]): ConfirmationShape[] {
  return bookings.flatMap((booking) => confirmation(context, booking, keyOfBooking(booking)) ?? []);
}

/** The actor that mails about it are counted for: an app that may not act as a host is still its user's. */
function actorOf(context: GraphQLContext): Actor {
  return { userId: callerIdOf(context), ...calledFrom(context) };
}

/** @throws Problem NOT_FOUND when a team was deleted at the very moment at which it was booked */
async function requireConfirmation(context: GraphQLContext, key: AttendeeKey): Promise<ConfirmationShape> {
  const found = confirmation(context, await findConfirmable(context.em, key), key);
  if (!found) throw new Problem('NOT_FOUND', 'The booking was made, and is gone with the team that it was with.');
  return found;
}

export type ConfirmationShape = Confirmation<string>;

const ConfirmedUser = builder.objectRef<PublicUser>('PublicUser').implement({
  description: 'A user of the service, as anybody may see them with whom they are booked.',
  interfaces: [PublicPerson],
  fields: (t) => publicPersonFields(t, PUBLIC),
});

const ConfirmedHost = builder.objectRef<PublicUser>('PublicBookingHost').implement({
  description: 'That a user hosts the booking, as anybody with its uid may see it.',
  fields: (t) => ({
    user: t.field({
      type: ConfirmedUser,
      price: WITH_ITS_EDGE,
      requires: PUBLIC,
      description: 'The user who hosts it.',
      resolve: (user) => user,
    }),
  }),
});

const ConfirmedAttendee = builder
  .objectRef<NonNullable<ConfirmationShape['attendee']>>('PublicBookingAttendee')
  .implement({
    description: 'The attendee whose uid you sent, with the details from the booking.',
    fields: (t) => ({
      name: t.exposeString('name', { requires: PUBLIC, description: 'Their display name.' }),
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

const PublicBooking = builder.objectRef<ConfirmationShape>('PublicBooking').implement({
  description: 'A booking as anybody with its uid may see it: without the addresses of others, answers or notes.',
  fields: (t) => ({
    id: t.exposeID('id', {
      requires: PUBLIC,
      description:
        'Its id, or that of your seat in it, which never changes. It begins with `bkg_` or `sea_`, and opens nothing.',
    }),
    uid: t.exposeString('name', {
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
    location: t.expose('location', {
      type: BookingLocation,
      nullable: true,
      requires: PUBLIC,
      description: 'Where it takes place. Null: nobody has named it, or the booking is not accepted.',
    }),
    hosts: t.field({
      type: [ConfirmedHost],
      price: { max: MAX_HOSTS, weight: SMALL },
      requires: PUBLIC,
      description: 'With whom it was booked. The first one is in charge.',
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
    remainingSeatCount: t.exposeInt('remainingSeatCount', {
      nullable: true,
      requires: PUBLIC,
      description: 'How many more people can book it. Null when the event type has no seats.',
    }),
    invitedGuestCount: t.exposeInt('invitedGuestCount', {
      requires: PUBLIC,
      description: 'How many guests are invited.',
    }),
    waitingGuestCount: t.exposeInt('waitingGuestCount', {
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
    isRescheduleRequested: t.exposeBoolean('rescheduleRequested', {
      requires: PUBLIC,
      description:
        'A host has cancelled it and asks for another time: `bookingReschedule` takes it until `rescheduledToUid` is there.',
    }),
    rescheduleRequestReason: t.exposeString(
      'rescheduleRequestReason',
      reason('Why the host asks for another time. Null: they do not, or have not said why.'),
    ),
    rescheduledToUid: t.exposeString('movedTo', {
      nullable: true,
      requires: PUBLIC,
      description: 'The uid of the booking that it was moved to. Null: it was not moved, or has seats.',
    }),
  }),
});

/** The view of a booking that the holder of a uid has; undefined when the booking is not theirs. */
function confirmation(
  { uids }: GraphQLContext,
  booking: ConfirmableBooking<string> | undefined,
  key: AttendeeKey,
): ConfirmationShape | undefined {
  return booking && confirmationFor(booking, key, namedByUid(uids, key));
}
