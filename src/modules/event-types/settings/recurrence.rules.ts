import { instantAt } from '../../../core/instant.ts';

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
