import type { EventTypeRules } from '../../event-types/settings/event-type-scheduling.rules.ts';
import { type Interval, MINUTE } from '../../schedules/interval.rules.ts';

/** The time that a booking takes of its hosts, with the buffers of its event type. */
export function withBuffers(
  { start, end }: Interval,
  { bufferBeforeInMinutes, bufferAfterInMinutes }: EventTypeRules,
): Interval {
  return { start: start - bufferBeforeInMinutes * MINUTE, end: end + bufferAfterInMinutes * MINUTE };
}
