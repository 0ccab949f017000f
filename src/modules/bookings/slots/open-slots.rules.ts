/**
 * When an event type can be booked. A request has all that decides; every rule is a set of starts, and a slot is where all of them
 * meet the grid of a host.
 */
import type { BusyCalendar } from '../../calendars/busy-calendar.rules.ts';
import { type CountedPeriod, hasRoom, isLimited, LIMIT_UNITS } from '../../event-types/settings/booking-limit.rules.ts';
import { bookableTime, startsAfterNotice } from '../../event-types/settings/booking-window.rules.ts';
import { type EventTypeRules, lengthsOf } from '../../event-types/settings/scheduling.rules.ts';
import {
  ALWAYS,
  differenceOf,
  type Interval,
  type IntervalSet,
  intersectionOf,
  isIn,
  MINUTE,
  unionOf,
} from '../../schedules/interval.rules.ts';
import type { Schedule } from '../../schedules/schedule.rules.ts';
import { commonWindows, type WorkingWindow, workingWindows } from '../../schedules/working-hours.rules.ts';

/** Time that a booking (pending ones too) or a live reservation holds for a host, its own buffers included. */
export interface OccupiedTime extends Interval {
  readonly bookingId?: string;
  readonly reservationId?: string;
}

/** Somebody who can be booked, with all that decides when. Lists need no order, and may reach beyond the requested range. */
export interface Host {
  readonly userId: string;
  readonly schedule: Schedule;
  /** Takes hours away from the schedule. */
  readonly outOfOffice: readonly Interval[];
  readonly occupied: readonly OccupiedTime[];
  /** From connected calendars and ICS feeds, without the events that stand for our own bookings. */
  readonly busy: readonly Interval[];
  /**
   * The calendars that say so, with the age of what they said; a caller who takes time of this host's asks them first.
   * Null, or left out: none.
   */
  readonly calendars?: readonly BusyCalendar[] | null;
  /** Attends every booking of a round-robin event type. */
  readonly isMandatory: boolean;
  /** The highest goes first, as long as it has time. */
  readonly priority: number;
  /** The share among hosts of one priority: twice the weight, twice the bookings. Positive. */
  readonly weight: number;
  /** The bookings of this event type that the share is counted by: those of the current month. */
  readonly bookingCount: number;
  /** When the last booking of this event type was made for them, epoch milliseconds; null sorts before all. */
  readonly lastBookedAt: number | null;
}

/** A booking with seats: how many it has, as it was booked, and how many are gone (live reservations count). */
export interface SeatedBooking extends Interval {
  readonly id: string;
  readonly hostIds: readonly string[];
  readonly perSlot: number;
  readonly taken: number;
  /** How many of those are only reserved; none if left out. */
  readonly reserved?: number;
}

/** The booking that a new one is to replace: its time, count and seats are free again. */
export interface ReplacedBooking extends Interval {
  readonly id: string;
  readonly hostIds: readonly string[];
}

/** Everything that decides about slots; all times are epoch milliseconds. */
export interface SlotRequest {
  readonly eventType: EventTypeRules;
  readonly hosts: readonly Host[];
  /** Slots start in it; their ends may lie beyond. */
  readonly range: Interval;
  readonly now: number;
  /** One of the event type's lengths. */
  readonly durationInMinutes: number;
  /** The periods of `limitPeriods(…)` with what is booked in them. A limited time that none of them covers is closed. */
  readonly counted: readonly CountedPeriod[];
  /** Bookings of this event type that start in the range; only needed when it has seats. */
  readonly seated: readonly SeatedBooking[];
  readonly replaces: ReplacedBooking | null;
  /** The caller's own reservation, which does not stand in its way. */
  readonly reservationId: string | null;
  /** The start that the reservation keeps for the caller. Its notice was long enough when it was reserved, and stays so. */
  readonly heldStart?: number | undefined;
  /** Whether it is for a booking that stands: only rules about starts that say so are asked once more. */
  readonly isAgreed?: true;
}

/** A time at which the event type can be booked. */
export interface OpenSlot extends Interval {
  /** Null when the event type has no seats. */
  readonly remainingSeatCount: number | null;
  /** The booking in which a seat is free; null when the slot makes a new booking. */
  readonly joins: string | null;
}

/** A slot with the hosts who could attend: all, or, with round robin, the mandatory hosts and all to choose from. */
export interface Slot extends OpenSlot {
  readonly hostIds: readonly string[];
}

/** The time that a booking takes of its hosts, with the buffers of its event type. */
export function withBuffers(
  { start, end }: Interval,
  { bufferBeforeInMinutes, bufferAfterInMinutes }: EventTypeRules,
): Interval {
  return { start: start - bufferBeforeInMinutes * MINUTE, end: end + bufferAfterInMinutes * MINUTE };
}

/**
 * The time of which hosts' occupied, busy and out-of-office times and date overrides must be known to answer for a range:
 * a slot that starts at its end lasts beyond it, and buffers reach out on both sides.
 */
export function timeToKnow(eventType: EventTypeRules, { start, end }: Interval, durationInMinutes: number): Interval {
  return withBuffers({ start, end: end + durationInMinutes * MINUTE }, eventType);
}

/** A rule about starts that does not ask who attends. The codes and advice are those of a start that it forbids. */
export interface StartRule {
  readonly code: 'SLOT_IN_PAST' | 'NOTICE_TOO_SHORT' | 'OUTSIDE_BOOKING_WINDOW' | 'LIMIT_REACHED';
  readonly because: string;
  readonly starts: (request: SlotRequest) => IntervalSet;
  /** Whether it holds for a booking that stands, too. */
  readonly isForAgreed?: true;
}

/** Rules for every slot, in the order in which a refusal names them. */
export const RULES_OF_ALL_STARTS: readonly StartRule[] = [
  {
    code: 'SLOT_IN_PAST',
    because: 'is over; choose a later one',
    starts: ({ now }) => [{ start: now, end: Infinity }],
    isForAgreed: true,
  },
  {
    code: 'NOTICE_TOO_SHORT',
    because: 'is too soon for the notice that this event type wants; choose a later one',
    starts: ({ now, eventType, heldStart }) =>
      startsAfterNotice(eventType.minimumBookingNoticeInMinutes, now, heldStart),
  },
  {
    code: 'OUTSIDE_BOOKING_WINDOW',
    because: 'is outside the dates for which this event type can be booked; ask for its slots',
    starts: startsInBookingWindow,
  },
];

/** A seat in a booking that exists adds no booking, so the limits are no matter of seats. */
export const RULES_OF_NEW_BOOKINGS: readonly StartRule[] = [
  ...RULES_OF_ALL_STARTS,
  {
    code: 'LIMIT_REACHED',
    because: 'falls in a period in which no more can be booked; choose another day, week, month or year',
    starts: startsWithinLimits,
  },
];

/** The starts that all of the rules allow, within the range. */
export function allowedStarts(rules: readonly StartRule[], request: SlotRequest): IntervalSet {
  const asked = request.isAgreed ? rules.filter(({ isForAgreed }) => isForAgreed) : rules;
  return asked.map(({ starts }) => starts(request)).reduce(intersectionOf, unionOf([request.range]));
}

/** The starts from which a slot of this length ends within the time. Milliseconds are whole, so the last start is one before the end. */
export function startsWithin(time: IntervalSet, { durationInMinutes }: SlotRequest): Interval[] {
  const length = durationInMinutes * MINUTE;
  return time.map(({ start, end }) => ({ start, end: end - length + 1 })).filter(({ start, end }) => start < end);
}

function startsInBookingWindow(request: SlotRequest): IntervalSet {
  const { bookingWindow, timeZone } = request.eventType;
  if (!bookingWindow) return ALWAYS;
  return startsWithin(unionOf([bookableTime(bookingWindow, request.now, timeZone)]), request);
}

function startsWithinLimits({ eventType, counted, durationInMinutes, replaces }: SlotRequest): IntervalSet {
  let starts = ALWAYS;
  for (const unit of LIMIT_UNITS) {
    const limit = eventType.bookingLimits[unit];
    if (!isLimited(limit)) continue;
    const periods = counted.filter((period) => period.unit === unit);
    const open = periods.filter((period) => hasRoom(withoutReplaced(period, replaces), limit, durationInMinutes));
    starts = intersectionOf(starts, unionOf(open));
  }
  return starts;
}

function withoutReplaced(period: CountedPeriod, replaced: SlotRequest['replaces']): CountedPeriod {
  if (!replaced || replaced.start < period.start || period.end <= replaced.start) return period;
  const minutes = (replaced.end - replaced.start) / MINUTE;
  return { ...period, count: period.count - 1, minutes: period.minutes - minutes };
}

/** When one host can start, and the windows that the grid of slots is counted in. */
interface HostStarts {
  readonly userId: string;
  readonly windows: readonly WorkingWindow[];
  readonly starts: IntervalSet;
}

/**
 * The starts at which this host works for the whole length and nothing else is in the way. Windows that touch (over midnight, over a
 * jump of the clock) are one stretch of work. Buffers need not be working hours, but must be free: they keep apart from other
 * bookings' buffers, which is what the database refuses too.
 */
function hostStarts(host: Host, request: SlotRequest): HostStarts {
  const { windows, hours, occupied, busy } = timeOfHost(host, request);
  const starts = differenceOf(unionOf(startsWithin(hours, request)), blockedStarts([...occupied, ...busy], request));
  return { userId: host.userId, windows, starts };
}

/** The facts that decide about one host in the range, without the booking that moves and the caller's reservation. */
export function timeOfHost(host: Host, request: SlotRequest) {
  const { eventType, range, durationInMinutes } = request;
  const known = timeToKnow(eventType, range, durationInMinutes);
  const occupied = host.occupied.filter((time) => overlaps(time, known) && !isOwn(time, request));
  return { ...workingTime(host, known), occupied, busy: host.busy.filter((time) => overlaps(time, known)) };
}

/** When a host works: the windows of the schedule, and the hours that out of office leaves of them. */
export function workingTime(
  { schedule, outOfOffice }: Pick<Host, 'schedule' | 'outOfOffice'>,
  known: Interval,
): { readonly windows: readonly WorkingWindow[]; readonly hours: IntervalSet } {
  const windows = workingWindows(schedule, known);
  // The known absences may reach far beyond the time that is looked at, such as to the end of a series.
  return {
    windows,
    hours: differenceOf(unionOf(windows), unionOf(outOfOffice.filter((time) => overlaps(time, known)))),
  };
}

function overlaps(one: Interval, other: Interval): boolean {
  return one.start < other.end && other.start < one.end;
}

/** The starts whose time with its buffers would overlap something; one that only touches it is free. */
export function blockedStarts(
  inTheWay: readonly Interval[],
  { eventType, durationInMinutes }: SlotRequest,
): IntervalSet {
  const before = eventType.bufferBeforeInMinutes * MINUTE;
  const lengthAndAfter = (durationInMinutes + eventType.bufferAfterInMinutes) * MINUTE;
  return unionOf(
    inTheWay.filter(isNotEmpty).map(({ start, end }) => ({ start: start - lengthAndAfter + 1, end: end + before })),
  );
}

function isOwn({ bookingId, reservationId }: OccupiedTime, { replaces, reservationId: own }: SlotRequest): boolean {
  return (
    (bookingId !== undefined && bookingId === replaces?.id) || (reservationId !== undefined && reservationId === own)
  );
}

function isNotEmpty({ start, end }: Interval): boolean {
  return start < end;
}

/** Hosts who attend together, and when they can. */
interface Party {
  readonly userIds: readonly string[];
  readonly windows: readonly WorkingWindow[];
  readonly starts: IntervalSet;
}

/** Part of a party's time. A slot starts in it at each multiple of the interval, counted from the phase. */
interface Stretch extends Interval {
  readonly phase: number;
}

/**
 * When an event type can be booked, in order: the one answer for the list of slots and for the booking.
 *
 * Every rule is a set of starts, and what is open is what they have in common, met with the grid: a slot starts when
 * the wall clock of its host has gone on by a multiple of the interval since the working window opened. With round robin
 * each host has a grid of their own; people who attend together share that of the window that opened last. It pauses after each host
 * and each thousand starts: an answer about many may let others have a turn in between.
 */
export function* openSlotsInSteps(request: SlotRequest): Generator<void, readonly OpenSlot[]> {
  if (!isLengthOffered(request)) return [];
  const joinable = slotsToJoin(request);
  const slots = yield* newSlots(request);
  if (joinable.length === 0) return slots;
  // One slot a start: people are seated together before another booking is begun.
  const starts = new Set(joinable.map(({ start }) => start));
  return [...joinable, ...slots.filter(({ start }) => !starts.has(start))].toSorted((a, b) => a.start - b.start);
}

/**
 * Finds the slot that starts exactly then, if the list has it, with the hosts who could attend; it pauses after each
 * host, too.
 */
export function* slotAtInSteps(request: SlotRequest, start: number): Generator<void, Slot | undefined> {
  const atStart = { ...request, range: { start, end: start + 1 } };
  if (!isLengthOffered(atStart)) return undefined;
  const [seat] = slotsToJoin(atStart);
  if (seat) return { ...seat, hostIds: atStart.seated.find(({ id }) => id === seat.joins)?.hostIds ?? [] };
  const hostIds = yield* hostIdsAt(atStart);
  return hostIds.length === 0 ? undefined : { ...newSlot(atStart, start), hostIds };
}

/** How many starts are counted between two pauses. */
const STARTS_AT_A_TIME = 1_000;

function* newSlots(request: SlotRequest): Generator<void, OpenSlot[]> {
  // Hosts who share a grid are counted through once, however many they are. Their time is put together as it is found:
  // what they have in common is short, and all of it would be millions of stretches.
  const byPhase = new Map<number, IntervalSet>();
  for (const party of partiesWithTime(request)) {
    for (const [phase, time] of Map.groupBy(party?.stretches ?? [], (stretch) => stretch.phase)) {
      byPhase.set(phase, unionOf([...(byPhase.get(phase) ?? []), ...time]));
    }
    yield;
  }
  const starts: number[] = [];
  for (const [phase, time] of byPhase) {
    for (const start of startsOnGrid(time, phase, intervalOf(request))) {
      if (starts.push(start) % STARTS_AT_A_TIME === 0) yield;
    }
  }
  const inOrder = byPhase.size === 1 ? starts : new Set(Float64Array.from(starts).toSorted());
  const slots: OpenSlot[] = [];
  for (const start of inOrder) {
    if (slots.push(newSlot(request, start)) % STARTS_AT_A_TIME === 0) yield;
  }
  return slots;
}

function newSlot({ eventType, durationInMinutes }: SlotRequest, start: number): OpenSlot {
  return {
    start,
    end: start + durationInMinutes * MINUTE,
    remainingSeatCount: eventType.seats?.perSlot ?? null,
    joins: null,
  };
}

function isLengthOffered({ eventType, durationInMinutes }: SlotRequest): boolean {
  return lengthsOf(eventType).includes(durationInMinutes);
}

/** Finds the hosts who could begin a new booking at the start of the range: all hosts of each party that has time. */
function* hostIdsAt(request: SlotRequest): Generator<void, readonly string[]> {
  const hostIds: string[] = [];
  for (const party of partiesWithTime(request)) {
    yield;
    if (!party) continue;
    const { userIds, stretches } = party;
    if (!stretches.some((time) => !startsOnGrid([time], time.phase, intervalOf(request)).next().done)) continue;
    // Those who are in every party were added with the first.
    if (hostIds.length === 0) hostIds.push(...userIds);
    else hostIds.push(userIds.at(-1) ?? '');
  }
  return hostIds;
}

/** Undefined is a pause. */
function* partiesWithTime(
  request: SlotRequest,
): Generator<{ readonly userIds: readonly string[]; readonly stretches: readonly Stretch[] } | undefined> {
  const allowed = allowedStarts(RULES_OF_NEW_BOOKINGS, request);
  if (allowed.length === 0) return;
  const interval = intervalOf(request);
  for (const party of partiesOf(request)) {
    const time = party && intersectionOf(party.starts, allowed);
    yield time && { userIds: party.userIds, stretches: stretchesOf(party.windows, time, interval) };
  }
}

function intervalOf({ eventType, durationInMinutes }: SlotRequest): number {
  return (eventType.slotIntervalInMinutes ?? durationInMinutes) * MINUTE;
}

/**
 * A booking with seats left stands, whatever became of its hosts' hours: its seats are open as long as its time is. It has
 * as many as were promised to those who sit in it, however many the event type gives to new ones.
 */
function slotsToJoin(request: SlotRequest): OpenSlot[] {
  const { eventType, seated, durationInMinutes, replaces } = request;
  if (!eventType.seats || seated.length === 0) return [];
  const allowed = allowedStarts(RULES_OF_ALL_STARTS, request);
  const open = seated.filter(
    ({ id, start, end, taken, perSlot }) =>
      id !== replaces?.id && taken < perSlot && end - start === durationInMinutes * MINUTE && isIn(allowed, start),
  );
  const fullest = new Map(
    open.toSorted((a, b) => seatsLeftIn(b) - seatsLeftIn(a)).map((booking) => [booking.start, booking]),
  );
  return [...fullest.values()].map((booking) => {
    const { id, start, end } = booking;
    return { start, end, remainingSeatCount: seatsLeftIn(booking), joins: id };
  });
}

function seatsLeftIn({ perSlot, taken }: SeatedBooking): number {
  return perSlot - taken;
}

/**
 * Yields the parties who could attend together: all hosts, or, with round robin, the mandatory hosts and each of the
 * others in turn. Undefined is a pause.
 */
function* partiesOf(request: SlotRequest): Generator<Party | undefined> {
  const { hosts, eventType } = request;
  if (hosts.length === 0 || eventType.schedulingType === 'MANAGED') return;
  const isRoundRobin = eventType.schedulingType === 'ROUND_ROBIN';
  const always = hosts.filter(({ isMandatory }) => !isRoundRobin || isMandatory);
  const inTurn = hosts.filter(({ isMandatory }) => isRoundRobin && !isMandatory);
  let together: Party | undefined;
  for (const host of always) {
    together = joined(together, hostStarts(host, request));
    yield undefined;
  }
  if (inTurn.length === 0 && together) yield together;
  for (const host of inTurn) yield joined(together, hostStarts(host, request));
}

function joined(party: Party | undefined, { userId, windows, starts }: HostStarts): Party {
  if (!party) return { userIds: [userId], windows, starts };
  return {
    userIds: [...party.userIds, userId],
    windows: commonWindows(party.windows, windows),
    starts: intersectionOf(party.starts, starts),
  };
}

function stretchesOf(windows: readonly WorkingWindow[], starts: IntervalSet, interval: number): Stretch[] {
  const found: Stretch[] = [];
  let next = 0;
  for (const window of windows) {
    while (next < starts.length && (starts[next] as Interval).end <= window.start) next += 1;
    for (let i = next; i < starts.length; i += 1) {
      const { start, end } = starts[i] as Interval;
      if (start >= window.end) break;
      const phase = ((window.gridStart % interval) + interval) % interval;
      found.push({ phase, start: Math.max(start, window.start), end: Math.min(end, window.end) });
    }
  }
  return found;
}

function* startsOnGrid(time: readonly Interval[], phase: number, interval: number): Generator<number, void> {
  for (const { start, end } of time) {
    const first = phase + Math.ceil((start - phase) / interval) * interval;
    for (let at = first; at < end; at += interval) yield at;
  }
}
