/** The rules have properties of their own; these are of what is stored, whatever was booked before. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/core/id.ts';
import { rows, sql } from '../../../src/database/sql.ts';
import type { BookingKey } from '../../../src/modules/bookings/booking-key.rules.ts';
import { cancelBooking } from '../../../src/modules/bookings/change/cancel-booking.ts';
import { rescheduleBooking } from '../../../src/modules/bookings/change/reschedule-booking.ts';
import { listSlots } from '../../../src/modules/bookings/slots/availability.ts';
import type { BookableEventType } from '../../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import { reserveSlot } from '../../../src/modules/bookings/slots/holds/reserve-slot.ts';
import { replaceBusyPeriods } from '../../../src/modules/calendars/busy-periods.ts';
import type { EventTypeRules } from '../../../src/modules/event-types/settings/scheduling.rules.ts';
import { WEEK_DAYS } from '../../../src/modules/schedules/schedule.rules.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { outcomeOf } from '../../support/outcome.ts';
import { aHolder, book, eventTypeOf, newHosts, slotOn, times } from './support/booked-hosts.ts';

const MINUTE = 60_000;
const DAYS = 2;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const em = () => database.em.fork();

const anyRules: fc.Arbitrary<Partial<EventTypeRules>> = fc.record({
  durationInMinutes: fc.constantFrom(30, 45, 60, 120),
  slotIntervalInMinutes: fc.constantFrom(null, 15, 30),
  bufferBeforeInMinutes: fc.constantFrom(0, 0, 10),
  bufferAfterInMinutes: fc.constantFrom(0, 0, 20),
  bookingLimits: fc.constantFrom({}, {}, { day: { maxBookings: 2 } }, { week: { maxMinutes: 240 } }),
  confirmation: fc.constantFrom({ type: 'NEVER' }, { type: 'ALWAYS' }),
  seats: fc.constantFrom(null, null, { perSlot: 2, showsAttendees: false }),
});

/** Several event types whose hosts are partly the same people: a busy morning is busy in all of them. */
const anyHouse = fc.array(
  fc.record({ rules: anyRules, hosts: fc.constantFrom([0], [1], [0, 1]), isRoundRobin: fc.boolean() }),
  { minLength: 1, maxLength: 3 },
);
const anyAction = fc.record({
  kind: fc.constantFrom(
    'BOOK_OFFERED',
    'BOOK_OFFERED',
    'BOOK_ANY',
    'BOOK_ANY',
    'RESERVE',
    'CANCEL',
    'MOVE',
    'CALENDAR',
  ),
  eventType: fc.nat(2),
  /** Which of the slots, or of the bookings; or which quarter of an hour. */
  choice: fc.nat(DAYS * 96 - 1),
});
type Action = typeof anyAction extends fc.Arbitrary<infer One> ? One : never;

interface Booked {
  readonly key: BookingKey;
  readonly eventType: BookableEventType;
  readonly start: number;
}

test('every offered slot can be booked and no other, nothing overlaps, and slots that are given back are offered again', async () => {
  const done = new Set<string>();
  await fc.assert(
    fc.asyncProperty(anyHouse, fc.array(anyAction, { minLength: 6, maxLength: 12 }), async (house, actions) => {
      const hostIds = await newHosts(em(), 2);
      const eventTypes = house.map(({ rules, hosts, isRoundRobin }) => {
        const schedulingType = hosts.length === 1 ? null : isRoundRobin ? 'ROUND_ROBIN' : 'COLLECTIVE';
        return eventTypeOf(
          hosts.map((index) => hostIds[index] ?? ''),
          { rules: { ...rules, schedulingType } },
        );
      });
      const booked: Booked[] = [];
      for (const action of actions) {
        const eventType = eventTypes[action.eventType % eventTypes.length];
        if (eventType) done.add(await carryOut(action, eventType, booked));
        await expectNoOverlap(hostIds, eventTypes);
      }
    }),
    { numRuns: 6 },
  );
  // A property of nothing would hold too.
  expect(done).toContain('booked');
  expect(done).toContain('refused');
});

const QUARTER = 15 * MINUTE;
const ANY_QUARTERS = fc.tuple(fc.nat(DAYS * 96 - 1), fc.integer({ min: 1, max: 30 }));
/** Somebody's hours of every day, in quarters of it, and the quarters from Monday on in which they are booked or away. */
const anyCalendar = fc.record({
  opens: fc.integer({ min: 0, max: 48 }),
  length: fc.integer({ min: 8, max: 47 }),
  taken: fc.array(ANY_QUARTERS, { maxLength: 4 }),
  away: fc.array(ANY_QUARTERS, { maxLength: 2 }),
  /** The events of calendars elsewhere. */
  busy: fc.array(ANY_QUARTERS, { maxLength: 4 }),
});
type Calendar = typeof anyCalendar extends fc.Arbitrary<infer One> ? One : never;

test('a collective slot is offered, and can be booked, if and only if every host is free', async () => {
  const done = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyCalendar, { minLength: 2, maxLength: 4 }),
      fc.integer({ min: 1, max: 6 }),
      fc.array(fc.nat(DAYS * 96 - 1), { minLength: 4, maxLength: 4 }),
      async (calendars, length, wanted) => {
        const hostIds = await newHosts(em(), calendars.length);
        for (const [index, calendar] of calendars.entries()) await storeCalendar(hostIds[index] ?? '', calendar);
        const rules = { slotIntervalInMinutes: 15, durationInMinutes: 15 * length };
        const eventType = eventTypeOf(hostIds, { rules });
        const free = times(DAYS * 96, (quarter) => calendars.every((calendar) => isFree(calendar, quarter, length)));
        const expected = free.flatMap((isOpen, quarter) => (isOpen ? [startOf(quarter)] : []));
        expect(await startsOf(eventType)).toEqual(expected);
        // Those that are offered, and those that are not; each booking closes what it overlaps.
        const [some] = free.flatMap((isOpen, quarter) => (isOpen ? [quarter] : []));
        for (const quarter of [...wanted, ...(some === undefined ? [] : [some])]) {
          const isOpen = (await startsOf(eventType)).includes(startOf(quarter));
          const start = Temporal.Instant.fromEpochMilliseconds(startOf(quarter));
          const outcome = await outcomeOf(book(em(), eventType, start));
          expect([quarter, outcome === 'done']).toEqual([quarter, isOpen]);
          done.add(isOpen ? 'booked' : 'refused');
        }
      },
    ),
    // Two in three houses offer nothing at all.
    { numRuns: 36 },
  );
  expect([...done].toSorted()).toEqual(['booked', 'refused']);
});

const startOf = (quarter: number): number => slotOn(0, '00:00').epochMilliseconds + quarter * QUARTER;

/** Quarter by quarter, without any idea of intervals. */
function isFree({ opens, length: hours, taken, away, busy }: Calendar, start: number, length: number): boolean {
  return times(length, (n) => start + n).every((quarter) => {
    const ofDay = quarter % 96;
    const isBusy = [...taken, ...away, ...busy].some(([from, count]) => from <= quarter && quarter < from + count);
    const isSameDay = Math.floor(quarter / 96) === Math.floor(start / 96);
    return opens <= ofDay && ofDay < opens + hours && isSameDay && !isBusy;
  });
}

/** SQL: when so many quarters begin and end. */
const between = ([from, count]: readonly [number, number]) =>
  sql`${new Date(startOf(from)).toISOString()}::timestamptz, ${new Date(startOf(from + count)).toISOString()}::timestamptz`;

async function storeCalendar(userId: string, { opens, length, taken, away, busy }: Calendar): Promise<void> {
  const availability = [{ days: WEEK_DAYS, start: timeAt(opens), end: timeAt(opens + length) }];
  await rows(
    em(),
    sql`insert into schedules (user_id, id, name, time_zone, is_default, availability, overrides, created_at, updated_at)
        values (${userId}, ${newId()}, 'Hours', 'UTC', true, ${JSON.stringify(availability)}::jsonb, '[]', now(), now())`,
  );
  // Each quarter once: no two times of a host overlap.
  const quarters = new Set(taken.flatMap(([from, count]) => times(count, (n) => from + n)));
  for (const one of quarters) {
    await rows(
      em(),
      sql`insert into occupied_times (host_id, holder_id, during) values (${userId}, ${newId()}, tstzrange(${between([one, 1])}))`,
    );
  }
  for (const one of away) {
    await rows(
      em(),
      sql`insert into out_of_office (user_id, id, starts_at, ends_at, reason, created_at, updated_at)
          values (${userId}, ${newId()}, ${between(one)}, '', now(), now())`,
    );
  }
  // In two calendars, whose events overlap.
  for (const calendar of [busy.slice(0, 2), busy.slice(2)]) await storeBusy(userId, calendar);
}

async function storeBusy(userId: string, quarters: readonly (readonly [number, number])[]): Promise<void> {
  const periods = quarters.map(([from, count]) => ({ start: startOf(from), end: startOf(from + count), icsUid: null }));
  await replaceBusyPeriods(em(), { userId, sourceId: newId() }, periods);
}

const timeAt = (quarter: number): string => `${twoDigits(Math.floor(quarter / 4))}:${twoDigits((quarter % 4) * 15)}`;
const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Does it, and holds what is stored against what was offered at that moment. */
async function carryOut({ kind, choice }: Action, eventType: BookableEventType, booked: Booked[]): Promise<string> {
  const offered = await startsOf(eventType);
  const slot = offered[choice % (offered.length || 1)];
  const own = booked.filter((one) => one.eventType === eventType);
  const target = own[choice % (own.length || 1)];
  const quarter = slotOn(0, '00:00').epochMilliseconds + choice * 15 * MINUTE;
  const start = kind === 'BOOK_ANY' ? quarter : slot;

  if (kind === 'CANCEL') return target ? cancelAndCompare(target, booked) : 'nothing';
  if (start === undefined) return 'nothing';
  const instant = Temporal.Instant.fromEpochMilliseconds(start);
  if (kind === 'MOVE') return target ? move(target, instant, booked) : 'nothing';
  if (kind === 'CALENDAR') {
    await storeBusy(eventType.ownerId, [[choice, 5]]);
    return 'busy';
  }
  if (kind === 'RESERVE') {
    const request = {
      start: instant,
      durationInMinutes: null,
      expiresInMinutes: null,
      replacesId: null,
      holder: aHolder(newId()),
    };
    const outcome = await outcomeOf(reserveSlot(em(), eventType, request));
    if (outcome === 'done') return 'reserved';
    if (outcome === 'RESERVATION_LIMIT_REACHED') return 'not kept';
    throw new Error(`What is offered was not reserved: ${outcome}`);
  }
  const isOffered = offered.includes(start);
  const booking = book(em(), eventType, instant).then(({ key }) => booked.push({ key, eventType, start }));
  expect((await outcomeOf(booking)) === 'done').toBe(isOffered);
  return isOffered ? 'booked' : 'refused';
}

/** Cancels, books the same slot again if it is there, and cancels that: what is free is the same both times. */
async function cancelAndCompare(target: Booked, booked: Booked[]): Promise<string> {
  await cancel(target, booked);
  const free = await startsOf(target.eventType);
  const [start] = free;
  if (start === undefined) return 'cancelled';
  const { key } = await book(em(), target.eventType, Temporal.Instant.fromEpochMilliseconds(start));
  await cancel({ ...target, key }, booked);
  expect(await startsOf(target.eventType)).toEqual(free);
  return 'cancelled';
}

async function cancel({ key, eventType }: Booked, booked: Booked[]): Promise<void> {
  await cancelBooking(em(), eventType.rules, { key, reason: null, callerId: null });
  const index = booked.findIndex((one) => one.key.id === key.id);
  if (index >= 0) booked.splice(index, 1);
}

async function move(target: Booked, start: Temporal.Instant, booked: Booked[]): Promise<string> {
  const asked = { key: target.key, start, durationInMinutes: null, reason: null, reservationId: null, callerId: null };
  const moving = rescheduleBooking(em(), target.eventType, asked);
  // The other seat of a slot is offered, but not to the attendee who sits beside it. Where hosts take turns, the slot
  // is offered while another one has time then: the booking stays with its host, and is moved to where it was.
  if (start.epochMilliseconds === target.start && target.key.isSeat) {
    expect(await outcomeOf(moving)).toBe('SLOT_TAKEN');
    return 'stayed';
  }
  booked.splice(booked.indexOf(target), 1, { ...target, key: await moving, start: start.epochMilliseconds });
  return 'moved';
}

async function startsOf(eventType: BookableEventType): Promise<number[]> {
  const slots = await listSlots(em(), eventType, {
    start: slotOn(0, '00:00'),
    end: slotOn(DAYS, '00:00'),
    timeZone: 'UTC',
    durationInMinutes: null,
    rescheduled: null,
  });
  return slots.map(({ start }) => start);
}

/** From the bookings themselves with the buffers of their event types, not from what the constraint stands on. */
async function expectNoOverlap(hostIds: readonly string[], eventTypes: readonly BookableEventType[]): Promise<void> {
  const found = await rows(
    em(),
    sql<{ hostId: string; eventTypeId: string; start: number; end: number }>`
      select h.user_id as "hostId", h.event_type_id as "eventTypeId",
        (extract(epoch from h.starts_at) * 1000)::float8 as start, (extract(epoch from h.ends_at) * 1000)::float8 as end
      from booking_hosts h where h.user_id = any(${hostIds}::uuid[]) and h.status in ('PENDING', 'ACCEPTED')
      order by h.starts_at`,
  );
  const buffers = new Map(eventTypes.map(({ id, rules }) => [id, rules]));
  const taken = found.map(({ hostId, eventTypeId, start, end }) => ({
    hostId,
    start: start - (buffers.get(eventTypeId)?.bufferBeforeInMinutes ?? 0) * MINUTE,
    end: end + (buffers.get(eventTypeId)?.bufferAfterInMinutes ?? 0) * MINUTE,
  }));
  for (const hostId of hostIds) {
    const own = taken.filter((one) => one.hostId === hostId).toSorted((a, b) => a.start - b.start);
    for (const index of times(Math.max(own.length - 1, 0), (n) => n)) {
      expect(own[index]?.end).toBeLessThanOrEqual(own[index + 1]?.start ?? 0);
    }
  }
}
