import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findSeriesDates, listSlots } from '../../../../src/modules/bookings/slots/availability.ts';
import type { BookableEventType } from '../../../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import { requireOpen } from '../../../../src/modules/bookings/slots/take-slot.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { outcomeOf } from '../../../support/outcome.ts';
import { statementsOf } from '../../../support/plans.ts';
import { book, type EventTypeChanges, eventTypeOf, newHosts, slotOn } from '../support/booked-hosts.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const em = () => database.em.fork();
const RECURRENCE = { frequency: 'WEEKLY', interval: 1, occurrences: 3 } as const;

async function listed(talk: BookableEventType, occurrences: number | null): Promise<Temporal.Instant[]> {
  const range = { start: slotOn(0, '00:00'), end: slotOn(5, '00:00'), timeZone: 'UTC', durationInMinutes: null };
  const slots = await listSlots(em(), talk, { ...range, rescheduled: null, occurrences });
  return slots.map(({ start }) => Temporal.Instant.fromEpochMilliseconds(start));
}

/** The outcome that booking a start would have. */
const bookedAt = (talk: BookableEventType, start: Temporal.Instant, occurrences: number | null) =>
  outcomeOf(requireOpen(em(), talk, { start, occurrences, durationInMinutes: null, reservationId: null }));

type Rules = NonNullable<EventTypeChanges['rules']>;

/** How many bookings of the series from a start the dates say can be had, and how many booking it makes of it. */
async function bookableAt(talk: BookableEventType, start: Temporal.Instant): Promise<[number, number]> {
  const dates = await findSeriesDates(em(), talk, start, talk.rules.durationInMinutes);
  const taken = dates.findIndex(({ isFree }) => !isFree);
  const counts = dates.map((_, index) => index + 1);
  const outcomes = await Promise.all(counts.map((count) => bookedAt(talk, start, count)));
  return [taken < 0 ? dates.length : taken, outcomes.filter((outcome) => outcome === 'done').length];
}

describe('the slots of a series are those starts that can be booked, and no others,', () => {
  // Hours of two hours make a list of 25.
  test.each<[string, Rules, boolean]>([
    ['where a later occurrence is taken', { recurrence: RECURRENCE }, true],
    ['where somebody does not work on the day of one', { recurrence: { ...RECURRENCE, frequency: 'DAILY' } }, true],
    [
      'where its own bookings reach a limit',
      { recurrence: { ...RECURRENCE, frequency: 'DAILY' }, bookingLimits: { week: { maxBookings: 2 } } },
      false,
    ],
    [
      'where one is beyond the window',
      { recurrence: RECURRENCE, bookingWindow: { type: 'ROLLING_DAYS', days: 30 } },
      true,
    ],
    ['where one is years ahead', { recurrence: { ...RECURRENCE, frequency: 'YEARLY', interval: 6 } }, false],
    ['where months are of different lengths', { recurrence: { ...RECURRENCE, frequency: 'MONTHLY' } }, true],
    [
      'with seats and several hosts who take turns',
      { recurrence: RECURRENCE, schedulingType: 'ROUND_ROBIN', seats: { perSlot: 2, showsAttendees: false } },
      true,
    ],
  ])('%s', async (_, rules, someAreOpen) => {
    const hosts = await newHosts(em(), rules.schedulingType ? 2 : 1);
    const talk = eventTypeOf(hosts, { rules: { durationInMinutes: 120, ...rules } });
    const single = eventTypeOf(hosts, { rules: { durationInMinutes: 120 } });
    await book(em(), single, slotOn(7, '09:00'));
    await book(em(), single, slotOn(15, '11:00'));
    const [all, alone] = [await listed(talk, null), await listed(talk, 1)];
    const outcomes = await Promise.all(alone.map((start) => bookedAt(talk, start, null)));
    const bookable = alone.filter((__, index) => outcomes[index] === 'done');
    expect(all.map(String)).toEqual(bookable.map(String));
    expect(all.length > 0 && all.length < alone.length).toBe(someAreOpen);
    expect(alone.length).toBeGreaterThan(0);
    for (const start of alone.slice(0, 6)) {
      const [shown, booked] = await bookableAt(talk, start);
      expect(shown).toBe(booked);
      expect(shown === RECURRENCE.occurrences).toBe(bookable.includes(start));
    }
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

describe('the dates of a series', () => {
  test('say of each booking whether it can be had, also after one that cannot', async () => {
    const hosts = await newHosts(em(), 1);
    const talk = eventTypeOf(hosts, { rules: { recurrence: { ...RECURRENCE, occurrences: 4 } } });
    await book(em(), eventTypeOf(hosts), slotOn(14, '09:00'));
    const dates = await findSeriesDates(em(), talk, slotOn(0, '09:00'), 30);
    expect(dates.map(({ isFree }) => isFree)).toEqual([true, true, false, true]);
    const starts = [0, 7, 14, 21].map((day) => slotOn(day, '09:00').epochMilliseconds);
    expect(dates.map(({ start }) => start)).toEqual(starts);
  });

  test('are none where nothing recurs, and for a start that is over or beyond what calendars know', async () => {
    const hosts = await newHosts(em(), 1);
    const talk = eventTypeOf(hosts, { rules: { recurrence: RECURRENCE } });
    const at = (start: string | Temporal.Instant) => findSeriesDates(em(), talk, Temporal.Instant.from(start), 30);
    expect(await at(slotOn(0, '09:00'))).toHaveLength(3);
    expect([await at('2020-01-06T09:00Z'), await at('+275760-09-13T00:00Z')]).toEqual([[], []]);
    expect(await findSeriesDates(em(), eventTypeOf(hosts), slotOn(0, '09:00'), 30)).toEqual([]);
  });

  test('take as many statements for many as for two', async () => {
    const hosts = await newHosts(em(), 1);
    const counts = [];
    for (const occurrences of [2, 52]) {
      const talk = eventTypeOf(hosts, { rules: { recurrence: { ...RECURRENCE, occurrences } } });
      const sent = await statementsOf(em(), async (one) => {
        expect(await findSeriesDates(one, talk, slotOn(0, '09:00'), 30)).toHaveLength(occurrences);
      });
      counts.push(sent.length);
    }
    expect(counts[0]).toBe(counts[1]);
  });
});
