/** A range whose slots somebody asks for: how long it may be, and at which of its slots a whole series can be booked. */
import { instantAt } from '../../../core/instant.ts';
import type { Mistake } from '../../../core/problem.ts';
import { isLimited, LIMIT_UNITS } from '../../event-types/settings/booking-limit.rules.ts';
import { occurrencesOf, type Recurrence } from '../../event-types/settings/recurrence.rules.ts';
import { type Interval, MINUTE } from '../../schedules/interval.rules.ts';
import { DAY } from '../../schedules/local-time.rules.ts';
import { assignmentsInSteps, startMistake } from './assign-hosts.rules.ts';
import { type OpenSlot, openSlotsInSteps, type SlotRequest, withBuffers } from './open-slots.rules.ts';

export const SLOT_RANGE_CODES = ['INVERTED_RANGE', 'RANGE_TOO_LONG', 'TOO_FAR_AHEAD'] as const;

export const MAX_DAYS = 93;

/**
 * Checks the range of a question for slots: three months at a time bound what it costs. Without `now`, it checks only
 * what is wrong at any time.
 */
export function slotRangeMistakes(
  start: Temporal.Instant,
  end: Temporal.Instant,
  now?: Temporal.Instant,
): readonly Mistake[] {
  const path = ['end'];
  if (Temporal.Instant.compare(start, end) >= 0) {
    const message = `The end ${end.toString()} is not after the start ${start.toString()}; choose a later end.`;
    return [{ code: 'INVERTED_RANGE', message, path }];
  }
  if (end.since(start).total('hours') > MAX_DAYS * 24) {
    const message = `From ${start.toString()} to ${end.toString()} is more than ${MAX_DAYS} days; ask for less at a time.`;
    return [{ code: 'RANGE_TOO_LONG', message, path, bounds: { most: MAX_DAYS } }];
  }
  const farAhead = now && startMistake(path, end, now);
  return farAhead ? [farAhead] : [];
}

/** A month that is too short moves an occurrence by at most three days. */
const MOST_MOVED = 4 * DAY;

/**
 * The range of time in which all occurrences of series lie whose first one starts in `range`. Undefined where the last occurrence
 * is further ahead than anybody plans.
 */
export function rangeOfSeries(
  { start, end }: Interval,
  recurrence: Recurrence,
  timeZone: string,
  now: number,
): Interval | undefined {
  const last = occurrencesOf(start, recurrence, timeZone).at(-1) ?? start;
  if (isTooFar(last - MOST_MOVED, now)) return undefined;
  return { start, end: (occurrencesOf(end, recurrence, timeZone).at(-1) ?? end) + MOST_MOVED };
}

/**
 * The slots in the range at which a whole series can be booked, each occurrence at its time; pausing in between. The request
 * knows all of `rangeOfSeries`. What is open at each occurrence is found once; only where the bookings of one series count
 * against each other is each series decided by itself, as booking it does.
 */
export function* seriesSlotsInSteps(
  request: SlotRequest,
  recurrence: Recurrence,
): Generator<void, readonly OpenSlot[]> {
  const { eventType, range, now } = request;
  const startsOf = (first: number) => occurrencesOf(first, recurrence, eventType.timeZone);
  const [starts, ends] = [startsOf(range.start), startsOf(range.end)];
  let open: { readonly slot: OpenSlot; readonly series: readonly number[] }[] = [];
  for (const slot of yield* openSlotsInSteps(request)) {
    open.push({ slot, series: startsOf(slot.start) });
    yield;
  }
  for (let place = 1; place < starts.length && open.length > 0; place += 1) {
    const [start, end] = [(starts[place] ?? 0) - MOST_MOVED, (ends[place] ?? 0) + MOST_MOVED];
    const there = new Set((yield* openSlotsInSteps({ ...request, range: { start, end } })).map((slot) => slot.start));
    open = open.filter(({ series }) => there.has(series[place] ?? Number.NaN));
    yield;
  }
  const found: OpenSlot[] = [];
  for (const { slot, series } of open) {
    if (isTooFar(series.at(-1) ?? 0, now)) continue;
    const isOpen = !countEachOther(request, series) || (yield* allOpenInSteps(request, series));
    if (isOpen) found.push(slot);
    yield;
  }
  return found;
}

/** By a limit, or because one lasts, with its buffers, until the next. */
function countEachOther({ eventType, durationInMinutes }: SlotRequest, starts: readonly number[]): boolean {
  if (LIMIT_UNITS.some((unit) => isLimited(eventType.bookingLimits[unit]))) return true;
  const taken = withBuffers({ start: 0, end: durationInMinutes * MINUTE }, eventType);
  return starts.some((start, place) => place > 0 && start - (starts[place - 1] ?? 0) < taken.end - taken.start);
}

function* allOpenInSteps(request: SlotRequest, starts: readonly number[]): Generator<void, boolean> {
  return (yield* assignmentsInSteps(request, starts, undefined, true)).found.length === starts.length;
}

function isTooFar(at: number, now: number): boolean {
  return startMistake([], instantAt(at), instantAt(now)) !== undefined;
}
