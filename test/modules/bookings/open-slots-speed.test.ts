import { expect, test } from 'vitest';
import type { SlotRequest } from '../../../src/modules/bookings/slots/open-slots.rules.ts';
import type { Interval } from '../../../src/modules/schedules/interval.rules.ts';
import { paced } from '../../support/pace.ts';
import { aSchedule, between } from '../schedules/support/a-schedule.ts';
import { aHost, aSlotRequest } from './support/a-slot-request.ts';
import { listedSlots } from './support/at-once.ts';

const MINUTE = 60_000;
const MONTH = between('2026-10-01T00:00Z/2026-11-01T00:00Z');
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Sydney', 'UTC'];
const MOST_MILLISECONDS = 20;

test.each<[string, number, number]>([
  ['one busy host with 500 bookings', 1, 500],
  ['50 hosts with 5,000 bookings', 50, 100],
])(`a month of slots of %s costs less than ${MOST_MILLISECONDS} ms of CPU`, (_, hosts, bookings) => {
  const request = aMonthOf(hosts, bookings);
  expect(listedSlots(request).length).toBeGreaterThan(200);
  // The best of several: what the machine does besides is not what is measured.
  const costs = Array.from({ length: 20 }, () => cpuMillisecondsOf(request));
  expect(Math.min(...costs)).toBeLessThan(paced(MOST_MILLISECONDS));
});

function aMonthOf(hosts: number, bookings: number): SlotRequest {
  return aSlotRequest({
    eventType: { schedulingType: 'ROUND_ROBIN', slotIntervalInMinutes: 15, bufferAfterInMinutes: 5 },
    range: MONTH,
    now: MONTH.start,
    hosts: Array.from({ length: hosts }, (_, index) =>
      aHost({
        userId: `host-${index}`,
        schedule: aSchedule(ZONES[index % ZONES.length] ?? 'UTC', ['09:00-12:00', '13:00-17:00']),
        occupied: scattered(bookings, index),
      }),
    ),
  });
}

/** Half-hours all over the month, the same in every run. */
function scattered(count: number, seed: number): Interval[] {
  const quarters = (MONTH.end - MONTH.start) / (15 * MINUTE);
  return Array.from({ length: count }, (_, index) => {
    const start = MONTH.start + (((index + 1) * 7_919 + seed * 104_729) % quarters) * 15 * MINUTE;
    return { start, end: start + 30 * MINUTE };
  });
}

function cpuMillisecondsOf(request: SlotRequest): number {
  const before = process.cpuUsage();
  listedSlots(request);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
