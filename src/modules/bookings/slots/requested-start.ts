import { instantAt } from '../../../core/instant.ts';
import { Problem } from '../../../core/problem.ts';
import { startMistake } from './slot-range.rules.ts';

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
