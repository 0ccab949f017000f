/** A booking that is moved again and again: how often that goes, and what it costs to find where it is. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, type OwnedId } from '../../../../src/core/id.ts';
import { rows, sql } from '../../../../src/database/sql.ts';
import { findBooking } from '../../../../src/modules/bookings/booking.queries.ts';
import type { BookingKey } from '../../../../src/modules/bookings/booking-key.rules.ts';
import type { BookingActor } from '../../../../src/modules/bookings/booking-transitions.rules.ts';
import { MAX_MOVES } from '../../../../src/modules/bookings/booking-transitions.rules.ts';
import { cancelBooking } from '../../../../src/modules/bookings/change/cancel-booking.ts';
import { requestReschedule, rescheduleBooking } from '../../../../src/modules/bookings/change/reschedule-booking.ts';
import { findBookingForPage } from '../../../../src/modules/bookings/public/public-booking.queries.ts';
import { idOfKey } from '../../../../src/modules/bookings/public/public-booking.rules.ts';
import { listSlots } from '../../../../src/modules/bookings/slots/availability.ts';
import type { BookableEventType } from '../../../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { outcomeOf } from '../../../support/outcome.ts';
import { costOf, statementsOf } from '../../../support/plans.ts';
import { book, type EventTypeChanges, eventTypeOf, newHosts, slotOn, times } from '../support/booked-hosts.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const em = () => database.em.fork();
const NINE = slotOn(0, '09:00');
const WEEKLY = { recurrence: { frequency: 'WEEKLY', interval: 1, occurrences: 3 } } as const;

async function booked(rules: EventTypeChanges['rules'] = {}, idempotencyKey: string | null = null) {
  const [hostId = ''] = await newHosts(em(), 1);
  const eventType = eventTypeOf([hostId], { rules });
  const again = () => book(em(), eventType, NINE, { idempotencyKey });
  const { key, keys } = await again();
  return { hostId, eventType, key, keys, again };
}

function move(eventType: BookableEventType, key: BookingKey, time: string, callerId: string | null = null) {
  const request = { key, start: slotOn(0, time), durationInMinutes: null, reason: null, reservationId: null, callerId };
  return rescheduleBooking(em(), eventType, request);
}

/** How many slots of the day are listed for a booking that is to move. */
async function slotsFor(
  eventType: BookableEventType,
  key: BookingKey,
  actor: BookingActor = 'UID_HOLDER',
): Promise<number> {
  const day = { start: slotOn(0, '00:00'), end: slotOn(1, '00:00'), timeZone: 'UTC', durationInMinutes: null };
  return (await listSlots(em(), eventType, { ...day, rescheduled: { key, actor } })).length;
}

const movesOf = async (key: BookingKey) => (await findBooking(em(), key))?.moves;

async function setMoves({ ownerId, id }: OwnedId, moves: number): Promise<void> {
  await rows(em(), sql`update bookings set moves = ${moves} where owner_id = ${ownerId} and id = ${id} returning id`);
}

describe(`a booking is moved at most ${MAX_MOVES} times`, () => {
  test('by anybody, and then it stands until it is cancelled', async () => {
    const { hostId, eventType, key } = await booked();
    const again = await move(eventType, await move(eventType, key, '10:00'), '11:00', hostId);
    expect(await movesOf(again)).toBe(2);
    await setMoves(again, MAX_MOVES - 1);
    expect(await slotsFor(eventType, again)).toBe(16);
    const last = await move(eventType, again, '12:00');
    expect([
      await slotsFor(eventType, again),
      await slotsFor(eventType, last),
      await slotsFor(eventType, last, 'HOST'),
    ]).toEqual([0, 0, 0]);
    expect(await movesOf(last)).toBe(MAX_MOVES);
    const hosted = { ...last, hostId, network: '' };
    expect([
      await outcomeOf(move(eventType, last, '13:00')),
      await outcomeOf(move(eventType, last, '13:00', hostId)),
      // Nobody could choose the other time that is asked for.
      await outcomeOf(requestReschedule(em(), hosted, 'Ill')),
    ]).toEqual(['TOO_MANY_MOVES', 'TOO_MANY_MOVES', 'TOO_MANY_MOVES']);
    expect(await findBooking(em(), last)).toMatchObject({ status: 'ACCEPTED', moves: MAX_MOVES });
    const cancelled = await cancelBooking(em(), eventType.rules, { key: last, reason: null, callerId: null });
    expect(cancelled.status).toBe('CANCELLED');
  });

  test('but a seat as often as its holder likes, since nobody follows it', async () => {
    const { eventType, key } = await booked({ seats: { perSlot: 2, showsAttendees: false } });
    await move(eventType, key, '10:00');
    await move(eventType, key, '11:00');
    expect([await movesOf(key), await outcomeOf(move(eventType, key, '12:00'))]).toEqual([0, 'done']);
  });
});

/** As if it had been moved so often, back to its time: a row for each move. */
async function movedOften({ ownerId, id }: OwnedId, count: number): Promise<void> {
  const ids = times(count, newId);
  const [from, to] = [
    [id, ...ids.slice(0, -1)],
    [...ids.slice(1), null],
  ];
  const columns = sql.raw(
    'owner_id, user_id, event_type_id, title, starts_at, ends_at, ics_id, recurring_id, created_at, updated_at',
  );
  await rows(
    em(),
    sql`insert into bookings (id, rescheduled_from_id, rescheduled_to_id, status, ${columns})
        select made.id, from_id, to_id, case when to_id is null then 'ACCEPTED' else 'CANCELLED' end, ${columns}
        from unnest(${ids}::uuid[], ${from}::uuid[], ${to}::uuid[]) as made(id, from_id, to_id), bookings b
        where b.owner_id = ${ownerId} and b.id = ${id} returning id`,
  );
  await rows(
    em(),
    sql`update bookings set status = 'CANCELLED', rescheduled_to_id = ${ids[0]} where owner_id = ${ownerId} and id = ${id}
        returning id`,
  );
}

async function pageOf(key: BookingKey) {
  const ask = (inner: ReturnType<typeof em>) => findBookingForPage(inner, key, { nameOf: idOfKey, hostId: null });
  const { buffers } = await costOf(em(), 'force_custom_plan', ask);
  const shown = (await ask(em()))?.series.map(({ start, status }) => [start, status]);
  return { buffers, statements: (await statementsOf(em(), ask)).length, shown };
}

test('the page of a series that was moved as often as can be costs as many statements, and a row or two for each move', async () => {
  const { key, keys } = await booked(WEEKLY);
  const before = await pageOf(key);
  for (const one of keys) await movedOften(one, MAX_MOVES);
  const after = await pageOf(key);
  expect([after.statements, after.shown]).toEqual([before.statements, before.shown]);
  // It follows each of them twice, by some pages of 8 kB for a row.
  expect(after.buffers - before.buffers).toBeLessThan(2 * keys.length * MAX_MOVES * 5);
});

test('a series that is booked again by its key is named as it was made, wherever it has moved', async () => {
  const { eventType, keys, again } = await booked(WEEKLY, 'a-key-of-my-choice');
  const [first] = keys;
  if (first) await move(eventType, first, '15:00');
  expect((await again()).keys).toEqual(keys);
});
