import { NO_ID } from '../../../../src/core/id.ts';
import { encodeCursor, type PageArguments } from '../../../../src/core/page.ts';
import {
  BOOKING_ORDER_FIELDS,
  type BookingFilter,
  type BookingOrder,
} from '../../../../src/modules/bookings/lists/booking-list.rules.ts';
import { ATTENDEES, type BusyHost } from './many-bookings.ts';

type FilterOf = (host: BusyHost) => BookingFilter;

/** Every filter of the list of bookings: where all match, where few do, and where those few lie at the far end. */
export const FILTERS: Readonly<Record<string, FilterOf>> = {
  nothing: () => ({}),
  'a status': () => ({ statuses: ['ACCEPTED'] }),
  'the status of the oldest': () => ({ statuses: ['PENDING'] }),
  'two statuses': () => ({ statuses: ['REJECTED', 'CANCELLED'] }),
  'an event type': ({ eventType }) => ({ eventTypeIds: [eventType] }),
  'an old event type': ({ oldEventType }) => ({ eventTypeIds: [oldEventType] }),
  'a rare event type': ({ rareEventType }) => ({ eventTypeIds: [rareEventType] }),
  'event types and a status': ({ eventType, teamEventType }) => ({
    eventTypeIds: [eventType, teamEventType],
    statuses: ['REJECTED'],
  }),
  'a team': ({ teamId }) => ({ teamId }),
  'a rare team': ({ rareTeamId }) => ({ teamId: rareTeamId }),
  'another host': ({ colleagueId }) => ({ hostId: colleagueId }),
  'a rare host': ({ rareColleagueId }) => ({ hostId: rareColleagueId }),
  'a host of the same event type who shares none': ({ strangerId }) => ({ hostId: strangerId }),
  'an attendee': () => ({ attendeeEmail: ATTENDEES.even }),
  'an attendee of the oldest': () => ({ attendeeEmail: ATTENDEES.old }),
  'a rare attendee': () => ({ attendeeEmail: ATTENDEES.rare }),
  nobody: () => ({ attendeeEmail: 'nobody@example.test' }),
  ...Object.fromEntries((['start', 'end', 'createdAt', 'updatedAt'] as const).flatMap(rangesOfTime)),
};

function rangesOfTime(name: 'start' | 'end' | 'createdAt' | 'updatedAt'): [string, FilterOf][] {
  return [
    [`the ${name} on a day`, (host) => ({ [name]: { from: middleOf(host), to: middleOf(host).add({ hours: 24 }) } })],
    [`the ${name} in the first half`, (host) => ({ [name]: { to: middleOf(host) } })],
    [`the ${name} in the second half`, (host) => ({ [name]: { from: middleOf(host) } })],
    [`the ${name} on the first day`, ({ oldest }) => ({ [name]: { to: oldest.add({ hours: 24 }) } })],
    [`the ${name} in a time that is not yet`, ({ newest }) => ({ [name]: { from: newest.add({ hours: 8_760 }) } })],
  ];
}

function middleOf({ newest, oldest }: BusyHost): Temporal.Instant {
  return oldest.add({ seconds: Math.round(newest.since(oldest).total('seconds') / 2) });
}

/** From the start, from the middle, and from the end. */
export function pagesOf(host: BusyHost): Readonly<Record<string, PageArguments>> {
  return {
    first: { first: 25 },
    middle: { first: 25, after: encodeCursor([middleOf(host).toString(), NO_ID]) },
    last: { last: 25 },
  };
}

export const ORDERS = BOOKING_ORDER_FIELDS.flatMap((by) =>
  [false, true].map((isDescending): BookingOrder => ({ by, isDescending })),
);
