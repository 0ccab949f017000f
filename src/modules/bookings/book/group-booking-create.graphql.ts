import { NO_ID, type OwnedId, publicOwnedId } from '../../../core/id.ts';
import { type Selected, selectColumnsAs } from '../../../database/columns.ts';
import { type Em, rows, sql, unnested } from '../../../database/sql.ts';
import { calledFrom, type GraphQLContext, requireUserId } from '../../../graphql/context.ts';
import { SMALL } from '../../../graphql/limits/price.ts';
import { mutation } from '../../../graphql/mutation.ts';
import { selectionOf } from '../../../graphql/selection.ts';
import { INHERIT, reads, writes } from '../../../scopes/declare.ts';
import { MAX_OCCURRENCES } from '../../event-types/settings/recurrence.rules.ts';
import { notFoundHere } from '../../levels/change-owned.ts';
import { enteringAt, type GroupLevel } from '../../levels/level.graphql.ts';
import { idField, namedOwner, pathFields, withinOrganization } from '../../levels/owned-store.graphql.ts';
import { requireInCharge } from '../../levels/reach.ts';
import { BookingAttendee, Booking as BookingEntity } from '../booking.entity.ts';
import { bookingRequestFields, requestFrom } from '../booking-input.graphql.ts';
import type { BookingKey } from '../booking-key.rules.ts';
import { MAX_GUESTS_A_CALL } from '../booking-request.rules.ts';
import { Booking } from '../lists/booking.graphql.ts';
import { findListed } from '../lists/list-bookings.queries.ts';
import { requireVerifiedHost } from '../locked-booking.ts';
import { BOOKED_MAILS, BookedMailType } from '../mails/booking-mail.graphql.ts';
import { mailsOfBooked } from '../mails/mail-outcomes.ts';
import { findEventTypeRules } from '../slots/bookable-event-type.queries.ts';
import { CREATE_BOOKING_CODES, createBooking } from './book.ts';

const read = reads('BOOKING');
const write = writes('BOOKING');

const VERIFIED = 'They are mailed in your name: your e-mail address must be verified.';

const DESCRIBED: Readonly<Record<GroupLevel, string>> = {
  team: `Books an event type of a team that you administer, also a hidden one, for somebody else. ${VERIFIED}`,
  organization: `Books an event type of an organization that you administer, of its teams and its members, also a hidden one, for somebody else. ${VERIFIED}`,
};

/** The bookings that were made, in the group that they were made in. */
interface Made {
  readonly groupId?: string | undefined;
  readonly keys?: readonly BookingKey[] | undefined;
}

for (const level of ['team', 'organization'] as const) {
  mutation(`${level}BookingCreate`, {
    description: DESCRIBED[level],
    requires: enteringAt(level, write),
    errors: [...CREATE_BOOKING_CODES, 'FORBIDDEN', 'EMAIL_NOT_VERIFIED'],
    input: (t) => ({ ...pathFields(t, level), ...idField(t, 'eventType'), ...bookingRequestFields(t) }),
    resolve: async (input, context) => {
      const within = await withinOrganization(level, input, context);
      const { owner, id } = namedOwner(level, { kind: 'eventType', belongsTo: 'OWNER' }, within, context);
      const named = { ownerId: owner.ownerId, id };
      const notFound = notFoundHere('eventType', named);
      const by = { userId: requireUserId(context), ...calledFrom(context) };
      const guard = async (em: Em) => {
        await requireInCharge(em, owner, notFound);
        await requireVerifiedHost(em, { hostId: by.userId });
      };
      await guard(context.em);
      const found = await findEventTypeRules(context.em, named);
      if (!found) throw notFound;
      // The administrator answers for the address with their own, as hosts do for attendees whom they add.
      const eventType = { ...found, requiresBookerEmailVerification: false };
      const booked = await createBooking(context.em, eventType, requestFrom(input, context.uids), by, undefined, guard);
      const keys = await bookingsOf(context.em, booked.keys);
      const [first] = booked.keys;
      return {
        groupId: owner.administrator?.groupId ?? NO_ID,
        keys,
        bookingId: keys[0] && publicOwnedId('booking', keys[0]),
        seatId: first?.isSeat ? publicOwnedId('seat', first) : null,
        booked: { key: booked.key, by },
      };
    },
    payload: (t) => ({
      bookingId: t.exposeID('bookingId', { nullable: true, requires: INHERIT }),
      seatId: t.exposeID('seatId', {
        nullable: true,
        requires: INHERIT,
        description: 'With seats: the id of the attendee’s seat (`sea_…`).',
      }),
      mails: t.field({
        type: [BookedMailType],
        price: { max: 1 + MAX_GUESTS_A_CALL, weight: SMALL },
        nullable: true,
        requires: { [level]: read[level] },
        description: BOOKED_MAILS,
        resolve: ({ booked }, _args, { em, verification }) =>
          booked && mailsOfBooked(em, booked.key, booked.by, verification.mailLimit),
      }),
      booking: t.field({
        type: Booking,
        nullable: true,
        requires: { [level]: read[level] },
        resolve: async ({ groupId, keys }, _args, context, info) =>
          (await shown(context, level, { groupId, keys: keys?.slice(0, 1) }, selectionOf(info, BookingEntity)))[0],
      }),
      bookings: t.field({
        type: [Booking],
        nullable: true,
        price: { max: MAX_OCCURRENCES },
        requires: { [level]: read[level] },
        description: 'All bookings of a series, in order; otherwise the one.',
        resolve: ({ groupId, keys }, _args, context, info) =>
          keys && shown(context, level, { groupId, keys }, selectionOf(info, BookingEntity)),
      }),
    }),
  });
}

const SEATED = selectColumnsAs(BookingAttendee, { seatId: 'seatId', id: 'bookingId' }, 'a');

/** The bookings themselves, of what may be seats in them. */
async function bookingsOf(em: Em, keys: readonly BookingKey[]): Promise<readonly OwnedId[]> {
  const seats = keys.filter(({ isSeat }) => isSeat);
  if (seats.length === 0) return keys;
  const found = await rows(
    em,
    sql<Selected<typeof SEATED>>`select ${SEATED} from ${unnested(seats)} as seat (owner_id, id)
      join booking_attendees a on a.owner_id = seat.owner_id and a.seat_id = seat.id`,
  );
  const idOfSeat = new Map(found.map(({ seatId, id }) => [seatId, id]));
  return keys.map(({ ownerId, id }) => ({ ownerId, id: idOfSeat.get(id) ?? id }));
}

async function shown(
  context: GraphQLContext,
  level: GroupLevel,
  { groupId = NO_ID, keys = [] }: Made,
  selection: ReturnType<typeof selectionOf<typeof BookingEntity>>,
) {
  const lookUps = keys.map(({ ownerId, id }) => ({ parentId: groupId, ownerId, id }));
  const found = await findListed(context.em, { level, actorId: requireUserId(context) }, lookUps, selection);
  return found.filter((one) => one !== undefined);
}
