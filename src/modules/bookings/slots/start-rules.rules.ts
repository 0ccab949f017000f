import { type CountedPeriod, hasRoom, isLimited, LIMIT_UNITS } from '../../event-types/settings/booking-limit.rules.ts';
import { bookableTime } from '../../event-types/settings/booking-window.rules.ts';
import {
  ALWAYS,
  type Interval,
  type IntervalSet,
  intersectionOf,
  MINUTE,
  unionOf,
} from '../../schedules/interval.rules.ts';
import type { SlotRequest } from './slot-request.rules.ts';

/** A rule about starts that does not ask who attends. The codes and advice are those of a start that it forbids. */
export interface StartRule {
  readonly code: 'SLOT_IN_PAST' | 'NOTICE_TOO_SHORT' | 'OUTSIDE_BOOKING_WINDOW' | 'LIMIT_REACHED';
  readonly because: string;
  readonly starts: (request: SlotRequest) => IntervalSet;
}

/** Rules for every slot, in the order in which a refusal names them. */
export const RULES_OF_ALL_STARTS: readonly StartRule[] = [
  {
    code: 'SLOT_IN_PAST',
    because: 'is over; choose a later one',
    starts: ({ now }) => [{ start: now, end: Infinity }],
  },
  {
    code: 'NOTICE_TOO_SHORT',
    because: 'is too soon for the notice that this event type wants; choose a later one',
    starts: ({ now, eventType, heldStart }) =>
      unionOf([
        { start: now + eventType.minimumBookingNoticeInMinutes * MINUTE, end: Infinity },
        ...(heldStart === undefined ? [] : [{ start: heldStart, end: heldStart + 1 }]),
      ]),
  },
  {
    code: 'OUTSIDE_BOOKING_WINDOW',
    because: 'is outside the dates for which this event type can be booked; ask for its slots',
    starts: startsInBookingWindow,
  },
];

/** A seat in a booking that exists adds no booking, so the limits are no matter of seats. */
export const RULES_OF_NEW_BOOKINGS: readonly StartRule[] = [
  ...RULES_OF_ALL_STARTS,
  {
    code: 'LIMIT_REACHED',
    because: 'falls in a period in which no more can be booked; choose another day, week, month or year',
    starts: startsWithinLimits,
  },
];

/** The starts that all of the rules allow, within the range. */
export function allowedStarts(rules: readonly StartRule[], request: SlotRequest): IntervalSet {
  return rules.map(({ starts }) => starts(request)).reduce(intersectionOf, unionOf([request.range]));
}

/** The starts from which a slot of this length ends within the time. Milliseconds are whole, so the last start is one before the end. */
export function startsWithin(time: IntervalSet, { lengthInMinutes }: SlotRequest): Interval[] {
  const length = lengthInMinutes * MINUTE;
  return time.map(({ start, end }) => ({ start, end: end - length + 1 })).filter(({ start, end }) => start < end);
}

function startsInBookingWindow(request: SlotRequest): IntervalSet {
  const { bookingWindow, timeZone } = request.eventType;
  if (!bookingWindow) return ALWAYS;
  return startsWithin(unionOf([bookableTime(bookingWindow, request.now, timeZone)]), request);
}

function startsWithinLimits({ eventType, counted, lengthInMinutes, replaces }: SlotRequest): IntervalSet {
  let starts = ALWAYS;
  for (const unit of LIMIT_UNITS) {
    const limit = eventType.bookingLimits[unit];
    if (!isLimited(limit)) continue;
    const periods = counted.filter((period) => period.unit === unit);
    const open = periods.filter((period) => hasRoom(withoutReplaced(period, replaces), limit, lengthInMinutes));
    starts = intersectionOf(starts, unionOf(open));
  }
  return starts;
}

function withoutReplaced(period: CountedPeriod, replaced: SlotRequest['replaces']): CountedPeriod {
  if (!replaced || replaced.start < period.start || period.end <= replaced.start) return period;
  const minutes = (replaced.end - replaced.start) / MINUTE;
  return { ...period, count: period.count - 1, minutes: period.minutes - minutes };
}
