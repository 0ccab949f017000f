import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, newUserId } from '../../../../src/core/id.ts';
import { Problem } from '../../../../src/core/problem.ts';
import { row, rows, sql } from '../../../../src/database/sql.ts';
import { NOBODY } from '../../../../src/events/record-event.ts';
import { removeOldIdempotencyKeys } from '../../../../src/limits/at-most-once.ts';
import { createBooking } from '../../../../src/modules/bookings/book/book.ts';
import { findBooking } from '../../../../src/modules/bookings/booking.queries.ts';
import type { BookingKey } from '../../../../src/modules/bookings/booking-key.rules.ts';
import type { BookingRequest } from '../../../../src/modules/bookings/booking-request.rules.ts';
import { cancelBooking } from '../../../../src/modules/bookings/change/cancel-booking.ts';
import { rescheduleBooking } from '../../../../src/modules/bookings/change/reschedule-booking.ts';
import { occupy, PastTimeSweep } from '../../../../src/modules/bookings/occupancy/take-time.ts';
import type { BookableEventType } from '../../../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import { removeExpiredReservations, reserveSlot } from '../../../../src/modules/bookings/slots/holds/reserve-slot.ts';
import { insertBooking } from '../../../../src/modules/bookings/stored-booking.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { outcomeOf } from '../../../support/outcome.ts';
import {
  aHolder,
  aRequest,
  book,
  type EventTypeChanges,
  eventTypeOf,
  newHosts,
  slotOn,
  times,
} from '../support/booked-hosts.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const em = () => database.em.fork();
const NINE = slotOn(0, '09:00');

async function anEventType(changes: EventTypeChanges = {}, hostCount = 1): Promise<BookableEventType> {
  return eventTypeOf(await newHosts(em(), hostCount), changes);
}

/** The mistakes in a request: each code with where in the input it is. */
async function mistakesOf(eventType: BookableEventType, changes: Partial<BookingRequest>): Promise<string[]> {
  try {
    await createBooking(em(), eventType, aRequest(NINE, changes), NOBODY);
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.mistakes.map(({ code, path = [] }) => [code, ...path].join(' '));
  }
}

/** Nothing was written for an event type, nor for its hosts. */
async function nothingIsStored({ ownerId }: BookableEventType): Promise<boolean> {
  const found = await row(
    em(),
    sql`select 1 from bookings where owner_id = ${ownerId}
        union all select 1 from occupied_times where host_id = ${ownerId}
        union all select 1 from domain_events where owner_id = ${ownerId}`,
  );
  return found === undefined;
}

const long = (length: number) => 'x'.repeat(length);
const keys = (count: number) => Object.fromEntries(times(count, (index) => [`key${index}`, 'value']));
const emails = (count: number) => times(count, (index) => `guest${index}@example.test`);
const attendee = (changes: Partial<BookingRequest['attendee']>) => ({
  attendee: { ...aRequest(NINE).attendee, ...changes },
});

describe('a booking is refused, and nothing is stored, for', () => {
  test.each<[string, Partial<BookingRequest>, string[]]>([
    ['a start in the past', { start: Temporal.Instant.from('2001-01-01T09:00:00Z') }, ['SLOT_IN_PAST start']],
    [
      'a start before all calendars',
      { start: Temporal.Instant.from('-271821-04-20T00:00:00Z') },
      ['SLOT_IN_PAST start'],
    ],
    ['a start in the far future', { start: Temporal.Instant.from('2999-01-01T09:00:00Z') }, ['TOO_FAR_AHEAD start']],
    [
      'a start after all calendars',
      { start: Temporal.Instant.from('+275760-09-13T00:00:00Z') },
      ['TOO_FAR_AHEAD start'],
    ],
    ['a start off the grid', { start: NINE.add({ minutes: 1 }) }, ['SLOT_NOT_OFFERED start']],
    ['a start outside working hours', { start: NINE.subtract({ minutes: 30 }) }, ['SLOT_NOT_OFFERED start']],
    ['a length that is not offered', { durationInMinutes: 45 }, ['DURATION_NOT_OFFERED durationInMinutes']],
    ['a length below zero', { durationInMinutes: -30 }, ['DURATION_NOT_OFFERED durationInMinutes']],
    ['a length of millennia', { durationInMinutes: 2_147_483_647 }, ['DURATION_NOT_OFFERED durationInMinutes']],
    ['no name', attendee({ name: ' ' }), ['REQUIRED attendee name']],
    ['a name of control characters', attendee({ name: 'a\u0000b' }), ['INVALID_TEXT attendee name']],
    ['no e-mail address', attendee({ email: 'grace' }), ['INVALID_EMAIL attendee email']],
    ['an unknown zone', attendee({ timeZone: 'Mars/Olympus' }), ['INVALID_TIME_ZONE attendee timeZone']],
    ['an offset as a zone', attendee({ timeZone: '+01:00' }), ['INVALID_TIME_ZONE attendee timeZone']],
    ['a bad language', attendee({ locale: '!' }), ['INVALID_LOCALE attendee locale']],
    ['a bad phone number', attendee({ phone: '123' }), ['INVALID_PHONE attendee phone']],
    ['notes of 10 MB', { notes: long(10_000_000) }, ['TOO_LONG notes']],
    ['notes with a lone surrogate', { notes: 'a\ud800' }, ['INVALID_TEXT notes']],
    ['eleven guests', { guests: emails(11) }, ['TOO_MANY guests']],
    ['thirty-one guests', { guests: emails(31) }, ['TOO_MANY guests']],
    ['a guest twice', { guests: ['a@b.test', 'A@b.test'] }, ['DUPLICATE guests 1']],
    ['the attendee as guest', { guests: ['grace@example.test'] }, ['DUPLICATE guests 0']],
    ['fifty-one metadata keys', { metadata: keys(51) }, ['TOO_MANY metadata']],
    ['an answer to no question', { responses: { what: 'x' } }, ['UNKNOWN_FIELD responses']],
    ['a location that is not offered', { location: { type: 'LINK' } }, ['LOCATION_NOT_OFFERED location']],
    ['a series of what does not recur', { occurrences: 2 }, ['OCCURRENCES_NOT_OFFERED occurrences']],
    ['a short idempotency key', { idempotencyKey: 'short' }, ['TOO_SHORT idempotencyKey']],
    [
      'several mistakes at once',
      { ...attendee({ name: '' }), guests: ['x'] },
      ['REQUIRED attendee name', 'INVALID_EMAIL guests 0'],
    ],
  ])('%s', async (_, changes, expected) => {
    const eventType = await anEventType();
    expect(await mistakesOf(eventType, changes)).toEqual(expected);
    expect(await nothingIsStored(eventType)).toBe(true);
  });
});

describe('a booking is accepted, and keeps what was sent, with', () => {
  test.each<[string, Partial<BookingRequest>]>([
    ['emoji and right-to-left text', { ...attendee({ name: 'שלום 👩‍🚀' }), notes: 'Line 1\nLine 2 🎉' }],
    ['ten guests', { guests: emails(10) }],
    ['fifty metadata keys', { metadata: { ...keys(49), ['__proto__x']: 'y' } }],
  ])('%s', async (_, changes) => {
    const eventType = await anEventType();
    expect(await mistakesOf(eventType, changes)).toEqual([]);
    const { ownerId } = eventType;
    const stored = await row<{ id: string }>(em(), sql`select id from bookings where owner_id = ${ownerId}`);
    const booking = await findBooking(em(), { ownerId, id: stored?.id ?? newId() });
    const sent = aRequest(NINE, changes);
    expect(booking).toMatchObject({ guestEmails: sent.guests, metadata: sent.metadata });
    expect(booking?.attendees).toMatchObject([{ name: sent.attendee.name, notes: sent.notes }]);
  });
});

describe('an event type decides', () => {
  test('whether a booker must be signed in', async () => {
    const eventType = await anEventType({ requiresAuthentication: true });
    expect(await outcomeOf(createBooking(em(), eventType, aRequest(NINE), NOBODY))).toBe('AUTHENTICATION_REQUIRED');
    expect(
      await outcomeOf(createBooking(em(), eventType, aRequest(NINE), { userId: eventType.ownerId, network: null })),
    ).toBe('done');
  });

  test('that an address must be verified, so that nobody is taken at their word', async () => {
    const eventType = await anEventType({ requiresBookerEmailVerification: true });
    expect(await outcomeOf(book(em(), eventType, NINE))).toBe('EMAIL_VERIFICATION_REQUIRED');
    expect(await nothingIsStored(eventType)).toBe(true);
  });

  test('which lengths there are', async () => {
    const eventType = await anEventType({ rules: { durationInMinutes: 30, durationInMinutesOptions: [30, 60] } });
    const { key } = await book(em(), eventType, NINE, { durationInMinutes: 60 });
    expect(await timesOf(key)).toEqual([NINE.toString(), NINE.add({ hours: 1 }).toString()]);
    expect(await outcomeOf(book(em(), eventType, NINE.add({ minutes: 30 })))).toBe('SLOT_TAKEN');
    expect(await outcomeOf(book(em(), eventType, NINE.add({ hours: 1 })))).toBe('done');
  });

  test('how far bookings keep apart', async () => {
    const eventType = await anEventType({ rules: { bufferAfterInMinutes: 20, slotIntervalInMinutes: 10 } });
    await book(em(), eventType, NINE);
    expect(await outcomeOf(book(em(), eventType, NINE.add({ minutes: 40 })))).toBe('SLOT_TAKEN');
    expect(await outcomeOf(book(em(), eventType, NINE.add({ minutes: 50 })))).toBe('done');
  });

  test('which fields must be answered, and where a booking can take place', async () => {
    const field = {
      slug: 'size',
      type: 'NUMBER',
      label: 'Size',
      isRequired: true,
      options: [],
      placeholder: null,
    } as const;
    const eventType = await anEventType({
      bookingFields: [field],
      locations: [{ id: 'loc_phone', type: 'ATTENDEE_PHONE', value: null, label: null }],
    });
    const location = { type: 'ATTENDEE_PHONE', phone: '+49 30 123456' } as const;
    expect(await mistakesOf(eventType, { location })).toEqual(['REQUIRED responses size']);
    expect(await mistakesOf(eventType, { responses: { size: 3 } })).toEqual(['INVALID_PHONE location phone']);
    const { key } = await book(em(), eventType, NINE, { location, responses: { size: 3 } });
    expect(await findBooking(em(), key)).toMatchObject({
      location: { type: 'ATTENDEE_PHONE', value: '+4930123456' },
      attendees: [{ responses: { size: 3 } }],
    });
  });

  test('how often a booking recurs: nothing is looked up of a series that goes on for ages', async () => {
    const recurrence = { frequency: 'YEARLY', interval: 12, occurrences: 52 } as const;
    const bookingLimits = { day: { maxBookings: 1, maxMinutes: null } };
    const eventType = await anEventType({ rules: { recurrence, bookingLimits } });
    expect(await outcomeOf(book(em(), eventType, NINE))).toBe('TOO_FAR_AHEAD');
    expect(await outcomeOf(book(em(), eventType, NINE, { occurrences: 1 }))).toBe('done');
  });

  test('how often a booking recurs: a series is made whole or not at all', async () => {
    const recurrence = { frequency: 'WEEKLY', interval: 1, occurrences: 4 } as const;
    const eventType = await anEventType({ rules: { recurrence } });
    const { keys } = await book(em(), eventType, NINE);
    const starts = await Promise.all(keys.map(async (key) => (await timesOf(key))[0]));
    expect(starts).toEqual(times(4, (week) => NINE.add({ hours: 24 * 7 * week }).toString()));
    expect(new Set(await Promise.all(keys.map(async (key) => (await findBooking(em(), key))?.recurringId)))).toEqual(
      new Set([keys[0]?.id]),
    );
    // Its third week is taken by the first series.
    expect(await outcomeOf(book(em(), eventType, NINE.subtract({ hours: 24 * 7 }), { occurrences: 2 }))).toBe(
      'SLOT_TAKEN',
    );
    expect(await outcomeOf(book(em(), eventType, NINE.add({ minutes: 30 }), { occurrences: 2 }))).toBe('done');
    expect(await eventsOf(eventType)).toEqual(times(6, () => 'BOOKING_CREATED'));
  });

  test('which host’s turn it is, and takes all hosts of a collective', async () => {
    const team = await anEventType({ rules: { schedulingType: 'ROUND_ROBIN' } }, 3);
    const hosts = await Promise.all(
      (await inOrder(times(6, (index) => () => book(em(), team, NINE.add({ minutes: 30 * index }))))).map(
        async ({ key }) => (await findBooking(em(), key))?.hostIds,
      ),
    );
    expect(new Set(hosts.slice(0, 3).flat()).size).toBe(3);
    expect(hosts.slice(3)).toEqual(hosts.slice(0, 3));
    const collective = await anEventType({}, 3);
    const { key } = await book(em(), collective, NINE);
    expect((await findBooking(em(), key))?.hosts).toHaveLength(3);
  });
});

describe('seats', () => {
  test('are booked one by one in one booking, each by an id of its own', async () => {
    const eventType = await anEventType({ rules: { seats: { perSlot: 2, showsAttendees: true } } });
    const [a, b] = [await book(em(), eventType, NINE), await book(em(), eventType, NINE)];
    expect(a.key.id).not.toBe(b.key.id);
    const booking = await findBooking(em(), a.key);
    expect(booking?.attendees.map(({ seatId }) => seatId)).toEqual([a.key.id, b.key.id]);
    expect((await findBooking(em(), b.key))?.id).toBe(booking?.id);
    expect(await outcomeOf(book(em(), eventType, NINE))).toBe('SLOT_TAKEN');
    expect(await mistakesOf(eventType, { guests: ['g@example.test'] })).toEqual(['GUESTS_DISABLED guests']);
  });
});

describe('a reservation', () => {
  test('lasts five minutes, and longer only for a host', async () => {
    const eventType = await anEventType();
    expect(await outcomeOf(reserve(eventType, 6))).toBe('FORBIDDEN');
    expect(await outcomeOf(reserve(eventType, 0))).toBe('OUT_OF_RANGE');
    expect(await outcomeOf(reserve(eventType, 61, eventType.ownerId))).toBe('OUT_OF_RANGE');
    const { expiresAt } = await reserve(eventType, 60, eventType.ownerId);
    expect(Temporal.Instant.from(expiresAt).since(Temporal.Now.instant()).total('minutes')).toBeGreaterThan(59);
  });

  test('that is over is no longer in the way, by the database’s clock', async () => {
    const eventType = await anEventType();
    const { id } = await reserve(eventType, null);
    expect(await outcomeOf(book(em(), eventType, NINE))).toBe('SLOT_RESERVED');
    await rows(em(), sql`update occupied_times set expires_at = now() - interval '1 second' where holder_id = ${id}`);
    await rows(em(), sql`update slot_reservations set expires_at = now() - interval '1 second' where id = ${id}`);
    expect(await outcomeOf(book(em(), eventType, NINE))).toBe('done');
  });

  test('that is over is swept away, and no other', async () => {
    const eventType = await anEventType();
    const { id } = await reserve(eventType, null);
    await removeExpiredReservations(em(), 1_000);
    expect(await outcomeOf(book(em(), eventType, NINE))).toBe('SLOT_RESERVED');
    await rows(em(), sql`update occupied_times set expires_at = now() - interval '2 hours' where holder_id = ${id}`);
    await rows(em(), sql`update slot_reservations set expires_at = now() - interval '2 hours' where id = ${id}`);
    expect(await removeExpiredReservations(em(), 1_000)).toBeGreaterThanOrEqual(2);
    expect(await removeExpiredReservations(em(), 1_000)).toBe(0);
    expect(await nothingIsStored(eventType)).toBe(true);
  });

  test('that became a booking keeps its time until a day after it, which nobody can book any more', async () => {
    const eventType = await anEventType();
    const { key } = await book(em(), eventType, NINE);
    const held = () => rows(em(), sql`select 1 from occupied_times where holder_id = ${key.id}`);
    const ended = (hours: number) =>
      rows(
        em(),
        sql`update occupied_times set during = tstzrange(now() - interval '40 hours', now() - make_interval(hours => ${hours}::int))
            where holder_id = ${key.id}`,
      );
    const sweep = new PastTimeSweep();
    await ended(23);
    await sweep.step(em());
    expect(await held()).toHaveLength(1);
    await ended(25);
    expect(await sweep.step(em())).toBe(1);
    expect(await held()).toEqual([]);
  });

  test('of a seat counts as taken for everybody else', async () => {
    const eventType = await anEventType({ rules: { seats: { perSlot: 2, showsAttendees: false } } });
    await book(em(), eventType, NINE);
    const reservationId = await reserve(eventType, null);
    expect(await outcomeOf(book(em(), eventType, NINE))).toBe('SLOT_TAKEN');
    expect(await outcomeOf(book(em(), eventType, NINE, { reservationId }))).toBe('done');
    expect(await outcomeOf(book(em(), eventType, NINE, { reservationId }))).toBe('SLOT_TAKEN');
  });

  test('that is not there, is over or of another event type books nothing where the slot is open, and says so', async () => {
    const eventType = await anEventType();
    const { ownerId } = eventType;
    const over = await reserve(eventType, null);
    for (const table of ['slot_reservations', 'occupied_times'])
      await rows(
        em(),
        sql`update ${sql.table(table)} set expires_at = now() - interval '1 second' where expires_at is not null`,
      );
    const wanted = {
      start: slotOn(1, '09:00'),
      durationInMinutes: null,
      expiresInMinutes: null,
      holder: aHolder(),
      replacesId: null,
    };
    const elsewhere = await reserveSlot(em(), { ...eventType, id: newId() }, wanted);
    for (const reservationId of [{ ownerId, id: newId() }, { ownerId: newUserId(), id: newId() }, over, elsewhere]) {
      await expect(book(em(), eventType, NINE, { reservationId })).rejects.toMatchObject({
        mistakes: [{ code: 'NOT_FOUND', path: ['reservationUid'] }],
      });
    }
    const { key } = await book(em(), eventType, NINE);
    const moving = { key, start: slotOn(0, '10:00'), durationInMinutes: null, reason: null, callerId: null };
    const moved = rescheduleBooking(em(), eventType, { ...moving, reservationId: elsewhere });
    await expect(moved).rejects.toMatchObject({ mistakes: [{ code: 'NOT_FOUND', path: ['reservationUid'] }] });
    expect(await outcomeOf(rescheduleBooking(em(), eventType, { ...moving, reservationId: null }))).toBe('done');
  });

  test('is honoured with the host that it was made for', async () => {
    const team = await anEventType({ rules: { schedulingType: 'ROUND_ROBIN' } }, 3);
    const reservationId = await reserve(team, null);
    const { id, hostIds } = reservationId;
    const { key } = await book(em(), team, NINE, { reservationId });
    expect((await findBooking(em(), key))?.hostIds).toEqual(hostIds);
    const left = await rows(em(), sql`select 1 from occupied_times where holder_id = ${id}`);
    expect(left).toEqual([]);
  });
});

describe('one time of a host', () => {
  test('is refused by the database itself when something holds it already', async () => {
    const [hostId = ''] = await newHosts(em(), 1);
    const take = (holderId: string, from: string, to: string) =>
      rows(
        em(),
        sql`insert into occupied_times (host_id, holder_id, during) values (${hostId}, ${holderId}, tstzrange(${from}, ${to}))`,
      );
    await take(newId(), '2030-01-01T09:00Z', '2030-01-01T10:00Z');
    await expect(take(newId(), '2030-01-01T09:59Z', '2030-01-01T11:00Z')).rejects.toThrow('occupied_times_no_overlap');
    await take(newId(), '2030-01-01T10:00Z', '2030-01-01T11:00Z');
  });

  test('is not occupied when one of several hosts has lost theirs', async () => {
    const hosts = await newHosts(em(), 2);
    const [start, end] = [NINE.epochMilliseconds, NINE.add({ minutes: 30 }).epochMilliseconds];
    const time = { start, end, ownerId: hosts[0] ?? '' };
    expect(await occupy(em(), { ...time, hostIds: hosts.slice(1), holderId: newId() })).toBe(true);
    expect(await occupy(em(), { ...time, hostIds: hosts, holderId: newId() })).toBe(false);
  });

  test.each([
    ['a rival has the time of one of several hosts, nothing is written', null, 'SlotLost', 0],
    ['a reservation that is over has it, all of them are booked', -1, 'done', 2],
  ])('where %s', async (_, expiresInSeconds, outcome, count) => {
    const hostIds = await newHosts(em(), 2);
    const [ownerId = ''] = hostIds;
    const [start, end] = [NINE.epochMilliseconds, NINE.add({ minutes: 30 }).epochMilliseconds];
    const rival = { start, end, ownerId, hostIds: hostIds.slice(1), holderId: newId(), expiresInSeconds };
    expect(await occupy(em(), rival)).toBe(true);
    const given = { location: null, guestEmails: [], heldGuestEmails: [], seats: null, metadata: {}, attendees: [] };
    const booking = { id: newId(), start, end, status: 'ACCEPTED', hostIds, ...given } as const;
    const inserting = em().transactional((inner) => insertBooking(inner, eventTypeOf(hostIds), booking));
    const found = inserting.then(
      () => 'done',
      (error: Error) => error.name,
    );
    expect(await found).toBe(outcome);
    expect(
      await row(em(), sql`select count(*)::int as count from occupied_times where holder_id = ${booking.id}`),
    ).toEqual({ count });
    expect((await findBooking(em(), { ownerId, id: booking.id })) !== undefined).toBe(count > 0);
  });
});

test('an idempotency key serves one request, of its event type and of the user who is signed in', async () => {
  const eventType = await anEventType();
  const idempotencyKey = 'a-key-of-my-choice';
  const at = (start: Temporal.Instant, of = eventType, callerId: string | null = null) =>
    createBooking(em(), of, aRequest(start, { idempotencyKey }), { userId: callerId, network: null });
  const first = await at(NINE);
  expect(await at(NINE)).toEqual(first);
  expect(await outcomeOf(at(NINE.add({ minutes: 30 })))).toBe('IDEMPOTENCY_KEY_REUSED');
  expect(await outcomeOf(at(NINE.add({ minutes: 30 }), await anEventType()))).toBe('done');
  expect(await outcomeOf(at(NINE.add({ minutes: 30 }), eventType, newUserId()))).toBe('done');
});

test('one of several requests with one idempotency key at the same moment books', async () => {
  const eventType = await anEventType();
  const idempotencyKey = 'a-key-of-my-choice';
  const starts = [0, 30, 60, 90].map((minutes) => NINE.add({ minutes }));
  const outcomes = await Promise.all(
    starts.map((start) => outcomeOf(book(em(), eventType, start, { idempotencyKey }))),
  );
  expect(outcomes.toSorted()).toEqual([...Array<string>(3).fill('IDEMPOTENCY_KEY_REUSED'), 'done']);
});

test('an idempotency key finds its booking, and its seat until that is given back, for longer than a day', async () => {
  const alone = await anEventType();
  const seated = await anEventType({ rules: { seats: { perSlot: 3, showsAttendees: true } } });
  await book(em(), seated, NINE);
  const idempotencyKey = 'a-key-of-my-choice';
  const again = (eventType: BookableEventType) => book(em(), eventType, NINE, { idempotencyKey });
  const [first, seat] = [await again(alone), await again(seated)];
  expect(seat.key.isSeat).toBe(true);
  await rows(em(), sql`update idempotency_keys set created_at = created_at - interval '40 days'`);
  await removeOldIdempotencyKeys(em(), 1_000);
  expect([await again(alone), await again(seated)]).toEqual([first, seat]);
  await cancelBooking(em(), seated.rules, { key: seat.key, reason: null, callerId: null });
  const other = await again(seated);
  expect([other.key.isSeat, other.key.id === seat.key.id]).toEqual([true, false]);
  expect(await again(seated)).toEqual(other);
});

test('fifty requests of one idempotency key at the same moment find one booking, or one seat', async () => {
  for (const rules of [{}, { seats: { perSlot: 100, showsAttendees: true } }]) {
    const eventType = await anEventType({ rules });
    const same = () => book(em(), eventType, NINE, { idempotencyKey: 'a-key-of-my-choice' });
    const booked = await Promise.all(Array.from({ length: 50 }, same));
    expect(new Set(booked.map(({ key }) => key.id)).size).toBe(1);
    expect((await findBooking(em(), booked[0]?.key as BookingKey))?.attendees).toHaveLength(1);
  }
});

async function timesOf(key: BookingKey): Promise<string[]> {
  const booking = await findBooking(em(), key);
  return [booking?.start, booking?.end].map((time) => Temporal.Instant.from(time ?? '').toString());
}

async function eventsOf({ ownerId }: BookableEventType): Promise<string[]> {
  const found = await rows<{ type: string }>(em(), sql`select type from domain_events where owner_id = ${ownerId}`);
  return found.map(({ type }) => type);
}

async function inOrder<Result>(steps: readonly (() => Promise<Result>)[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const step of steps) results.push(await step());
  return results;
}

function reserve(eventType: BookableEventType, expiresInMinutes: number | null, callerId: string | null = null) {
  return reserveSlot(em(), eventType, {
    start: NINE,
    durationInMinutes: null,
    expiresInMinutes,
    replacesId: null,
    holder: aHolder('office', callerId),
  });
}
