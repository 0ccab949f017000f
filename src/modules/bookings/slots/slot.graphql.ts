import { ownedIdOf, publicOwnedId } from '../../../core/id.ts';
import { instantAt, instantOf } from '../../../core/instant.ts';
import { TIME_ZONE_IN_WORDS } from '../../../core/text.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import { builder } from '../../../graphql/builder.ts';
import type { GraphQLContext } from '../../../graphql/context.ts';
import { OTHER_KINDS } from '../../../graphql/id-arguments.ts';
import { costOfItem } from '../../../graphql/limits/cost.ts';
import { mutation } from '../../../graphql/mutation.ts';
import { PUBLIC } from '../../../scopes/declare.ts';
import { privateLinkNotFound } from '../../event-types/private-links/use-private-link.ts';
import { insiderId } from '../../event-types/public/public-event-type.graphql.ts';
import { bookingKeyArgument, privateLinkField, slotFields } from '../booking-input.graphql.ts';
import { callerIdOf, hostIdOf, offeredName, requireOffered } from './offered-event-type.graphql.ts';
import { findOfferedEventType, requireSignedIn } from './offered-event-type.queries.ts';
import {
  DELETE_RESERVATION_CODES,
  deleteReservation,
  KEPT_MINUTES,
  RESERVE_SLOT_CODES,
  reservationNotFound,
  reserveSlot,
} from './reserve-slot.ts';
import { type AdmitSlots, listSlots, requirePossible } from './slot.queries.ts';
import { MAX_DAYS } from './slot-range.rules.ts';
import { findLiveReservation, type ReservationRow } from './slot-reservation.queries.ts';

/** A slot is as small as an answer has them, but there are very many: 10,000 are a megabyte. */
const SLOT_WEIGHT = 4;
/** What it takes to read the schedule of a host, and to look at one day of it. */
const HOST_WEIGHT = 25;
const HOST_DAY_WEIGHT = 0.1;

interface SlotShape {
  readonly start: number;
  readonly end: number;
  readonly seatsLeft: number | null;
  readonly timeZone: string;
}

const Slot = builder.objectRef<SlotShape>('Slot').implement({
  description: 'A time at which an event type can be booked.',
  fields: (t) => ({
    start: t.field({
      type: 'DateTime',
      requires: PUBLIC,
      description: 'When it starts: what `bookingCreate` takes as `start`.',
      resolve: ({ start }) => instantAt(start),
    }),
    end: t.field({
      type: 'DateTime',
      requires: PUBLIC,
      description: 'When it ends, buffers not counted.',
      resolve: ({ end }) => instantAt(end),
    }),
    date: t.field({
      type: 'Date',
      requires: PUBLIC,
      description: 'The date of its start in the requested time zone, as `YYYY-MM-DD`, such as `2026-12-01`.',
      resolve: ({ start, timeZone }) => instantAt(start).toZonedDateTimeISO(timeZone).toPlainDate().toString(),
    }),
    seatsLeft: t.exposeInt('seatsLeft', {
      nullable: true,
      requires: PUBLIC,
      description: 'How many more people can book it. Null when the event type has no seats.',
    }),
  }),
});

const KEPT = `For how long: ${KEPT_MINUTES.standard} minutes if left out or for bookers; up to ${KEPT_MINUTES.most} for hosts of the event type.`;

const SlotReservation = builder.objectRef<ReservationRow>('SlotReservation').implement({
  description: 'A slot that is kept for the holder of the id, until it expires.',
  fields: (t) => ({
    id: t.id({
      requires: PUBLIC,
      description:
        'What `bookingCreate` takes as `reservationId`. Whoever has it can book the slot: keep it to yourself.',
      resolve: (reservation) => publicOwnedId('reservation', reservation),
    }),
    start: t.expose('start', { type: 'DateTime', requires: PUBLIC, description: 'When the slot starts.' }),
    end: t.expose('end', { type: 'DateTime', requires: PUBLIC, description: 'When the slot ends.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      requires: PUBLIC,
      description: 'Until when nobody else can book it.',
    }),
  }),
});

builder.queryField('slots', (t) =>
  t.field({
    type: [Slot],
    nullable: true,
    description: `When an event type can be booked, in order; at most ${MAX_DAYS} days at a time. Null when there is no such event type.`,
    requires: PUBLIC,
    price: { range: ['start', 'end'], oneAtATime: true },
    args: {
      eventTypeId: t.arg.id({
        description: `Its id, which begins with \`evt_\`; give this, or slug and owner. ${OTHER_KINDS}`,
      }),
      slug: t.arg.string({ description: 'Its name in addresses, such as `intro-call`; with username, or team.' }),
      username: t.arg.string({ description: 'The user whose booking page it is on, such as `ada-lovelace`.' }),
      team: t.arg.string({ description: 'The slug of the team whose booking page it is on.' }),
      organization: t.arg.string({ description: 'The slug of the organization that the team belongs to, if any.' }),
      start: t.arg({ type: 'DateTime', required: true, description: 'Slots that start from then on.' }),
      end: t.arg({
        type: 'DateTime',
        required: true,
        description: `Slots that start before it; at most ${MAX_DAYS} days after \`start\`.`,
      }),
      timeZone: t.arg({ type: 'TimeZone', description: `For \`date\`: ${TIME_ZONE_IN_WORDS}. UTC if left out.` }),
      lengthInMinutes: t.arg.int({
        description: 'One of the event type’s `lengthInMinutesOptions`; its own length if left out.',
      }),
      bookingUidToReschedule: t.arg.string({
        description: 'A booking whose own time counts as free. It opens its own event type, also when that is hidden.',
      }),
      privateLinkToken: t.arg.string({
        description: 'The last part of a private link’s address: it opens a hidden event type.',
      }),
    },
    resolve: async (_root, { start, end, ...args }, context, info) => {
      const { bookingUidToReschedule: uid, privateLinkToken = null } = args;
      const timeZone = args.timeZone ?? 'UTC';
      requirePossible({ start, end, timeZone });
      const booking = uid == null ? null : (bookingKeyArgument(uid, ['bookingUidToReschedule']) ?? null);
      const named = offeredName(args);
      if (!named) return null;
      // Both at a time: they travel together.
      const [eventType, now] = await Promise.all([
        findOfferedEventType(context.em, named, { viewerId: insiderId(context), privateLinkToken, booking }),
        databaseNow(context.em),
      ]);
      if (!eventType) return null;
      const found = await listSlots(
        context.em,
        eventType,
        {
          start,
          end,
          timeZone,
          lengthInMinutes: args.lengthInMinutes ?? null,
          rescheduled: booking,
          now,
        },
        spending(context, costOfItem(info, SLOT_WEIGHT)),
      );
      return found.map((slot) => ({ start: slot.start, end: slot.end, seatsLeft: slot.seatsLeft, timeZone }));
    },
  }),
);

mutation('slotReservationCreate', {
  description: 'Keeps a slot for a few minutes, so that nobody else books it meanwhile.',
  requires: PUBLIC,
  single: true,
  errors: RESERVE_SLOT_CODES,
  input: (t) => ({
    eventTypeId: t.id({ required: true }),
    ...slotFields(t),
    keptForMinutes: t.int({ description: KEPT }),
    privateLinkToken: privateLinkField(t),
  }),
  resolve: async ({ eventTypeId, start, lengthInMinutes, keptForMinutes, privateLinkToken }, context) => {
    const eventType = await requireOffered(context, eventTypeId, privateLinkToken ?? null);
    requireSignedIn(eventType, callerIdOf(context));
    const reservation = await reserveSlot(context.em, eventType, {
      start,
      lengthInMinutes: lengthInMinutes ?? null,
      keptForMinutes: keptForMinutes ?? null,
      replacesId: null,
      callerId: hostIdOf(context),
    });
    return { reservation };
  },
  payload: (t) => ({
    reservation: t.expose('reservation', { type: SlotReservation, nullable: true, requires: PUBLIC }),
  }),
});

mutation('slotReservationUpdate', {
  description:
    'Exchanges a reservation for one of another slot, or begins its time anew. The old id is void. Of a hidden event type it takes the private link, as making one does.',
  requires: PUBLIC,
  single: true,
  errors: RESERVE_SLOT_CODES,
  input: (t) => ({
    reservationId: t.id({ required: true }),
    start: t.field({ type: 'DateTime', description: 'The same slot if left out.' }),
    lengthInMinutes: t.int({
      description: 'One of the event type’s `lengthInMinutesOptions`; as long as it was if left out.',
    }),
    keptForMinutes: t.int({ description: KEPT }),
    privateLinkToken: privateLinkField(t),
  }),
  resolve: async ({ reservationId, start, lengthInMinutes, keptForMinutes, ...link }, context) => {
    const privateLinkToken = link.privateLinkToken ?? null;
    const named = ownedIdOf('reservation', reservationId);
    const old = named && (await findLiveReservation(context.em, named));
    if (!old) throw reservationNotFound(reservationId);
    // Or who once had the link would go on taking times of what was shown to them for a while.
    const eventType = await findOfferedEventType(
      context.em,
      { ownerId: old.ownerId, id: old.eventTypeId },
      { viewerId: insiderId(context), privateLinkToken },
    );
    if (!eventType) throw privateLinkToken === null ? reservationNotFound(reservationId) : privateLinkNotFound();
    requireSignedIn(eventType, callerIdOf(context));
    const [from, to] = [instantOf(old.start), instantOf(old.end)];
    const reservation = await reserveSlot(context.em, eventType, {
      start: start ?? from,
      lengthInMinutes: lengthInMinutes ?? to.since(from).total('minutes'),
      keptForMinutes: keptForMinutes ?? null,
      replacesId: old,
      callerId: hostIdOf(context),
    });
    return { reservation };
  },
  payload: (t) => ({
    reservation: t.expose('reservation', { type: SlotReservation, nullable: true, requires: PUBLIC }),
  }),
});

mutation('slotReservationDelete', {
  description: 'Gives a reserved slot back. Its id suffices, also for a hidden event type.',
  requires: PUBLIC,
  single: true,
  errors: DELETE_RESERVATION_CODES,
  input: (t) => ({ reservationId: t.id({ required: true }) }),
  resolve: async ({ reservationId }, context) => {
    const named = ownedIdOf('reservation', reservationId);
    if (!named) throw reservationNotFound(reservationId);
    await deleteReservation(context.em, named);
    return { reservationId };
  },
  payload: (t) => ({ reservationId: t.exposeID('reservationId', { nullable: true, requires: PUBLIC }) }),
});

/** By what the slots of an event type can come to, once it is known how close they follow each other. */
function spending({ budget }: GraphQLContext, costOfSlot: number): AdmitSlots {
  return ({ slots, hosts, hostDays, days }) => {
    const cost = slots * costOfSlot + hosts * HOST_WEIGHT + hostDays * HOST_DAY_WEIGHT;
    const possible = Math.floor((days * budget.left) / cost);
    const narrower =
      possible >= 1 ? `at most ${possible} ${possible === 1 ? 'day' : 'days'} at a time` : 'less than a day at a time';
    budget.spend(cost, `ask for the slots of ${narrower}, and of fewer event types at once`);
  };
}
