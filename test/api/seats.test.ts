import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { idOfUid, ownedUuidOf, uuidOf } from '../support/ids.ts';
import { UIDS } from '../support/uids.ts';
import { type BookingPage, openBookingPage } from './booking-pages.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const SEATS = { perSlot: 3, showsAttendees: false };
const LIN = { attendee: { name: 'Lin', email: 'lin@example.test', timeZone: 'UTC' } };

/** An event type with these settings, and its slots. */
async function opened(settings: object): Promise<{ page: BookingPage; slots: string[] }> {
  const page = await openBookingPage(api);
  await update(page, settings);
  return { page, slots: await page.slots() };
}

async function update({ host, eventTypeId }: BookingPage, settings: object): Promise<void> {
  const { mistakes } = await host.change('eventTypeUpdate', { eventTypeId, ...settings });
  if (mistakes.length > 0) throw new Error(`Not updated: ${mistakes.join(' ')}`);
}

/** That of a whole booking with seats, which its attendees are not given. */
const wholeUid = (bookingId: string) => UIDS.of({ ...ownedUuidOf(bookingId), version: 0 });

const move = (uid: string, start: string | undefined) =>
  api.nobody.change('bookingReschedule', { uid, start }, 'booking { uid start remainingSeatCount }');

/** As it may be since both were possible: with seats, and a place that the attendee says. */
async function seatsBesidePhone(page: BookingPage): Promise<void> {
  await rows(
    api.database.em.fork(),
    sql`update event_types set seats = ${JSON.stringify(SEATS)}::jsonb where id = ${uuidOf(page.eventTypeId)}`,
  );
}

describe('a booking that moves stays of its kind', () => {
  test('with seats, when its event type has none any more', async () => {
    const { page, slots } = await opened({ seats: SEATS });
    const [mine, other] = [await page.book(slots[0] ?? ''), await page.book(slots[0] ?? '', LIN)];
    await update(page, { seats: null });
    const { data, mistakes } = await move(mine, slots[2]);
    expect(mistakes).toEqual([]);
    expect(data.booking).toEqual({ uid: mine, start: slots[2], remainingSeatCount: 2 });
    expect((await move(other, slots[4])).data.booking).toMatchObject({ uid: other, start: slots[4] });
    expect((await api.nobody.change('bookingCreate', page.request(slots[2] ?? ''))).mistakes).toEqual([
      'SLOT_TAKEN start',
    ]);
    expect((await api.nobody.change('bookingCancel', { uid: mine })).mistakes).toEqual([]);
  });

  test('without seats, when its event type has some now: nobody joins what one person cancels for all', async () => {
    const { page, slots } = await opened({});
    const mine = await page.book(slots[0] ?? '');
    await update(page, { seats: SEATS });
    const { data, mistakes } = await move(mine, slots[2]);
    expect(mistakes).toEqual([]);
    expect(data.booking).toMatchObject({
      uid: expect.stringMatching(/^uid_/),
      start: slots[2],
      remainingSeatCount: null,
    });
    expect((await api.nobody.change('bookingCreate', page.request(slots[2] ?? '', LIN))).mistakes).toEqual([
      'SLOT_TAKEN start',
    ]);
    expect(await page.book(slots[0] ?? '', LIN)).toMatch(/^uis_/);
  });
});

describe('when a host asks for another time, each seat', () => {
  const LOOK = `query($uid: String!) { publicBooking(uid: $uid) { status isRescheduleRequested rescheduleRequestReason } }`;
  const REASON = `query($uid: ID!) { me { booking(id: $uid) { status reschedulingReason attendees { name } } } }`;

  test('chooses one by itself, and nothing is left to move once the last one has', async () => {
    const { page, slots } = await opened({ seats: SEATS });
    const seats = [await page.book(slots[0] ?? ''), await page.book(slots[0] ?? '', LIN)];
    const { data } = await page.host.ask('{ me { bookings { nodes { id } } } }');
    const [{ id: bookingId }] = data.me.bookings.nodes;
    const uid = wholeUid(bookingId);
    await page.host.change('bookingRescheduleRequest', { bookingId: idOfUid(uid), reason: 'Ill' });
    const asked = { status: 'CANCELLED', isRescheduleRequested: true, rescheduleRequestReason: 'Ill' };
    expect((await api.nobody.ask(LOOK, { uid })).data.publicBooking).toEqual(asked);

    for (const [index, seat] of seats.entries()) {
      const { mistakes } = await move(seat, slots[4 + 2 * index]);
      expect(mistakes).toEqual([]);
    }
    expect((await move(uid, slots[10])).mistakes).toEqual(['NOT_POSSIBLE uid']);
    expect(await page.slots()).toContain(slots[10]);
    expect((await api.nobody.ask(LOOK, { uid })).data.publicBooking).toMatchObject({ isRescheduleRequested: false });
    const seen = await page.host.ask(REASON, { uid: idOfUid(uid) });
    expect(seen.data.me.booking).toEqual({ status: 'CANCELLED', reschedulingReason: 'Ill', attendees: [] });
  });

  test('that has not chosen moves with the whole', async () => {
    const { page, slots } = await opened({ seats: SEATS });
    const [first, second] = [await page.book(slots[0] ?? ''), await page.book(slots[0] ?? '', LIN)];
    const { data } = await page.host.ask('{ me { bookings { nodes { id } } } }');
    const [{ id: bookingId }] = data.me.bookings.nodes;
    const uid = wholeUid(bookingId);
    await page.host.change('bookingRescheduleRequest', { bookingId: idOfUid(uid) });
    expect((await move(first, slots[4])).mistakes).toEqual([]);
    expect((await move(uid, slots[6])).mistakes).toEqual([]);
    const found = 'query($uid: String!) { publicBooking(uid: $uid) { start status } }';
    expect((await api.nobody.ask(found, { uid: second })).data.publicBooking).toEqual({
      start: slots[6],
      status: 'ACCEPTED',
    });
  });
});

describe('a booking has as many seats as when it was booked', () => {
  const SEATS_LEFT = 'query($uid: String!) { publicBooking(uid: $uid) { remainingSeatCount } }';
  const remainingSeatCount = async (uid: string) =>
    (await api.nobody.ask(SEATS_LEFT, { uid })).data.publicBooking.remainingSeatCount;

  test.each([
    ['more', 5],
    ['fewer', 1],
  ])('when its event type gives %s to new ones, in every answer', async (_, perSlot) => {
    const { page, slots } = await opened({ seats: { ...SEATS, perSlot: 2 } });
    const start = slots[0] ?? '';
    const uid = await page.book(start);
    await update(page, { seats: { ...SEATS, perSlot } });
    expect(await remainingSeatCount(uid)).toBe(1);
    expect(await page.slots()).toContain(start);
    const second = await page.book(start, LIN);
    expect([await remainingSeatCount(uid), await remainingSeatCount(second)]).toEqual([0, 0]);
    expect(await page.slots()).not.toContain(start);
    expect((await api.nobody.change('bookingCreate', page.request(start))).mistakes).toEqual(['SLOT_TAKEN start']);
    expect(await remainingSeatCount(await page.book(slots[2] ?? ''))).toBe(perSlot - 1);
  });

  test.each([
    ['begins one of as many seats as its event type gives, if others stay behind', true, 4],
    ['takes them along, if nobody does', false, 1],
  ])('and a seat that moves %s', async (_, hasCompany, left) => {
    const { page, slots } = await opened({ seats: { ...SEATS, perSlot: 2 } });
    const [from = '', to = ''] = slots.slice(0, 3).filter((_start, index) => index !== 1);
    const uid = await page.book(from);
    if (hasCompany) await page.book(from, LIN);
    await update(page, { seats: { ...SEATS, perSlot: 5 } });
    expect((await api.nobody.change('bookingReschedule', { uid, start: to })).mistakes).toEqual([]);
    expect(await remainingSeatCount(uid)).toBe(left);
  });
});

describe('the place where people with seats meet', () => {
  const ROOM = { type: 'ADDRESS', address: 'Main Street 1' };
  const LINK = { type: 'LINK', url: 'https://meet.example/secret' };
  const PLACE = 'query($uid: String!) { publicBooking(uid: $uid) { location { text } } }';
  const placeOf = async (uid: string) => (await api.nobody.ask(PLACE, { uid })).data.publicBooking.location?.text;

  test('is where the first of them has chosen; who chooses another place is told so, without being told which', async () => {
    const { page, slots } = await opened({ seats: SEATS, locations: [ROOM, LINK] });
    const start = slots[0] ?? '';
    await page.book(start, { location: LINK });
    const { mistakes, data } = await api.nobody.change('bookingCreate', page.request(start, { location: ROOM }));
    expect(mistakes).toEqual(['LOCATION_NOT_OFFERED location']);
    expect(data.userErrors[0].message).toContain('online, by a link');
    expect(data.userErrors[0].message).not.toContain('secret');
    const [same, any] = [await page.book(start, { ...LIN, location: LINK }), await page.book(start)];
    expect([await placeOf(same), await placeOf(any)]).toEqual([LINK.url, LINK.url]);
    expect(await placeOf(await page.book(slots[2] ?? '', { location: ROOM }))).toBe(ROOM.address);
  });

  test('is never what one of them would say, though their event type has such a place', async () => {
    const phone = { location: { type: 'ATTENDEE_PHONE', phone: '+4930123456' } };
    const { page, slots } = await opened({ locations: [{ type: 'ATTENDEE_PHONE' }, ROOM] });
    const start = slots[0] ?? '';
    const before = await page.book(start, phone);
    const offered = `query($id: ID!) { publicEventType(by: { id: $id }) { locations { type } } }`;
    const types = async () =>
      (await api.nobody.ask(offered, { id: page.eventTypeId })).data.publicEventType.locations.map(
        ({ type }: { type: string }) => type,
      );
    expect([await types(), await placeOf(before)]).toEqual([['ATTENDEE_PHONE', 'ADDRESS'], '+4930123456']);
    await seatsBesidePhone(page);
    expect(await types()).toEqual(['ADDRESS']);
    const said = await api.nobody.change('bookingCreate', page.request(slots[2] ?? '', phone));
    expect(said.mistakes).toEqual(['LOCATION_NOT_OFFERED location']);
    expect(await placeOf(await page.book(slots[2] ?? ''))).toBe(ROOM.address);
  });
});

describe('the details that are given with a seat belong to one person:', () => {
  test('metadata is refused, and taken where there are no seats', async () => {
    const { page, slots } = await opened({ seats: SEATS });
    const request = page.request(slots[0] ?? '', { metadata: { a: 'b' } });
    expect((await api.nobody.change('bookingCreate', request)).mistakes).toEqual(['NOT_POSSIBLE metadata']);
    await update(page, { seats: null });
    expect((await api.nobody.change('bookingCreate', request)).mistakes).toEqual([]);
  });

  test('guests and metadata of a booking stay behind with the others, and go with the last', async () => {
    const { page, slots } = await opened({ seats: SEATS });
    const [first, last] = [await page.book(slots[0] ?? ''), await page.book(slots[0] ?? '', LIN)];
    const bookings = '{ me { bookings { nodes { id start guests { email } metadata } } } }';
    const listed = async () =>
      (await page.host.ask(bookings)).data.me.bookings.nodes.toSorted((a: { start: string }, b: { start: string }) =>
        a.start < b.start ? -1 : 1,
      );
    const [{ id: bookingId }] = await listed();
    await page.host.change('bookingGuestsAdd', { bookingId, guests: ['guest@example.test'] });
    await rows(api.database.em.fork(), sql`update bookings set metadata = '{"a":"b"}' where id = ${uuidOf(bookingId)}`);
    const given = { guests: [{ email: 'guest@example.test' }], metadata: { a: 'b' } };
    await move(first, slots[2]);
    expect(await listed()).toMatchObject([given, { guests: [], metadata: {} }]);
    await move(last, slots[4]);
    expect(await listed()).toMatchObject([given, { guests: [], metadata: {} }, given]);
  });
});
