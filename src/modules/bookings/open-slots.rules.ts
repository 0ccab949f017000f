import { lengthsOf } from '../event-types/event-type-scheduling.rules.ts';
import { type IntervalSet, intersectionOf, isIn, MINUTE } from '../schedules/interval.rules.ts';
import { commonWindows, type WorkingWindow } from '../schedules/working-hours.rules.ts';
import { type HostStarts, hostStarts } from './host-starts.rules.ts';
import type { SeatedBooking, Slot, SlotRequest } from './slot-request.rules.ts';
import { allowedStarts, RULES_OF_ALL_STARTS, RULES_OF_NEW_BOOKINGS } from './start-rules.rules.ts';

/** Hosts who attend together, and when they can. */
interface Party {
  readonly userIds: readonly string[];
  readonly windows: readonly WorkingWindow[];
  readonly starts: IntervalSet;
}

/**
 * When an event type can be booked, in order: the one answer for the list of slots and for the booking.
 *
 * Every rule is a set of starts, and what is open is what they have in common, met with the grid: a slot starts when
 * the wall clock of its host has gone on by a multiple of the interval since the working window opened. With round robin
 * each host has a grid of their own; people who attend together share that of the window that opened last.
 */
export function openSlots(request: SlotRequest): readonly Slot[] {
  if (!lengthsOf(request.eventType).includes(request.lengthInMinutes)) return [];
  const joinable = slotsToJoin(request);
  const slots = newSlots(request);
  if (joinable.length === 0) return slots;
  // One slot a start: people are seated together before another booking is begun.
  const starts = new Set(joinable.map(({ start }) => start));
  return [...joinable, ...slots.filter(({ start }) => !starts.has(start))].toSorted((a, b) => a.start - b.start);
}

/** The slot that starts exactly then, found as the list finds it; undefined when it is not open. */
export function slotAt(request: SlotRequest, start: number): Slot | undefined {
  return openSlots({ ...request, range: { start, end: start + 1 } })[0];
}

export function isOpen(request: SlotRequest, start: number): boolean {
  return slotAt(request, start) !== undefined;
}

function newSlots(request: SlotRequest): Slot[] {
  const allowed = allowedStarts(RULES_OF_NEW_BOOKINGS, request);
  if (allowed.length === 0) return [];
  const length = request.lengthInMinutes * MINUTE;
  const interval = (request.eventType.slotIntervalInMinutes ?? request.lengthInMinutes) * MINUTE;
  const hostIdsByStart = new Map<number, string[]>();
  for (const { userIds, windows, starts } of partiesOf(request)) {
    for (const start of startsOnGrid(windows, intersectionOf(starts, allowed), interval)) {
      const hostIds = hostIdsByStart.get(start);
      if (!hostIds) hostIdsByStart.set(start, [...userIds]);
      // Those who are in every party were added with the first.
      else hostIds.push(userIds.at(-1) ?? '');
    }
  }
  const seatsLeft = request.eventType.seats?.perSlot ?? null;
  return [...hostIdsByStart]
    .toSorted(([a], [b]) => a - b)
    .map(([start, hostIds]) => ({ start, end: start + length, hostIds, seatsLeft, joins: null }));
}

/**
 * A booking with seats left stands, whatever became of its hosts' hours: its seats are open as long as its time is. It has
 * as many as were promised to those who sit in it, however many the event type gives to new ones.
 */
function slotsToJoin(request: SlotRequest): Slot[] {
  const { eventType, seated, lengthInMinutes, replaces } = request;
  if (!eventType.seats || seated.length === 0) return [];
  const allowed = allowedStarts(RULES_OF_ALL_STARTS, request);
  const open = seated.filter(
    ({ uid, start, end, taken, perSlot }) =>
      uid !== replaces?.uid && taken < perSlot && end - start === lengthInMinutes * MINUTE && isIn(allowed, start),
  );
  const fullest = new Map(
    open.toSorted((a, b) => seatsLeftIn(b) - seatsLeftIn(a)).map((booking) => [booking.start, booking]),
  );
  return [...fullest.values()].map((booking) => {
    const { uid, start, end, hostIds } = booking;
    return { start, end, hostIds, seatsLeft: seatsLeftIn(booking), joins: uid };
  });
}

function seatsLeftIn({ perSlot, taken }: SeatedBooking): number {
  return perSlot - taken;
}

/** Who could attend together: all of them, or, with round robin, the mandatory hosts and each of the others in turn. */
function partiesOf(request: SlotRequest): Party[] {
  const { hosts, eventType } = request;
  if (hosts.length === 0 || eventType.schedulingType === 'MANAGED') return [];
  const isRoundRobin = eventType.schedulingType === 'ROUND_ROBIN';
  const always = hosts.filter(({ isMandatory }) => !isRoundRobin || isMandatory);
  const inTurn = hosts.filter(({ isMandatory }) => isRoundRobin && !isMandatory);
  const together = always.map((host) => hostStarts(host, request)).reduce(joined, undefined);
  if (inTurn.length === 0) return together ? [together] : [];
  return inTurn.map((host) => joined(together, hostStarts(host, request)));
}

function joined(party: Party | undefined, { userId, windows, starts }: HostStarts): Party {
  if (!party) return { userIds: [userId], windows, starts };
  return {
    userIds: [...party.userIds, userId],
    windows: commonWindows(party.windows, windows),
    starts: intersectionOf(party.starts, starts),
  };
}

function startsOnGrid(windows: readonly WorkingWindow[], starts: IntervalSet, interval: number): number[] {
  const found: number[] = [];
  let next = 0;
  for (const window of windows) {
    while (next < starts.length && (starts[next] as { end: number }).end <= window.start) next += 1;
    for (let i = next; i < starts.length; i += 1) {
      const { start, end } = starts[i] as { start: number; end: number };
      if (start >= window.end) break;
      const from = Math.max(start, window.start);
      const until = Math.min(end, window.end);
      const first = window.gridStart + Math.ceil((from - window.gridStart) / interval) * interval;
      for (let at = first; at < until; at += interval) found.push(at);
    }
  }
  return found;
}
