import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { idOfUid, ownedUuidOf } from '../support/ids.ts';
import { UIDS } from '../support/uids.ts';
import { type BookingPage, FROM, openBookingPage, TO } from './booking-pages.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

interface Listed {
  readonly start: string;
  readonly end: string;
}

const SLOTS = `query($id: ID!, $from: DateTime!, $to: DateTime!, $uid: String) {
  slots(eventType: { id: $id }, start: $from, end: $to, bookingUidToReschedule: $uid) { start end } }`;
const TO_MOVE_TO = `query($id: ID!, $from: DateTime!, $to: DateTime!) {
  me { booking(id: $id) { slotsToMoveTo(start: $from, end: $to) { start } } } }`;
const SEATS = { perSlot: 3, showsAttendees: false };
const LIN = { attendee: { name: 'Lin', email: 'lin@example.test', timeZone: 'UTC' } };

async function opened(settings: object): Promise<{ page: BookingPage; slots: string[] }> {
  const page = await openBookingPage(api);
  await update(page, settings);
  return { page, slots: await page.slots() };
}

async function update({ host, eventTypeId }: BookingPage, settings: object): Promise<void> {
  expect((await host.change('eventTypeUpdate', { eventTypeId, ...settings })).mistakes).toEqual([]);
}

async function slotsFor(
  { eventTypeId: id }: BookingPage,
  uid: string,
  who: TestCaller = api.nobody,
): Promise<Listed[]> {
  const { data, codes } = await who.ask(SLOTS, { id, from: FROM, to: TO, uid });
  expect(codes).toEqual([]);
  return data.slots;
}

const startsFor = async (page: BookingPage, uid: string) => (await slotsFor(page, uid)).map(({ start }) => start);

async function moved(uid: string, start: string | undefined): Promise<readonly string[]> {
  return (await api.nobody.change('bookingReschedule', { uid, start }, 'booking { uid }')).mistakes;
}

/** The uid of the whole booking, which with seats nobody is given. */
async function uidOfHost(page: BookingPage): Promise<string> {
  const { data } = await page.host.ask('{ me { bookings { nodes { id } } } }');
  return UIDS.of({ ...ownedUuidOf(data.me.bookings.nodes[0].id), version: 0 });
}

const minutes = ({ start, end }: Listed) => (Date.parse(end) - Date.parse(start)) / 60_000;

describe('slots for a booking that moves have its length', () => {
  const LENGTHS = { durationInMinutesOptions: [30, 60] };

  test('where a host has asked for another time', async () => {
    const { page, slots } = await opened(LENGTHS);
    const uid = await page.book(slots[0] ?? '', { durationInMinutes: 60 });
    await page.host.change('bookingRescheduleRequest', { bookingId: idOfUid(uid), reason: 'Ill' });
    const offered = await slotsFor(page, uid);
    expect(new Set(offered.map(minutes))).toEqual(new Set([60]));
    expect(await moved(uid, offered.at(-1)?.start)).toEqual([]);
  });

  test('where others keep their seats in it', async () => {
    const { page, slots } = await opened({ ...LENGTHS, seats: SEATS });
    const long = { durationInMinutes: 60 };
    const [mine] = [await page.book(slots[0] ?? '', long), await page.book(slots[0] ?? '', { ...LIN, ...long })];
    const offered = await slotsFor(page, mine);
    expect(new Set(offered.map(minutes))).toEqual(new Set([60]));
    expect(await moved(mine, offered.at(-1)?.start)).toEqual([]);
  });
});

describe('slots for a booking that moves are those that it can move to:', () => {
  test('a whole booking does not move into the seats of another one', async () => {
    const { page, slots } = await opened({});
    const whole = await page.book(slots[0] ?? '');
    await update(page, { seats: SEATS });
    await page.book(slots[2] ?? '', LIN);
    const offered = await startsFor(page, whole);
    expect(offered).not.toContain(slots[2]);
    expect(await moved(whole, slots[2])).toEqual(['SLOT_TAKEN start']);
    expect(offered).toContain(slots[3]);
    expect(await moved(whole, slots[3])).toEqual([]);
  });

  test.each([
    ['alone', []],
    ['beside another', [LIN]],
  ])('a seat does not move to where it is, %s', async (_, others) => {
    const { page, slots } = await opened({ seats: SEATS });
    const mine = await page.book(slots[0] ?? '');
    for (const other of others) await page.book(slots[0] ?? '', other);
    await page.book(slots[2] ?? '', LIN);
    const offered = await startsFor(page, mine);
    expect(offered).not.toContain(slots[0]);
    expect(await moved(mine, slots[0])).toEqual(['SLOT_TAKEN start']);
    expect(offered).toContain(slots[2]);
    expect(await moved(mine, slots[2])).toEqual([]);
  });

  test('one that is cancelled moves nowhere', async () => {
    const { page, slots } = await opened({});
    const uid = await page.book(slots[0] ?? '');
    expect(await startsFor(page, uid)).toContain(slots[0]);
    await api.nobody.change('bookingCancel', { uid });
    expect(await startsFor(page, uid)).toEqual([]);
    expect(await moved(uid, slots[2])).toEqual(['NOT_POSSIBLE uid']);
  });

  test('after the cut-off, only its host moves it', async () => {
    const { page, slots } = await opened({});
    await page.book(slots[0] ?? '');
    const uid = await uidOfHost(page);
    await update(page, { reschedulingPolicy: { type: 'NEVER' } });
    expect(await startsFor(page, uid)).toEqual([]);
    expect(await moved(uid, slots[2])).toEqual(['RESCHEDULING_DISABLED uid']);
    expect(await slotsFor(page, uid, page.host)).toEqual([]);
    const bookingId = idOfUid(uid);
    const { data } = await page.host.ask(TO_MOVE_TO, { id: bookingId, from: FROM, to: TO });
    const starts = data.me.booking.slotsToMoveTo.map(({ start }: Listed) => start);
    expect(starts).toEqual(expect.arrayContaining([slots[0], slots[2]]));
    const { data: done, mistakes } = await page.host.change(
      'userBookingReschedule',
      { bookingId, start: slots[2] },
      'bookingId booking { id start rescheduledFromId }',
    );
    expect(mistakes).toEqual([]);
    expect(done.bookingId).not.toBe(bookingId);
    expect(done.booking).toEqual({ id: done.bookingId, start: slots[2], rescheduledFromId: bookingId });
  });
});
