/** A question about hundreds of hosts lets others have turns in between, and reads when hosts work once. */

import { describe, expect, test } from 'vitest';
import { decideInSteps } from '../../../../src/modules/bookings/slots/assign-hosts.rules.ts';
import { openSlotsInSteps, type SlotRequest } from '../../../../src/modules/bookings/slots/open-slots.rules.ts';
import { seriesSlotsInSteps } from '../../../../src/modules/bookings/slots/slot-range.rules.ts';
import { occurrencesOf } from '../../../../src/modules/event-types/settings/recurrence.rules.ts';
import type { Schedule } from '../../../../src/modules/schedules/schedule.rules.ts';
import { aSchedule, at, between } from '../../schedules/support/a-schedule.ts';
import { aHost, aSlotRequest } from '../support/a-slot-request.ts';

const HOSTS = 20;
const WEEKLY = { frequency: 'WEEKLY', interval: 1, occurrences: 12 } as const;
const NINE = at('2026-06-15T09:00Z');
const WEEKS = occurrencesOf(NINE, WEEKLY, 'UTC');
const NIGHT = NINE - 6 * 3_600_000;

test('at a slot a minute, no more than a thousand are made between two pauses', () => {
  let made = 0;
  const request = aSlotRequest({
    range: between('2026-06-01T00:00Z/2026-06-05T00:00Z'),
    hosts: [aHost({ schedule: aSchedule('UTC', ['00:00-24:00']) })],
  });
  const eventType = {
    ...request.eventType,
    slotIntervalInMinutes: 1,
    // Read for each slot.
    get seats() {
      made += 1;
      return null;
    },
  };
  const steps = openSlotsInSteps({ ...request, eventType });
  let [most, slots] = [0, 0];
  for (let isOver = false; !isOver; ) {
    const before = made;
    const step = steps.next();
    most = Math.max(most, made - before);
    isOver = step.done === true;
    if (step.done) slots = step.value.length;
  }
  expect({ isPaused: most <= 1_001, slots }).toEqual({ isPaused: true, slots: 4 * 1_440 });
});

/**
 * The looks that were taken: at hosts, each time that their hours at some time were asked for, and at their schedules
 * as a whole.
 */
interface Looks {
  hosts: number;
  schedules: number;
}

function watched(schedule: Schedule, looks: Looks): Schedule {
  return {
    availability: schedule.availability,
    get timeZone() {
      looks.hosts += 1;
      return schedule.timeZone;
    },
    get overrides() {
      looks.schedules += 1;
      return schedule.overrides;
    },
  };
}

function teamOf(schedulingType: 'ROUND_ROBIN' | 'COLLECTIVE', looks: Looks, changes: Partial<SlotRequest> = {}) {
  const schedule = () => watched(aSchedule('UTC', ['09:00-17:00'], { '2026-06-22': ['08:00-12:00'] }), looks);
  const hosts = Array.from({ length: HOSTS }, (_, n) => aHost({ userId: `host-${n}`, schedule: schedule() }));
  const { eventType, ...request } = aSlotRequest();
  return { ...request, eventType: { ...eventType, schedulingType }, hosts, ...changes };
}

function* closedAtNight(request: SlotRequest): Generator<void> {
  const decision = yield* decideInSteps(request, [NIGHT]);
  if (decision.kind === 'CLOSED') yield* decision.closedBy();
}

const YEAR = { range: between('2026-06-15T00:00Z/2027-06-15T00:00Z') };
const LIMITED = { day: { maxBookings: 5 } };

describe.each(['ROUND_ROBIN', 'COLLECTIVE'] as const)('for a team with %s hosts,', (schedulingType) => {
  test.each<[string, number, (looks: Looks) => Generator]>([
    ['the slots of a month', 1, (looks) => openSlotsInSteps(teamOf(schedulingType, looks))],
    ['a series', WEEKS.length, (looks) => decideInSteps(teamOf(schedulingType, looks, YEAR), WEEKS)],
    // As it is, and without bookings.
    ['a series at night', 2, (looks) => decideInSteps(teamOf(schedulingType, looks, YEAR), [NIGHT])],
    ['a series at night, with all that closes it', 3, (looks) => closedAtNight(teamOf(schedulingType, looks, YEAR))],
    [
      'the slots of series that count against a limit',
      // The slots of an hour at each occurrence, and then two series.
      3 * WEEKS.length,
      (looks) => {
        const request = teamOf(schedulingType, looks, { range: { start: NINE, end: NINE + 3_600_000 } });
        const period = { unit: 'day', start: NINE, end: NINE + 366 * 86_400_000, count: -400, minutes: 0 } as const;
        const eventType = { ...request.eventType, bookingLimits: LIMITED };
        return seriesSlotsInSteps({ ...request, eventType, counted: [period] }, WEEKLY);
      },
    ],
  ])('%s: one host is looked at between two pauses, and each schedule is read once', (_what, times, ask) => {
    const looks: Looks = { hosts: 0, schedules: 0 };
    const steps = ask(looks);
    let most = 0;
    for (let isOver = false; !isOver; ) {
      const before = looks.hosts;
      isOver = steps.next().done === true;
      most = Math.max(most, looks.hosts - before);
    }
    expect({ most, ...looks }).toEqual({ most: 1, hosts: times * HOSTS, schedules: HOSTS });
  });
});
