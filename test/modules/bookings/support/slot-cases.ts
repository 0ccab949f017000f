import * as fc from 'fast-check';
import type { Host, OccupiedTime, SlotRequest } from '../../../../src/modules/bookings/slots/open-slots.rules.ts';
import { type BookingLimits, limitPeriods } from '../../../../src/modules/event-types/settings/booking-limit.rules.ts';
import type { BookingWindow } from '../../../../src/modules/event-types/settings/booking-window.rules.ts';
import type { EventTypeRules } from '../../../../src/modules/event-types/settings/scheduling.rules.ts';
import type { Interval } from '../../../../src/modules/schedules/interval.rules.ts';
import {
  type DateOverride,
  type Schedule,
  WEEK_DAYS,
  type WeeklyHours,
} from '../../../../src/modules/schedules/schedule.rules.ts';
import { countInto } from '../../event-types/support/count-into.ts';
import { aHost, anEventType } from './a-slot-request.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

/** A request, and the bookings that it counts for its limits. */
export interface SlotCase {
  readonly request: SlotRequest;
  readonly bookings: readonly Interval[];
}

/** Where and from when a case looks. */
export interface Scene {
  readonly zones: readonly string[];
  /** A UTC midnight in the middle of which, give or take a day, something happens to the clocks. */
  readonly start: number;
}

/** Clocks that jump forward, back, by half an hour, over midnight, by a whole day, or not at all. */
export const SCENES: readonly Scene[] = [
  aScene('2026-06-15', 'UTC', 'Asia/Kolkata', 'America/New_York'),
  aScene('2026-03-28', 'Europe/Berlin', 'Europe/London', 'Asia/Kathmandu'),
  aScene('2026-10-24', 'Europe/Berlin', 'Europe/Lisbon', 'America/New_York'),
  aScene('2026-03-07', 'America/New_York', 'America/St_Johns', 'Europe/Berlin'),
  aScene('2026-10-31', 'America/New_York', 'America/Los_Angeles'),
  aScene('2026-04-04', 'Australia/Lord_Howe', 'Australia/Sydney', 'Pacific/Chatham'),
  aScene('2026-10-03', 'Australia/Lord_Howe', 'Australia/Adelaide', 'Asia/Tokyo'),
  aScene('2011-12-29', 'Pacific/Apia', 'Pacific/Fakaofo', 'Pacific/Auckland'),
  aScene('2024-04-25', 'Africa/Cairo', 'Asia/Gaza'),
  aScene('2024-10-31', 'Africa/Cairo', 'Europe/Berlin'),
  aScene('2024-03-30', 'Asia/Beirut', 'America/Nuuk', 'Antarctica/Troll'),
  aScene('2026-04-04', 'America/Santiago', 'Pacific/Easter'),
  aScene('2026-09-05', 'America/Santiago', 'America/Asuncion'),
  aScene('2026-02-14', 'Africa/Casablanca', 'UTC'),
];

function aScene(date: string, ...zones: readonly [string, ...string[]]): Scene {
  return { zones, start: Temporal.Instant.from(`${date}T00:00Z`).epochMilliseconds };
}

/** Random rules, hosts, hours, bookings and absences at whole minutes, around the scene's start. */
export function slotCases({ zones, start }: Scene): fc.Arbitrary<SlotCase> {
  return fc
    .record({
      eventType: eventTypes(start, zones),
      hosts: fc.array(hosts(start, zones), { minLength: 1, maxLength: 3 }),
      from: minutesAround(start, 0, 24),
      hours: fc.integer({ min: 6, max: 40 }),
      nowBefore: fc.constantFrom(0, 0, 30, 300, 1_440, 2_880),
      bookings: fc.array(intervals(start, -24, 72, 180), { maxLength: 6 }),
      replaced: fc.constantFrom('own', 'none'),
      reservationId: fc.constantFrom('mine', null),
    })
    .map(({ eventType, hosts, from, hours, nowBefore, bookings, replaced, reservationId }) => {
      const range = { start: from, end: from + hours * 60 * MINUTE };
      const periods = limitPeriods(eventType.bookingLimits, eventType, range);
      const own = bookings[0];
      const replaces = replaced === 'own' && own ? { id: 'own', hostIds: [], ...own } : null;
      const request: SlotRequest = {
        eventType,
        hosts: hosts.map((host, index) => ({ ...host, userId: `host-${index}` })),
        range,
        now: from - nowBefore * MINUTE,
        durationInMinutes: eventType.durationInMinutes,
        counted: countInto(periods, bookings),
        seated: [],
        replaces,
        reservationId,
      };
      // The booking that is replaced counts no longer.
      return { request, bookings: replaces ? bookings.slice(1) : bookings };
    });
}

function eventTypes(start: number, zones: readonly string[]): fc.Arbitrary<EventTypeRules> {
  return fc
    .record({
      durationInMinutes: fc.constantFrom(15, 20, 30, 45, 60, 90, 240),
      slotIntervalInMinutes: fc.constantFrom(null, 10, 15, 30, 50, 60),
      minimumBookingNoticeInMinutes: fc.constantFrom(0, 0, 60, 600),
      bufferBeforeInMinutes: fc.constantFrom(0, 0, 5, 30),
      bufferAfterInMinutes: fc.constantFrom(0, 0, 10, 45),
      bookingWindow: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: windows(start) }),
      bookingLimits: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: limits() }),
      schedulingType: fc.constantFrom(null, 'ROUND_ROBIN', 'COLLECTIVE'),
      timeZone: fc.constantFrom(...zones),
      weekStart: fc.constantFrom(...WEEK_DAYS),
    })
    .map(anEventType);
}

function windows(start: number): fc.Arbitrary<BookingWindow> {
  const date = fc.integer({ min: -1, max: 3 }).map((days) => new Date(start + days * DAY).toISOString().slice(0, 10));
  return fc.oneof(
    fc.record({ type: fc.constant('ROLLING_DAYS'), days: fc.integer({ min: 1, max: 2 }) }),
    fc.record({ type: fc.constant('BUSINESS_DAYS'), days: fc.integer({ min: 1, max: 6 }) }),
    fc.tuple(date, date).map((dates): BookingWindow => {
      const [from = '', to = ''] = dates.toSorted();
      return { type: 'DATE_RANGE', firstDate: from, lastDate: to };
    }),
  );
}

function limits(): fc.Arbitrary<BookingLimits> {
  const limit = fc.constantFrom(
    null,
    { maxBookings: 1 },
    { maxBookings: 3 },
    { maxMinutes: 120 },
    { maxBookings: 4, maxMinutes: 240 },
  );
  return fc.record({ day: limit, week: limit, month: limit, year: limit });
}

function hosts(start: number, zones: readonly string[]): fc.Arbitrary<Host> {
  const occupied: fc.Arbitrary<OccupiedTime> = fc
    .tuple(intervals(start, -24, 72, 240), fc.constantFrom({}, { bookingId: 'own' }, { reservationId: 'mine' }))
    .map(([time, holder]) => ({ ...time, ...holder }));
  return fc
    .record({
      schedule: schedules(start, zones),
      occupied: fc.array(occupied, { maxLength: 6 }),
      busy: fc.array(intervals(start, -24, 72, 120), { maxLength: 4 }),
      outOfOffice: fc.array(intervals(start, -24, 72, 600), { maxLength: 1 }),
      isMandatory: fc.boolean(),
    })
    .map(aHost);
}

function schedules(start: number, zones: readonly string[]): fc.Arbitrary<Schedule> {
  const weekly: fc.Arbitrary<WeeklyHours> = fc
    .tuple(fc.subarray([...WEEK_DAYS], { minLength: 3 }), hoursOfDay())
    .map(([days, hours]) => ({ days, ...hours }));
  const override: fc.Arbitrary<DateOverride> = fc
    .tuple(fc.integer({ min: -1, max: 3 }), fc.oneof(hoursOfDay(), fc.constant({ start: null, end: null })))
    .map(([days, hours]) => ({
      date: Temporal.PlainDate.from(new Date(start + days * DAY).toISOString().slice(0, 10)),
      ...hours,
    }));
  return fc.record({
    timeZone: fc.constantFrom(...zones),
    availability: fc.array(weekly, { maxLength: 4 }),
    overrides: fc.array(override, { maxLength: 3 }),
  });
}

/** Often the whole day or the small hours, which is where clocks jump. */
export function hoursOfDay(): fc.Arbitrary<{ start: Temporal.PlainTime; end: Temporal.PlainTime }> {
  const quarter = fc.integer({ min: 0, max: 96 }).map((count) => count * 15);
  const odd = fc.constantFrom(1, 7, 55, 95, 137, 1_439);
  const pair = fc.tuple(fc.oneof(quarter, odd), fc.oneof(quarter, odd)).filter(([a, b]) => a !== b);
  const whole = fc.constantFrom<[number, number]>([0, 1_440], [0, 240], [0, 600], [1_320, 1_440], [540, 1_020]);
  return fc.oneof(pair, whole).map(([a, b]) => ({ start: wallTime(Math.min(a, b)), end: wallTime(Math.max(a, b)) }));
}

function wallTime(minute: number): Temporal.PlainTime {
  return new Temporal.PlainTime(Math.floor(minute / 60) % 24, minute % 60);
}

function minutesAround(start: number, fromHour: number, toHour: number): fc.Arbitrary<number> {
  return fc.integer({ min: fromHour * 12, max: toHour * 12 }).map((count) => start + count * 5 * MINUTE);
}

function intervals(start: number, fromHour: number, toHour: number, maxMinutes: number): fc.Arbitrary<Interval> {
  return fc
    .tuple(minutesAround(start, fromHour, toHour), fc.integer({ min: 0, max: maxMinutes / 5 }))
    .map(([from, length]) => ({ start: from, end: from + length * 5 * MINUTE }));
}
