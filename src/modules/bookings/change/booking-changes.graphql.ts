/**
 * change/ is what becomes of a booking once it is made: it is confirmed, moved, handed on, cancelled. Each command
 * locks the booking first and asks `booking-transitions.rules.ts` what may follow. It may import book/, slots/,
 * occupancy/ and lists/.
 */

import type { InputFieldMap, InputShapeFromFields } from '@pothos/core';
import { idOf, NO_ID, type OwnedId, ownedIdOf, publicId } from '../../../core/id.ts';
import type { ProblemCode } from '../../../core/problem-code.ts';
import { Selection } from '../../../database/columns.ts';
import type { Em } from '../../../database/sql.ts';
import { builder, type InputBuilder } from '../../../graphql/builder.ts';
import { calledFrom, type GraphQLContext, requireUserId } from '../../../graphql/context.ts';
import { ifUpdatedAtField, mutation, type PayloadFields } from '../../../graphql/mutation.ts';
import { selectionOf } from '../../../graphql/selection.ts';
import { INHERIT, reads, writes } from '../../../scopes/declare.ts';
import { type BookableEventType, findEventTypeRules } from '../../event-types/public/event-type-rules.queries.ts';
import type { EventTypeRules } from '../../event-types/settings/scheduling.rules.ts';
import { type Descriptions, enteringAt, levelsOf } from '../../levels/level.graphql.ts';
import { actorInGroup, type Input, pathFields, withinOrganization } from '../../levels/owned-store.graphql.ts';
import { type LevelName, ownOfGroup, REACH, reachedOwner } from '../../levels/reach.ts';
import { mutationName } from '../../levels/resource-mutations.graphql.ts';
import { Booking as BookingEntity } from '../booking.entity.ts';
import {
  AttendeeInput,
  attendeeFrom,
  LocationInput,
  locationFrom,
  reasonField,
  uidField,
} from '../booking-input.graphql.ts';
import { MAX_GUESTS, MAX_GUESTS_A_CALL } from '../booking-request.rules.ts';
import { Booking } from '../lists/booking.graphql.ts';
import { findListed } from '../lists/list-bookings.queries.ts';
import { bookingNotFound, byHost, type HostedBooking, requireRight } from '../locked-booking.ts';
import { findBookedEventType } from '../slots/offered-event-type.queries.ts';
import { ADD_ATTENDEE_CODES, ADD_GUESTS_CODES, addAttendee, addGuests } from './add-guests-and-attendees.ts';
import { CANCEL_BOOKING_CODES, type Cancellation, cancelBooking, cancelSeries } from './cancel-booking.ts';
import { CONFIRM_BOOKING_CODES, confirmBooking, DECLINE_BOOKING_CODES, declineBooking } from './confirm-booking.ts';
import { MARK_ABSENCE_CODES, markAbsence } from './mark-absence.ts';
import { REASSIGN_BOOKING_CODES, reassignBooking } from './reassign-booking.ts';
import { REQUEST_RESCHEDULE_CODES, requestReschedule } from './reschedule-booking.ts';
import { UPDATE_LOCATION_CODES, updateLocation } from './update-location.ts';

const read = reads('BOOKING');
const write = writes('BOOKING');

/**
 * A change that somebody makes to a booking: a host at their own level, an administrator at that of its team or
 * organization.
 */
interface BookingChange<Fields extends InputFieldMap, More extends object> {
  readonly verb: string;
  readonly describes: Descriptions;
  readonly errors: readonly [ProblemCode, ...ProblemCode[]];
  /** Further codes in groups, beside FORBIDDEN. */
  readonly errorsOfGroups?: readonly ProblemCode[];
  /** Beside the uid. */
  readonly input?: (t: InputBuilder, level: LevelName) => Fields;
  /** @returns what its payload shows beside the booking */
  readonly run: (
    context: GraphQLContext,
    acting: HostedBooking,
    input: InputShapeFromFields<Fields>,
  ) => Promise<More | void>;
  readonly payload?: PayloadFields<More>;
  /** The level at which the actor has handed the booking over, and does not see it any more. */
  readonly hidesBookingAt?: LevelName;
}

/** Declares `bookingVerb`, `teamBookingVerb` and `organizationBookingVerb`, as far as they are described. */
function bookingChange<Fields extends InputFieldMap, More extends object>({
  verb,
  describes,
  errors,
  errorsOfGroups = [],
  input = () => ({}) as Fields,
  run,
  payload,
  hidesBookingAt,
}: BookingChange<Fields, More>): void {
  for (const [level, description] of levelsOf(describes)) {
    mutation(mutationName(level, 'booking', verb), {
      description,
      requires: enteringAt(level, write),
      errors: level === 'user' ? errors : [...errors, ...errorsOfGroups, 'FORBIDDEN'],
      input: (t) => ({ ...pathFields(t, level), uid: uidField(t), ...input(t, level) }),
      resolve: async (given, context) => {
        const { uid, ...rest } = await withinOrganization(level, given, context);
        const acting = actingOn(level, String(uid), rest, context);
        await requireRight(context.em, acting);
        const more = await run(context, acting, rest as InputShapeFromFields<Fields>);
        return { bookingUid: String(uid), acting, ...more };
      },
      payload: (t: Parameters<PayloadFields<Changed>>[0]) => ({
        bookingUid: t.exposeString('bookingUid', { nullable: true, requires: INHERIT }),
        ...payload?.(t as never),
        ...(level !== hidesBookingAt && { booking: bookingField(t, level) }),
      }),
    });
  }
}

interface Changed {
  readonly bookingUid?: string;
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
  { em }: GraphQLContext,
  level: LevelName,
  { hostId: actorId, right, ...id }: HostedBooking,
  selection: ReturnType<typeof selectionOf<typeof BookingEntity>>,
) {
  const [view, parentId] =
    level === 'user'
      ? ([{ level }, actorId] as const)
      : ([{ level, actorId }, right?.administrator?.groupId ?? NO_ID] as const);
  const [found] = await findListed(em, view, [{ parentId, ...id }], selection);
  return found;
}

/** The booking that an input names, and by what right the caller acts. @throws Problem NOT_FOUND */
function actingOn(level: LevelName, uid: string, input: Input, context: GraphQLContext): HostedBooking {
  const named = requireBookingId(uid);
  const acting = { ...named, hostId: requireUserId(context), ...calledFrom(context) };
  if (level === 'user') return acting;
  const administrator = actorInGroup(level, input, context);
  if (level === 'team') {
    if (named.ownerId !== administrator.groupId) throw bookingNotFound(uid);
    return { ...acting, right: ownOfGroup(administrator) };
  }
  const right = reachedOwner(administrator, REACH.organization.OWNER, named.ownerId, bookingNotFound(uid));
  return { ...acting, right };
}

/** Hosts change the whole booking, so the uid of a seat is not found. @throws Problem NOT_FOUND */
function requireBookingId(uid: string): OwnedId {
  const named = ownedIdOf('booking', uid);
  if (!named) throw bookingNotFound(uid);
  return named;
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
  describes: {
    team: 'Cancels a booking of a team that you administer, with a reason.',
    organization: 'Cancels a booking of an organization that you administer, with a reason.',
  },
  errors: CANCEL_BOOKING_CODES,
  input: (t) => ({ reason: reasonField(t, 'The reason, which the others are told. Required.') }),
  run: async ({ em }, acting, { reason }) => {
    await cancelBooking(em, await rulesOf(em, acting), cancellationBy(acting, reason));
  },
});

bookingChange({
  verb: 'SeriesCancel',
  describes: {
    team: 'Cancels all that remains of a series of a team that you administer, with a reason. Everybody is mailed once for all.',
    organization:
      'Cancels all that remains of a series of an organization that you administer, with a reason. Everybody is mailed once for all.',
  },
  errors: CANCEL_BOOKING_CODES,
  input: (t) => ({ reason: reasonField(t, 'The reason, which the others are told. Required.') }),
  run: async ({ em }, acting, { reason }) => {
    await cancelSeries(em, await rulesOf(em, acting), cancellationBy(acting, reason));
  },
});

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
    await addGuests(context.em, acting, guests, eventType?.rules.disableGuests ?? false);
  },
});

bookingChange({
  verb: 'AttendeeAdd',
  describes: {
    user: 'Adds somebody to a booking that you host; with seats, in a seat of their own.',
    team: 'Adds somebody to a booking of a team that you administer; with seats, in a seat of their own.',
    organization:
      'Adds somebody to a booking of an organization that you administer; with seats, in a seat of their own.',
  },
  errors: ADD_ATTENDEE_CODES,
  input: (t) => ({ attendee: t.field({ type: AttendeeInput, required: true, description: 'Who is added.' }) }),
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
    hostId: t.id({ description: 'The new host, by their id (`usr_…`). If left out, the host whose turn it is.' }),
    ...(level !== 'user' && {
      fromHostId: t.id({ description: 'Whose part it is, by their id (`usr_…`); needed where several host it.' }),
    }),
    reason: reasonField(t, 'The reason, which hosts and attendees are told.'),
  }),
  run: async (context, acting, { hostId, fromHostId, reason }) => {
    const eventType = await requireEventType(acting, context);
    const handover = { fromHostId: userNamed(fromHostId), reason: reason ?? null };
    const newHostId = await reassignBooking(context.em, eventType, acting, userNamed(hostId), handover);
    return { hostId: publicId('user', newHostId) };
  },
  payload: (t) => ({
    hostId: t.exposeID('hostId', {
      nullable: true,
      requires: INHERIT,
      description: 'Who hosts it now. Null if it was refused.',
    }),
  }),
  hidesBookingAt: 'user',
});

const AbsentAttendee = builder.inputType('AbsentAttendeeInput', {
  description: 'An attendee, and whether they came.',
  fields: (t) => ({
    email: t.field({ type: 'EmailAddress', required: true, description: 'The address under which they attend.' }),
    absent: t.boolean({ required: true, description: 'True: they did not come. False: they were there after all.' }),
  }),
});

const AbsentHost = builder.inputType('AbsentHostInput', {
  description: 'A host of a booking, and whether they came.',
  fields: (t) => ({
    hostId: t.id({ required: true, description: 'The host, by their id (`usr_…`).' }),
    absent: t.boolean({ required: true, description: 'True: they did not come. False: they were there after all.' }),
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
    ...(level === 'user' && { hostAbsent: t.boolean({ description: 'Whether you were absent yourself.' }) }),
    ...(level !== 'user' && {
      hosts: t.field({ type: [AbsentHost], description: 'Hosts who came or did not; others stay as they are.' }),
    }),
    attendees: t.field({
      type: [AbsentAttendee],
      description: 'Attendees who came or did not; others stay as they are.',
    }),
  }),
  run: ({ em }, acting, { hostAbsent, hosts, attendees }) => {
    const named = (hosts ?? []).map(({ hostId, absent }) => ({ hostId: userNamed(hostId) ?? NO_ID, absent }));
    const own = hostAbsent == null ? [] : [{ hostId: acting.hostId, absent: hostAbsent }];
    return markAbsence(em, acting, { hosts: [...own, ...named], attendees: attendees ?? [] });
  },
});

function cancellationBy(acting: HostedBooking, reason: string | null | undefined): Cancellation {
  const { ownerId, id, hostId: callerId } = acting;
  return { key: { ownerId, id }, reason: reason ?? null, callerId, by: byHost(acting), acting };
}

async function rulesOf(em: Em, { ownerId, id }: HostedBooking): Promise<EventTypeRules | undefined> {
  return (await findBookedEventType(em, { ownerId, id }))?.rules;
}

const EVENT_TYPE_ALONE = new Selection(BookingEntity, ['eventTypeId']);

/** Reads a user's id. A text that is none names nobody. */
function userNamed(id: string | null | undefined): string | null {
  return id == null ? null : (idOf('user', id) ?? NO_ID);
}

/** The event type of a booking that the caller hosts, or administers; undefined when either is gone. */
async function findEventType(
  { ownerId, id, hostId, right }: HostedBooking,
  { em }: GraphQLContext,
): Promise<BookableEventType | undefined> {
  if (right) return findBookedEventType(em, { ownerId, id });
  const [booking] = await findListed(em, { level: 'user' }, [{ parentId: hostId, ownerId, id }], EVENT_TYPE_ALONE);
  return booking && findEventTypeRules(em, { ownerId, id: booking.eventTypeId });
}

async function requireEventType(acting: HostedBooking, context: GraphQLContext): Promise<BookableEventType> {
  const found = await findEventType(acting, context);
  if (!found) throw bookingNotFound(acting);
  return found;
}
