/**
 * change/ is what becomes of a booking once it is made: it is confirmed, moved, handed on, cancelled. Each command
 * locks the booking first and asks `booking-transitions.rules.ts` what may follow. It may import book/, slots/,
 * occupancy/ and lists/.
 */

import type { ObjectFieldsShape } from '@pothos/core';
import { idOf, NO_ID, type OwnedId, ownedIdOf, publicId } from '../../../core/id.ts';
import { Selection } from '../../../database/selection.ts';
import type { Types } from '../../../graphql/builder.ts';
import { builder } from '../../../graphql/builder.ts';
import { type GraphQLContext, requireUserId } from '../../../graphql/context.ts';
import { ifUpdatedAtField } from '../../../graphql/if-updated-at.ts';
import { mutation } from '../../../graphql/mutation.ts';
import { selectionOf } from '../../../graphql/selection.ts';
import { networkOf } from '../../../limits/network.ts';
import { entering, INHERIT, reads, writes } from '../../../scopes/declare.ts';
import { type BookableEventType, findEventTypeRules } from '../../event-types/public/event-type-rules.queries.ts';
import { Booking as BookingEntity } from '../booking.entity.ts';
import {
  AttendeeInput,
  attendeeFrom,
  LocationInput,
  locationFrom,
  reasonField,
  uidField,
} from '../booking-input.graphql.ts';
import { MAX_GUESTS, MAX_GUESTS_A_CALL } from '../guest.rules.ts';
import type { HostedBooking } from '../hosted-booking.ts';
import { Booking } from '../lists/booking.graphql.ts';
import { findHostBooking } from '../lists/host-booking.queries.ts';
import { bookingNotFound } from '../locked-booking.ts';
import {
  CONFIRM_BOOKING_CODES,
  confirmBooking,
  DECLINE_BOOKING_CODES,
  declineBooking,
  REQUEST_RESCHEDULE_CODES,
  requestReschedule,
} from './answer-booking.ts';
import {
  ADD_ATTENDEE_CODES,
  ADD_GUESTS_CODES,
  addAttendee,
  addGuests,
  UPDATE_LOCATION_CODES,
  updateLocation,
} from './change-booking.ts';
import { MARK_ABSENCE_CODES, markAbsence } from './mark-absence.ts';
import { REASSIGN_BOOKING_CODES, reassignBooking } from './reassign-booking.ts';

const read = reads('BOOKING', ['USER']);
const write = entering('USER', writes('BOOKING', ['USER']));

mutation('bookingConfirm', {
  description: 'Agrees to a booking that waits for you.',
  requires: write,
  errors: CONFIRM_BOOKING_CODES,
  input: (t) => ({ uid: uidField(t) }),
  resolve: async ({ uid }, context) => {
    await confirmBooking(context.em, hosted(uid, context));
    return { bookingUid: uid };
  },
  payload: changedBooking,
});

mutation('bookingDecline', {
  description: 'Refuses a booking that waits for you, and frees its time.',
  requires: write,
  errors: DECLINE_BOOKING_CODES,
  input: (t) => ({ uid: uidField(t), reason: reasonField(t, 'Why you decline it; the attendees are told.') }),
  resolve: async ({ uid, reason }, context) => {
    await declineBooking(context.em, hosted(uid, context), reason ?? null);
    return { bookingUid: uid };
  },
  payload: changedBooking,
});

mutation('bookingRescheduleRequest', {
  description: 'Cancels a booking that you host, and asks its attendee to choose another time.',
  requires: write,
  errors: REQUEST_RESCHEDULE_CODES,
  input: (t) => ({ uid: uidField(t), reason: reasonField(t, 'Why it needs another time; the attendees are told.') }),
  resolve: async ({ uid, reason }, context) => {
    await requestReschedule(context.em, hosted(uid, context), reason ?? null);
    return { bookingUid: uid };
  },
  payload: changedBooking,
});

mutation('bookingGuestsAdd', {
  description: `Invites more people: at most ${MAX_GUESTS_A_CALL} at once, and ${MAX_GUESTS} in all.`,
  requires: write,
  errors: ADD_GUESTS_CODES,
  input: (t) => ({
    uid: uidField(t),
    guests: t.field({
      type: ['EmailAddress'],
      required: true,
      description: `E-mail addresses of people who are not in the booking yet: at most ${MAX_GUESTS_A_CALL}.`,
    }),
  }),
  resolve: async ({ uid, guests }, context) => {
    const eventType = await findHostedEventType(uid, context);
    await addGuests(context.em, hosted(uid, context), guests, eventType?.rules.disableGuests ?? false);
    return { bookingUid: uid };
  },
  payload: changedBooking,
});

mutation('bookingAttendeeAdd', {
  description: 'Adds somebody to a booking that you host; with seats, in a seat of their own.',
  requires: write,
  errors: ADD_ATTENDEE_CODES,
  input: (t) => ({
    uid: uidField(t),
    attendee: t.field({ type: AttendeeInput, required: true, description: 'Who is added.' }),
  }),
  resolve: async ({ uid, attendee }, context) => {
    const eventType = await requireHostedEventType(uid, context);
    await addAttendee(context.em, eventType, hosted(uid, context), attendeeFrom(attendee));
    return { bookingUid: uid };
  },
  payload: changedBooking,
});

mutation('bookingLocationUpdate', {
  description: 'Says where a booking that you host takes place.',
  requires: write,
  errors: UPDATE_LOCATION_CODES,
  input: (t) => ({
    uid: uidField(t),
    location: t.field({ type: LocationInput, required: true, description: 'Where it takes place from now on.' }),
    ...ifUpdatedAtField(t),
  }),
  resolve: async ({ uid, location, ifUpdatedAt }, context) => {
    const eventType = await findHostedEventType(uid, context);
    const offered = eventType?.locations ?? [];
    await updateLocation(context.em, hosted(uid, context), offered, locationFrom(location), ifUpdatedAt);
    return { bookingUid: uid };
  },
  payload: changedBooking,
});

mutation('bookingReassign', {
  description: 'Hands your part in a booking to another host of its event type who has time then.',
  requires: write,
  errors: REASSIGN_BOOKING_CODES,
  input: (t) => ({
    uid: uidField(t),
    hostId: t.id({ description: 'Who takes it over, by their id (`usr_…`); whose turn it is if left out.' }),
  }),
  resolve: async ({ uid, hostId }, context) => {
    const eventType = await requireHostedEventType(uid, context);
    const toHostId = hostId == null ? null : (idOf('user', hostId) ?? NO_ID);
    const newHostId = await reassignBooking(context.em, eventType, hosted(uid, context), toHostId);
    return { bookingUid: uid, hostId: publicId('user', newHostId) };
  },
  payload: (t) => ({
    bookingUid: t.exposeString('bookingUid', { nullable: true, requires: INHERIT }),
    hostId: t.exposeID('hostId', {
      nullable: true,
      requires: INHERIT,
      description: 'Who hosts it now. Null if it was refused.',
    }),
  }),
});

const AbsentAttendee = builder.inputType('AbsentAttendeeInput', {
  description: 'An attendee, and whether they came.',
  fields: (t) => ({
    email: t.field({ type: 'EmailAddress', required: true, description: 'The address under which they attend.' }),
    absent: t.boolean({ required: true, description: 'True: they did not come. False: they were there after all.' }),
  }),
});

mutation('bookingAbsenceMark', {
  description: 'Marks who did not come to a booking that you host, once it has started.',
  requires: write,
  errors: MARK_ABSENCE_CODES,
  input: (t) => ({
    uid: uidField(t),
    hostAbsent: t.boolean({ description: 'Whether you were absent yourself.' }),
    attendees: t.field({
      type: [AbsentAttendee],
      description: 'Attendees who came or did not; others stay as they are.',
    }),
  }),
  resolve: async ({ uid, hostAbsent, attendees }, context) => {
    await markAbsence(context.em, hosted(uid, context), { host: hostAbsent ?? null, attendees: attendees ?? [] });
    return { bookingUid: uid };
  },
  payload: changedBooking,
});

const EVENT_TYPE_ALONE = new Selection(BookingEntity, ['eventTypeId']);

interface Changed {
  readonly bookingUid?: string;
}

/** The payload of a mutation that changes a booking of the caller's. */
function changedBooking(
  t: Parameters<ObjectFieldsShape<Types, Changed>>[0],
): ReturnType<ObjectFieldsShape<Types, Changed>> {
  return {
    bookingUid: t.exposeString('bookingUid', { nullable: true, requires: INHERIT }),
    booking: t.field({
      type: Booking,
      nullable: true,
      requires: read,
      resolve: ({ bookingUid }, _args, context, info) => {
        if (bookingUid === undefined) return undefined;
        const selection = selectionOf(info, BookingEntity);
        return findHostBooking(context.em, requireUserId(context), requireBookingId(bookingUid), selection);
      },
    }),
  };
}

function hosted(uid: string, context: GraphQLContext): HostedBooking {
  return { ...requireBookingId(uid), hostId: requireUserId(context), network: networkOf(context.address) };
}

/** The event type of a booking that the caller hosts; undefined when either is gone. */
async function findHostedEventType(uid: string, context: GraphQLContext): Promise<BookableEventType | undefined> {
  const named = requireBookingId(uid);
  const booking = await findHostBooking(context.em, requireUserId(context), named, EVENT_TYPE_ALONE);
  return booking && findEventTypeRules(context.em, { ownerId: named.ownerId, id: booking.eventTypeId });
}

/** Hosts change the whole booking, so the uid of a seat is not found. @throws Problem NOT_FOUND */
function requireBookingId(uid: string): OwnedId {
  const named = ownedIdOf('booking', uid);
  if (!named) throw bookingNotFound(uid);
  return named;
}

async function requireHostedEventType(uid: string, context: GraphQLContext): Promise<BookableEventType> {
  const found = await findHostedEventType(uid, context);
  if (!found) throw bookingNotFound(uid);
  return found;
}
