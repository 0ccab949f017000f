import type { GraphQLResolveInfo } from 'graphql';
import { NO_ID } from '../../../core/id.ts';
import type { Page, PageArguments, PageRequest } from '../../../core/page.ts';
import { Problem } from '../../../core/problem.ts';
import { emailMistake } from '../../../core/text.ts';
import type { Selection } from '../../../database/columns.ts';
import type { Em } from '../../../database/sql.ts';
import { batchedEach, batchedEachForAll } from '../../../graphql/batch.ts';
import { builder } from '../../../graphql/builder.ts';
import {
  type ConnectionShape,
  connectionOf,
  pageArguments,
  pagesBelow,
  pagesForAll,
} from '../../../graphql/connection.ts';
import { type GraphQLContext, requireUserId } from '../../../graphql/context.ts';
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
import { type GroupLevel, LEVELS, levelsOf } from '../../levels/level.graphql.ts';
import type { LevelName } from '../../levels/reach.ts';
import { mayList, requiredAt } from '../../levels/resource.graphql.ts';
import { Booking as BookingEntity } from '../booking.entity.ts';
import { BookingStatus, UID } from '../booking-input.graphql.ts';
import { Booking } from './booking.graphql.ts';
import { BOOKING_SORT_KEYS, type BookingOrder, type BookingFilter as Filter } from './booking-list.rules.ts';
import {
  bookingPages,
  findListed,
  isAlongIndex,
  type ListedBooking,
  type ListLookUp,
  type ShownBooking,
} from './list-bookings.queries.ts';

export const TimeRangeInput = builder.inputType('TimeRangeInput', {
  description: 'From one instant up to, not including, another; either may be left open.',
  fields: (t) => ({
    from: t.field({ type: 'DateTime', description: 'The first instant that is in it. Null: it has no beginning.' }),
    to: t.field({ type: 'DateTime', description: 'The first instant after it. Null: it has no end.' }),
  }),
});

export const BookingFilter = builder.inputType('BookingFilter', {
  description: `Only bookings that match every field you give. ${OTHER_KINDS}`,
  fields: (t) => ({
    status: t.field({ type: [BookingStatus], description: 'One of these. Any, if left out.' }),
    eventTypeIds: t.idList({ description: 'For one of these event types, by their ids (`evt_…`).' }),
    teamId: t.id({ description: 'For event types of this team, by its id (`tea_…`).' }),
    hostId: t.id({
      description: 'Hosted by this user (too), by their id (`usr_…`): of a group’s bookings, those of one member.',
    }),
    attendeeEmail: t.field({
      type: 'EmailAddress',
      description: 'With an attendee who has this e-mail address, in any capitals.',
    }),
    start: t.field({ type: TimeRangeInput, description: 'Starting in this period.' }),
    end: t.field({ type: TimeRangeInput, description: 'Ending in this period.' }),
    created: t.field({ type: TimeRangeInput, description: 'Created in this period.' }),
    updated: t.field({ type: TimeRangeInput, description: 'Last changed in this period.' }),
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
    lookUp: ListLookUp,
    selection: BookingSelection,
  ) => Promise<ShownBooking | undefined>;
}

type Pages = Promise<Map<string, Page<ShownBooking>>>;

const ORDER = {
  columns: ['TIME', 'UUID'],
  keyOf: (booking: ShownBooking): readonly string[] => [(booking as ListedBooking).sortTime, booking.id],
} as const;

/** A host's own bookings are the same for everybody who is shown them. */
const pagesOfHosts = (em: Em, hostIds: readonly string[], request: PageRequest, wanted: Wanted): Pages =>
  bookingPages(em, { level: 'user' }, hostIds, wanted.filter, wanted.order, request, wanted.selection);

const pagesForEverybody = pagesForAll(ORDER, pagesOfHosts);

/** A list that is narrowed may take longer: its statements end with their caller. */
const pagesForCaller = pagesBelow(ORDER, ({ em }, hostIds: readonly string[], request, wanted: Wanted) =>
  pagesOfHosts(em, hostIds, request, wanted),
);

const OF_HOST: Place = {
  pages: (context, hostId, page, wanted) => {
    const pages = isAlongIndex(wanted.filter, wanted.order) ? pagesForEverybody : pagesForCaller;
    return pages(context, hostId, page, wanted);
  },
  find: batchedEachForAll((em, lookUps: readonly ListLookUp[], selection: BookingSelection) =>
    findListed(em, { level: 'user' }, lookUps, selection),
  ),
};

function ofGroup(level: GroupLevel): Place {
  const viewOf = (context: GraphQLContext) => ({ level, actorId: requireUserId(context) });
  return {
    pages: pagesBelow(
      ORDER,
      (context, groupIds, request, { filter, order, selection }: Wanted): Pages =>
        bookingPages(context.em, viewOf(context), groupIds, filter, order, request, selection),
    ),
    find: batchedEach((context, lookUps: readonly ListLookUp[], selection: BookingSelection) =>
      findListed(context.em, viewOf(context), lookUps, selection),
    ),
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
    return named && place.find(context, { parentId, ...named }, selectionOf(info, BookingEntity));
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

type GivenFilter = Omit<Filter, 'eventTypeIds'> & { readonly eventTypeIds?: readonly string[] | null | undefined };

/**
 * Reads the filter. A text that is no id names nothing, and leaves the list empty.
 * @throws Problem BAD_INPUT for the id of another kind of thing, INVALID_EMAIL for what can be nobody's address
 */
function filterFrom({ eventTypeIds, teamId, hostId, ...rest }: GivenFilter): Filter {
  const { attendeeEmail } = rest;
  const mistake = attendeeEmail == null ? undefined : emailMistake(['filter', 'attendeeEmail'], attendeeEmail);
  if (mistake) Problem.throwIfAny([mistake]);
  return {
    ...rest,
    eventTypeIds: eventTypeIds?.flatMap(
      (id, index) => ownedIdArgument('eventType', id, ['filter', 'eventTypeIds', String(index)]) ?? [],
    ),
    teamId: teamId == null ? null : (idArgument('team', teamId, ['filter', 'teamId']) ?? NO_ID),
    hostId: hostId == null ? null : (idArgument('user', hostId, ['filter', 'hostId']) ?? NO_ID),
  };
}

interface GivenOrder {
  readonly by: BookingOrder['by'];
  readonly descending?: boolean | null | undefined;
}

/** The order that is asked for: by the start, if none is. */
function orderFrom(given: GivenOrder | null | undefined): BookingOrder {
  return { by: given?.by ?? 'START', isDescending: given?.descending ?? false };
}
