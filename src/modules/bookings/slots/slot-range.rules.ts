import type { Mistake } from '../../../core/problem.ts';

export const SLOT_RANGE_CODES = ['INVERTED_RANGE', 'RANGE_TOO_LONG', 'TOO_FAR_AHEAD'] as const;

export const MAX_DAYS = 93;
const MAX_YEARS_AHEAD = 11;

/**
 * Checks the range of a question for slots: three months at a time bound what it costs. Without `now`, it checks only
 * what is wrong at any time.
 */
export function slotRangeMistakes(
  start: Temporal.Instant,
  end: Temporal.Instant,
  now?: Temporal.Instant,
  path: readonly string[] = ['end'],
): readonly Mistake[] {
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
