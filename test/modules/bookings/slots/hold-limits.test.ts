import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, newUserId } from '../../../../src/core/id.ts';
import { rows, sql } from '../../../../src/database/sql.ts';
import { listSlots } from '../../../../src/modules/bookings/slots/availability.ts';
import type { BookableEventType } from '../../../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import type { SlotHolder } from '../../../../src/modules/bookings/slots/holds/hold-limits.ts';
import { deleteReservation, reserveSlot } from '../../../../src/modules/bookings/slots/holds/reserve-slot.ts';
import {
  listReservedSlots,
  releaseReservedSlot,
} from '../../../../src/modules/bookings/slots/holds/reserved-slot.queries.ts';
import type { ReservationRow } from '../../../../src/modules/bookings/slots/take-slot.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { outcomeOf } from '../../../support/outcome.ts';
import { aHolder, book, type EventTypeChanges, eventTypeOf, newHosts, slotOn } from '../support/booked-hosts.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase('empty');
});
afterAll(() => database.close());
const em = () => database.em.fork();

const REFUSED = 'RESERVATION_LIMIT_REACHED';

async function aTalk(changes: EventTypeChanges = {}, hosts = 1): Promise<BookableEventType> {
  return eventTypeOf(await newHosts(em(), hosts), changes);
}

function keep(
  eventType: BookableEventType,
  start: Temporal.Instant,
  holder: SlotHolder = aHolder(),
  replacesId: ReservationRow | null = null,
): Promise<ReservationRow> {
  return reserveSlot(em(), eventType, { start, durationInMinutes: null, expiresInMinutes: null, replacesId, holder });
}

async function freeOf(eventType: BookableEventType, day = 0, days = 1): Promise<string[]> {
  const [start, end] = [slotOn(day, '00:00'), slotOn(day + days, '00:00')];
  const found = await listSlots(em(), eventType, {
    start,
    end,
    timeZone: 'UTC',
    durationInMinutes: null,
    rescheduled: null,
  });
  return found.map((slot) => new Date(slot.start).toISOString());
}

/** Somebody new tries to keep each of the slots of some days, as often as anything is kept: what is left open on each day. */
async function leftByMany(
  attacked: readonly BookableEventType[],
  days: readonly number[],
  seen: BookableEventType = attacked[0] as BookableEventType,
): Promise<number[]> {
  for (const day of days) {
    for (const eventType of attacked) {
      for (const start of await freeOf(eventType, day)) {
        await outcomeOf(keep(eventType, Temporal.Instant.from(start), aHolder(newId())));
      }
    }
  }
  return Promise.all(days.map(async (day) => (await freeOf(seen, day)).length));
}

/** As though everything of this event type had happened so many minutes earlier. */
async function later(minutes: number, { ownerId }: BookableEventType): Promise<void> {
  const ago = sql`make_interval(mins => ${minutes}::int)`;
  await rows(
    em(),
    sql`update slot_reservations set held_since = held_since - ${ago}, expires_at = expires_at - ${ago} where owner_id = ${ownerId}`,
  );
  await rows(
    em(),
    sql`update occupied_times set expires_at = expires_at - ${ago} where host_id = ${ownerId} and expires_at is not null`,
  );
}

describe('the holds of one caller', () => {
  test('is three slots of an event type, of which each is renewed, and what is given back makes room', async () => {
    const talk = await aTalk();
    const kept = [];
    for (const time of ['09:00', '11:00', '13:00']) kept.push(await keep(talk, slotOn(0, time)));
    kept.push(await keep(talk, slotOn(0, '13:00'), aHolder(), kept.pop()));
    expect(await outcomeOf(keep(talk, slotOn(1, '09:00')))).toBe(REFUSED);
    expect(await outcomeOf(keep(talk, slotOn(1, '09:00'), aHolder('elsewhere')))).toBe('done');
    await deleteReservation(em(), kept[0] as ReservationRow);
    expect(await outcomeOf(keep(talk, slotOn(1, '11:00')))).toBe('done');
  });

  test('is counted by the user too, wherever they call from', async () => {
    const talk = await aTalk();
    const user = newUserId();
    const from = (network: string): SlotHolder => ({
      hostId: user,
      isApp: false,
      names: [`network ${network}`, `user ${user}`],
    });
    for (const [day, network] of ['a', 'b', 'c'].entries()) await keep(talk, slotOn(day, '09:00'), from(network));
    expect(await outcomeOf(keep(talk, slotOn(3, '09:00'), from('d')))).toBe(REFUSED);
  });

  test('is not bound by the share for a host, who keeps twenty', async () => {
    const talk = await aTalk();
    const host = aHolder('office', talk.ownerId);
    const starts = (await freeOf(talk, 0, 2)).slice(0, 21);
    for (const start of starts.slice(0, 20)) await keep(talk, Temporal.Instant.from(start), host);
    expect((await freeOf(talk)).length).toBe(0);
    expect(await outcomeOf(keep(talk, Temporal.Instant.from(starts[20] ?? ''), host))).toBe(REFUSED);
  });

  test('ends after 15 minutes however it is renewed, and for 15 more others alone can keep it', async () => {
    const talk = await aTalk();
    const nine = slotOn(0, '09:00');
    let kept = await keep(talk, nine);
    for (let minutes = 0; minutes < 12; minutes += 4) {
      await later(4, talk);
      kept = await keep(talk, nine, aHolder(), kept);
    }
    expect(Temporal.Instant.from(kept.expiresAt).since(Temporal.Now.instant()).total('minutes')).toBeLessThan(3.1);
    await later(3, talk);
    expect(await outcomeOf(keep(talk, nine, aHolder(), kept))).toBe('NOT_FOUND');
    expect(await outcomeOf(keep(talk, nine))).toBe(REFUSED);
    await later(12, talk);
    expect(await outcomeOf(keep(talk, nine))).toBe(REFUSED);
    expect(await outcomeOf(keep(talk, nine, aHolder('elsewhere')))).toBe('done');
    const other = await aTalk();
    await keep(other, nine);
    await later(31, other);
    expect(await outcomeOf(keep(other, nine))).toBe('done');
  });

  test.each<[string, (talk: BookableEventType, kept: ReservationRow) => Promise<unknown>]>([
    [
      'moving away and back',
      async (talk, kept) => {
        const away = await keep(talk, slotOn(0, '14:00'), aHolder(), kept);
        await keep(talk, slotOn(0, '09:00'), aHolder(), away);
      },
    ],
    [
      'giving it back and keeping it again',
      async (talk, kept) => {
        await deleteReservation(em(), kept);
        await keep(talk, slotOn(0, '09:00'));
      },
    ],
    [
      'keeping it through another event type',
      async (talk, kept) => {
        await deleteReservation(em(), kept);
        await keep({ ...talk, id: newId() }, slotOn(0, '09:00'));
      },
    ],
  ])('is not begun anew by %s', async (_, renew) => {
    const talk = await aTalk();
    const kept = await keep(talk, slotOn(0, '09:00'));
    await later(4, talk);
    await renew(talk, kept);
    const [{ since } = { since: 0 }] = await rows(
      em(),
      sql<{ since: number }>`select date_part('epoch', now() - min(held_since)) as since from slot_reservations
        where owner_id = ${talk.ownerId} and expires_at > now()`,
    );
    expect(since).toBeGreaterThanOrEqual(240);
  });
});

describe('the holds of all callers together', () => {
  test.each<[string, EventTypeChanges, number]>([
    ['half an hour', {}, 16],
    ['an hour', { rules: { durationInMinutes: 60 } }, 8],
    ['an hour that starts at every quarter', { rules: { durationInMinutes: 60, slotIntervalInMinutes: 15 } }, 29],
    ['half an hour with buffers', { rules: { bufferBeforeInMinutes: 15, bufferAfterInMinutes: 30 } }, 16],
    ['a day with a limit of four', { rules: { bookingLimits: { day: { maxBookings: 4 } } } }, 16],
  ])('leaves half of a day open: %s', async (_, changes, open) => {
    const talk = await aTalk(changes);
    expect((await freeOf(talk)).length).toBe(open);
    const [left = 0] = await leftByMany([talk], [0]);
    expect(left).toBeGreaterThanOrEqual(open / 2);
    expect(left).toBeLessThan(open);
    const [start = ''] = await freeOf(talk);
    expect(await outcomeOf(book(em(), talk, Temporal.Instant.from(start)))).toBe('done');
  });

  test.each<[string, EventTypeChanges]>([
    ['has one slot', { rules: { durationInMinutes: 480 } }],
    ['takes one booking', { rules: { bookingLimits: { day: { maxBookings: 1 } } } }],
  ])('leaves half of the days open where each %s, from whichever end they are tried', async (__, changes) => {
    const days = [0, 1, 2, 3, 4, 7, 8, 9, 10, 11];
    for (const order of [days, days.toReversed()]) {
      const left = await leftByMany([await aTalk(changes)], order);
      const open = left.filter((count) => count > 0).length;
      expect(open).toBeGreaterThanOrEqual(5);
      expect(open).toBeLessThan(10);
    }
  });

  test('leaves half of the hours open to other event types of the host', async () => {
    const short = await aTalk({ rules: { durationInMinutes: 15 } });
    const hour = { ...(await aTalk({ rules: { durationInMinutes: 60 } })), ownerId: short.ownerId, hosts: short.hosts };
    const others = [1, 2, 3].map(() => ({ ...short, id: newId() }));
    const [left = 0] = await leftByMany([short, ...others], [0], hour);
    expect(left).toBeGreaterThanOrEqual(4);
  });

  test('leaves half open where hosts take turns, and where all must come', async () => {
    for (const schedulingType of ['ROUND_ROBIN', 'COLLECTIVE'] as const) {
      const talk = await aTalk({ rules: { schedulingType } }, 2);
      const [left = 0] = await leftByMany([talk], [0]);
      expect(left).toBeGreaterThanOrEqual(8);
    }
  });

  test('leaves half of the seats open', async () => {
    const talk = await aTalk({ rules: { durationInMinutes: 60, seats: { perSlot: 4, showsAttendees: false } } });
    for (const start of await freeOf(talk)) await book(em(), talk, Temporal.Instant.from(start));
    for (let n = 0; n < 4; n += 1) await leftByMany([talk], [0]);
    const [{ kept } = { kept: 0 }] = await rows(
      em(),
      sql<{
        kept: number;
      }>`select count(*)::int as kept from slot_reservations where owner_id = ${talk.ownerId} and expires_at > now()`,
    );
    // Three seats are left in each of eight slots.
    expect(kept).toBe(12);
  });

  test('is forty slots of a host, from two hundred networks', async () => {
    const talk = await aTalk();
    const days = [0, 1, 2, 3, 4, 7, 8, 9, 10, 11, 14, 15, 16, 17, 18];
    const starts = (await Promise.all(days.map((day) => freeOf(talk, day)))).flat();
    for (let n = 0; n < 200; n += 1) {
      const start = Temporal.Instant.from(starts[(n * 7) % starts.length] ?? '');
      await outcomeOf(keep(talk, start, aHolder(`network-${n}`)));
    }
    const left = await Promise.all(days.map(async (day) => (await freeOf(talk, day)).length));
    expect(starts.length - left.reduce((sum, count) => sum + count, 0)).toBe(40);
    for (const count of left) expect(count).toBeGreaterThanOrEqual(8);
  });
});

test('a host sees the holds and releases one, and its visitor cannot hold the slot again for a while', async () => {
  const talk = await aTalk();
  await rows(
    em(),
    sql`insert into event_types (owner_id, id, user_id, slug, title, duration_in_minutes, is_hidden, metadata, created_at, updated_at)
        values (${talk.ownerId}, ${talk.id}, ${talk.ownerId}, 'talk', 'Talk', 30, false, '{}', now(), now())`,
  );
  const nine = slotOn(0, '09:00');
  const kept = await keep(talk, nine);
  const request = { limit: 10, backward: false, after: undefined, before: undefined };
  const [held] = (await listReservedSlots(em(), talk.ownerId, request)).rows;
  expect(held).toMatchObject({ id: kept.id, title: 'Talk', eventTypeId: talk.id });

  const named = { ownerId: talk.ownerId, id: held?.id ?? '' };
  expect(await outcomeOf(releaseReservedSlot(em(), named, { hostId: newUserId() }))).toBe('NOT_FOUND');
  expect(await outcomeOf(releaseReservedSlot(em(), named, { hostId: talk.ownerId }))).toBe('done');
  expect((await listReservedSlots(em(), talk.ownerId, request)).rows).toEqual([]);
  expect(await outcomeOf(keep(talk, nine))).toBe(REFUSED);
  expect(await outcomeOf(book(em(), talk, nine))).toBe('done');
});
