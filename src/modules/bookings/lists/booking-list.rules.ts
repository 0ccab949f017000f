import type { OwnedId } from '../../../core/id.ts';
import { instantOf } from '../../../core/instant.ts';
import { rangeMistake, type TimeRange } from '../../../core/page.ts';
import { type Mistake, Problem } from '../../../core/problem.ts';
import { BOOKING_STATUSES, type BookingStatus } from '../booking-transitions.rules.ts';

export const BOOKING_ORDER_FIELDS = ['START', 'END', 'CREATED_AT', 'UPDATED_AT'] as const;
export type BookingOrderField = (typeof BOOKING_ORDER_FIELDS)[number];

export interface BookingOrder {
  readonly by: BookingOrderField;
  readonly isDescending: boolean;
}

/** Narrows a list of bookings; absent parts do not matter. */
export interface BookingFilter {
  readonly statuses?: readonly BookingStatus[] | null | undefined;
  readonly eventTypeIds?: readonly OwnedId[] | null | undefined;
  readonly teamId?: string | null | undefined;
  /** Somebody else who hosts it too. */
  readonly hostId?: string | null | undefined;
  readonly attendeeEmail?: string | null | undefined;
  /** Somewhere in the title, or in the name or the address of an attendee. */
  readonly text?: string | null | undefined;
  readonly start?: TimeRange | null | undefined;
  readonly end?: TimeRange | null | undefined;
  readonly createdAt?: TimeRange | null | undefined;
  readonly updatedAt?: TimeRange | null | undefined;
}

const RANGES = ['start', 'end', 'createdAt', 'updatedAt'] as const;
const KEY_OF = { start: 'START', end: 'END', createdAt: 'CREATED_AT', updatedAt: 'UPDATED_AT' } as const;

/** No event type takes longer. */
const LONGEST = { hours: 24 };
/** Nobody books before or after. Later and earlier instants are cut to these ends: PostgreSQL and sums cannot hold them all. */
const FIRST = instantOf('0001-01-02T00:00:00Z');
const LAST = instantOf('9999-12-30T00:00:00Z');

export type TimeRanges = { readonly [Key in BookingOrderField]?: TimeRange };

/** The ranges by what they are of. @throws Problem BAD_INPUT for one that ends before it begins */
export function rangesOf(filter: BookingFilter): TimeRanges {
  Problem.throwIfAny(RANGES.flatMap((name) => rangeMistakes(name, filter[name])));
  const given = RANGES.filter((name) => filter[name]?.from || filter[name]?.to);
  return Object.fromEntries(given.map((name) => [KEY_OF[name], possible(filter[name] ?? {})]));
}

/**
 * Says within which bounds the time that a list is sorted by can lie: its own range, and what follows from that of the
 * other end of the meeting. A list is read within them, so that bookings outside cost nothing.
 */
export function boundsOf({ by }: BookingOrder, ranges: TimeRanges): TimeRange {
  const bounds = [ranges[by] ?? {}, otherEnd(by, ranges)];
  const [from] = bounds.flatMap(({ from }) => from ?? []).toSorted((a, b) => Temporal.Instant.compare(b, a));
  const [to] = bounds.flatMap(({ to }) => to ?? []).toSorted((a, b) => Temporal.Instant.compare(a, b));
  return { from, to };
}

/** Ranges of times that say nothing of the one that a list is sorted by. */
export function rangesBeside({ by }: BookingOrder, ranges: TimeRanges): readonly BookingOrderField[] {
  const isOfMeeting = by === 'START' || by === 'END';
  const within: readonly BookingOrderField[] = isOfMeeting ? ['START', 'END'] : [by];
  return BOOKING_ORDER_FIELDS.filter((key) => ranges[key] && !within.includes(key));
}

/** Each once: a list is put together from those of its statuses. */
export function statusesOf({ statuses }: BookingFilter): readonly BookingStatus[] {
  return statuses == null ? BOOKING_STATUSES : [...new Set(statuses)];
}

function possible({ from, to }: TimeRange): TimeRange {
  return { from: from && within(from), to: to && within(to) };
}

function within(instant: Temporal.Instant): Temporal.Instant {
  if (Temporal.Instant.compare(instant, FIRST) < 0) return FIRST;
  return Temporal.Instant.compare(instant, LAST) > 0 ? LAST : instant;
}

function otherEnd(by: BookingOrderField, { START, END }: TimeRanges): TimeRange {
  if (by === 'START' && END) return { from: END.from?.subtract(LONGEST), to: END.to };
  if (by === 'END' && START) return { from: START.from, to: START.to?.add(LONGEST) };
  return {};
}

function rangeMistakes(name: (typeof RANGES)[number], range: TimeRange | null | undefined): Mistake[] {
  const said = range && rangeMistake(range);
  return said ? [{ code: 'BAD_INPUT', message: `${name} ${said}`, path: ['filter', name, 'to'] }] : [];
}
