import type { Mistake } from '../../../core/problem.ts';
import { MINUTE } from '../../schedules/interval.rules.ts';
import { type Assignment, assignHostsInSteps } from './assign-hosts.rules.ts';
import { closedBecauseInSteps } from './closed-slot.rules.ts';
import type { Host, SeatedBooking, SlotRequest } from './slot-request.rules.ts';

/** A booking for each start, or why one of them cannot be had: a series is made whole or not at all. */
export type Series =
  | { readonly kind: 'OPEN'; readonly assignments: readonly Assignment[] }
  | { readonly kind: 'CLOSED'; readonly start: number; readonly mistake: Mistake };

/**
 * Decides about bookings that are made together, such as the occurrences of a recurrence. Each takes time and counts
 * against the limits for those after it, and with round robin the hosts of the first stay as long as they can; those
 * preferred, such as the hosts of a reservation, are the first choice. It pauses after each host of each booking.
 */
export function* assignSeriesInSteps(
  request: SlotRequest,
  starts: readonly number[],
  preferredIds?: readonly string[],
): Generator<void, Series> {
  const { found, after } = yield* assignmentsInSteps(request, starts, preferredIds, true);
  const assignments = found.filter((assignment) => assignment !== undefined);
  const start = starts[assignments.length];
  if (start === undefined) return { kind: 'OPEN', assignments };
  const mistake = yield* closedBecauseInSteps(after, start);
  if (mistake) return { kind: 'CLOSED', start, mistake };
  throw new Error('A slot is closed, and no rule says why.');
}

/**
 * Which of the bookings could be had, each as `assignSeriesInSteps` decides about it after those before it. One that cannot
 * be had takes no time from those after it.
 */
export function* freeInSeriesInSteps(request: SlotRequest, starts: readonly number[]): Generator<void, boolean[]> {
  const { found } = yield* assignmentsInSteps(request, starts, undefined, false);
  return found.map((assignment) => assignment !== undefined);
}

interface SeriesSoFar {
  /** For each start in turn; undefined where nothing can be had. */
  readonly found: readonly (Assignment | undefined)[];
  /** The question as it is once these are booked. */
  readonly after: SlotRequest;
}

function* assignmentsInSteps(
  request: SlotRequest,
  starts: readonly number[],
  preferredIds: readonly string[] | undefined,
  endsAtClosed: boolean,
): Generator<void, SeriesSoFar> {
  const found: (Assignment | undefined)[] = [];
  let after = request;
  for (const start of starts) {
    const assignment = yield* assignHostsInSteps(after, start, found[0]?.hostIds ?? preferredIds);
    if (!assignment && endsAtClosed) break;
    found.push(assignment);
    if (assignment) after = afterBooking(after, assignment, `series:${found.length}`);
  }
  return { found, after };
}

/** The question as it is once the booking is made. */
export function afterBooking(request: SlotRequest, booking: Assignment, id: string): SlotRequest {
  const { eventType, seated, counted } = request;
  if (booking.joins !== null) {
    const seats = seated.map((other) => (other.id === booking.joins ? { ...other, taken: other.taken + 1 } : other));
    return { ...request, seated: seats };
  }
  const { start, end, hostIds } = booking;
  const perSlot = eventType.seats?.perSlot;
  const begun: SeatedBooking[] = perSlot === undefined ? [] : [{ id, start, end, hostIds, perSlot, taken: 1 }];
  const minutes = (end - start) / MINUTE;
  return {
    ...request,
    hosts: request.hosts.map((host) => (hostIds.includes(host.userId) ? booked(host, request, booking, id) : host)),
    seated: [...seated, ...begun],
    counted: counted.map((period) =>
      period.start <= start && start < period.end
        ? { ...period, count: period.count + 1, minutes: period.minutes + minutes }
        : period,
    ),
  };
}

function booked(host: Host, { eventType, now }: SlotRequest, { start, end }: Assignment, bookingId: string): Host {
  const during = {
    start: start - eventType.bufferBeforeInMinutes * MINUTE,
    end: end + eventType.bufferAfterInMinutes * MINUTE,
    bookingId,
  };
  return {
    ...host,
    occupied: [...host.occupied, during],
    bookingCount: host.bookingCount + 1,
    lastBookedAt: now,
  };
}
