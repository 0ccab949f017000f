import type { CountedPeriod, LimitPeriod } from '../../../../src/modules/event-types/settings/booking-limit.rules.ts';
import type { Interval } from '../../../../src/modules/schedules/interval.rules.ts';

const MINUTE = 60_000;

/** Counts bookings into periods, as the database does for real ones. */
export function countInto(periods: readonly LimitPeriod[], bookings: readonly Interval[]): readonly CountedPeriod[] {
  return periods.map((period) => {
    const inside = bookings.filter(({ start }) => period.start <= start && start < period.end);
    const lasting = inside.reduce((sum, { start, end }) => sum + (end - start), 0);
    return { ...period, count: inside.length, minutes: lasting / MINUTE };
  });
}
