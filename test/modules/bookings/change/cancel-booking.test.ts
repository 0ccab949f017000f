/**
 * The rest of a series is cancelled at once: tests try each actor and each of its bookings, and look at what is
 * recorded.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../../../src/database/sql.ts';
import type { BookingKey } from '../../../../src/modules/bookings/booking-key.rules.ts';
import {
  cancelBooking,
  cancelSeries,
  type SeriesCancellation,
} from '../../../../src/modules/bookings/change/cancel-booking.ts';
import { rescheduleBooking } from '../../../../src/modules/bookings/change/reschedule-booking.ts';
import type { BookableEventType } from '../../../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { meanwhile } from '../../../support/meanwhile.ts';
import { outcomeOf } from '../../../support/outcome.ts';
import {
  book,
  type EventTypeChanges,
  eventTypeOf,
  newHosts,
  outcomesOf,
  slotOn,
  times,
} from '../support/booked-hosts.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const em = () => database.em.fork();
const WEEKLY = { recurrence: { frequency: 'WEEKLY', interval: 1, occurrences: 4 } } as const;
const EVERYBODY = ['CANCELLED', 'CANCELLED', 'CANCELLED', 'CANCELLED'];

/** Four weekly bookings of a stranger. */
async function aSeries(changes: EventTypeChanges = {}) {
  const [hostId = '', otherId = ''] = await newHosts(em(), 2);
  const eventType = eventTypeOf([hostId], { ...changes, rules: { ...WEEKLY, ...changes.rules } });
  const { keys } = await book(em(), eventType, slotOn(0, '09:00'));
  const [first, second, third, fourth] = keys;
  if (!first || !second || !third || !fourth) throw new Error('There are no four bookings.');
  return { eventType, hostId, otherId, first, second, third, fourth };
}

function cancelAll({ rules }: BookableEventType, key: BookingKey, callerId: string | null = null) {
  return cancelSeries(em(), rules, { key, reason: callerId && 'Ill', callerId });
}

const idsOf = ({ cancelled, kept }: SeriesCancellation) => [cancelled.map(({ id }) => id), kept.map(({ id }) => id)];

async function statuses({ ownerId }: BookingKey): Promise<readonly string[]> {
  const found = await rows(
    em(),
    sql<{ status: string }>`select status from bookings where owner_id = ${ownerId} order by starts_at, id`,
  );
  return found.map(({ status }) => status);
}

async function timesHeld({ ownerId }: BookingKey): Promise<number> {
  return (await rows(em(), sql`select 1 from occupied_times where host_id = ${ownerId}`)).length;
}

interface Recorded {
  readonly data: { readonly booking: { readonly id: string }; readonly together: readonly string[] };
}

async function cancellationsOf({ ownerId }: BookingKey): Promise<readonly Recorded['data'][]> {
  const found = await rows(
    em(),
    sql<Recorded>`select data from domain_events where owner_id = ${ownerId} and type = 'BOOKING_CANCELLED' order by id`,
  );
  return found.map(({ data }) => data);
}

const movedBy = (key: BookingKey, start: Temporal.Instant) => ({
  key,
  start,
  durationInMinutes: null,
  reason: null,
  reservationId: null,
  callerId: null,
});

async function givenTo({ id }: BookingKey, hostId: string): Promise<void> {
  await rows(em(), sql`update bookings set host_ids = array[${hostId}::uuid] where id = ${id} returning id`);
  await rows(em(), sql`update booking_hosts set user_id = ${hostId} where booking_id = ${id} returning booking_id`);
  await rows(em(), sql`update occupied_times set host_id = ${hostId} where holder_id = ${id} returning holder_id`);
}

/** Lets a booking be over, or have begun, so many hours ago. */
async function startedAgo({ ownerId, id }: BookingKey, hours: number): Promise<void> {
  const [start, end] = [`${hours} hours`, `${hours - 1} hours`];
  await rows(
    em(),
    sql`update bookings set starts_at = date_trunc('second', now()) - ${start}::interval,
          ends_at = date_trunc('second', now()) - ${end}::interval
        where owner_id = ${ownerId} and id = ${id} returning id`,
  );
}

describe('the holder of the uid of the first booking', () => {
  test('cancels all of the series, gives its time back, and one event tells of all', async () => {
    const { eventType, first, second, third, fourth } = await aSeries();
    const ids = [first.id, second.id, third.id, fourth.id];
    expect(await timesHeld(first)).toBe(4);
    expect(idsOf(await cancelAll(eventType, first))).toEqual([ids, []]);
    expect([await statuses(first), await timesHeld(first)]).toEqual([EVERYBODY, 0]);
    const events = await cancellationsOf(first);
    expect(events.map(({ booking }) => booking.id)).toEqual(ids);
    expect(events.map(({ together }) => together)).toEqual([ids, [], [], []]);
  });

  test('leaves what is over and what was cancelled before as it is', async () => {
    const { eventType, first, second, third, fourth } = await aSeries();
    await startedAgo(first, 3);
    await cancelBooking(em(), eventType.rules, { key: second, reason: 'Mine', callerId: null });
    expect(idsOf(await cancelAll(eventType, first))).toEqual([[third.id, fourth.id], []]);
    expect(await statuses(first)).toEqual(['ACCEPTED', 'CANCELLED', 'CANCELLED', 'CANCELLED']);
    const [reason] = await rows(em(), sql`select cancellation_reason from bookings where id = ${second.id}`);
    expect(reason).toEqual({ cancellation_reason: 'Mine' });
  });

  test('finds each wherever it has moved; what the first has moved to leads to the series too', async () => {
    const { eventType, first, second, third, fourth } = await aSeries();
    const moved = await rescheduleBooking(em(), eventType, movedBy(first, slotOn(1, '10:00')));
    expect(idsOf(await cancelAll(eventType, moved))).toEqual([[moved.id, second.id, third.id, fourth.id], []]);
    expect(await timesHeld(first)).toBe(0);
  });

  test('is told what it is too late for, and that nothing remains', async () => {
    const rules = { cancellationPolicy: { type: 'WITH_NOTICE', noticeInMinutes: 60 } } as const;
    const { eventType, first, second, third, fourth } = await aSeries({ rules });
    await startedAgo(first, 0.5);
    expect(idsOf(await cancelAll(eventType, first))).toEqual([[second.id, third.id, fourth.id], [first.id]]);
    expect(await outcomeOf(cancelAll(eventType, first))).toBe('CANCELLING_DISABLED');
    await startedAgo(first, 3);
    expect(await outcomeOf(cancelAll(eventType, first))).toBe('NOT_POSSIBLE');
  });
});

test('the uid of another booking is that of this one alone, and a booking without a series is none', async () => {
  const { eventType, first, third } = await aSeries();
  expect(await outcomeOf(cancelAll(eventType, third))).toBe('NOT_POSSIBLE');
  const alone = eventTypeOf(await newHosts(em(), 1));
  const { key } = await book(em(), alone, slotOn(0, '09:00'));
  expect(await outcomeOf(cancelAll(alone, key))).toBe('NOT_POSSIBLE');
  expect(await outcomeOf(cancelAll(alone, { ...key, id: first.id }))).toBe('NOT_FOUND');
  expect([await statuses(first), await statuses(key)]).toEqual([Array(4).fill('ACCEPTED'), ['ACCEPTED']]);
});

describe('a host', () => {
  test('cancels by any of the bookings, past the cut-off, and must say why', async () => {
    const { eventType, hostId, third } = await aSeries({ rules: { cancellationPolicy: { type: 'NEVER' } } });
    const command = { key: third, reason: ' ', callerId: hostId };
    expect(await outcomeOf(cancelSeries(em(), eventType.rules, command))).toBe('REASON_REQUIRED');
    expect(await outcomeOf(cancelAll(eventType, third))).toBe('NOT_POSSIBLE');
    expect((await cancelAll(eventType, third, hostId)).cancelled).toHaveLength(4);
    expect(await statuses(third)).toEqual(EVERYBODY);
  });

  test('cancels what they host; those who host another part are told of theirs', async () => {
    const { eventType, hostId, otherId, first, second, third, fourth } = await aSeries();
    await givenTo(fourth, otherId);
    expect(idsOf(await cancelAll(eventType, first, hostId))).toEqual([[first.id, second.id, third.id], []]);
    expect((await statuses(first)).at(-1)).toBe('ACCEPTED');
    expect(idsOf(await cancelAll(eventType, first))).toEqual([[fourth.id], []]);
    expect((await cancellationsOf(first)).map(({ together }) => together.length)).toEqual([3, 0, 0, 1]);
  });

  test('who does not host the booking, or no longer, hears that there is none, and does nothing', async () => {
    const { eventType, hostId, otherId, fourth } = await aSeries();
    const { key: alone } = await book(em(), eventTypeOf([otherId]), slotOn(1, '09:00'));
    await givenTo(fourth, otherId);
    for (const key of [alone, fourth]) {
      const acting = { ownerId: key.ownerId, id: key.id, hostId, network: null };
      for (const command of [
        { key, reason: 'Ill', callerId: hostId },
        { key, reason: 'Ill', callerId: hostId, acting },
      ])
        for (const cancel of [cancelBooking, cancelSeries])
          expect(await outcomeOf(cancel(em(), eventType.rules, command))).toBe('NOT_FOUND');
    }
    expect([await statuses(fourth), await statuses(alone)]).toEqual([Array(4).fill('ACCEPTED'), ['ACCEPTED']]);
  });
});

test('two who cancel at once: one does, the other is told that nothing remains', async () => {
  const { eventType, first } = await aSeries();
  const commands = [cancelAll(eventType, first), cancelAll(eventType, first)];
  expect(await outcomesOf(commands)).toEqual({ done: 1, NOT_POSSIBLE: 1 });
  expect(await cancellationsOf(first)).toHaveLength(4);
});

test('fifty who cancel at once, all of it or one after the other, cancel each booking once', async () => {
  const { eventType, first, second, third, fourth } = await aSeries();
  const all = times(25, () => cancelAll(eventType, first));
  const single = times(25, (index) => {
    const key = [first, second, third, fourth][index % 4] ?? first;
    return cancelBooking(em(), eventType.rules, { key, reason: null, callerId: null });
  });
  const { done = 0, NOT_POSSIBLE: refused = 0 } = await outcomesOf([...all, ...single]);
  expect(done).toBeGreaterThan(0);
  expect(done + refused).toBe(50);
  expect(await statuses(first)).toEqual(EVERYBODY);
  expect(await cancellationsOf(first)).toHaveLength(4);
  expect(await timesHeld(first)).toBe(0);
});

test.runIf(isOnPostgres)(
  'a booking that is cancelled meanwhile is cancelled once, and one that moves is followed',
  async () => {
    const { eventType, first, second, third } = await aSeries();
    let movedId = '';
    const { cancelled } = await meanwhile(
      database,
      async (open) => {
        await cancelBooking(open, eventType.rules, { key: second, reason: null, callerId: null });
        movedId = (await rescheduleBooking(open, eventType, movedBy(third, slotOn(15, '10:00')))).id;
      },
      () => cancelAll(eventType, first),
    );
    expect(cancelled.map(({ id }) => id)).toContain(movedId);
    expect(cancelled).toHaveLength(3);
    expect(await timesHeld(first)).toBe(0);
  },
);
