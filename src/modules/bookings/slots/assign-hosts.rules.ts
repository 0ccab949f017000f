/** Decides about one start, or all starts of a series: who would be booked, or what closes it. It asks the function that lists slots. */
import { instantAt } from '../../../core/instant.ts';
import { type Mistake, Problem } from '../../../core/problem.ts';
import type { ProblemCode } from '../../../core/problem-code.ts';
import { lengthsOf } from '../../event-types/settings/scheduling.rules.ts';
import { type Interval, type IntervalSet, isIn, MINUTE, unionOf } from '../../schedules/interval.rules.ts';
import {
  blockedStarts,
  type Host,
  RULES_OF_NEW_BOOKINGS,
  type SeatedBooking,
  type SlotRequest,
  type StartRule,
  slotAtInSteps,
  startsWithin,
  timeOfHost,
  withBuffers,
} from './open-slots.rules.ts';

/** Codes of a start that is refused before anything is looked up. */
export const START_CODES = ['SLOT_IN_PAST', 'TOO_FAR_AHEAD'] as const;

/**
 * Refuses a start that no event type offers, before it reaches a calendar or the database, neither of which knows the
 * years that can be written. `now` in epoch milliseconds. @throws Problem SLOT_IN_PAST, TOO_FAR_AHEAD
 */
export function requireBookableStart(start: Temporal.Instant, now: number): void {
  if (start.epochMilliseconds < now) {
    throw new Problem('SLOT_IN_PAST', `The start ${start.toString()} is over; choose a later one.`, ['start']);
  }
  const mistake = startMistake(['start'], start, instantAt(now));
  Problem.throwIfAny(mistake ? [mistake] : []);
}

const MAX_YEARS_AHEAD = 11;

/** Checks a time to book before anything is known of the event type: nobody plans that far ahead. */
export function startMistake(
  path: readonly string[],
  start: Temporal.Instant,
  now: Temporal.Instant,
): Mistake | undefined {
  if (start.since(now).total('hours') <= MAX_YEARS_AHEAD * 366 * 24) return undefined;
  const message = `${start.toString()} is more than ${MAX_YEARS_AHEAD} years ahead; choose an earlier time.`;
  return { code: 'TOO_FAR_AHEAD', message, path };
}

/** A possible booking at a start: its time, its hosts, and the booking whose seat it takes, if any. */
export interface Assignment extends Interval {
  readonly hostIds: readonly string[];
  readonly joins: string | null;
}

/** A booking for each start, or why one of them cannot be had: a series is made whole or not at all. */
type Decision =
  | { readonly kind: 'OPEN'; readonly assignments: readonly Assignment[] }
  | ({ readonly kind: 'CLOSED'; readonly start: number } & Closed);

/** Why nothing can be booked at a start. */
interface Closed {
  /** The answer to somebody who wants it. It names nobody. */
  readonly mistake: Mistake;
  /**
   * Finds the rules, hosts, bookings, reservations and calendars in the way, for somebody who may know them; none where it lies in
   * the request itself. A refusal alone does not look at every host. It pauses after each host.
   */
  readonly closedBy: () => Generator<void, readonly Obstacle[]>;
}

/** Something that closes a start: a rule of the event type, the grid of its slots, or what a host has at that time. */
type Obstacle =
  | { readonly kind: 'RULE'; readonly code: StartRule['code'] }
  | { readonly kind: 'GRID' }
  | { readonly kind: 'HOURS' | 'OUT_OF_OFFICE'; readonly hostId: string }
  | { readonly kind: 'BOOKING'; readonly hostId: string; readonly bookingId: string | undefined }
  | { readonly kind: 'RESERVATION'; readonly hostId: string; readonly reservationId: string }
  | { readonly kind: 'CALENDAR'; readonly hostId: string; readonly during: Interval };

/**
 * Decides about bookings that are made together, such as the occurrences of a recurrence. Each takes time and counts
 * against the limits for those after it, and with round robin the hosts of the first stay as long as they can; those
 * preferred, such as the hosts of a reservation, are the first choice. It pauses after each host of each booking.
 */
export function* decideInSteps(
  request: SlotRequest,
  starts: readonly number[],
  preferredIds?: readonly string[],
): Generator<void, Decision> {
  const { found, after } = yield* assignmentsInSteps(request, starts, preferredIds, true);
  const assignments = found.filter((assignment) => assignment !== undefined);
  const start = starts[assignments.length];
  if (start === undefined) return { kind: 'OPEN', assignments };
  return { kind: 'CLOSED', start, ...(yield* closedInSteps(after, start)) };
}

/**
 * Which of the bookings could be had, each as `decideInSteps` decides about it after those before it. One that cannot
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

export function* assignmentsInSteps(
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

/**
 * Chooses the hosts of a booking that starts then; undefined when no slot is open there. With round robin, these are
 * the mandatory hosts, and one of the others who have time. Preferred ones go first: a booking that is moved keeps its
 * hosts, if they can. It pauses after each host.
 */
export function* assignHostsInSteps(
  request: SlotRequest,
  start: number,
  preferredIds: readonly string[] = request.replaces?.hostIds ?? [],
): Generator<void, Assignment | undefined> {
  const slot = yield* slotAtInSteps(request, start);
  if (!slot) return undefined;
  const { end, joins, hostIds } = slot;
  if (joins !== null || request.eventType.schedulingType !== 'ROUND_ROBIN') return { start, end, hostIds, joins };
  const ids = new Set(hostIds);
  const able = request.hosts.filter(({ userId }) => ids.has(userId));
  const mandatory = able.filter(({ isMandatory }) => isMandatory).map(({ userId }) => userId);
  const inTurn = able.filter(({ isMandatory }) => !isMandatory);
  const preferred = inTurn.filter(({ userId }) => preferredIds.includes(userId));
  const others = request.hosts.filter(({ isMandatory }) => !isMandatory);
  const chosen = nextInTurn(preferred.length > 0 ? preferred : inTurn, others);
  return { start, end, hostIds: chosen ? [...mandatory, chosen.userId] : mandatory, joins };
}

/**
 * Finds the host whose turn it is: the highest priority; then, if weights differ, the one furthest behind their share;
 * then the one booked least recently. The id decides the rest, so that two processes choose alike. Whether weights
 * differ is judged among all who take turns, `all`: a host who is away at this moment does not change how the others
 * are chosen.
 */
export function nextInTurn(hosts: readonly Host[], all: readonly Host[] = hosts): Host | undefined {
  const highest = Math.max(...hosts.map(({ priority }) => priority));
  const first = hosts.filter(({ priority }) => priority === highest);
  const isWeighted = new Set(all.filter(({ priority }) => priority === highest).map(({ weight }) => weight)).size > 1;
  return first.toSorted(
    (a, b) => (isWeighted ? share(a) - share(b) : 0) || leastRecent(a, b) || (a.userId < b.userId ? -1 : 1),
  )[0];
}

/** The host's share with this booking: with nothing booked yet, the heaviest weight goes first. */
function share({ bookingCount, weight }: Host): number {
  return (bookingCount + 1) / weight;
}

function leastRecent(a: Host, b: Host): number {
  return (a.lastBookedAt ?? 0) - (b.lastBookedAt ?? 0);
}

/** Those of the hosts whose time the bookings take; a seat in a booking that is there takes nobody's. */
export function hostsTaken(hosts: readonly Host[], assignments: readonly Assignment[]): readonly Host[] {
  const ids = new Set(assignments.flatMap(({ joins, hostIds }) => (joins === null ? hostIds : [])));
  return hosts.filter(({ userId }) => ids.has(userId));
}

/** The time from the first start to the last end. */
export function spanOf(times: readonly Interval[]): Interval {
  const [starts, ends] = [times.map(({ start }) => start), times.map(({ end }) => end)];
  return { start: Math.min(...starts), end: Math.max(...ends) };
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

function booked(host: Host, { eventType, now }: SlotRequest, booking: Assignment, bookingId: string): Host {
  const during = { ...withBuffers(booking, eventType), bookingId };
  return {
    ...host,
    occupied: [...host.occupied, during],
    bookingCount: host.bookingCount + 1,
    lastBookedAt: now,
  };
}

/** Every code that a start can be refused with: for the list of codes of a mutation that books. */
export const SLOT_CODES = [
  'DURATION_NOT_OFFERED',
  'NOT_BOOKABLE',
  ...RULES_OF_NEW_BOOKINGS.map(({ code }) => code),
  'SLOT_NOT_OFFERED',
  'SLOT_TAKEN',
  'SLOT_RESERVED',
] as const;

/** Why nothing can be booked at a start, which is known to be closed. It pauses after each host. */
function* closedInSteps(request: SlotRequest, start: number): Generator<void, Closed> {
  const mistake = requestMistake(request) ?? (yield* mistakeInSteps(request, start));
  return { mistake, closedBy: () => obstaclesInSteps(request, start) };
}

/**
 * Asks the very function that lists slots, leaving one obstacle after another away: the reason is the one without which the start
 * would be open, and what is only reserved is the reason where nothing that lasts is.
 */
function* mistakeInSteps(request: SlotRequest, start: number): Generator<void, Mistake> {
  const unreserved = withoutReservations(request);
  const [rule] = rulesAgainst(unreserved, start);
  if (rule) return refused(rule.code, start, rule.because);
  if (isAnyReserved(request) && (yield* isOpen(unreserved, start))) {
    const isLast = rulesAgainst(request, start).length > 0;
    return refused('SLOT_RESERVED', start, isLast ? LAST_IS_RESERVED : IS_RESERVED);
  }
  const isOffered = yield* isOpen({ ...unreserved, hosts: request.hosts.map(freeOfBookings) }, start);
  return isOffered
    ? refused('SLOT_TAKEN', start, 'is taken; choose another slot')
    : refused('SLOT_NOT_OFFERED', start, 'is not offered; ask for the slots');
}

/** All that is in the way, of rules and hosts alike; where nothing is, slots start at other minutes. */
function* obstaclesInSteps(request: SlotRequest, start: number): Generator<void, readonly Obstacle[]> {
  if (requestMistake(request)) return [];
  const obstacles: Obstacle[] = rulesAgainst(request, start).map(({ code }) => ({ kind: 'RULE', code }));
  for (const host of request.hosts) {
    yield;
    obstacles.push(...hostObstacles(host, request, start));
  }
  return obstacles.length > 0 ? obstacles : [{ kind: 'GRID' }];
}

/** All that keeps this host from a booking that starts then, by the same facts as `hostStarts`. */
function hostObstacles(host: Host, request: SlotRequest, start: number): readonly Obstacle[] {
  const atStart = { ...request, range: { start, end: start + 1 } };
  const { windows, hours, occupied, busy } = timeOfHost(host, atStart);
  const { userId: hostId } = host;
  const isWithin = (time: IntervalSet): boolean => isIn(unionOf(startsWithin(time, atStart)), start);
  const isBlockedBy = (time: Interval): boolean => isIn(blockedStarts([time], atStart), start);
  const absence = isWithin(unionOf(windows)) ? 'OUT_OF_OFFICE' : 'HOURS';
  return [
    ...(isWithin(hours) ? [] : [{ kind: absence, hostId } as const]),
    ...occupied
      .filter(isBlockedBy)
      .map(({ bookingId, reservationId }) =>
        reservationId === undefined
          ? ({ kind: 'BOOKING', hostId, bookingId } as const)
          : ({ kind: 'RESERVATION', hostId, reservationId } as const),
      ),
    ...busy.filter(isBlockedBy).map(({ start: from, end }) => {
      return { kind: 'CALENDAR', hostId, during: { start: from, end } } as const;
    }),
  ];
}

function rulesAgainst(request: SlotRequest, start: number): readonly StartRule[] {
  const atStart = { ...request, range: { start, end: start + 1 } };
  return RULES_OF_NEW_BOOKINGS.filter(({ starts }) => !isIn(starts(atStart), start));
}

function* isOpen(request: SlotRequest, start: number): Generator<void, boolean> {
  return (yield* slotAtInSteps(request, start)) !== undefined;
}

/** A mistake of the request itself, whatever its start. */
function requestMistake(request: SlotRequest): Mistake | undefined {
  return lengthMistake(request) ?? hostlessMistake(request);
}

function lengthMistake({ eventType, durationInMinutes }: SlotRequest): Mistake | undefined {
  const lengths = lengthsOf(eventType);
  if (lengths.includes(durationInMinutes)) return undefined;
  const message = `A length of ${durationInMinutes} minutes is not offered; choose one of: ${lengths.join(', ')}.`;
  return { code: 'DURATION_NOT_OFFERED', message, path: ['durationInMinutes'] };
}

function hostlessMistake({ hosts, eventType }: SlotRequest): Mistake | undefined {
  if (hosts.length > 0 && eventType.schedulingType !== 'MANAGED') return undefined;
  const message =
    eventType.schedulingType === 'MANAGED'
      ? "A managed event type is not booked itself; book the copy that is a member's own."
      : 'This event type has no hosts; add one before it is booked.';
  return { code: 'NOT_BOOKABLE', message, path: ['eventTypeId'] };
}

const IS_RESERVED = 'is reserved by somebody for a few minutes; choose another slot, or try later';
const LAST_IS_RESERVED =
  'falls in a period whose last booking somebody has reserved for a few minutes; choose another day, week, month or year, or try later';

/** The same as though nobody kept time, or the last booking of a period; seats that are kept stay so. */
export function withoutReservations(request: SlotRequest): SlotRequest {
  const counted = request.counted.map((period) => ({
    ...period,
    count: period.count - (period.reserved?.count ?? 0),
    minutes: period.minutes - (period.reserved?.minutes ?? 0),
  }));
  return { ...request, counted, hosts: request.hosts.map(freeOfReservations) };
}

function isAnyReserved({ counted, hosts }: SlotRequest): boolean {
  return (
    counted.some(({ reserved }) => (reserved?.count ?? 0) > 0) ||
    hosts.some(({ occupied }) => occupied.some(({ reservationId }) => reservationId !== undefined))
  );
}

function freeOfBookings(host: Host): Host {
  return { ...host, occupied: [], busy: [] };
}

function freeOfReservations(host: Host): Host {
  return { ...host, occupied: host.occupied.filter(({ reservationId }) => reservationId === undefined) };
}

function refused(code: ProblemCode, start: number, because: string): Mistake {
  const at = instantAt(start).toString();
  return { code, message: `The start ${at} ${because}.`, path: ['start'] };
}
