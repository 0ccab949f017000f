import type { Interval } from '../../schedules/interval.rules.ts';
import { slotAtInSteps } from './open-slots.rules.ts';
import type { Host, SlotRequest } from './slot-request.rules.ts';

/** A possible booking at a start: its time, its hosts, and the booking whose seat it takes, if any. */
export interface Assignment extends Interval {
  readonly hostIds: readonly string[];
  readonly joins: string | null;
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
