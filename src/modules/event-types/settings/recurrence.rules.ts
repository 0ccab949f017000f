import { instantAt } from '../../../core/instant.ts';
import type { Mistake } from '../../../core/problem.ts';

export const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** A booking that is made `occurrences` times, every `interval` days, weeks, months or years. */
export interface Recurrence {
  readonly frequency: Frequency;
  readonly interval: number;
  readonly occurrences: number;
}

/** The most bookings that one request makes. */
export const MAX_OCCURRENCES = 52;

const UNIT_OF = { DAILY: 'days', WEEKLY: 'weeks', MONTHLY: 'months', YEARLY: 'years' } as const;

/**
 * When each booking of a series starts, in epoch milliseconds; `start` is the first. All start at the same time on the
 * wall clock of `timeZone`. Each is counted from the first, so that a series from 31 January takes the last day of a
 * shorter month and comes back to the 31st. A time that the clock skips moves on by as much as it skips, as in
 * RFC 5545 §3.3.5.
 */
export function occurrencesOf(start: number, recurrence: Recurrence, timeZone: string): readonly number[] {
  const first = instantAt(start).toZonedDateTimeISO(timeZone);
  const { frequency, interval, occurrences } = recurrence;
  return Array.from(
    { length: Math.min(occurrences, MAX_OCCURRENCES) },
    (_, index) => first.add({ [UNIT_OF[frequency]]: interval * index }).epochMilliseconds,
  );
}

/** How many bookings one request makes: as many as are wanted, or all. */
export function recurrenceWanted(recurrence: Recurrence, occurrences: number | null): Recurrence {
  return { ...recurrence, occurrences: occurrences ?? recurrence.occurrences };
}

/** Checks a number of occurrences; null is all that there are, one where nothing recurs. */
export function occurrencesMistakes(recurrence: Recurrence | null, occurrences: number | null): Mistake[] {
  const most = recurrence?.occurrences ?? 1;
  if (occurrences === null || (Number.isInteger(occurrences) && 1 <= occurrences && occurrences <= most)) return [];
  const message = `${occurrences} occurrences are not offered; ask for 1 to ${most}.`;
  return [{ code: 'OCCURRENCES_NOT_OFFERED', message, path: ['occurrences'] }];
}
