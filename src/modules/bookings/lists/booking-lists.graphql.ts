import type { GraphQLResolveInfo } from 'graphql';
import { NO_ID } from '../../../core/id.ts';
import type { Page, PageArguments, PageRequest } from '../../../core/page.ts';
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
import { MOST_SEARCHED, refuseMistake, searchMistake, TimeRangeInput } from '../../../graphql/list-filter.ts';
import { type GivenOrder, listOrder } from '../../../graphql/list-order.ts';
import { selectionOf } from '../../../graphql/selection.ts';
import { reads } from '../../../scopes/declare.ts';
import { type GroupLevel, LEVELS, levelsOf } from '../../levels/level.graphql.ts';
import type { LevelName } from '../../levels/reach.ts';
import { mayList, requiredAt } from '../../levels/resource.graphql.ts';
import { Booking as BookingEntity } from '../booking.entity.ts';
import { BookingStatus } from '../booking-input.graphql.ts';
import { Booking } from './booking.graphql.ts';
import {
  BOOKING_ORDER_FIELDS,
  type BookingFilter,
  type BookingOrder,
  type BookingOrderField,
} from './booking-list.rules.ts';
import {
  bookingPages,
  findListed,
  isAlongIndex,
  type ListedBooking,
  type ListLookUp,
  type ShownBooking,
} from './list-bookings.queries.ts';

const BookingFilterInput = builder.inputType('BookingFilterInput', {
  description: `Only bookings that match every field you give. ${OTHER_KINDS}`,
  fields: (t) => ({
    statuses: t.field({ type: [BookingStatus], description: 'With one of these statuses. Default: any.' }),
    eventTypeIds: t.idList({ description: 'For one of these event types, by their ids (`evt_…`).' }),
    teamId: t.id({ description: 'For event types of this team, by its id (`tea_…`).' }),
    hostUserId: t.id({
      description: 'Hosted by this user (too), by their id (`usr_…`): of a group’s bookings, those of one member.',
    }),
    attendeeEmail: t.field({
      type: 'EmailAddress',
      description: 'With an attendee who has this e-mail address, in upper or lower case.',
    }),
    text: t.string({
      description: `With this text in the title, or in the name or e-mail address of an attendee, in any capitals: 1 to ${MOST_SEARCHED} characters. It looks through all bookings that the other fields leave, so give a period too where there are many.`,
    }),
    start: t.field({ type: TimeRangeInput, description: 'Starting in this period.' }),
    end: t.field({ type: TimeRangeInput, description: 'Ending in this period.' }),
    createdAt: t.field({ type: TimeRangeInput, description: 'Created in this period.' }),
    updatedAt: t.field({ type: TimeRangeInput, description: 'Last changed in this period.' }),
  }),
});

const BookingOrderInput = listOrder('Booking', BOOKING_ORDER_FIELDS, {
  START: 'When it starts.',
  END: 'When it ends.',
  CREATED_AT: 'When it was made.',
  UPDATED_AT: 'When it was last changed.',
});

type BookingSelection = Selection<typeof BookingEntity>;

interface Wanted {
  readonly filter: BookingFilter;
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

const ORDERED = 'Earliest start first, unless `orderBy` says otherwise.';
const LIST = {
  user: `The bookings that you host, through your own event types and your teams’. ${ORDERED}`,
  team: `The bookings of its event types. ${ORDERED} Null unless you administer it.`,
  organization: `The bookings of its teams’ event types, and of its members’ own. ${ORDERED} Null unless you administer it.`,
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
  const find = (parentId: string, id: string, context: GraphQLContext, info: GraphQLResolveInfo) => {
    const named = ownedIdArgument('booking', id, ['id']);
    return named && place.find(context, { parentId, ...named }, selectionOf(info, BookingEntity));
  };
  builder.objectFields(LEVELS[level].door, (t) => ({
    bookings: t.field({
      type: BookingConnection,
      nullable: true,
      description: LIST[level],
      requires,
      args: {
        filter: t.arg({ type: BookingFilterInput, description: 'Which bookings to list. Default: all.' }),
        orderBy: t.arg({
          type: BookingOrderInput,
          description: 'The order of the list. Default: earliest start first.',
        }),
        ...pageArguments(),
      },
      resolve: (parent, args, context, info) => {
        if (!mayList(parent)) return undefined;
        const selection = selectionOf(info, BookingEntity);
        return place.pages(context, parent.id, args, {
          filter: filterFrom(args.filter ?? {}),
          order: orderFrom(args.orderBy),
          selection,
        });
      },
    }),
    booking: t.field({
      type: Booking,
      nullable: true,
      description: ONE[level],
      requires,
      args: {
        id: t.arg.id({
          required: true,
          description: `The id of the booking, which begins with \`bkg_\`. ${OTHER_KINDS}`,
        }),
      },
      resolve: (parent, { id }, context, info) => (mayList(parent) ? find(parent.id, id, context, info) : undefined),
    }),
    bookingsById: t.field({
      type: [Booking],
      nullable: WITH_NULLS,
      price: BY_IDS,
      description: `${describedByIds('bookings')}${forWhom}`,
      requires,
      args: idsArgument('booking'),
      resolve: (parent, { ids }, context, info) =>
        mayList(parent) ? eachById('booking', ids, (id) => find(parent.id, id, context, info)) : undefined,
    }),
  }));
}

type GivenFilter = Omit<BookingFilter, 'eventTypeIds' | 'hostId'> & {
  readonly hostUserId?: string | null | undefined;
  readonly eventTypeIds?: readonly string[] | null | undefined;
};

/**
 * Reads the filter. A text that is no id names nothing, and leaves the list empty.
 * @throws Problem BAD_INPUT for the id of another kind of thing and for a text that is too long, INVALID_EMAIL for what can be nobody's address
 */
function filterFrom({ eventTypeIds, teamId, hostUserId, ...rest }: GivenFilter): BookingFilter {
  const { attendeeEmail, text } = rest;
  if (attendeeEmail != null) refuseMistake('attendeeEmail', { type: 'EmailAddress' }, attendeeEmail);
  if (text != null) refuseMistake('text', { type: 'String', mistake: searchMistake }, text);
  return {
    ...rest,
    eventTypeIds: eventTypeIds?.flatMap(
      (id, index) => ownedIdArgument('eventType', id, ['filter', 'eventTypeIds', String(index)]) ?? [],
    ),
    teamId: teamId == null ? null : (idArgument('team', teamId, ['filter', 'teamId']) ?? NO_ID),
    hostId: hostUserId == null ? null : (idArgument('user', hostUserId, ['filter', 'hostUserId']) ?? NO_ID),
  };
}

/** The order that is asked for: by the start, if none is. */
function orderFrom(given: GivenOrder<BookingOrderField> | null | undefined): BookingOrder {
  return { by: given?.field ?? 'START', isDescending: given?.direction === 'DESC' };
}
