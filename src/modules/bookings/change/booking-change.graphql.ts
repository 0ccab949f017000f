import type { InputFieldMap, InputShapeFromFields } from '@pothos/core';
import { NO_ID, type OwnedId, ownedIdOf } from '../../../core/id.ts';
import type { ProblemCode } from '../../../core/problem-code.ts';
import type { InputBuilder } from '../../../graphql/builder.ts';
import { calledFrom, type GraphQLContext, requireUserId } from '../../../graphql/context.ts';
import { mutation, type PayloadFields } from '../../../graphql/mutation.ts';
import { selectionOf } from '../../../graphql/selection.ts';
import { INHERIT, reads, writes } from '../../../scopes/declare.ts';
import { type Descriptions, enteringAt, levelsOf } from '../../levels/level.graphql.ts';
import { actorInGroup, pathFields, withinOrganization } from '../../levels/owner-of-input.graphql.ts';
import { type LevelName, ownOfGroup, REACH, reachedOwner } from '../../levels/reach.ts';
import { mutationName } from '../../levels/resource-mutations.graphql.ts';
import type { Input } from '../../levels/store.graphql.ts';
import { Booking as BookingEntity } from '../booking.entity.ts';
import { uidField } from '../booking-input.graphql.ts';
import { type HostedBooking, requireRight } from '../hosted-booking.ts';
import { Booking } from '../lists/booking.graphql.ts';
import { findGroupBookings } from '../lists/group-booking.queries.ts';
import { findHostBooking } from '../lists/host-booking.queries.ts';
import { bookingNotFound } from '../locked-booking.ts';

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
export function bookingChange<Fields extends InputFieldMap, More extends object>({
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
  if (level === 'user') return findHostBooking(em, actorId, id, selection);
  const groupId = right?.administrator?.groupId ?? NO_ID;
  const [found] = await findGroupBookings(em, { level, actorId }, [{ groupId, ...id }], selection);
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
