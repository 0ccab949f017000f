import type { GraphQLResolveInfo } from 'graphql';
import { NO_ID } from '../../../core/id.ts';
import { type Page, pageRequest } from '../../../core/page.ts';
import type { Selection } from '../../../database/selection.ts';
import { batchedEachForAll } from '../../../graphql/batch.ts';
import { builder } from '../../../graphql/builder.ts';
import { connection, connectionOf, pageArguments, pagesForAll } from '../../../graphql/connection.ts';
import type { GraphQLContext } from '../../../graphql/context.ts';
import { describedValues } from '../../../graphql/descriptions.ts';
import {
  BY_IDS,
  describedByIds,
  eachById,
  idArgument,
  idsArgument,
  OTHER_KINDS,
  ownedIdArgument,
  WITH_NULLS,
} from '../../../graphql/id-arguments.ts';
import { selectionOf } from '../../../graphql/selection.ts';
import { reads } from '../../../scopes/declare.ts';
import { Viewer } from '../../accounts/accounts.graphql.ts';
import { Booking as BookingEntity } from '../booking.entity.ts';
import { BookingStatus, UID } from '../booking-input.graphql.ts';
import type { BookingStatus as BookingStatusName } from '../booking-transitions.rules.ts';
import { Booking } from './booking.graphql.ts';
import {
  BOOKING_SORT_KEYS,
  type BookingOrder,
  type BookingFilter as Filter,
  statusesOf,
} from './booking-list.rules.ts';
import {
  findHostBookings,
  isAlongIndex,
  type ListedBooking,
  listAlongIndex,
  listHostBookings,
  type ShownBooking,
} from './host-booking.queries.ts';

const read = reads('BOOKING', ['USER']);

const BookingConnection = connectionOf(Booking);

const TimeRangeInput = builder.inputType('TimeRangeInput', {
  description: 'From one instant up to, not including, another; either may be left open.',
  fields: (t) => ({
    from: t.field({ type: 'DateTime', description: 'The first instant that is in it. Null: it has no beginning.' }),
    to: t.field({ type: 'DateTime', description: 'The first instant after it. Null: it has no end.' }),
  }),
});

const BookingFilter = builder.inputType('BookingFilter', {
  description: `All that is given must hold. ${OTHER_KINDS}`,
  fields: (t) => ({
    status: t.field({ type: [BookingStatus], description: 'One of these. Any, if left out.' }),
    eventTypeIds: t.idList({ description: 'Of one of these event types, by their ids (`evt_…`).' }),
    teamId: t.id({ description: 'Of a team’s event types, by the id of the team (`tea_…`).' }),
    hostId: t.id({ description: 'Hosted by this user too, by their id (`usr_…`).' }),
    attendeeEmail: t.field({
      type: 'EmailAddress',
      description: 'With an attendee who has this e-mail address, in any capitals.',
    }),
    start: t.field({ type: TimeRangeInput, description: 'Starting in this time.' }),
    end: t.field({ type: TimeRangeInput, description: 'Ending in this time.' }),
    created: t.field({ type: TimeRangeInput, description: 'Made in this time.' }),
    updated: t.field({ type: TimeRangeInput, description: 'Last changed in this time.' }),
  }),
});

const BookingSortKey = builder.enumType('BookingSortKey', {
  description: 'A time of a booking.',
  values: describedValues(BOOKING_SORT_KEYS, {
    START: 'When it starts.',
    END: 'When it ends.',
    CREATED: 'When it was made.',
    UPDATED: 'When it was last changed.',
  }),
});

const BookingSort = builder.inputType('BookingSort', {
  description: 'The order of a list of bookings.',
  fields: (t) => ({
    by: t.field({ type: BookingSortKey, required: true, description: 'The time by which the list is sorted.' }),
    descending: t.boolean({ description: 'Latest first. False, if left out: earliest first.' }),
  }),
});

type GivenFilter = Omit<Filter, 'eventTypeIds'> & { readonly eventTypeIds?: readonly string[] | null | undefined };

/** What is no id is nothing's, and leaves the list empty. @throws Problem BAD_INPUT for the id of another kind of thing */
function filterFrom({ eventTypeIds, teamId, hostId, ...rest }: GivenFilter): Filter {
  return {
    ...rest,
    eventTypeIds: eventTypeIds?.flatMap(
      (id, index) => ownedIdArgument('eventType', id, ['filter', 'eventTypeIds', String(index)]) ?? [],
    ),
    teamId: teamId == null ? null : (idArgument('team', teamId, ['filter', 'teamId']) ?? NO_ID),
    hostId: hostId == null ? null : (idArgument('user', hostId, ['filter', 'hostId']) ?? NO_ID),
  };
}

interface AlongIndex {
  readonly order: BookingOrder;
  readonly statuses: readonly BookingStatusName[];
  readonly selection: Selection<typeof BookingEntity>;
}

const KEY = ['TIME', 'UUID'] as const;
const keyOf = (booking: ShownBooking): readonly string[] => [(booking as ListedBooking).sortTime, booking.id];

/** What most ask for: a host's own bookings, which are the same whoever is shown them. */
const alongIndex = pagesForAll(
  { columns: KEY, keyOf },
  (em, hostIds, request, { order, statuses, selection }: AlongIndex): Promise<Map<string, Page<ShownBooking>>> =>
    listAlongIndex(em, hostIds, statuses, order, request, selection),
);

/** So is each of them. */
const load = batchedEachForAll(findHostBookings);

/** One by its uid; undefined for what the host does not host, and for a text that is no uid. @throws Problem BAD_INPUT */
function find(
  hostId: string,
  uid: string,
  context: GraphQLContext,
  info: GraphQLResolveInfo,
): Promise<ShownBooking | undefined> | undefined {
  const named = ownedIdArgument('booking', uid, ['uid']);
  return named && load(context, { hostId, ...named }, selectionOf(info, BookingEntity));
}

builder.objectFields(Viewer, (t) => ({
  bookings: t.field({
    type: BookingConnection,
    nullable: true,
    description:
      'The bookings that you host, through your own event types and your teams’; earliest start first, unless sorted.',
    requires: read,
    args: {
      filter: t.arg({ type: BookingFilter, description: 'Which of them; all, if left out.' }),
      sort: t.arg({ type: BookingSort, description: 'In which order; earliest start first, if left out.' }),
      ...pageArguments(),
    },
    resolve: async ({ id }, { filter, sort, ...page }, context, info) => {
      const order = { by: sort?.by ?? 'START', isDescending: sort?.descending ?? false };
      const selection = selectionOf(info, BookingEntity);
      const narrowed = filterFrom(filter ?? {});
      if (isAlongIndex(order, narrowed)) {
        return alongIndex(context, id, page, { order, statuses: statusesOf(narrowed), selection });
      }
      const found = await listHostBookings(context.em, id, narrowed, order, pageRequest(page, KEY), selection);
      return connection<ShownBooking>(found, keyOf);
    },
  }),
  booking: t.field({
    type: Booking,
    nullable: true,
    description: 'A booking that you host. Null when there is none such.',
    requires: read,
    args: { uid: t.arg.string({ required: true, description: `${UID} ${OTHER_KINDS}` }) },
    resolve: ({ id }, { uid }, context, info) => find(id, uid, context, info),
  }),
  bookingsById: t.field({
    type: [Booking],
    nullable: WITH_NULLS,
    price: BY_IDS,
    description: `${describedByIds('bookings')} The id of a booking is its uid.`,
    requires: read,
    args: idsArgument('booking'),
    resolve: ({ id }, { ids }, context, info) => eachById('booking', ids, (uid) => find(id, uid, context, info)),
  }),
}));
