import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireOpenSeries } from '../../../../src/modules/bookings/slots/open-series.ts';
import { listSlots } from '../../../../src/modules/bookings/slots/slot.queries.ts';
import type { BookableEventType } from '../../../../src/modules/event-types/public/event-type-rules.queries.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { outcomeOf } from '../../../support/outcome.ts';
import { book, type EventTypeChanges, eventTypeOf, newHosts, slotOn } from '../support/booked-hosts.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const em = () => database.em.fork();
const RECURRENCE = { frequency: 'WEEKLY', interval: 1, occurrences: 3 } as const;

async function listed(talk: BookableEventType, occurrences: number | null): Promise<Temporal.Instant[]> {
  const range = { start: slotOn(0, '00:00'), end: slotOn(5, '00:00'), timeZone: 'UTC', lengthInMinutes: null };
  const slots = await listSlots(em(), talk, { ...range, rescheduled: null, occurrences });
  return slots.map(({ start }) => Temporal.Instant.fromEpochMilliseconds(start));
}

/** What would become of booking a start. */
const bookedAt = (talk: BookableEventType, start: Temporal.Instant, occurrences: number | null) =>
  outcomeOf(requireOpenSeries(em(), talk, { start, occurrences, lengthInMinutes: null, reservationId: null }));

type Rules = NonNullable<EventTypeChanges['rules']>;

describe('of a series, those starts are listed that can be booked, and no others,', () => {
  // Hours of two hours make a list of 25.
  test.each<[string, Rules, boolean]>([
    ['where a later occurrence is taken', { recurrence: RECURRENCE }, true],
    ['where somebody does not work on the day of one', { recurrence: { ...RECURRENCE, frequency: 'DAILY' } }, true],
    ['where its own bookings reach a limit', { recurrence: RECURRENCE, bookingLimits: { month: { count: 2 } } }, false],
    [
      'where one is beyond the window',
      { recurrence: RECURRENCE, bookingWindow: { kind: 'ROLLING_DAYS', days: 30 } },
      true,
    ],
    ['where one is years ahead', { recurrence: { ...RECURRENCE, frequency: 'YEARLY', interval: 6 } }, false],
    ['where months are of different lengths', { recurrence: { ...RECURRENCE, frequency: 'MONTHLY' } }, true],
    [
      'with seats and several hosts who take turns',
      { recurrence: RECURRENCE, schedulingType: 'ROUND_ROBIN', seats: { perSlot: 2, showAttendees: false } },
      true,
    ],
  ])('%s', async (_, rules, someAreOpen) => {
    const hosts = await newHosts(em(), rules.schedulingType ? 2 : 1);
    const talk = eventTypeOf(hosts, { rules: { lengthInMinutes: 120, ...rules } });
    const single = eventTypeOf(hosts, { rules: { lengthInMinutes: 120 } });
    await book(em(), single, slotOn(7, '09:00'));
    await book(em(), single, slotOn(15, '11:00'));
    const [all, alone] = [await listed(talk, null), await listed(talk, 1)];
    const outcomes = await Promise.all(alone.map((start) => bookedAt(talk, start, null)));
    const bookable = alone.filter((__, index) => outcomes[index] === 'done');
    expect(all.map(String)).toEqual(bookable.map(String));
    expect(all.length > 0 && all.length < alone.length).toBe(someAreOpen);
    expect(alone.length).toBeGreaterThan(0);
  });

  test('for as many occurrences as are wanted', async () => {
    const hosts = await newHosts(em(), 1);
    const talk = eventTypeOf(hosts, { rules: { recurrence: RECURRENCE } });
    await book(em(), eventTypeOf(hosts), slotOn(14, '09:00'));
    const first = slotOn(0, '09:00').toString();
    const has = async (occurrences: number | null) => (await listed(talk, occurrences)).map(String).includes(first);
    expect([await has(null), await has(3), await has(2), await has(1)]).toEqual([false, false, true, true]);
    for (const strange of [0, 4, -1]) {
      expect(await outcomeOf(listed(talk, strange))).toBe('OCCURRENCES_NOT_OFFERED');
      expect(await bookedAt(talk, slotOn(0, '10:00'), null)).toBe('done');
    }
    expect(await outcomeOf(listed(eventTypeOf(hosts), 2))).toBe('OCCURRENCES_NOT_OFFERED');
  });
});
