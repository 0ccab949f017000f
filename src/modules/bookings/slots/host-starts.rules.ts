import { differenceOf, type Interval, type IntervalSet, MINUTE, unionOf } from '../../schedules/interval.rules.ts';
import { type WorkingWindow, workingWindows } from '../../schedules/working-hours.rules.ts';
import { type Host, type OccupiedTime, type SlotRequest, timeToKnow } from './slot-request.rules.ts';
import { startsWithin } from './start-rules.rules.ts';

/** When one host can start, and the windows that the grid of slots is counted in. */
export interface HostStarts {
  readonly userId: string;
  readonly windows: readonly WorkingWindow[];
  readonly starts: IntervalSet;
}

/**
 * The starts at which this host works for the whole length and nothing else is in the way. Out of office takes hours
 * away, and windows that touch (over midnight, over a jump of the clock) are one stretch of work. Buffers need not be
 * working hours, but must be free: they keep apart from other bookings' buffers, which is what the database refuses too.
 */
export function hostStarts(host: Host, request: SlotRequest): HostStarts {
  const { eventType, range, lengthInMinutes } = request;
  const known = timeToKnow(eventType, range, lengthInMinutes);
  // The host's known absences may reach far beyond the time that is looked at, such as to the end of a series.
  const hasPart = ({ start, end }: Interval): boolean => start < known.end && known.start < end;
  const windows = workingWindows(host.schedule, known);
  const hours = differenceOf(unionOf(windows), unionOf(host.outOfOffice.filter(hasPart)));
  const inTheWay = [
    ...host.occupied.filter((time) => hasPart(time) && !isOwn(time, request)),
    ...host.busy.filter(hasPart),
  ];
  const starts = differenceOf(unionOf(startsWithin(hours, request)), blockedStarts(inTheWay, request));
  return { userId: host.userId, windows, starts };
}

/** The starts whose time with its buffers would overlap something; one that only touches it is free. */
function blockedStarts(inTheWay: readonly Interval[], { eventType, lengthInMinutes }: SlotRequest): IntervalSet {
  const before = eventType.bufferBeforeInMinutes * MINUTE;
  const lengthAndAfter = (lengthInMinutes + eventType.bufferAfterInMinutes) * MINUTE;
  return unionOf(
    inTheWay.filter(isNotEmpty).map(({ start, end }) => ({ start: start - lengthAndAfter + 1, end: end + before })),
  );
}

function isOwn({ bookingId, reservationId }: OccupiedTime, { replaces, reservationId: own }: SlotRequest): boolean {
  return (
    (bookingId !== undefined && bookingId === replaces?.id) || (reservationId !== undefined && reservationId === own)
  );
}

function isNotEmpty({ start, end }: Interval): boolean {
  return start < end;
}
