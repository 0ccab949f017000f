import type { Mistake } from '../../core/problem.ts';
import type { ProblemCode } from '../../core/problem-code.ts';
import type { CutOff, EventTypeRules } from '../event-types/settings/scheduling.rules.ts';
import { type Interval, MINUTE } from '../schedules/interval.rules.ts';
import type { BookingActor } from './booking-transitions.rules.ts';

export const CUT_OFF_CODES = {
  cancel: ['BOOKING_OVER', 'CANCELLING_DISABLED'],
  reschedule: ['BOOKING_OVER', 'RESCHEDULING_DISABLED'],
} as const;

type Rules = Pick<EventTypeRules, 'disableCancelling' | 'disableRescheduling'>;

/** A booking, the actor who wants to change it, and the time at which they do. */
type Change = readonly [booking: Interval, actor: BookingActor, now: number];

/** Why it is too late to cancel. The cut-off binds attendees, not hosts and admins; what is over is history for all. */
export function cancellingMistake({ disableCancelling }: Rules, ...change: Change): Mistake | undefined {
  return lateMistake('CANCELLING_DISABLED', 'cancelled', disableCancelling, change);
}

/** Why it is too late to reschedule, likewise. */
export function reschedulingMistake({ disableRescheduling }: Rules, ...change: Change): Mistake | undefined {
  return lateMistake('RESCHEDULING_DISABLED', 'rescheduled', disableRescheduling, change);
}

function lateMistake(
  code: ProblemCode,
  done: string,
  cutOff: CutOff | null,
  [booking, actor, now]: Change,
): Mistake | undefined {
  if (booking.end <= now) return over(done);
  return actor === 'UID_HOLDER' && isCutOff(cutOff, booking, now) ? disabled(code, done, cutOff) : undefined;
}

function isCutOff(cutOff: CutOff | null, { start }: Interval, now: number): boolean {
  return cutOff !== null && start - now < (cutOff.minutesBefore ?? Infinity) * MINUTE;
}

function over(done: string): Mistake {
  return { code: 'BOOKING_OVER', message: `The booking is over and can no longer be ${done}.`, path: ['uid'] };
}

function disabled(code: ProblemCode, done: string, cutOff: CutOff | null): Mistake {
  const minutes = cutOff?.minutesBefore;
  const when = minutes == null ? '' : ` in the last ${minutes} minutes before its start`;
  const message = `The booking cannot be ${done} by its attendees${when}; ask a host to do it.`;
  return { code, message, path: ['uid'] };
}
