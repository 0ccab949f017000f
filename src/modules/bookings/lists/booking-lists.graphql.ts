import type { GraphQLResolveInfo } from 'graphql';
import { type Page, type PageArguments, pageRequest } from '../../../core/page.ts';
import type { Selection } from '../../../database/selection.ts';
import { batchedEach, batchedEachForAll } from '../../../graphql/batch.ts';
import { builder } from '../../../graphql/builder.ts';
import {
  type ConnectionShape,
  connection,
  connectionOf,
  pageArguments,
  pagesBelow,
  pagesForAll,
} from '../../../graphql/connection.ts';
import { type GraphQLContext, requireUserId } from '../../../graphql/context.ts';
import {
  BY_IDS,
  describedByIds,
  eachById,
  idsArgument,
  OTHER_KINDS,
  ownedIdArgument,
  WITH_NULLS,
} from '../../../graphql/id-arguments.ts';
import { selectionOf } from '../../../graphql/selection.ts';
import { reads } from '../../../scopes/declare.ts';
import { type GroupLevel, LEVELS, levelsOf } from '../../levels/level.graphql.ts';
import type { LevelName } from '../../levels/reach.ts';
import { mayList, requiredAt } from '../../levels/resource.graphql.ts';
import { Booking as BookingEntity } from '../booking.entity.ts';
import { UID } from '../booking-input.graphql.ts';
import type { BookingStatus as BookingStatusName } from '../booking-transitions.rules.ts';
import { Booking } from './booking.graphql.ts';
import { BookingFilter, BookingSort, filterFrom, orderFrom } from './booking-filter.graphql.ts';
import { type BookingOrder, type BookingFilter as Filter, statusesOf } from './booking-list.rules.ts';
import { findGroupBookings, type GroupLookUp, groupBookingPages } from './group-booking.queries.ts';
import {
  findHostBookings,
  isAlongIndex,
  type ListedBooking,
  listAlongIndex,
  listHostBookings,
  type ShownBooking,
} from './host-booking.queries.ts';

type BookingSelection = Selection<typeof BookingEntity>;

interface Wanted {
  readonly filter: Filter;
  readonly order: BookingOrder;
  readonly selection: BookingSelection;
}

/** Where bookings are, seen from a level. */
interface Place {
  readonly pages: (
    context: GraphQLContext,
    parentId: string,
    page: PageArguments,
    wanted: Wanted,
  ) => Promise<ConnectionShape<ShownBooking> | undefined>;
  /** One by its id; undefined for what the list does not have. */
  readonly find: (
    context: GraphQLContext,
    parentId: string,
    id: { readonly ownerId: string; readonly id: string },
    selection: BookingSelection,
  ) => Promise<ShownBooking | undefined>;
}

type Pages = Promise<Map<string, Page<ShownBooking>>>;

const KEY = ['TIME', 'UUID'] as const;
const keyOf = (booking: ShownBooking): readonly string[] => [(booking as ListedBooking).sortTime, booking.id];
const ORDER = { columns: KEY, keyOf };

interface AlongIndex extends Omit<Wanted, 'filter'> {
  readonly statuses: readonly BookingStatusName[];
}

/** The list that most callers ask for: a host's own bookings, which are the same for everybody who is shown them. */
const alongIndex = pagesForAll(
  ORDER,
  (em, hostIds, request, { order, statuses, selection }: AlongIndex): Pages =>
    listAlongIndex(em, hostIds, statuses, order, request, selection),
);

/** A single booking of a host is the same for everybody who is shown it, too. */
const findHosted = batchedEachForAll(findHostBookings);

const OF_HOST: Place = {
  pages: async (context, hostId, page, { filter, order, selection }) => {
    if (isAlongIndex(order, filter)) {
      return alongIndex(context, hostId, page, { order, statuses: statusesOf(filter), selection });
    }
    const found = await listHostBookings(context.em, hostId, filter, order, pageRequest(page, KEY), selection);
    return connection<ShownBooking>(found, keyOf);
  },
  find: (context, hostId, id, selection) => findHosted(context, { hostId, ...id }, selection),
};

function ofGroup(level: GroupLevel): Place {
  const viewOf = (context: GraphQLContext) => ({ level, actorId: requireUserId(context) });
  const load = batchedEach((context, lookUps: readonly GroupLookUp[], selection: BookingSelection) =>
    findGroupBookings(context.em, viewOf(context), lookUps, selection),
  );
  return {
    pages: pagesBelow(
      ORDER,
      (context, groupIds, request, { filter, order, selection }: Wanted): Pages =>
        groupBookingPages(context.em, viewOf(context), groupIds, filter, order, request, selection),
    ),
    find: (context, groupId, id, selection) => load(context, { groupId, ...id }, selection),
  };
}

const PLACES: Readonly<Record<LevelName, Place>> = {
  user: OF_HOST,
  team: ofGroup('team'),
  organization: ofGroup('organization'),
};

const ORDERED = 'Earliest start first, unless sorted.';
const LIST = {
  user: `The bookings that you host, through your own event types and your teams’. ${ORDERED}`,
  team: `The bookings of its event types. ${ORDERED} Null unless you administer it.`,
  organization: `The bookings of its teams’ event types, and of its members’ own, save for members whose role is above yours. ${ORDERED} Null unless you administer it.`,
};
const ONE = {
  user: 'A booking that you host. Null when there is none such.',
  team: 'One of its bookings. Null when there is none such, and unless you administer it.',
  organization: 'One of its `bookings`. Null if there is no such booking, or you do not administer it.',
};

const BookingConnection = connectionOf(Booking);
const read = reads('BOOKING');

for (const [level] of levelsOf(LIST)) {
  const place = PLACES[level];
  const requires = requiredAt(level, read);
  const forWhom = level === 'user' ? '' : ' Null unless you administer it.';
  const find = (parentId: string, uid: string, context: GraphQLContext, info: GraphQLResolveInfo) => {
    const named = ownedIdArgument('booking', uid, ['uid']);
    return named && place.find(context, parentId, named, selectionOf(info, BookingEntity));
  };
  builder.objectFields(LEVELS[level].door, (t) => ({
    bookings: t.field({
      type: BookingConnection,
      nullable: true,
      description: LIST[level],
      requires,
      args: {
        filter: t.arg({ type: BookingFilter, description: 'Which bookings to list. Default: all.' }),
        sort: t.arg({ type: BookingSort, description: 'The order of the list. Default: earliest start first.' }),
        ...pageArguments(),
      },
      resolve: (parent, { filter, sort, ...page }, context, info) => {
        if (!mayList(parent)) return undefined;
        const selection = selectionOf(info, BookingEntity);
        return place.pages(context, parent.id, page, {
          filter: filterFrom(filter ?? {}),
          order: orderFrom(sort),
          selection,
        });
      },
    }),
    booking: t.field({
      type: Booking,
      nullable: true,
      description: ONE[level],
      requires,
      args: { uid: t.arg.string({ required: true, description: `${UID} ${OTHER_KINDS}` }) },
      resolve: (parent, { uid }, context, info) => (mayList(parent) ? find(parent.id, uid, context, info) : undefined),
    }),
    bookingsById: t.field({
      type: [Booking],
      nullable: WITH_NULLS,
      price: BY_IDS,
      description: `${describedByIds('bookings')} The id of a booking is its uid.${forWhom}`,
      requires,
      args: idsArgument('booking'),
      resolve: (parent, { ids }, context, info) =>
        mayList(parent) ? eachById('booking', ids, (uid) => find(parent.id, uid, context, info)) : undefined,
    }),
  }));
}
