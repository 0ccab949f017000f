import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Assignment, afterBooking } from '../../../src/modules/bookings/slots/assign-hosts.rules.ts';
import type { Slot, SlotRequest } from '../../../src/modules/bookings/slots/open-slots.rules.ts';
import type { BookingWindow } from '../../../src/modules/event-types/settings/booking-window.rules.ts';
import { type Schedule, WEEK_DAYS } from '../../../src/modules/schedules/schedule.rules.ts';
import { at } from '../schedules/support/a-schedule.ts';
import { aHost, aSlotRequest } from './support/a-slot-request.ts';
import { assignHosts, closedBecause, isOpen } from './support/at-once.ts';
import { openSlots } from './support/open-slots.ts';
import { hoursOfDay, SCENES, slotCases } from './support/slot-cases.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

const anyRequest = fc
  .constantFrom(...SCENES)
  .chain(slotCases)
  .map(({ request }) => request);

/** Some instant of ten years, in any zone there is; every other time shortly before the clocks of the zone jump. */
const anyPlaceAndTime = fc
  .record({
    timeZone: fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
    instant: fc.integer({ min: at('2020-01-01T00:00Z') / MINUTE, max: at('2030-01-01T00:00Z') / MINUTE }),
    seeksJump: fc.boolean(),
  })
  .map(({ timeZone, instant, seeksJump }) => {
    const then = Temporal.Instant.fromEpochMilliseconds(instant * MINUTE).toZonedDateTimeISO(timeZone);
    const jump = seeksJump ? then.getTimeZoneTransition('next') : null;
    return { timeZone, start: jump ? jump.epochMilliseconds - DAY : instant * MINUTE };
  });

test('slots never fall outside schedule and booking window in local time, in ten years of all zones', () => {
  const cases = anyPlaceAndTime.chain(({ timeZone, start }) => {
    const today = dateOf(start, timeZone);
    const override = fc.record({ days: fc.integer({ min: 0, max: 3 }), hours: fc.option(hoursOfDay()) });
    return fc.record({
      timeZone: fc.constant(timeZone),
      start: fc.constant(start),
      hours: fc.array(hoursOfDay(), { minLength: 1, maxLength: 3 }),
      overrides: fc.array(
        override.map(({ days, hours }) => ({ date: today.add({ days }), start: null, end: null, ...hours })),
        { maxLength: 3 },
      ),
      length: fc.constantFrom(15, 30, 60, 180),
      days: fc.constantFrom(1, 2, 3),
    });
  });
  let found = 0;
  fc.assert(
    fc.property(cases, ({ timeZone, start, hours, overrides, length, days }) => {
      const availability = hours.map((one) => ({ days: WEEK_DAYS, ...one }));
      const schedule = { timeZone, availability, overrides };
      const bookingWindow: BookingWindow = { type: 'ROLLING_DAYS', days };
      const request = aSlotRequest({
        eventType: { durationInMinutes: length, timeZone, bookingWindow },
        hosts: [aHost({ schedule })],
        now: start,
        range: { start: start - DAY, end: start + 5 * DAY },
      });
      const last = dateOf(start, timeZone).add({ days });
      for (const slot of openSlots(request)) {
        found += 1;
        expect(slot.start).toBeGreaterThanOrEqual(start);
        for (let minute = slot.start; minute < slot.end; minute += 5 * MINUTE) {
          expect(isWorkingTime(schedule, minute)).toBe(true);
        }
        expect(isWorkingTime(schedule, slot.end - 1)).toBe(true);
        expect(Temporal.PlainDate.compare(dateOf(slot.end - 1, timeZone), last)).toBeLessThanOrEqual(0);
      }
    }),
    { numRuns: 300 },
  );
  expect(found).toBeGreaterThan(1_000);
});

describe('for any request,', () => {
  test('every offered slot is open, and every open one is offered', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const offered = new Set(openSlots(request).map(({ start }) => start));
        for (const start of offered) expect(isOpen(request, start)).toBe(true);
        for (let start = request.range.start; start < request.range.end; start += 15 * MINUTE) {
          expect(isOpen(request, start)).toBe(offered.has(start));
        }
      }),
      { numRuns: 100 },
    );
  });

  test('a start is refused with a reason exactly when it is not open, and only then has nobody to attend', () => {
    fc.assert(
      fc.property(anyRequest, fc.integer({ min: 0, max: 400 }), (request, steps) => {
        const start = request.range.start + steps * 15 * MINUTE;
        const isClosed = !isOpen(request, start);
        expect(closedBecause(request, start) !== undefined).toBe(isClosed);
        expect(assignHosts(request, start) === undefined).toBe(isClosed);
      }),
      { numRuns: 500 },
    );
  });

  test('two parts of a range have the slots of the whole', () => {
    fc.assert(
      fc.property(anyRequest, fc.integer({ min: 1, max: 400 }), (request, steps) => {
        const { start, end } = request.range;
        const middle = Math.min(start + steps * MINUTE, end - 1);
        const parts = [
          { start, end: middle },
          { start: middle, end },
        ].flatMap((range) => openSlots({ ...request, range }));
        expect(parts).toEqual(openSlots(request));
      }),
      { numRuns: 200 },
    );
  });

  test('the order in which hosts, bookings and hours are known does not matter', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const reversed = request.hosts.map((host) => ({
          ...host,
          schedule: { ...host.schedule, availability: host.schedule.availability.toReversed() },
          occupied: host.occupied.toReversed(),
          busy: host.busy.toReversed(),
        }));
        const slots = openSlots({ ...request, hosts: reversed.toReversed(), counted: request.counted.toReversed() });
        expect(withSortedHosts(slots)).toEqual(withSortedHosts(openSlots(request)));
      }),
      { numRuns: 100 },
    );
  });

  test('bookings made one after the other never overlap, and cancelling one gives its slot back', () => {
    fc.assert(
      fc.property(anyRequest, fc.array(fc.nat(), { minLength: 1, maxLength: 20 }), (request, choices) => {
        const states = [request];
        const made: Assignment[] = [];
        for (const choice of choices) {
          const current = states.at(-1) ?? request;
          const slots = openSlots(current);
          const slot = slots[choice % (slots.length || 1)];
          const booking = slot && assignHosts(current, slot.start);
          if (!booking) break;
          expectNoOverlap(current, booking);
          made.push(booking);
          states.push(afterBooking(current, booking, `booking-${made.length}`));
        }
        const [last, before] = [states.at(-1), states.at(-2)];
        const booking = made.at(-1);
        if (!last || !before || !booking || last.replaces) return;
        expect(isOpenFor(last, booking)).toBe(false);
        const replaces = { id: `booking-${made.length}`, ...booking };
        expect(openSlots({ ...last, replaces })).toEqual(openSlots(before));
      }),
      { numRuns: 150 },
    );
  });
});

function withSortedHosts(slots: readonly Slot[]): Slot[] {
  return slots.map((slot) => ({ ...slot, hostIds: slot.hostIds.toSorted() }));
}

/** The database refuses these too: ranges of one host that overlap, buffers included. */
function expectNoOverlap({ hosts, eventType, replaces, reservationId }: SlotRequest, booking: Assignment): void {
  const start = booking.start - eventType.bufferBeforeInMinutes * MINUTE;
  const end = booking.end + eventType.bufferAfterInMinutes * MINUTE;
  for (const host of hosts.filter(({ userId }) => booking.hostIds.includes(userId))) {
    const others = host.occupied.filter(
      (time) =>
        !(time.bookingId !== undefined && time.bookingId === replaces?.id) &&
        !(time.reservationId !== undefined && time.reservationId === reservationId),
    );
    for (const time of [...others, ...host.busy].filter((one) => one.start < one.end)) {
      expect(start < time.end && time.start < end).toBe(false);
    }
  }
}

function isOpenFor(request: SlotRequest, { start, hostIds }: Assignment): boolean {
  const slot = openSlots({ ...request, range: { start, end: start + 1 } })[0];
  return hostIds.every((userId) => slot?.hostIds.includes(userId));
}

function dateOf(instant: number, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone).toPlainDate();
}

function isWorkingTime({ timeZone, availability, overrides }: Schedule, instant: number): boolean {
  const local = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone);
  const [date, time] = [local.toPlainDate(), local.toPlainTime().toString().slice(0, 5)];
  const ofDate = overrides.filter((override) => override.date.equals(date));
  const hours =
    ofDate.length > 0
      ? ofDate
      : availability.filter(({ days }) => days.includes(WEEK_DAYS[date.dayOfWeek - 1] ?? 'MONDAY'));
  return hours.some(({ start, end }) => {
    const until = end?.toString().slice(0, 5);
    return start !== null && start.toString().slice(0, 5) <= time && (until === '00:00' || time < (until ?? ''));
  });
}
