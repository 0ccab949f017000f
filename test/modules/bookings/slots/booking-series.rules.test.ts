import { describe, expect, test } from 'vitest';
import { afterBooking } from '../../../../src/modules/bookings/slots/assign-hosts.rules.ts';
import type { SlotRequest } from '../../../../src/modules/bookings/slots/open-slots.rules.ts';
import { occurrencesOf } from '../../../../src/modules/event-types/settings/recurrence.rules.ts';
import { at, between } from '../../schedules/support/a-schedule.ts';
import { aHost, aSlotRequest } from '../support/a-slot-request.ts';
import { assignSeries } from '../support/at-once.ts';
import { openSlots } from '../support/open-slots.ts';

const NINE = at('2026-06-15T09:00Z');
const WEEKS = occurrencesOf(NINE, { frequency: 'WEEKLY', interval: 1, occurrences: 3 }, 'UTC');

/** The hosts of each booking of the series, or why it cannot be made. */
function outcome(request: SlotRequest, starts: readonly number[]): string {
  const series = assignSeries(request, starts);
  if (series.kind === 'OPEN') return series.assignments.map(({ hostIds }) => hostIds.join('+')).join(' ');
  return `${series.mistake.code} ${new Date(series.start).toISOString().slice(0, 10)}`;
}

describe('a series', () => {
  test('has a booking for each start', () => {
    expect(outcome(aSlotRequest(), WEEKS)).toBe('ada ada ada');
  });

  test('is not made when one of its starts is not open', () => {
    const host = aHost({ busy: [between('2026-06-22T09:00Z/2026-06-22T09:01Z')] });
    expect(outcome(aSlotRequest({ hosts: [host] }), WEEKS)).toBe('SLOT_TAKEN 2026-06-22');
  });

  test('counts against limits by itself', () => {
    const month = { unit: 'month', ...between('2026-06-01T00:00Z/2026-07-01T00:00Z'), count: 1, minutes: 30 } as const;
    const limitedTo = (count: number) =>
      aSlotRequest({ eventType: { bookingLimits: { month: { maxBookings: count } } }, counted: [month] });
    expect(outcome(limitedTo(4), WEEKS)).toBe('ada ada ada');
    expect(outcome(limitedTo(3), WEEKS)).toBe('LIMIT_REACHED 2026-06-29');
    const limitedToMinutes = (minutes: number) =>
      aSlotRequest({ eventType: { bookingLimits: { month: { maxMinutes: minutes } } }, counted: [month] });
    expect(outcome(limitedToMinutes(120), WEEKS)).toBe('ada ada ada');
    expect(outcome(limitedToMinutes(119), WEEKS)).toBe('LIMIT_REACHED 2026-06-29');
  });

  test('stands in its own way', () => {
    expect(outcome(aSlotRequest(), [NINE, NINE])).toBe('SLOT_TAKEN 2026-06-15');
  });

  test('keeps its host as long as they can', () => {
    const hosts = [aHost({ userId: 'a' }), aHost({ userId: 'b', lastBookedAt: 1 })];
    const request = aSlotRequest({ eventType: { schedulingType: 'ROUND_ROBIN' }, hosts });
    expect(outcome(request, WEEKS)).toBe('a a a');
    const away = { ...aHost({ userId: 'a' }), outOfOffice: [between('2026-06-22T00:00Z/2026-06-23T00:00Z')] };
    expect(outcome({ ...request, hosts: [away, aHost({ userId: 'b', lastBookedAt: 1 })] }, WEEKS)).toBe('a b a');
  });
});

describe('after a booking', () => {
  test('its time with its buffers is taken', () => {
    const request = aSlotRequest({ eventType: { bufferAfterInMinutes: 10 }, hosts: [aHost()] });
    const booking = { start: NINE + 3_600_000, end: NINE + 5_400_000, hostIds: ['ada'], joins: null };
    const starts = openSlots(afterBooking(request, booking, 'new')).map(({ start }) => (start - NINE) / 60_000);
    expect(starts.slice(0, 3)).toEqual([0, 120, 150]);
  });

  test('one seat fewer is left, until there is none', () => {
    let request = aSlotRequest({ eventType: { seats: { perSlot: 2, showsAttendees: false } } });
    const seats = [];
    for (let i = 0; i < 3; i += 1) {
      const slot = openSlots(request)[0];
      if (slot?.start !== NINE) break;
      seats.push(slot.remainingSeatCount);
      request = afterBooking(request, slot, `booking-${i}`);
    }
    expect(seats).toEqual([2, 1]);
  });
});
