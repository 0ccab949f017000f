import { instantAt } from '../../../core/instant.ts';
import { isLimited, LIMIT_UNITS } from '../../event-types/settings/booking-limit.rules.ts';
import { occurrencesOf, type Recurrence } from '../../event-types/settings/recurrence.rules.ts';
import { type Interval, MINUTE } from '../../schedules/interval.rules.ts';
import { DAY } from '../../schedules/local-time.rules.ts';
import { assignSeriesInSteps } from './booking-series.rules.ts';
import { openSlotsInSteps } from './open-slots.rules.ts';
import { startMistake } from './slot-range.rules.ts';
import type { OpenSlot, SlotRequest } from './slot-request.rules.ts';

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
    const isOpen = !countEachOther(request, series) || (yield* assignSeriesInSteps(request, series)).kind === 'OPEN';
    if (isOpen) found.push(slot);
    yield;
  }
  return found;
}

function isTooFar(at: number, now: number): boolean {
  return startMistake([], instantAt(at), instantAt(now)) !== undefined;
}

/** By a limit, or because one lasts, with its buffers, until the next. */
function countEachOther({ eventType, lengthInMinutes }: SlotRequest, starts: readonly number[]): boolean {
  if (LIMIT_UNITS.some((unit) => isLimited(eventType.bookingLimits[unit]))) return true;
  const minutes = eventType.bufferBeforeInMinutes + lengthInMinutes + eventType.bufferAfterInMinutes;
  return starts.some((start, place) => place > 0 && start - (starts[place - 1] ?? 0) < minutes * MINUTE);
}
