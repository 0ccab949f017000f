import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../../src/core/id.ts';
import { rows, sql } from '../../../../src/database/sql.ts';
import { type BookingRow, findBooking } from '../../../../src/modules/bookings/booking.queries.ts';
import type { BookingKey } from '../../../../src/modules/bookings/booking-key.rules.ts';
import { cancelBooking } from '../../../../src/modules/bookings/change/cancel-booking.ts';
import { reassignBooking } from '../../../../src/modules/bookings/change/reassign-booking.ts';
import { rescheduleBooking } from '../../../../src/modules/bookings/change/reschedule-booking.ts';
import type { BookableEventType } from '../../../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { outcomeOf } from '../../../support/outcome.ts';
import { aRequest, book, type EventTypeChanges, eventTypeOf, newHosts, slotOn } from '../support/booked-hosts.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const em = () => database.em.fork();
const NINE = slotOn(0, '09:00');
const TEN = slotOn(0, '10:00');
const SEATS = { seats: { perSlot: 3, showsAttendees: true } };

async function anEventType(changes: EventTypeChanges = {}, hostCount = 1): Promise<BookableEventType> {
  return eventTypeOf(await newHosts(em(), hostCount), changes);
}

function move(
  eventType: BookableEventType,
  key: BookingKey,
  start: Temporal.Instant,
  callerId: string | null = null,
  durationInMinutes: number | null = null,
) {
  return rescheduleBooking(em(), eventType, {
    key,
    start,
    durationInMinutes,
    reason: 'Later',
    reservationId: null,
    callerId,
  });
}

async function required(key: BookingKey): Promise<BookingRow> {
  const found = await findBooking(em(), key);
  if (!found) throw new Error(`There is no booking ${key.id}.`);
  return found;
}

async function lastEvent({ ownerId }: BookableEventType): Promise<unknown> {
  const [event] = await rows(
    em(),
    sql`select type, data from domain_events where owner_id = ${ownerId} order by occurred_at desc limit 1`,
  );
  return event;
}

describe('a reschedule', () => {
  test('cancels the booking in favour of a new one with the same people and a new id', async () => {
    const eventType = await anEventType();
    const { key } = await book(em(), eventType, NINE, {
      notes: 'Hi',
      guests: ['g@example.test'],
      metadata: { a: 'b' },
    });
    const moved = await move(eventType, key, TEN);
    const [old, made] = [await required(key), await required(moved)];
    expect(moved.id).not.toBe(key.id);
    expect(old).toMatchObject({ status: 'CANCELLED', rescheduledToId: moved.id, reschedulingReason: 'Later' });
    expect(made).toMatchObject({
      status: 'ACCEPTED',
      rescheduledFromId: key.id,
      guestEmails: ['g@example.test'],
      metadata: { a: 'b' },
      attendees: [{ email: aRequest(NINE).attendee.email, notes: 'Hi' }],
    });
    expect(await lastEvent(eventType)).toMatchObject({
      type: 'BOOKING_RESCHEDULED',
      data: { previousId: key.id, booking: { id: moved.id } },
    });
    expect(await outcomeOf(book(em(), eventType, NINE))).toBe('done');
    expect(await outcomeOf(book(em(), eventType, TEN))).toBe('SLOT_TAKEN');
  });

  test('may overlap its own old time', async () => {
    const eventType = await anEventType({ rules: { slotIntervalInMinutes: 10 } });
    const { key } = await book(em(), eventType, NINE);
    expect(await outcomeOf(move(eventType, key, NINE.add({ minutes: 10 })))).toBe('done');
  });

  test('keeps the length, or takes another that is offered', async () => {
    const eventType = await anEventType({ rules: { durationInMinutesOptions: [30, 60] } });
    const { key } = await book(em(), eventType, NINE, { durationInMinutes: 60 });
    const kept = await move(eventType, key, TEN);
    expect(await required(kept)).toMatchObject({ end: expect.stringContaining('11:00:00') });
    expect(await outcomeOf(move(eventType, kept, NINE, null, 45))).toBe('DURATION_NOT_OFFERED');
    expect(await required(await move(eventType, kept, NINE, null, 30))).toMatchObject({
      end: expect.stringContaining('09:30:00'),
    });
  });

  test('that finds no room leaves everything as it is', async () => {
    const eventType = await anEventType();
    const { key } = await book(em(), eventType, NINE);
    await book(em(), eventType, TEN);
    const before = await required(key);
    expect(await outcomeOf(move(eventType, key, TEN))).toBe('SLOT_TAKEN');
    expect(await outcomeOf(move(eventType, key, TEN.add({ minutes: 1 })))).toBe('SLOT_NOT_OFFERED');
    expect(await outcomeOf(move(eventType, key, Temporal.Instant.from('1999-01-01T00:00Z')))).toBe('SLOT_IN_PAST');
    expect(await required(key)).toEqual(before);
    expect(await outcomeOf(book(em(), eventType, NINE))).toBe('SLOT_TAKEN');
  });

  test('is not possible twice, nor after a cancellation', async () => {
    const eventType = await anEventType();
    const { key } = await book(em(), eventType, NINE);
    await move(eventType, key, TEN);
    expect(await outcomeOf(move(eventType, key, NINE))).toBe('NOT_POSSIBLE');
    const other = await book(em(), eventType, NINE);
    await cancelBooking(em(), eventType.rules, { key: other.key, reason: null, callerId: null });
    expect(await outcomeOf(move(eventType, other.key, NINE))).toBe('NOT_POSSIBLE');
    expect(await outcomeOf(move(eventType, { ownerId: eventType.ownerId, id: newId() }, NINE))).toBe('NOT_FOUND');
  });

  test('by its attendee asks again where a host has to confirm; by the host it does not', async () => {
    const eventType = await anEventType();
    const asks = { ...eventType, rules: { ...eventType.rules, confirmation: { type: 'ALWAYS' } } } as const;
    const [a, b] = [await book(em(), eventType, NINE), await book(em(), eventType, TEN)];
    expect(await required(await move(asks, a.key, NINE.add({ minutes: 30 })))).toMatchObject({ status: 'PENDING' });
    const byHost = await move(asks, b.key, TEN.add({ minutes: 30 }), eventType.ownerId);
    expect(await required(byHost)).toMatchObject({ status: 'ACCEPTED' });
  });

  test('keeps the host of a round robin as long as they have time', async () => {
    const team = await anEventType({ rules: { schedulingType: 'ROUND_ROBIN' } }, 3);
    const { key } = await book(em(), team, NINE);
    const [host] = (await required(key)).hostIds;
    const moved = await required(await move(team, key, TEN));
    expect(moved.hostIds).toEqual([host]);
    const away = eventTypeOf([host ?? '']);
    await book(em(), away, NINE);
    expect((await required(await move(team, moved, NINE))).hostIds).not.toEqual([host]);
  });
});

describe('a cut-off', () => {
  test('binds who holds the uid, and not a host', async () => {
    const eventType = await anEventType({
      rules: { cancellationPolicy: { type: 'NEVER' }, reschedulingPolicy: { type: 'NEVER' } },
    });
    const { key } = await book(em(), eventType, NINE);
    const cancel = (callerId: string | null) => cancelBooking(em(), eventType.rules, { key, reason: 'Ill', callerId });
    expect(await outcomeOf(cancel(null))).toBe('CANCELLING_DISABLED');
    expect(await outcomeOf(move(eventType, key, TEN))).toBe('RESCHEDULING_DISABLED');
    expect(await outcomeOf(cancel(eventType.ownerId))).toBe('done');
  });

  test('is time itself once the booking is over', async () => {
    const eventType = await anEventType();
    const { key } = await book(em(), eventType, NINE);
    await rows(
      em(),
      sql`update bookings set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour' where id = ${key.id}`,
    );
    const cancellation = { key, reason: 'Ill', callerId: eventType.ownerId };
    expect(await outcomeOf(cancelBooking(em(), eventType.rules, cancellation))).toBe('BOOKING_OVER');
    expect(await outcomeOf(move(eventType, key, TEN, eventType.ownerId))).toBe('BOOKING_OVER');
  });
});

describe('a seat', () => {
  test('is given back alone, and the booking goes with the last one', async () => {
    const { eventType, seats, key } = await seated(2);
    const cancel = (seat: BookingKey) =>
      cancelBooking(em(), eventType.rules, { key: seat, reason: null, callerId: null });
    await cancel(seats[0]);
    expect(await required(key)).toMatchObject({ status: 'ACCEPTED', attendees: [{ seatId: seats[1].id }] });
    expect(await lastEvent(eventType)).toMatchObject({
      type: 'BOOKING_CANCELLED',
      data: { booking: { seatId: seats[0].id } },
    });
    expect(await outcomeOf(cancel(seats[0]))).toBe('NOT_FOUND');
    await cancel(seats[1]);
    expect(await required(key)).toMatchObject({ status: 'CANCELLED' });
    expect(await outcomeOf(book(em(), eventType, NINE))).toBe('done');
  });

  test('moves alone, keeps its uid, and joins who is there', async () => {
    const { eventType, seats, key } = await seated(2);
    const there = await required((await book(em(), eventType, TEN)).key);
    expect(await move(eventType, seats[0], TEN)).toEqual(seats[0]);
    expect((await required(seats[0])).id).toBe(there.id);
    expect(await required(key)).toMatchObject({ status: 'ACCEPTED', attendees: [{ seatId: seats[1].id }] });
    const attended = sql<{ startsAt: string }>`
      select starts_at as "startsAt" from booking_attendees where owner_id = ${eventType.ownerId} order by starts_at`;
    const times = (await rows(em(), attended)).map(({ startsAt }) => Temporal.Instant.from(startsAt).toString());
    expect(times).toEqual([NINE, TEN, TEN].map(String));
  });

  test('that is the last takes the booking’s time with it', async () => {
    const { eventType, seats, key } = await seated(1);
    await move(eventType, seats[0], TEN);
    expect(await required(key)).toMatchObject({ status: 'CANCELLED' });
    expect(await required(seats[0])).toMatchObject({ status: 'ACCEPTED' });
    const held = await rows(em(), sql`select 1 from occupied_times where host_id = ${eventType.ownerId}`);
    expect(held).toHaveLength(1);
  });

  test('goes along when the whole booking moves', async () => {
    const { eventType, seats, key } = await seated(2);
    const moved = await move(eventType, key, TEN);
    expect((await required(moved)).attendees.map(({ seatId }) => seatId)).toEqual(seats.map(({ id }) => id));
    expect((await required(seats[1])).id).toBe(moved.id);
    expect(await required(key)).toMatchObject({ status: 'CANCELLED', rescheduledToId: moved.id });
  });
});

describe('a booking of a round robin', () => {
  test('is handed to another host who has time, with its place in the lists', async () => {
    const team = await anEventType({ rules: { schedulingType: 'ROUND_ROBIN' } }, 2);
    const { key } = await book(em(), team, NINE);
    const [from = ''] = (await required(key)).hostIds;
    const to = team.hosts.find(({ userId }) => userId !== from)?.userId ?? '';
    expect(await outcomeOf(reassignBooking(em(), team, { ...key, hostId: to, network: 'unknown' }, null))).toBe(
      'NOT_FOUND',
    );
    expect(await reassignBooking(em(), team, { ...key, hostId: from, network: 'unknown' }, null)).toBe(to);
    expect((await required(key)).hosts.map(({ id }) => id)).toEqual([to]);
    const occupied = await rows<{ host_id: string }>(
      em(),
      sql`select host_id from occupied_times where holder_id = ${key.id}`,
    );
    expect(occupied).toEqual([{ host_id: to }]);
    const lists = await rows<{ user_id: string }>(
      em(),
      sql`select user_id from booking_hosts where booking_id = ${key.id}`,
    );
    expect(lists).toEqual([{ user_id: to }]);
  });

  test('stays where nobody else has time', async () => {
    const team = await anEventType({ rules: { schedulingType: 'ROUND_ROBIN' } }, 2);
    const { key } = await book(em(), team, NINE);
    await book(em(), team, NINE);
    const [from = ''] = (await required(key)).hostIds;
    expect(await outcomeOf(reassignBooking(em(), team, { ...key, hostId: from, network: 'unknown' }, null))).toBe(
      'HOST_NOT_AVAILABLE',
    );
    expect((await required(key)).hostIds).toEqual([from]);
  });
});

/** A seated booking at nine. */
async function seated(count: 1 | 2) {
  const eventType = await anEventType({ rules: SEATS });
  const { key: first } = await book(em(), eventType, NINE);
  const second = count === 2 ? (await book(em(), eventType, NINE)).key : first;
  const { ownerId, id } = await required(first);
  return { eventType, seats: [first, second] as const, key: { ownerId, id } };
}
