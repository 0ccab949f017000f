/** Events of calendars elsewhere close slots, in each way of booking. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/core/id.ts';
import { row, rows, sql } from '../../../src/database/sql.ts';
import { NOBODY } from '../../../src/events/record-event.ts';
import { createBooking } from '../../../src/modules/bookings/book/book.ts';
import type { BookingKey } from '../../../src/modules/bookings/booking-key.rules.ts';
import { cancelBooking } from '../../../src/modules/bookings/change/cancel-booking.ts';
import { confirmBooking } from '../../../src/modules/bookings/change/confirm-booking.ts';
import { reassignBooking } from '../../../src/modules/bookings/change/reassign-booking.ts';
import { rescheduleBooking } from '../../../src/modules/bookings/change/reschedule-booking.ts';
import { listSlots } from '../../../src/modules/bookings/slots/availability.ts';
import type { BookableEventType } from '../../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import { reserveSlot } from '../../../src/modules/bookings/slots/holds/reserve-slot.ts';
import { replaceBusyPeriods } from '../../../src/modules/calendars/busy-periods.ts';
import { icsUid } from '../../../src/modules/calendars/ics-uid.rules.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { outcomeOf } from '../../support/outcome.ts';
import { statementsOf } from '../../support/plans.ts';
import {
  aHolder,
  aRequest,
  book,
  type EventTypeChanges,
  eventTypeOf,
  newHosts,
  outcomesOf,
  slotOn,
  times,
} from './support/booked-hosts.ts';

const HALF_AN_HOUR = 30 * 60_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const em = () => database.em.fork();
const [NINE, HALF_PAST, TEN] = [slotOn(0, '09:00'), slotOn(0, '09:30'), slotOn(0, '10:00')];

async function aTalk(changes: EventTypeChanges = {}, count = 1): Promise<BookableEventType> {
  return eventTypeOf(await newHosts(em(), count), changes);
}

/** Half an hour of a host's, in a calendar of its own. */
async function says(
  userId: string,
  start: Temporal.Instant,
  uid: string | null = null,
  sourceId = newId(),
): Promise<string> {
  const at = start.epochMilliseconds;
  await replaceBusyPeriods(em(), { userId, sourceId }, [{ start: at, end: at + HALF_AN_HOUR, icsUid: uid }]);
  return sourceId;
}

async function offered(talk: BookableEventType, moving: BookingKey | null = null): Promise<string[]> {
  const rescheduled = moving && { key: moving, actor: 'UID_HOLDER' as const };
  const range = { start: NINE, end: slotOn(0, '10:30'), timeZone: 'UTC', durationInMinutes: null };
  const slots = await listSlots(em(), talk, { ...range, rescheduled });
  return slots.map(({ start }) => new Date(start).toISOString().slice(11, 16));
}

async function uidOf({ ownerId, id }: BookingKey): Promise<string> {
  const found = await row(
    em(),
    sql<{ icsId: string }>`select ics_id as "icsId" from bookings where owner_id = ${ownerId} and id = ${id}`,
  );
  return icsUid(found?.icsId ?? '');
}

const moved = (talk: BookableEventType, key: BookingKey, start: Temporal.Instant) =>
  rescheduleBooking(em(), talk, {
    key,
    start,
    durationInMinutes: null,
    reason: null,
    reservationId: null,
    callerId: null,
  });
const hostOf = async ({ id }: BookingKey): Promise<string[]> =>
  (
    await rows(em(), sql<{ hostId: string }>`select user_id as "hostId" from booking_hosts where booking_id = ${id}`)
  ).map(({ hostId }) => hostId);

describe('an event at nine in a calendar', () => {
  type Way = (talk: BookableEventType, start: Temporal.Instant) => Promise<unknown>;
  const seats = { perSlot: 2, showsAttendees: false };
  const recurrence = { frequency: 'DAILY', interval: 1, occurrences: 2 } as const;
  test.each<[string, EventTypeChanges, Way]>([
    ['a booking', {}, (talk, start) => book(em(), talk, start)],
    ['a request', { rules: { confirmation: { type: 'ALWAYS' } } }, (talk, start) => book(em(), talk, start)],
    [
      'a booking that is counted',
      { rules: { bookingLimits: { day: { maxBookings: 5 } } } },
      (talk, start) => book(em(), talk, start),
    ],
    ['a seat', { rules: { seats } }, (talk, start) => book(em(), talk, start)],
    ['a series', { rules: { recurrence } }, (talk, start) => book(em(), talk, start.subtract({ hours: 24 }))],
    [
      'a reservation',
      {},
      (talk, start) =>
        reserveSlot(em(), talk, {
          start,
          durationInMinutes: null,
          expiresInMinutes: null,
          replacesId: null,
          holder: aHolder(),
        }),
    ],
    [
      'a booking that is moved',
      {},
      async (talk, start) => moved(talk, (await book(em(), talk, start.add({ hours: 28 }))).key, start),
    ],
  ])('is in the way of %s, and half past nine is not', async (_, changes, way) => {
    const talk = await aTalk(changes);
    // On Sundays too, for the first of a series.
    const availability = [{ days: ['SUNDAY', 'MONDAY', 'TUESDAY'], start: '09:00', end: '17:00' }];
    await rows(
      em(),
      sql`insert into schedules (user_id, id, name, time_zone, is_default, availability, overrides, created_at, updated_at)
          values (${talk.ownerId}, ${newId()}, 'Hours', 'UTC', true, ${JSON.stringify(availability)}::jsonb, '[]', now(), now())`,
    );
    await says(talk.ownerId, NINE);
    expect(await offered(talk)).toEqual(['09:30', '10:00']);
    expect(await outcomeOf(way(talk, NINE))).toBe('SLOT_TAKEN');
    expect(await outcomeOf(way(talk, HALF_PAST))).toBe('done');
  });

  test('keeps the buffers of a booking away', async () => {
    const talk = await aTalk({ rules: { bufferBeforeInMinutes: 10 } });
    await says(talk.ownerId, NINE);
    expect(await offered(talk)).toEqual(['10:00']);
    expect(await outcomeOf(book(em(), talk, HALF_PAST))).toBe('SLOT_TAKEN');
  });

  test('gives the turn of a round robin to another host, and nobody is handed the booking', async () => {
    const talk = await aTalk({ rules: { schedulingType: 'ROUND_ROBIN' } }, 2);
    const [first = '', second = ''] = talk.hosts.map(({ userId }) => userId);
    const source = await says(first, NINE);
    const { key } = await book(em(), talk, NINE);
    expect(await hostOf(key)).toEqual([second]);
    const handing = () => reassignBooking(em(), talk, { ...key, hostId: second, network: 'unknown' }, null);
    expect(await outcomeOf(handing())).toBe('HOST_NOT_AVAILABLE');
    await replaceBusyPeriods(em(), { userId: first, sourceId: source }, []);
    expect(await outcomeOf(handing())).toBe('done');
  });

  test('closes the slot of all who attend together', async () => {
    const talk = await aTalk({}, 2);
    await says(talk.hosts[1]?.userId ?? '', NINE);
    expect(await offered(talk)).toEqual(['09:30', '10:00']);
    expect(await outcomeOf(book(em(), talk, NINE))).toBe('SLOT_TAKEN');
  });

  test('that comes after a request keeps it from being confirmed, until it is gone', async () => {
    const talk = await aTalk({ rules: { confirmation: { type: 'ALWAYS' } } });
    const { key } = await book(em(), talk, NINE);
    const sourceId = await says(talk.ownerId, NINE);
    const confirming = () => confirmBooking(em(), { ...key, hostId: talk.ownerId, network: 'unknown' });
    expect(await outcomeOf(confirming())).toBe('SLOT_TAKEN');
    await replaceBusyPeriods(em(), { userId: talk.ownerId, sourceId }, []);
    expect(await outcomeOf(confirming())).toBe('done');
  });

  test('costs a booking no statement more', async () => {
    const [free, busy] = [await aTalk(), await aTalk()];
    await says(busy.ownerId, NINE);
    const ofFree = await statementsOf(em(), (one) => createBooking(one, free, aRequest(TEN), NOBODY));
    const ofBusy = await statementsOf(em(), (one) => createBooking(one, busy, aRequest(TEN), NOBODY));
    expect(ofFree).toHaveLength(2);
    expect(ofBusy.map(({ text }) => text)).toEqual(ofFree.map(({ text }) => text));
  });

  test('lets one of fifty have the slot beside it, and nobody its own', async () => {
    const talk = await aTalk();
    await says(talk.ownerId, NINE);
    const outcomes = await outcomesOf(times(50, (n) => book(em(), talk, n % 2 === 0 ? NINE : HALF_PAST)));
    expect(outcomes).toEqual({ done: 1, SLOT_TAKEN: 49 });
    expect(await offered(talk)).toEqual(['10:00']);
  });
});

describe('a booking that stands in its host’s calendar', () => {
  test('is not in the way of its own new time, nor of anything else than its time', async () => {
    const talk = await aTalk({ rules: { slotIntervalInMinutes: 15 } });
    const { key } = await book(em(), talk, NINE);
    await says(talk.ownerId, NINE, await uidOf(key));
    expect(await offered(talk)).toEqual(['09:30', '09:45', '10:00', '10:15']);
    expect(await offered(talk, key)).toContain('09:15');
    expect(await outcomeOf(moved(talk, key, slotOn(0, '09:15')))).toBe('done');
  });

  test('and was moved there by hand, may follow', async () => {
    const talk = await aTalk();
    const { key } = await book(em(), talk, NINE);
    await says(talk.ownerId, TEN, await uidOf(key));
    expect(await outcomeOf(book(em(), talk, TEN))).toBe('SLOT_TAKEN');
    expect(await outcomeOf(moved(talk, key, TEN))).toBe('done');
  });

  test('blocks once it is cancelled, until the calendar has let go of it', async () => {
    const talk = await aTalk();
    const { key } = await book(em(), talk, NINE);
    const source = await says(talk.ownerId, NINE, await uidOf(key));
    await cancelBooking(em(), talk.rules, { key, reason: null, callerId: null });
    expect(await outcomeOf(book(em(), talk, NINE))).toBe('SLOT_TAKEN');
    await replaceBusyPeriods(em(), { userId: talk.ownerId, sourceId: source }, []);
    expect(await outcomeOf(book(em(), talk, NINE))).toBe('done');
  });

  test('blocks an attendee who has it in theirs', async () => {
    const [talk, theirs] = [await aTalk(), await aTalk()];
    const { key } = await book(em(), talk, NINE);
    await says(theirs.ownerId, NINE, await uidOf(key));
    expect(await outcomeOf(book(em(), theirs, NINE))).toBe('SLOT_TAKEN');
    expect(await outcomeOf(book(em(), theirs, TEN))).toBe('done');
  });

  test('blocks all the same where another event has the same time', async () => {
    const talk = await aTalk({ rules: { slotIntervalInMinutes: 15 } });
    const { key } = await book(em(), talk, NINE);
    const at = NINE.epochMilliseconds;
    const time = { start: at, end: at + HALF_AN_HOUR };
    const both = [
      { ...time, icsUid: await uidOf(key) },
      { ...time, icsUid: 'lunch@elsewhere' },
    ];
    await replaceBusyPeriods(em(), { userId: talk.ownerId, sourceId: newId() }, both);
    expect(await outcomeOf(moved(talk, key, slotOn(0, '09:15')))).toBe('SLOT_TAKEN');
  });
});

test('the periods that a source reports replace its earlier ones, and none of others', async () => {
  const [userId = ''] = await newHosts(em(), 1);
  const [mine, other] = [newId(), newId()];
  await says(userId, NINE, null, mine);
  await says(userId, TEN, null, other);
  const at = HALF_PAST.epochMilliseconds;
  const time = { start: at, end: at + HALF_AN_HOUR, icsUid: null };
  await replaceBusyPeriods(em(), { userId, sourceId: mine }, [time, time, { ...time, end: at }]);
  const found = await rows(
    em(),
    sql<{ sourceId: string; start: number }>`
      select source_id as "sourceId", (extract(epoch from lower(during)) * 1000)::float8 as start
      from busy_periods where user_id = ${userId} order by during`,
  );
  expect(found).toEqual([
    { sourceId: mine, start: at },
    { sourceId: other, start: TEN.epochMilliseconds },
  ]);
});
