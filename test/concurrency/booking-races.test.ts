import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { confirmBooking, declineBooking } from '../../src/modules/bookings/answer-booking.ts';
import { cancelBooking } from '../../src/modules/bookings/cancel-booking.ts';
import { rescheduleBooking } from '../../src/modules/bookings/reschedule-booking.ts';
import { reserveSlot } from '../../src/modules/bookings/reserve-slot.ts';
import type { BookableEventType } from '../../src/modules/event-types/event-type-rules.queries.ts';
import {
  aRequest,
  book,
  eventTypeOf,
  newHosts,
  outcomesOf,
  slotOn,
  times,
} from '../modules/bookings/support/booked-hosts.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const em = () => database.em.fork();
const NINE = slotOn(0, '09:00');
const TEN = slotOn(0, '10:00');

async function newEventType(rules: Parameters<typeof eventTypeOf>[1] = {}, hostCount = 1): Promise<BookableEventType> {
  return eventTypeOf(await newHosts(em(), hostCount), rules);
}

async function statusesOf({ ownerId, id }: BookableEventType): Promise<string[]> {
  const found = await rows<{ status: string }>(
    em(),
    sql`select status from bookings where owner_id = ${ownerId} and event_type_id = ${id} order by status`,
  );
  return found.map(({ status }) => status);
}

async function eventsOf({ ownerId }: BookableEventType): Promise<string[]> {
  const found = await rows<{ type: string }>(
    em(),
    sql`select type from domain_events where owner_id = ${ownerId} order by type`,
  );
  return found.map(({ type }) => type);
}

function move(eventType: BookableEventType, uid: string, start: Temporal.Instant): Promise<string> {
  const asked = { uid, start, lengthInMinutes: null, reason: null, reservationId: null, callerId: null };
  return rescheduleBooking(em(), eventType, asked);
}

function reserve(eventType: BookableEventType, start: Temporal.Instant) {
  const request = { start, lengthInMinutes: null, keptForMinutes: null, replacesId: null, callerId: null };
  return reserveSlot(em(), eventType, request);
}

describe('of all who want one slot at the same moment', () => {
  test('200 bookers, one books it and 199 are told that it is taken', async () => {
    const eventType = await newEventType();
    const outcomes = await outcomesOf(times(200, () => book(em(), eventType, NINE)));
    expect(outcomes).toEqual({ done: 1, SLOT_TAKEN: 199 });
    expect(await statusesOf(eventType)).toEqual(['ACCEPTED']);
    expect(await eventsOf(eventType)).toEqual(['BOOKING_CREATED']);
  });

  test('one asks when a host has to confirm: what is pending takes time too', async () => {
    const eventType = await newEventType({ rules: { confirmation: { kind: 'ALWAYS' } } });
    const outcomes = await outcomesOf(times(50, () => book(em(), eventType, NINE)));
    expect(outcomes).toEqual({ done: 1, SLOT_TAKEN: 49 });
    expect(await statusesOf(eventType)).toEqual(['PENDING']);
  });

  test('through event types that only overlap there, one books it', async () => {
    const hosts = await newHosts(em(), 1);
    const lengths = [30, 60, 90].map((lengthInMinutes) => eventTypeOf(hosts, { rules: { lengthInMinutes } }));
    const outcomes = await outcomesOf(inTurns(20, lengths, (eventType) => book(em(), eventType, NINE)));
    expect(outcomes).toEqual({ done: 1, SLOT_TAKEN: 59 });
  });

  test('of a round robin of three, three book it, each with another host', async () => {
    const eventType = await newEventType({ rules: { schedulingType: 'ROUND_ROBIN' } }, 3);
    const outcomes = await outcomesOf(times(40, () => book(em(), eventType, NINE)));
    expect(outcomes).toEqual({ done: 3, SLOT_TAKEN: 37 });
    const found = await rows<{ host_id: string }>(
      em(),
      sql`select distinct host_id from occupied_times where host_id = any(${eventType.hosts.map((h) => h.userId)}::text[])`,
    );
    expect(found).toHaveLength(3);
  });

  test('of teams that share their hosts, each in another order, one books it', async () => {
    const hosts = await newHosts(em(), 4);
    const teams = [hosts, hosts.toReversed(), [hosts[2] ?? '', hosts[0] ?? '']].map((ids) => eventTypeOf(ids));
    const outcomes = await outcomesOf(inTurns(15, teams, (team) => book(em(), team, NINE)));
    expect(outcomes).toEqual({ done: 1, SLOT_TAKEN: 44 });
  });

  test('of those who book and those who reserve, one gets it', async () => {
    const eventType = await newEventType();
    const outcomes = await outcomesOf(
      times(60, (index) => (index % 2 ? book(em(), eventType, NINE) : reserve(eventType, NINE))),
    );
    expect(outcomes['done']).toBe(1);
    expect((outcomes['SLOT_TAKEN'] ?? 0) + (outcomes['SLOT_RESERVED'] ?? 0)).toBe(59);
  });

  test('the holder of the reservation gets it, and the others are told that it is reserved', async () => {
    const eventType = await newEventType();
    const { id } = await reserve(eventType, NINE);
    const outcomes = await outcomesOf(times(30, () => book(em(), eventType, NINE)));
    expect(outcomes).toEqual({ SLOT_RESERVED: 30 });
    const holders = await outcomesOf(times(10, () => book(em(), eventType, NINE, { reservationId: id })));
    expect(holders).toEqual({ done: 1, SLOT_TAKEN: 9 });
  });

  test('with seven seats, seven get one, all in one booking', async () => {
    const eventType = await newEventType({ rules: { seats: { perSlot: 7, showAttendees: false } } });
    const outcomes = await outcomesOf(times(40, () => book(em(), eventType, NINE)));
    expect(outcomes).toEqual({ done: 7, SLOT_TAKEN: 33 });
    expect(await statusesOf(eventType)).toEqual(['ACCEPTED']);
  });

  test('with one seat left, one gets it, whether they book or reserve', async () => {
    const eventType = await newEventType({ rules: { seats: { perSlot: 3, showAttendees: false } } });
    await book(em(), eventType, NINE);
    await book(em(), eventType, NINE);
    const outcomes = await outcomesOf(
      times(30, (index) => (index % 2 ? book(em(), eventType, NINE) : reserve(eventType, NINE))),
    );
    expect(outcomes['done']).toBe(1);
  });
});

test('a limit of one a day holds for all slots of the day', async () => {
  const eventType = await newEventType({ rules: { bookingLimits: { day: { count: 1 } } } });
  const outcomes = await outcomesOf(times(16, (index) => book(em(), eventType, NINE.add({ minutes: 30 * index }))));
  expect(outcomes).toEqual({ done: 1, LIMIT_REACHED: 15 });
});

test('one request that is sent fifty times books once, and all are told what', async () => {
  const eventType = await newEventType();
  const booked = await Promise.all(
    times(50, () => book(em(), eventType, NINE, { idempotencyKey: 'the-same-request' })),
  );
  expect(new Set(booked.map(({ uid }) => uid)).size).toBe(1);
  expect(await statusesOf(eventType)).toEqual(['ACCEPTED']);
  expect(aRequest(NINE).idempotencyKey).toBeNull();
});

describe('reschedules at the same moment', () => {
  test('of two bookings to each other’s slot: both keep their own', async () => {
    for (let round = 0; round < 10; round += 1) {
      const eventType = await newEventType();
      const [a, b] = [await book(em(), eventType, NINE), await book(em(), eventType, TEN)];
      const outcomes = await outcomesOf([move(eventType, a.uid, TEN), move(eventType, b.uid, NINE)]);
      expect(outcomes).toEqual({ SLOT_TAKEN: 2 });
      expect(await statusesOf(eventType)).toEqual(['ACCEPTED', 'ACCEPTED']);
    }
  });

  test('of two event types of one host to each other’s slot: both keep their own', async () => {
    const hosts = await newHosts(em(), 1);
    const [one, other] = [eventTypeOf(hosts), eventTypeOf(hosts)];
    const [a, b] = [await book(em(), one, NINE), await book(em(), other, TEN)];
    for (let round = 0; round < 10; round += 1) {
      const outcomes = await outcomesOf([move(one, a.uid, TEN), move(other, b.uid, NINE)]);
      expect(outcomes).toEqual({ SLOT_TAKEN: 2 });
    }
  });

  test('of two event types of one host to one free slot: one moves, the other stays', async () => {
    const hosts = await newHosts(em(), 1);
    const [one, other] = [eventTypeOf(hosts), eventTypeOf(hosts)];
    for (let day = 0; day < 5; day += 1) {
      const at = (time: string) => slotOn(day, time);
      const [a, b] = [await book(em(), one, at('09:00')), await book(em(), other, at('10:00'))];
      const moves = [move(one, a.uid, at('12:00')), move(other, b.uid, at('12:00'))];
      expect(await outcomesOf(moves)).toEqual({ done: 1, SLOT_TAKEN: 1 });
    }
  });

  test('of thirty bookings to one slot: one moves, the others stay', async () => {
    const eventType = await newEventType();
    const booked = await Promise.all(
      times(30, (index) =>
        book(em(), eventType, slotOn(Math.floor(index / 15) + 1, '09:00').add({ minutes: (index % 15) * 30 })),
      ),
    );
    const outcomes = await outcomesOf(booked.map(({ uid }) => move(eventType, uid, NINE)));
    expect(outcomes).toEqual({ done: 1, SLOT_TAKEN: 29 });
    expect(await statusesOf(eventType)).toEqual([...times(30, () => 'ACCEPTED'), 'CANCELLED']);
  });

  test('of one booking to many slots: it moves once', async () => {
    const eventType = await newEventType();
    const { uid } = await book(em(), eventType, NINE);
    const outcomes = await outcomesOf(times(14, (index) => move(eventType, uid, TEN.add({ minutes: 30 * index }))));
    expect(outcomes).toEqual({ done: 1, NOT_POSSIBLE: 13 });
    expect(await statusesOf(eventType)).toEqual(['ACCEPTED', 'CANCELLED']);
    expect(await eventsOf(eventType)).toEqual(['BOOKING_CREATED', 'BOOKING_RESCHEDULED']);
  });
});

test('of hosts who confirm and decline a request at the same moment, one decides', async () => {
  for (let round = 0; round < 5; round += 1) {
    const eventType = await newEventType({ rules: { confirmation: { kind: 'ALWAYS' } } });
    const { uid } = await book(em(), eventType, NINE);
    const hosted = { uid, hostId: eventType.ownerId };
    const answers = times(20, (index) =>
      index % 2 ? confirmBooking(em(), hosted) : declineBooking(em(), hosted, null),
    );
    expect(await outcomesOf(answers)).toEqual({ done: 1, NOT_POSSIBLE: 19 });
    const [status] = await statusesOf(eventType);
    const decision = status === 'ACCEPTED' ? 'BOOKING_CONFIRMED' : 'BOOKING_REJECTED';
    expect(await eventsOf(eventType)).toEqual([decision, 'BOOKING_REQUESTED']);
  }
});

test('of twenty who cancel a booking at the same moment one does, and others can have the slot', async () => {
  const eventType = await newEventType();
  const { uid } = await book(em(), eventType, NINE);
  const cancel = () => cancelBooking(em(), eventType.rules, { uid, reason: null, callerId: null });
  expect(await outcomesOf(times(20, cancel))).toEqual({ done: 1, NOT_POSSIBLE: 19 });
  expect(await eventsOf(eventType)).toEqual(['BOOKING_CANCELLED', 'BOOKING_CREATED']);
  expect(await outcomesOf(times(5, () => book(em(), eventType, NINE)))).toEqual({ done: 1, SLOT_TAKEN: 4 });
});

test('whatever is booked, moved and cancelled at random, no two times of a host overlap, and none is left behind', async () => {
  const eventType = await newEventType({
    rules: { bufferBeforeInMinutes: 5, bufferAfterInMinutes: 10, slotIntervalInMinutes: 15 },
  });
  const starts = times(30, (index) => NINE.add({ minutes: 15 * index }));
  const pick = () => starts[Math.floor(Math.random() * starts.length)] ?? NINE;
  const act = async () => {
    const { uid } = await book(em(), eventType, pick());
    const movedTo = await move(eventType, uid, pick());
    if (Math.random() < 0.5) await cancelBooking(em(), eventType.rules, { uid: movedTo, reason: null, callerId: null });
  };
  const outcomes = await outcomesOf(times(100, act));
  expect(Object.keys(outcomes).every((code) => ['done', 'SLOT_TAKEN'].includes(code))).toBe(true);
  const [counted] = await rows<{ overlaps: string; held: string; standing: string }>(
    em(),
    sql`select
          (select count(*) from bookings a join bookings b on a.uid < b.uid and a.owner_id = b.owner_id
            and tstzrange(a.starts_at - interval '5 minutes', a.ends_at + interval '10 minutes')
              && tstzrange(b.starts_at - interval '5 minutes', b.ends_at + interval '10 minutes')
            where a.owner_id = ${eventType.ownerId} and a.status = 'ACCEPTED' and b.status = 'ACCEPTED') as overlaps,
          (select count(*) from occupied_times where host_id = ${eventType.ownerId}) as held,
          (select count(*) from bookings where owner_id = ${eventType.ownerId} and status = 'ACCEPTED') as standing`,
  );
  expect(counted).toEqual({ overlaps: '0', held: counted?.standing, standing: counted?.standing });
});

/** So many for each of them, one after the other: the first ten get a connection, and they must not all be of one. */
function inTurns<Item, Result>(count: number, items: readonly Item[], make: (item: Item) => Result): Result[] {
  return times(count, () => items.map(make)).flat();
}
