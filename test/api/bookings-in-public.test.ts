import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, newUserId, publicOwnedId } from '../../src/core/id.ts';
import { rows, sql } from '../../src/database/sql.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { idOfUid, ownedUuidOf, spoiltIds, uuidOf } from '../support/ids.ts';
import { type BookingPage, openBookingPage } from './booking-pages.ts';

let api: TestApi;
let page: BookingPage;
let slots: string[];

beforeAll(async () => {
  api = await openTestApi();
  page = await openBookingPage(api);
  slots = await page.slots();
});
afterAll(() => api.close());

const SEEN =
  'booking { uid title status start end hosts { user { name avatarUrl } } attendee { name email timeZone } }';

describe('a slot', () => {
  test('is offered in the hours of the host', () => {
    expect(slots.length).toBeGreaterThanOrEqual(9 * 16);
    expect(slots.every((start) => /T(09|1[0-6]):[03]0:00Z$/.test(start))).toBe(true);
  });

  test('can be booked, is then gone, and comes back with the cancellation', async () => {
    const [start = ''] = slots;
    const { data, mistakes } = await api.nobody.change('bookingCreate', page.request(start), SEEN);
    expect(mistakes).toEqual([]);
    const { uid } = data.booking;
    expect(data.booking).toEqual({
      uid: expect.stringMatching(/^uid_/),
      title: 'Talk',
      status: 'ACCEPTED',
      start,
      end: start.replace('00:00Z', '30:00Z'),
      hosts: [{ user: { name: expect.any(String), avatarUrl: null } }],
      attendee: { name: 'Grace', email: 'grace@example.test', timeZone: 'Europe/Paris' },
    });
    expect(await page.slots()).not.toContain(start);
    expect((await api.nobody.change('bookingCreate', page.request(start))).mistakes).toEqual(['SLOT_TAKEN start']);

    const cancelled = await api.nobody.change('bookingCancel', { uid }, 'booking { uid status }');
    expect(cancelled.data.booking).toEqual({ uid, status: 'CANCELLED' });
    expect(await page.slots()).toEqual(slots);
    await page.book(start);
  });
});

describe('the uid of a booking', () => {
  const LOOK = `query($uid: String!) { publicBooking(uid: $uid) { uid status title attendee { email } otherAttendeeNames
    location { type } hosts { user { name avatarUrl } } remainingSeatCount cancellationReason rescheduledToUid } }`;

  test('shows the booking to anybody with it, without notes, answers, guests and addresses of others', async () => {
    const start = (await page.slots())[3] ?? '';
    const uid = await page.book(start, { notes: 'Secret', guests: ['guest@example.test'], metadata: { a: 'b' } });
    const { data } = await api.nobody.ask(LOOK, { uid });
    expect(data.publicBooking).toMatchObject({ uid, status: 'ACCEPTED', attendee: { email: 'grace@example.test' } });
    expect(JSON.stringify(data)).not.toMatch(/Secret|guest@|example\.test.*example\.test/);
  });

  test('cannot be guessed: what is nearly it finds nothing', async () => {
    const uid = await page.book((await page.slots())[4] ?? '');
    const { ownerId, id } = ownedUuidOf(uid);
    const seventh = uid[7] === 'a' ? 'b' : 'a';
    for (const wrong of [
      idOfUid(uid),
      ...Object.values(spoiltIds(idOfUid(uid))),
      publicOwnedId('booking', { ownerId, id: newId() }),
      // The same random bits, as somebody else's.
      publicOwnedId('booking', { ownerId: newUserId(), id }),
      uid.slice(0, 7) + seventh + uid.slice(8),
      uid.slice(0, -22),
      '',
      '\0',
      'x'.repeat(100_000),
      uid.replace('uid', 'uis'),
    ]) {
      expect((await api.nobody.ask(LOOK, { uid: wrong })).data).toEqual({ publicBooking: null });
      expect((await api.nobody.change('bookingCancel', { uid: wrong })).mistakes).toEqual(['NOT_FOUND uid']);
      const moved = await api.nobody.change('bookingReschedule', { uid: wrong, start: slots[0] });
      expect(moved.mistakes).toEqual(['NOT_FOUND uid']);
    }
  });

  test('shows no other seat where it names a seat, unless the event type says so', async () => {
    const seated = await openBookingPage(api);
    const setSeats = (showsAttendees: boolean) =>
      rows(
        api.database.em.fork(),
        sql`update event_types set seats = ${JSON.stringify({ perSlot: 3, showsAttendees })}::jsonb where id = ${uuidOf(seated.eventTypeId)}`,
      );
    for (const [index, shows] of [false, true].entries()) {
      await setSeats(shows);
      const start = (await seated.slots())[index + 1] ?? '';
      const uid = await seated.book(start);
      const other = await seated.book(start, { attendee: { name: 'Lin', email: 'lin@example.test', timeZone: 'UTC' } });
      const { publicBooking } = (await api.nobody.ask(LOOK, { uid })).data;
      expect(publicBooking).toMatchObject({ otherAttendeeNames: shows ? ['Lin'] : [], remainingSeatCount: 1 });
      expect(JSON.stringify(publicBooking)).not.toContain(other);
      expect(JSON.stringify(publicBooking)).not.toContain('lin@');
    }
  });

  test('moves it, also for a host, and then leads to the new one', async () => {
    const free = await page.slots();
    const uid = await page.book(free[8] ?? '');
    const { data, mistakes } = await api.nobody.change(
      'bookingReschedule',
      { uid, start: free[10], reason: 'Ill' },
      SEEN,
    );
    expect(mistakes).toEqual([]);
    expect(data.booking).toMatchObject({ status: 'ACCEPTED', start: free[10] });
    const old = (await api.nobody.ask(LOOK, { uid })).data.publicBooking;
    expect(old).toMatchObject({ status: 'CANCELLED', rescheduledToUid: data.booking.uid });
    expect((await api.nobody.change('bookingReschedule', { uid, start: free[12] })).mistakes).toEqual([
      'NOT_POSSIBLE uid',
    ]);
  });
});

describe('a booking whose event type is offered no longer is still shown, but cannot be moved,', () => {
  const message =
    'What was booked is offered no longer, so no other time can be chosen; cancel the booking, or ask its host.';
  const refusal = { code: 'NOT_POSSIBLE', message, path: ['uid'] };
  const SHOWN = 'query($uid: String!) { publicBooking(uid: $uid) { status } }';

  test('when it was deleted', async () => {
    const gone = await openBookingPage(api);
    const [now = '', start] = await gone.slots();
    const uid = await gone.book(now);
    await gone.host.change('eventTypeDelete', { eventTypeId: gone.eventTypeId });
    const { data } = await api.nobody.change('bookingReschedule', { uid, start });
    expect(data.userErrors).toEqual([refusal]);
    expect((await api.nobody.ask(SHOWN, { uid })).data.publicBooking).toEqual({ status: 'ACCEPTED' });
    expect((await api.nobody.change('bookingCancel', { uid })).mistakes).toEqual([]);
  });

  test('while its host is suspended, which nobody is told', async () => {
    const away = await openBookingPage(api);
    const [now = '', start] = await away.slots();
    const uid = await away.book(now);
    const suspend = (at: ReturnType<typeof sql>) =>
      rows(api.database.em.fork(), sql`update users set suspended_at = ${at} where id = ${uuidOf(away.host.userId)}`);
    await suspend(sql`now()`);
    const { data } = await api.nobody.change('bookingReschedule', { uid, start });
    expect(data.userErrors).toEqual([refusal]);
    expect((await api.nobody.ask(SHOWN, { uid })).data.publicBooking).toEqual({ status: 'ACCEPTED' });
    await suspend(sql`null`);
    expect((await api.nobody.change('bookingReschedule', { uid, start })).mistakes).toEqual([]);
  });
});

test('nobody is named by a web address, which mails would carry to guests', async () => {
  const [start = ''] = (await page.slots()).slice(20);
  const named = (name: string) =>
    api.nobody.change('bookingCreate', page.request(start, { attendee: { ...page.request(start).attendee, name } }));
  expect((await named('Win at http://evil.example/prize')).mistakes).toEqual(['INVALID_TEXT attendee name']);
  expect((await named('Dr. med. A. B.')).mistakes).toEqual([]);
});

test('a hidden event type is not booked, and neither is that of somebody who is suspended', async () => {
  const other = await openBookingPage(api);
  const [start = ''] = await other.slots();
  const set = (assignment: ReturnType<typeof sql>) => rows(api.database.em.fork(), assignment);
  await set(sql`update event_types set is_hidden = true where id = ${uuidOf(other.eventTypeId)}`);
  expect((await api.nobody.change('bookingCreate', other.request(start))).mistakes).toEqual(['NOT_FOUND eventTypeId']);
  await set(sql`update event_types set is_hidden = false where id = ${uuidOf(other.eventTypeId)}`);
  await set(sql`update users set suspended_at = now() where id = ${uuidOf(other.host.userId)}`);
  expect((await api.nobody.change('bookingCreate', other.request(start))).mistakes).toEqual(['NOT_FOUND eventTypeId']);
  await set(sql`update users set suspended_at = null where id = ${uuidOf(other.host.userId)}`);
  await other.book(start);
});

test('a booker who must be signed in may book with any token', async () => {
  const other = await openBookingPage(api);
  const [start = ''] = await other.slots();
  await rows(
    api.database.em.fork(),
    sql`update event_types set requires_authentication = true where id = ${uuidOf(other.eventTypeId)}`,
  );
  expect((await api.nobody.change('bookingCreate', other.request(start))).mistakes).toEqual([
    'AUTHENTICATION_REQUIRED',
  ]);
  const slot = { eventTypeId: other.eventTypeId, start };
  expect((await api.nobody.change('slotReservationCreate', slot)).mistakes).toEqual(['AUTHENTICATION_REQUIRED']);
  const kept = await api.as('ada', []).change('slotReservationCreate', slot, 'reservation { uid }');
  const { uid: reservationUid } = (kept.data as { reservation: { uid: string } }).reservation;
  expect((await api.nobody.change('slotReservationUpdate', { reservationUid })).mistakes).toEqual([
    'AUTHENTICATION_REQUIRED',
  ]);
  expect((await api.nobody.change('slotReservationDelete', { reservationUid })).mistakes).toEqual([]);
  expect((await api.as('ada', []).change('bookingCreate', other.request(start))).mistakes).toEqual([]);
});

test('answers that are no object are refused before anything runs', async () => {
  for (const responses of ['x', ['x'], 3]) {
    const { codes, data } = await api.nobody.change('bookingCreate', page.request(slots[0] ?? '', { responses }));
    expect([codes.length, data]).toEqual([1, undefined]);
  }
});
