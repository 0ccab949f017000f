import type { Interval } from '../../../../src/modules/schedules/interval.rules.ts';
import {
  availabilityFrom,
  overridesFrom,
  type Schedule,
  WEEK_DAYS,
} from '../../../../src/modules/schedules/schedule.rules.ts';

/** An instant as epoch milliseconds. */
export function at(text: string): number {
  return Temporal.Instant.from(text).epochMilliseconds;
}

/** An interval between two instants, such as `2026-06-15T09:00Z/2026-06-15T10:00Z`. */
export function between(text: string): Interval {
  const [start = '', end = ''] = text.split('/');
  return { start: at(start), end: at(end) };
}

/** Every day at these hours (`09:00-12:00`), with overrides such as `{ '2026-06-15': ['10:00-11:00'] }`; none is a day off. */
export function aSchedule(
  timeZone: string,
  hours: readonly string[],
  overrides: Readonly<Record<string, readonly string[]>> = {},
): Schedule {
  return {
    timeZone,
    availability: availabilityFrom(hours.map((text) => ({ days: WEEK_DAYS, ...startAndEnd(text) }))),
    overrides: overridesFrom(
      Object.entries(overrides).flatMap(([date, list]) =>
        list.length === 0 ? [{ date }] : list.map((text) => ({ date, ...startAndEnd(text) })),
      ),
    ),
  };
}

function startAndEnd(text: string): { start: string; end: string } {
  const [start = '', end = ''] = text.split('-');
  return { start, end };
}
