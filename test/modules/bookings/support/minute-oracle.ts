import type { Host, SlotRequest } from '../../../../src/modules/bookings/slots/open-slots.rules.ts';
import { LIMIT_UNITS, type LimitUnit } from '../../../../src/modules/event-types/settings/booking-limit.rules.ts';
import type { Interval } from '../../../../src/modules/schedules/interval.rules.ts';
import { type Schedule, WEEK_DAYS, type WeekDay } from '../../../../src/modules/schedules/schedule.rules.ts';

const MINUTE = 60_000;

export interface MinuteSlot {
  readonly start: number;
  readonly hostIds: readonly string[];
}

/**
 * The slots of a request by looking at one minute after the other, slowly and without any idea of intervals: every
 * question is asked of the wall clock that the zone shows in that very minute. Seats that join a booking are left out.
 * All times must be whole minutes. `bookings` are those that count for the limits.
 */
export function slotsByMinute(request: SlotRequest, bookings: readonly Interval[]): readonly MinuteSlot[] {
  const found: MinuteSlot[] = [];
  for (let start = request.range.start; start < request.range.end; start += MINUTE) {
    const hostIds = parties(request)
      .filter((party) => canMeet(request, party, start))
      .flatMap((party) => party.map(({ userId }) => userId));
    if (hostIds.length > 0 && isAllowed(request, start, bookings))
      found.push({ start, hostIds: [...new Set(hostIds)] });
  }
  return found;
}

function isAllowed(request: SlotRequest, start: number, bookings: readonly Interval[]): boolean {
  const { eventType, now, durationInMinutes } = request;
  if (start < now + eventType.minimumBookingNoticeInMinutes * MINUTE) return false;
  const minutes = Array.from({ length: durationInMinutes }, (_, index) => start + index * MINUTE);
  if (!minutes.every((minute) => isInBookingWindow(request, minute))) return false;
  return LIMIT_UNITS.every((unit) => {
    const limit = eventType.bookingLimits[unit];
    const period = periodOf(request, unit, start);
    const others = bookings.filter((booking) => periodOf(request, unit, booking.start) === period);
    const booked = others.reduce((sum, booking) => sum + (booking.end - booking.start) / MINUTE, 0);
    const isCountReached = limit?.maxBookings != null && others.length >= limit.maxBookings;
    const isTimeReached = limit?.maxMinutes != null && booked + durationInMinutes > limit.maxMinutes;
    return !isCountReached && !isTimeReached;
  });
}

function isInBookingWindow({ eventType, now }: SlotRequest, minute: number): boolean {
  const window = eventType.bookingWindow;
  if (!window) return true;
  const today = clockAt(eventType.timeZone, now).date;
  const date = clockAt(eventType.timeZone, minute).date;
  if (window.type === 'DATE_RANGE') return window.firstDate <= date && date <= window.lastDate;
  if (date < today) return false;
  if (window.type === 'ROLLING_DAYS') {
    return Temporal.PlainDate.from(today).until(date, { largestUnit: 'days' }).days <= window.days;
  }
  let businessDays = 0;
  let day = Temporal.PlainDate.from(today);
  while (businessDays < window.days) {
    day = day.add({ days: 1 });
    if (day.dayOfWeek <= 5) businessDays += 1;
  }
  return date <= day.toString();
}

function periodOf({ eventType }: SlotRequest, unit: LimitUnit, instant: number): string {
  const date = Temporal.PlainDate.from(clockAt(eventType.timeZone, instant).date);
  if (unit === 'day') return date.toString();
  if (unit === 'month') return date.toPlainYearMonth().toString();
  if (unit === 'year') return String(date.year);
  let first = date;
  while (weekDayOf(first) !== eventType.weekStart) first = first.subtract({ days: 1 });
  return first.toString();
}

function parties({ hosts, eventType }: SlotRequest): readonly (readonly Host[])[] {
  if (eventType.schedulingType !== 'ROUND_ROBIN') return [hosts];
  const mandatory = hosts.filter(({ isMandatory }) => isMandatory);
  const others = hosts.filter(({ isMandatory }) => !isMandatory);
  return others.length === 0 ? [mandatory] : others.map((host) => [...mandatory, host]);
}

function canMeet(request: SlotRequest, party: readonly Host[], start: number): boolean {
  const { eventType, durationInMinutes } = request;
  // The one that opened last of the windows in which they meet gives the grid; NaN when somebody has none.
  const sinceOpening = Math.min(...party.map((host) => minutesSinceOpening(host.schedule, start) ?? NaN));
  const isOnGrid = sinceOpening % (eventType.slotIntervalInMinutes ?? durationInMinutes) === 0;
  return isOnGrid && party.every((host) => works(host, start, durationInMinutes) && isFree(request, host, start));
}

function works(host: Host, start: number, durationInMinutes: number): boolean {
  for (let minute = start; minute < start + durationInMinutes * MINUTE; minute += MINUTE) {
    if (minutesSinceOpening(host.schedule, minute) === undefined) return false;
    if (host.outOfOffice.some((absence) => absence.start <= minute && minute < absence.end)) return false;
  }
  return true;
}

function isFree(
  { eventType, durationInMinutes, replaces, reservationId }: SlotRequest,
  host: Host,
  start: number,
): boolean {
  const from = start - eventType.bufferBeforeInMinutes * MINUTE;
  const until = start + (durationInMinutes + eventType.bufferAfterInMinutes) * MINUTE;
  const others = host.occupied.filter(
    (time) => !(replaces && time.bookingId === replaces.id) && !(reservationId && time.reservationId === reservationId),
  );
  const taken = [...others, ...host.busy];
  for (let minute = from; minute < until; minute += MINUTE) {
    if (taken.some((time) => time.start <= minute && minute < time.end)) return false;
  }
  return true;
}

/** How far the wall clock has gone on since the hours began in which this minute is; undefined outside of all hours. */
function minutesSinceOpening(schedule: Schedule, instant: number): number | undefined {
  const { date, minuteOfDay } = clockAt(schedule.timeZone, instant);
  const known = daysBySchedule.get(schedule) ?? new Map<string, Day>();
  daysBySchedule.set(schedule, known);
  const day = known.get(date) ?? dayOf(schedule, date);
  known.set(date, day);
  return day[minuteOfDay];
}

/** For each minute of a date's wall clock: for how many minutes it has been working time; undefined when it is not. */
type Day = readonly (number | undefined)[];
const daysBySchedule = new WeakMap<Schedule, Map<string, Day>>();

function dayOf({ availability, overrides }: Schedule, date: string): Day {
  const weekDay = weekDayOf(Temporal.PlainDate.from(date));
  const ofDate = overrides.filter((override) => override.date.toString() === date);
  const ofWeek = availability.filter(({ days }) => days.includes(weekDay));
  const hours = (ofDate.length > 0 ? ofDate : ofWeek).flatMap(({ start, end }) => {
    if (!start || !end) return [];
    const from = start.hour * 60 + start.minute;
    return [{ from, until: end.toString() === '00:00:00' ? 1_440 : end.hour * 60 + end.minute }];
  });
  const day: (number | undefined)[] = [];
  for (let minute = 0; minute < 1_440; minute += 1) {
    const isWorking = hours.some(({ from, until }) => from <= minute && minute < until);
    const before = day[minute - 1];
    day.push(isWorking ? (before === undefined ? 0 : before + 1) : undefined);
  }
  return day;
}

interface WallClock {
  readonly date: string;
  readonly minuteOfDay: number;
}

const clocks = new Map<string, Map<number, WallClock>>();

/** Reads the zone's wall clock. Remembered, because the same minutes are looked at thousands of times. */
function clockAt(timeZone: string, instant: number): WallClock {
  const known = clocks.get(timeZone) ?? new Map<number, WallClock>();
  clocks.set(timeZone, known);
  const clock = known.get(instant) ?? readClock(timeZone, instant);
  known.set(instant, clock);
  return clock;
}

function readClock(timeZone: string, instant: number): WallClock {
  const local = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone);
  return { date: local.toPlainDate().toString(), minuteOfDay: local.hour * 60 + local.minute };
}

function weekDayOf(date: Temporal.PlainDate): WeekDay {
  const day = WEEK_DAYS[date.dayOfWeek - 1];
  if (!day) throw new Error(`${date.toString()} has no weekday.`);
  return day;
}
