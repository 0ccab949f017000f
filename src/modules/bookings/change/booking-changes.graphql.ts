/**
 * change/ is what becomes of a booking once it is made: it is confirmed, moved, handed on, cancelled. Each command
 * locks the booking first and asks `booking-transitions.rules.ts` what may follow. It may import book/, slots/,
 * occupancy/ and lists/.
 */

import type { InputFieldMap, InputShapeFromFields } from '@pothos/core';
import { idOf, NO_ID, type OwnedId, ownedIdOf, publicId, publicOwnedId } from '../../../core/id.ts';
import type { ProblemCode } from '../../../core/problem-code.ts';
import { Selection } from '../../../database/columns.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import type { Em } from '../../../database/sql.ts';
import { builder, type InputBuilder } from '../../../graphql/builder.ts';
import { calledFrom, type GraphQLContext, requireUserId } from '../../../graphql/context.ts';
import { ifUpdatedAtField, mutation, type PayloadFields } from '../../../graphql/mutation.ts';
import { addRowFields } from '../../../graphql/row.ts';
import { selectionOf } from '../../../graphql/selection.ts';
import { INHERIT, reads, writes } from '../../../scopes/declare.ts';
import { MAX_OCCURRENCES } from '../../event-types/settings/recurrence.rules.ts';
import type { EventTypeRules } from '../../event-types/settings/scheduling.rules.ts';
import { requireOwnId } from '../../levels/change-owned.ts';
import { type Descriptions, enteringAt, levelsOf } from '../../levels/level.graphql.ts';
import { actorInGroup, type Input, idField, pathFields, withinOrganization } from '../../levels/owned-store.graphql.ts';
import { type LevelName, ownOfGroup, REACH, reachedOwner } from '../../levels/reach.ts';
import { mutationName } from '../../levels/resource-mutations.graphql.ts';
import { Booking as BookingEntity } from '../booking.entity.ts';
import { AttendeeInput, attendeeFrom, newTimeFields, newTimeFrom, reasonField } from '../booking-input.graphql.ts';
import { bookingNotFound } from '../booking-key.rules.ts';
import { LocationInput, locationFrom } from '../booking-location.graphql.ts';
import { MAX_GUESTS, MAX_GUESTS_A_CALL } from '../booking-request.rules.ts';
import { Booking } from '../lists/booking.graphql.ts';
import { findListed } from '../lists/list-bookings.queries.ts';
import { byHost, type HostedBooking, requireRight } from '../locked-booking.ts';
import { requirePossible } from '../slots/availability.ts';
import {
  type BookableEventType,
  findBookedEventType,
  findEventTypeRules,
  requireBookedEventType,
} from '../slots/bookable-event-type.queries.ts';
import { Slot, shownSlots, slotRange } from '../slots/slot.graphql.ts';
import { MAX_DAYS } from '../slots/slot-range.rules.ts';
import { ADD_ATTENDEE_CODES, ADD_GUESTS_CODES, addAttendee, addGuests } from './add-guests-and-attendees.ts';
import { CANCEL_BOOKING_CODES, type Cancellation, cancelBooking, cancelSeries } from './cancel-booking.ts';
import { CONFIRM_BOOKING_CODES, confirmBooking, DECLINE_BOOKING_CODES, declineBooking } from './confirm-booking.ts';
import { MARK_ABSENCE_CODES, markAbsence } from './mark-absence.ts';
import { REASSIGN_BOOKING_CODES, reassignBooking } from './reassign-booking.ts';
import {
  REQUEST_RESCHEDULE_CODES,
  RESCHEDULE_BOOKING_CODES,
  requestReschedule,
  rescheduleBooking,
} from './reschedule-booking.ts';
import { ROTATE_UID_CODES, rotateUid } from './rotate-uid.ts';
import { UPDATE_LOCATION_CODES, updateLocation } from './update-location.ts';

const read = reads('BOOKING');
const write = writes('BOOKING');

const NEW_UID =
  'Whoever has one can no longer see, move or cancel the booking, nor read its calendar file. The attendee is mailed a new one, unless the booking is over. All bookings of a series are meant, and those from and to which it was moved.';

const MOVED =
  'The old booking is cancelled and a new one made, whose id is answered; its attendee is mailed. With seats, everybody moves.';

/**
 * A change that somebody makes to a booking: a host at their own level, an administrator at that of its team or
 * organization.
 */
interface BookingChange<Fields extends InputFieldMap, More extends object> {
  readonly verb: string;
  /** The name at user level, where `bookingVerb` is what attendees call. */
  readonly nameOfUser?: string;
  readonly describes: Descriptions;
  readonly errors: readonly [ProblemCode, ...ProblemCode[]];
  /** Further codes in groups, beside FORBIDDEN. */
  readonly errorsOfGroups?: readonly ProblemCode[];
  /** Beside the id. */
  readonly input?: (t: InputBuilder, level: LevelName) => Fields;
  /** @returns what its payload shows beside the booking; `isNow`: the booking that it has become */
  readonly run: (
    context: GraphQLContext,
    acting: HostedBooking,
    input: InputShapeFromFields<Fields>,
  ) => Promise<(More & { readonly isNow?: OwnedId }) | void>;
  readonly payload?: (
    t: Parameters<PayloadFields<More & Changed>>[0],
    level: LevelName,
  ) => ReturnType<PayloadFields<More>>;
  /** The level at which the actor has handed the booking over, and does not see it any more. */
  readonly hidesBookingAt?: LevelName;
}

/** Declares `bookingVerb`, `teamBookingVerb` and `organizationBookingVerb`, as far as they are described. */
function bookingChange<Fields extends InputFieldMap, More extends object>({
  verb,
  nameOfUser,
  describes,
  errors,
  errorsOfGroups = [],
  input = () => ({}) as Fields,
  run,
  payload,
  hidesBookingAt,
}: BookingChange<Fields, More>): void {
  for (const [level, description] of levelsOf(describes)) {
    mutation(level === 'user' && nameOfUser !== undefined ? nameOfUser : mutationName(level, 'booking', verb), {
      description,
      requires: enteringAt(level, write),
      errors: level === 'user' ? errors : [...errors, ...errorsOfGroups, 'FORBIDDEN'],
      input: (t) => ({ ...pathFields(t, level), ...idField(t, 'booking'), ...input(t, level) }),
      resolve: async (given, context) => {
        const { bookingId, ...rest } = await withinOrganization(level, given, context);
        const acting = actingOn(level, String(bookingId), rest, context);
        await requireRight(context.em, acting);
        const { isNow, ...more } = (await run(context, acting, rest as InputShapeFromFields<Fields>)) ?? {};
        const changed = { ...acting, ...isNow };
        return { bookingId: publicOwnedId('booking', changed), acting: changed, ...more };
      },
      payload: (t: Parameters<PayloadFields<Changed>>[0]) => ({
        bookingId: t.exposeID('bookingId', { nullable: true, requires: INHERIT }),
        ...payload?.(t as never, level),
        ...(level !== hidesBookingAt && { booking: bookingField(t, level) }),
      }),
    });
  }
}

interface Changed {
  readonly bookingId?: string;
  readonly acting?: HostedBooking;
}

/** The booking as it is now. */
function bookingField(t: Parameters<PayloadFields<Changed>>[0], level: LevelName) {
  return t.field({
    type: Booking,
    nullable: true,
    requires: { [level]: read[level] },
    resolve: ({ acting }, _args, context, info) =>
      acting && findShown(context, level, acting, selectionOf(info, BookingEntity)),
  });
}

async function findShown(
  context: GraphQLContext,
  level: LevelName,
  acting: HostedBooking,
  selection: BookingSelection,
) {
  const [found] = await findAllShown(context, level, acting, [acting], selection);
  return found;
}

type BookingSelection = ReturnType<typeof selectionOf<typeof BookingEntity>>;

async function findAllShown(
  { em }: GraphQLContext,
  level: LevelName,
  { hostId: actorId, right }: HostedBooking,
  bookings: readonly OwnedId[],
  selection: BookingSelection,
) {
  const [view, parentId] =
    level === 'user'
      ? ([{ level }, actorId] as const)
      : ([{ level, actorId }, right?.administrator?.groupId ?? NO_ID] as const);
  const lookUps = bookings.map(({ ownerId, id }) => ({ parentId, ownerId, id }));
  return (await findListed(em, view, lookUps, selection)).filter((one) => one !== undefined);
}

/** The booking that an input names, and by what right the caller acts. @throws Problem NOT_FOUND */
function actingOn(level: LevelName, id: string, input: Input, context: GraphQLContext): HostedBooking {
  const named = ownedIdOf('booking', id);
  if (!named) throw bookingNotFound(id);
  const acting = { ...named, hostId: requireUserId(context), ...calledFrom(context) };
  if (level === 'user') return acting;
  const administrator = actorInGroup(level, input, context);
  if (level === 'team') {
    if (named.ownerId !== administrator.groupId) throw bookingNotFound(id);
    return { ...acting, right: ownOfGroup(administrator) };
  }
  const right = reachedOwner(administrator, REACH.organization.OWNER, named.ownerId, bookingNotFound(id));
  return { ...acting, right };
}

bookingChange({
  verb: 'Confirm',
  describes: {
    user: 'Confirms a booking that waits for you.',
    team: 'Agrees to a booking of a team that you administer, which waits for its hosts.',
    organization: 'Agrees to a booking of an organization that you administer, which waits for its hosts.',
  },
  errors: CONFIRM_BOOKING_CODES,
  run: ({ em }, acting) => confirmBooking(em, acting),
});

bookingChange({
  verb: 'Decline',
  describes: {
    user: 'Declines a booking that waits for you, and frees its time.',
    team: 'Refuses a booking of a team that you administer, and frees its time.',
    organization: 'Refuses a booking of an organization that you administer, and frees its time.',
  },
  errors: DECLINE_BOOKING_CODES,
  input: (t) => ({ reason: reasonField(t, 'Why it is declined; the attendees are told.') }),
  run: ({ em }, acting, { reason }) => declineBooking(em, acting, reason ?? null),
});

bookingChange({
  verb: 'Cancel',
  nameOfUser: 'userBookingCancel',
  describes: {
    user: 'Cancels a booking that you host, with a reason.',
    team: 'Cancels a booking of a team that you administer, with a reason.',
    organization: 'Cancels a booking of an organization that you administer, with a reason.',
  },
  errors: CANCEL_BOOKING_CODES,
  input: (t) => ({ reason: reasonField(t, 'The reason, which the others are told. Required.') }),
  run: async (context, acting, { reason }) => {
    await cancelBooking(context.em, await rulesOf(acting, context), cancellationBy(acting, reason));
  },
});

bookingChange({
  verb: 'SeriesCancel',
  nameOfUser: 'userBookingSeriesCancel',
  describes: {
    user: 'Cancels all that remains of a series that you host, with a reason: give the id of any booking of it. Everybody is mailed once for all.',
    team: 'Cancels all that remains of a series of a team that you administer, with a reason. Everybody is mailed once for all.',
    organization:
      'Cancels all that remains of a series of an organization that you administer, with a reason. Everybody is mailed once for all.',
  },
  errors: CANCEL_BOOKING_CODES,
  input: (t) => ({ reason: reasonField(t, 'The reason, which the others are told. Required.') }),
  run: async (context, acting, { reason }) => {
    const rules = await rulesOf(acting, context);
    const { cancelled } = await cancelSeries(context.em, rules, cancellationBy(acting, reason));
    return { cancelled };
  },
  payload: (t, level) => ({
    bookings: t.field({
      type: [Booking],
      price: { max: MAX_OCCURRENCES },
      nullable: true,
      requires: { [level]: read[level] },
      description: 'The cancelled bookings, earliest first. Null if it was refused.',
      resolve: ({ acting, cancelled }, _args, context, info) =>
        acting && cancelled && findAllShown(context, level, acting, cancelled, selectionOf(info, BookingEntity)),
    }),
  }),
});

bookingChange({
  verb: 'Reschedule',
  nameOfUser: 'userBookingReschedule',
  describes: {
    user: `Moves a booking that you host to another slot. ${MOVED}`,
    team: `Moves a booking of a team that you administer to another slot. ${MOVED}`,
    organization: `Moves a booking of an organization that you administer to another slot. ${MOVED}`,
  },
  errors: RESCHEDULE_BOOKING_CODES,
  input: newTimeFields,
  run: async (context, acting, time) => {
    const { ownerId, id, hostId: callerId } = acting;
    const key = { ownerId, id };
    if (!acting.right && !(await findHosted(context.em, acting))) throw bookingNotFound(key);
    const eventType = await requireBookedEventType(context.em, key);
    const wanted = { key, ...newTimeFrom(time, context.uids), callerId, by: byHost(acting), acting };
    const moved = await rescheduleBooking(context.em, eventType, wanted);
    return { isNow: { ownerId, id: moved.id } };
  },
});

addRowFields(Booking, BookingEntity, (t) => ({
  slotsToMoveTo: t.from(['ownerId', 'id'], {
    type: [Slot],
    nullable: true,
    requires: read,
    price: { range: ['start', 'end'], oneAtATime: true },
    description: `The times that it can be moved to, in order; at most ${MAX_DAYS} days at a time. Its own time counts as free. None where it cannot be moved any more; null when its event type was deleted.`,
    args: {
      ...slotRange(),
      ...builder.args((a) => ({
        durationInMinutes: a.int({
          description: 'One of the event type’s `durationInMinutesOptions`; as long as it is if left out.',
        }),
      })),
    },
    resolve: async (key, { start, end, timeZone, durationInMinutes }, context, info) => {
      const range = { start, end, timeZone: timeZone ?? 'UTC' };
      requirePossible(range);
      const [eventType, now] = await Promise.all([findBookedEventType(context.em, key), databaseNow(context.em)]);
      if (!eventType) return null;
      return shownSlots(context, info, eventType, {
        ...range,
        durationInMinutes: durationInMinutes ?? null,
        occurrences: null,
        rescheduled: { key, actor: 'HOST' },
        now,
      });
    },
  }),
}));

bookingChange({
  verb: 'RescheduleRequest',
  describes: {
    user: 'Cancels a booking that you host, and asks its attendee to choose another time.',
    team: 'Cancels a booking of a team that you administer, and asks its attendee to choose another time.',
    organization:
      'Cancels a booking of an organization that you administer, and asks its attendee to choose another time.',
  },
  errors: REQUEST_RESCHEDULE_CODES,
  input: (t) => ({ reason: reasonField(t, 'Why it needs another time; the attendees are told.') }),
  run: ({ em }, acting, { reason }) => requestReschedule(em, acting, reason ?? null),
});

bookingChange({
  verb: 'GuestsAdd',
  describes: {
    user: `Invites more people: at most ${MAX_GUESTS_A_CALL} at once, and ${MAX_GUESTS} in all.`,
    team: `Invites more people to a booking of a team that you administer: at most ${MAX_GUESTS_A_CALL} at once, and ${MAX_GUESTS} in all.`,
    organization: `Invites more people to a booking of an organization that you administer: at most ${MAX_GUESTS_A_CALL} at once, and ${MAX_GUESTS} in all.`,
  },
  errors: ADD_GUESTS_CODES,
  input: (t) => ({
    guests: t.field({
      type: ['EmailAddress'],
      required: true,
      description: `E-mail addresses of people who are not in the booking yet: at most ${MAX_GUESTS_A_CALL}.`,
    }),
  }),
  run: async (context, acting, { guests }) => {
    const eventType = await findEventType(acting, context);
    await addGuests(context.em, acting, guests, eventType?.rules ?? { allowsGuests: true });
  },
});

bookingChange({
  verb: 'AttendeeAdd',
  describes: {
    user: 'Adds an attendee to a booking that you host. If it has seats, they get one of their own.',
    team: 'Adds somebody to a booking of a team that you administer; with seats, in a seat of their own.',
    organization:
      'Adds somebody to a booking of an organization that you administer; with seats, in a seat of their own.',
  },
  errors: ADD_ATTENDEE_CODES,
  input: (t) => ({ attendee: t.field({ type: AttendeeInput, required: true, description: 'The attendee to add.' }) }),
  run: async (context, acting, { attendee }) => {
    const eventType = await requireEventType(acting, context);
    await addAttendee(context.em, eventType, acting, attendeeFrom(attendee));
  },
});

bookingChange({
  verb: 'LocationUpdate',
  describes: {
    user: 'Changes the location of a booking that you host.',
    team: 'Says where a booking of a team that you administer takes place.',
    organization: 'Says where a booking of an organization that you administer takes place.',
  },
  errors: UPDATE_LOCATION_CODES,
  input: (t) => ({
    location: t.field({ type: LocationInput, required: true, description: 'Where it takes place from now on.' }),
    ...ifUpdatedAtField(t),
  }),
  run: async (context, acting, { location, ifUpdatedAt }) => {
    const offered = (await findEventType(acting, context))?.locations ?? [];
    await updateLocation(context.em, acting, offered, locationFrom(location), ifUpdatedAt);
  },
});

bookingChange({
  verb: 'Reassign',
  describes: {
    user: 'Reassigns your part in a booking to another host of its event type who is free then.',
    team: 'Hands a host’s part in a booking of a team that you administer to another host of its event type who has time then.',
    organization:
      'Hands a host’s part in a booking of an organization that you administer to another host of its event type who has time then.',
  },
  errors: REASSIGN_BOOKING_CODES,
  errorsOfGroups: ['REQUIRED'],
  input: (t, level) => ({
    toUserId: t.id({ description: 'The new host, by their id (`usr_…`). If left out, the host whose turn it is.' }),
    ...(level !== 'user' && {
      fromUserId: t.id({
        description:
          'The host whose part is handed over, by their id (`usr_…`). Required if the booking has several hosts.',
      }),
    }),
    reason: reasonField(t, 'The reason, which hosts and attendees are told.'),
  }),
  run: async (context, acting, { toUserId, fromUserId, reason }) => {
    const eventType = await requireEventType(acting, context);
    const handover = { fromHostId: userNamed(fromUserId), reason: reason ?? null };
    const newHostId = await reassignBooking(context.em, eventType, acting, userNamed(toUserId), handover);
    return { hostUserId: publicId('user', newHostId) };
  },
  payload: (t) => ({
    hostUserId: t.exposeID('hostUserId', {
      nullable: true,
      requires: INHERIT,
      description: 'Who hosts it now. Null if it was refused.',
    }),
  }),
  hidesBookingAt: 'user',
});

bookingChange({
  verb: 'UidRotate',
  describes: {
    user: `Ends the uids of a booking that you host, for instance when one has leaked. ${NEW_UID}`,
    team: `Ends the uids of a booking of a team that you administer, for instance when one has leaked. ${NEW_UID}`,
    organization: `Ends the uids of a booking of an organization that you administer, for instance when one has leaked. ${NEW_UID}`,
  },
  errors: ROTATE_UID_CODES,
  input: (t) => ({
    seatId: t.id({ description: 'Ends the uids of this seat alone (`sea_…`). If left out, of all seats.' }),
  }),
  run: ({ em }, acting, { seatId }) =>
    rotateUid(em, acting, seatId == null ? null : requireOwnId('seat', seatId, acting.ownerId)),
});

const AbsentAttendee = builder.inputType('AbsentAttendeeInput', {
  description: 'An attendee, and whether they came.',
  fields: (t) => ({
    email: t.field({ type: 'EmailAddress', required: true, description: 'The address under which they attend.' }),
    isAbsent: t.boolean({ required: true, description: 'True: they did not come. False: they were there after all.' }),
  }),
});

const AbsentHost = builder.inputType('AbsentHostInput', {
  description: 'A host of a booking, and whether they came.',
  fields: (t) => ({
    userId: t.id({ required: true, description: 'The host, by their id (`usr_…`).' }),
    isAbsent: t.boolean({ required: true, description: 'True: they did not come. False: they were there after all.' }),
  }),
});

bookingChange({
  verb: 'AbsenceMark',
  describes: {
    user: 'Marks who did not come to a booking that you host, once it has started.',
    team: 'Marks who did not come to a booking of a team that you administer, once it has started.',
    organization: 'Marks who did not come to a booking of an organization that you administer, once it has started.',
  },
  errors: MARK_ABSENCE_CODES,
  input: (t, level) => ({
    ...(level === 'user' && { isHostAbsent: t.boolean({ description: 'Whether you were absent yourself.' }) }),
    ...(level !== 'user' && {
      hosts: t.field({ type: [AbsentHost], description: 'Hosts who came or did not; others stay as they are.' }),
    }),
    attendees: t.field({
      type: [AbsentAttendee],
      description: 'Attendees who came or did not; others stay as they are.',
    }),
  }),
  run: ({ em }, acting, { isHostAbsent, hosts, attendees }) => {
    const named = (hosts ?? []).map(({ userId, isAbsent }) => ({ hostId: userNamed(userId) ?? NO_ID, isAbsent }));
    const own = isHostAbsent == null ? [] : [{ hostId: acting.hostId, isAbsent: isHostAbsent }];
    return markAbsence(em, acting, { hosts: [...own, ...named], attendees: attendees ?? [] });
  },
});

function cancellationBy(acting: HostedBooking, reason: string | null | undefined): Cancellation {
  const { ownerId, id, hostId: callerId } = acting;
  return { key: { ownerId, id }, reason: reason ?? null, callerId, by: byHost(acting), acting };
}

async function rulesOf(acting: HostedBooking, context: GraphQLContext): Promise<EventTypeRules | undefined> {
  return (await findEventType(acting, context))?.rules;
}

const EVENT_TYPE_ALONE = new Selection(BookingEntity, ['eventTypeId']);

/** Reads a user's id. A text that is none names nobody. */
function userNamed(id: string | null | undefined): string | null {
  return id == null ? null : (idOf('user', id) ?? NO_ID);
}

/** The event type of a booking that the caller hosts, or administers; undefined when either is gone. */
async function findEventType(acting: HostedBooking, { em }: GraphQLContext): Promise<BookableEventType | undefined> {
  const { ownerId, id, right } = acting;
  if (right) return findBookedEventType(em, { ownerId, id });
  const booking = await findHosted(em, acting);
  return booking && findEventTypeRules(em, { ownerId, id: booking.eventTypeId });
}

/** The booking, if the caller hosts it: one statement, for a foreign one as for none. */
async function findHosted(em: Em, { ownerId, id, hostId }: HostedBooking) {
  const [booking] = await findListed(em, { level: 'user' }, [{ parentId: hostId, ownerId, id }], EVENT_TYPE_ALONE);
  return booking;
}

async function requireEventType(acting: HostedBooking, context: GraphQLContext): Promise<BookableEventType> {
  const found = await findEventType(acting, context);
  if (!found) throw bookingNotFound(acting);
  return found;
}
