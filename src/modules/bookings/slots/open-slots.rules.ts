/**
 * slots/ finds when an event type can be booked, and keeps a slot for a booker who is about to book it. Its rules are pure; its
 * queries gather what they decide on. It may import occupancy/, and the public side of event-types/.
 */
import { atOnce } from '../../../core/turns.ts';
import { lengthsOf } from '../../event-types/settings/event-type-scheduling.rules.ts';
import {
  type Interval,
  type IntervalSet,
  intersectionOf,
  isIn,
  MINUTE,
  unionOf,
} from '../../schedules/interval.rules.ts';
import { commonWindows, type WorkingWindow } from '../../schedules/working-hours.rules.ts';
import { type HostStarts, hostStarts } from './host-starts.rules.ts';
import type { OpenSlot, SeatedBooking, Slot, SlotRequest } from './slot-request.rules.ts';
import { allowedStarts, RULES_OF_ALL_STARTS, RULES_OF_NEW_BOOKINGS } from './start-rules.rules.ts';

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
 * each host has a grid of their own; people who attend together share that of the window that opened last.
 */
export function openSlots(request: SlotRequest): readonly OpenSlot[] {
  return atOnce(openSlotsInSteps(request));
}

/** The same, pausing after each host and each thousand starts: an answer about many may let others have a turn in between. */
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

function newSlot({ eventType, lengthInMinutes }: SlotRequest, start: number): OpenSlot {
  return { start, end: start + lengthInMinutes * MINUTE, seatsLeft: eventType.seats?.perSlot ?? null, joins: null };
}

function isLengthOffered({ eventType, lengthInMinutes }: SlotRequest): boolean {
  return lengthsOf(eventType).includes(lengthInMinutes);
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

function intervalOf({ eventType, lengthInMinutes }: SlotRequest): number {
  return (eventType.slotIntervalInMinutes ?? lengthInMinutes) * MINUTE;
}

/**
 * A booking with seats left stands, whatever became of its hosts' hours: its seats are open as long as its time is. It has
 * as many as were promised to those who sit in it, however many the event type gives to new ones.
 */
function slotsToJoin(request: SlotRequest): OpenSlot[] {
  const { eventType, seated, lengthInMinutes, replaces } = request;
  if (!eventType.seats || seated.length === 0) return [];
  const allowed = allowedStarts(RULES_OF_ALL_STARTS, request);
  const open = seated.filter(
    ({ id, start, end, taken, perSlot }) =>
      id !== replaces?.id && taken < perSlot && end - start === lengthInMinutes * MINUTE && isIn(allowed, start),
  );
  const fullest = new Map(
    open.toSorted((a, b) => seatsLeftIn(b) - seatsLeftIn(a)).map((booking) => [booking.start, booking]),
  );
  return [...fullest.values()].map((booking) => {
    const { id, start, end } = booking;
    return { start, end, seatsLeft: seatsLeftIn(booking), joins: id };
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
