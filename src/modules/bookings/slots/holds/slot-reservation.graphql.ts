import { instantOf } from '../../../../core/instant.ts';
import { builder, type InputBuilder } from '../../../../graphql/builder.ts';
import { actingUserId, type GraphQLContext } from '../../../../graphql/context.ts';
import { mutation } from '../../../../graphql/mutation.ts';
import { networkDigest, networkOf } from '../../../../limits/network.ts';
import { PUBLIC } from '../../../../scopes/declare.ts';
import { heldScopes } from '../../../../scopes/held-scopes.ts';
import { privateLinkNotFound } from '../../../event-types/private-links.ts';
import { insiderId } from '../../../teams/team.graphql.ts';
import { callerIdOf, privateLinkField, requireOffered, slotFields } from '../../booking-input.graphql.ts';
import { reservationNotFound } from '../../booking-key.rules.ts';
import { findOfferedEventType, requireSignedIn } from '../bookable-event-type.queries.ts';
import { findLiveReservation, type ReservationRow } from '../take-slot.ts';
import { HELD_MINUTES, type SlotHolder } from './hold-limits.ts';
import {
  DELETE_RESERVATION_CODES,
  deleteReservation,
  KEPT_MINUTES,
  RESERVE_SLOT_CODES,
  reserveSlot,
} from './reserve-slot.ts';

const AS_HOST = heldScopes(['BOOKING_WRITE']);

const KEPT = `For how long: ${KEPT_MINUTES.standard} minutes if left out or for bookers; up to ${KEPT_MINUTES.most} for hosts of the event type.`;

const KEPT_AGAIN = `Who is no host of the event type keeps one time for ${HELD_MINUTES} minutes at most, however often it is renewed, and then cannot keep it for ${HELD_MINUTES} minutes.`;

const reservationUidField = (t: InputBuilder) =>
  t.string({ required: true, description: 'The `uid` that the reservation was answered with (`uir_…`).' });

/**
 * The holder by which a caller is counted: as a host of the event type, the user of a session, or of an app that may change their
 * bookings. Any other app is treated as anonymous.
 */
function holderOf(context: GraphQLContext): SlotHolder {
  const { caller, address } = context;
  const hostId = actingUserId(context, AS_HOST);
  if (caller.kind === 'token') return { hostId, isApp: true, names: [`client ${caller.clientId}`] };
  const network = `network ${networkDigest(networkOf(address))}`;
  const names = caller.kind === 'session' ? [network, `user ${caller.userId}`] : [network];
  return { hostId, isApp: false, names };
}

const SlotReservation = builder.objectRef<ReservationRow>('SlotReservation').implement({
  description: 'A slot that is kept for the holder of the uid, until it expires.',
  fields: (t) => ({
    uid: t.string({
      requires: PUBLIC,
      description:
        'The key of the reservation (`uir_…`), which `bookingCreate` takes as `reservationUid`. Anyone who has it can book the slot, move it and give it back: keep it to yourself. Nothing else shows it.',
      resolve: (reservation, _args, { uids }) => uids.ofReservation(reservation),
    }),
    start: t.expose('start', { type: 'DateTime', requires: PUBLIC, description: 'When the slot starts.' }),
    end: t.expose('end', { type: 'DateTime', requires: PUBLIC, description: 'When the slot ends.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      requires: PUBLIC,
      description: 'When it expires. Until then, nobody else can book the slot.',
    }),
  }),
});

mutation('slotReservationCreate', {
  description:
    'Keeps a slot for a few minutes, so that nobody else books it meanwhile. It counts for the limits of its event type, and its notice is judged now, not when it is booked. Few slots can be kept, and half of what is open never: where that is `RESERVATION_LIMIT_REACHED`, book without a reservation. Hosts see what is kept, and can release it.',
  requires: PUBLIC,
  single: true,
  errors: RESERVE_SLOT_CODES,
  input: (t) => ({
    eventTypeId: t.id({ required: true }),
    ...slotFields(t),
    expiresInMinutes: t.int({ description: KEPT }),
    privateLinkToken: privateLinkField(t),
  }),
  resolve: async ({ eventTypeId, start, durationInMinutes, expiresInMinutes, privateLinkToken }, context) => {
    const eventType = await requireOffered(context, eventTypeId, privateLinkToken ?? null);
    requireSignedIn(eventType, callerIdOf(context));
    const reservation = await reserveSlot(context.em, eventType, {
      start,
      durationInMinutes: durationInMinutes ?? null,
      expiresInMinutes: expiresInMinutes ?? null,
      replacesId: null,
      holder: holderOf(context),
    });
    return { reservation };
  },
  payload: (t) => ({
    reservation: t.expose('reservation', { type: SlotReservation, nullable: true, requires: PUBLIC }),
  }),
});

mutation('slotReservationUpdate', {
  description: `Moves a reservation to another slot, or starts its time again. The old uid becomes void; where it is refused, the old reservation stays as it is. ${KEPT_AGAIN} For a hidden event type, it needs the private link, as creating one does.`,
  requires: PUBLIC,
  single: true,
  errors: RESERVE_SLOT_CODES,
  input: (t) => ({
    reservationUid: reservationUidField(t),
    start: t.field({ type: 'DateTime', description: 'The same slot if left out.' }),
    durationInMinutes: t.int({
      description: 'One of the event type’s `durationInMinutesOptions`; as long as it was if left out.',
    }),
    expiresInMinutes: t.int({ description: KEPT }),
    privateLinkToken: privateLinkField(t),
  }),
  resolve: async ({ reservationUid, start, durationInMinutes, expiresInMinutes, ...link }, context) => {
    const privateLinkToken = link.privateLinkToken ?? null;
    const named = context.uids.readReservation(reservationUid);
    const old = named && (await findLiveReservation(context.em, named));
    if (!old) throw reservationNotFound();
    // Judged anew, or somebody who once had the link could go on taking times after it was withdrawn.
    const eventType = await findOfferedEventType(
      context.em,
      { ownerId: old.ownerId, id: old.eventTypeId },
      { viewerId: insiderId(context), privateLinkToken },
    );
    if (!eventType) throw privateLinkToken === null ? reservationNotFound() : privateLinkNotFound();
    requireSignedIn(eventType, callerIdOf(context));
    const [from, to] = [instantOf(old.start), instantOf(old.end)];
    const reservation = await reserveSlot(context.em, eventType, {
      start: start ?? from,
      durationInMinutes: durationInMinutes ?? to.since(from).total('minutes'),
      expiresInMinutes: expiresInMinutes ?? null,
      replacesId: old,
      holder: holderOf(context),
    });
    return { reservation };
  },
  payload: (t) => ({
    reservation: t.expose('reservation', { type: SlotReservation, nullable: true, requires: PUBLIC }),
  }),
});

mutation('slotReservationDelete', {
  description: 'Gives a reserved slot back. Its uid suffices, also for a hidden event type.',
  requires: PUBLIC,
  single: true,
  errors: DELETE_RESERVATION_CODES,
  input: (t) => ({ reservationUid: reservationUidField(t) }),
  resolve: async ({ reservationUid }, context) => {
    const named = context.uids.readReservation(reservationUid);
    if (!named) throw reservationNotFound();
    await deleteReservation(context.em, named);
    return { reservationUid };
  },
  payload: (t) => ({
    reservationUid: t.exposeString('reservationUid', {
      nullable: true,
      requires: PUBLIC,
      description: 'The uid that was sent; it opens nothing any more. Null if it was refused.',
    }),
  }),
});
