import { NO_ID } from '../../../core/id.ts';
import { Problem } from '../../../core/problem.ts';
import { emailMistake } from '../../../core/text.ts';
import { builder } from '../../../graphql/builder.ts';
import { describedValues } from '../../../graphql/descriptions.ts';
import { idArgument, OTHER_KINDS, ownedIdArgument } from '../../../graphql/id-arguments.ts';
import { BookingStatus } from '../booking-input.graphql.ts';
import { BOOKING_SORT_KEYS, type BookingOrder, type BookingFilter as Filter } from './booking-list.rules.ts';

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

export const BookingSort = builder.inputType('BookingSort', {
  description: 'The order of a list of bookings.',
  fields: (t) => ({
    by: t.field({ type: BookingSortKey, required: true, description: 'The time by which the list is sorted.' }),
    descending: t.boolean({ description: 'Latest first. False, if left out: earliest first.' }),
  }),
});

type GivenFilter = Omit<Filter, 'eventTypeIds'> & { readonly eventTypeIds?: readonly string[] | null | undefined };

/**
 * Reads the filter. A text that is no id names nothing, and leaves the list empty.
 * @throws Problem BAD_INPUT for the id of another kind of thing, INVALID_EMAIL for what can be nobody's address
 */
export function filterFrom({ eventTypeIds, teamId, hostId, ...rest }: GivenFilter): Filter {
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
export function orderFrom(given: GivenOrder | null | undefined): BookingOrder {
  return { by: given?.by ?? 'START', isDescending: given?.descending ?? false };
}
