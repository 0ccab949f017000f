import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { idOfUid, uuidOf } from '../support/ids.ts';
import { unknownUid } from '../support/uids.ts';
import { type BookingPage, FROM, openBookingPage, TO } from './booking-pages.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const SLOTS = `query($by: EventTypeIdentifierInput!,
  $from: DateTime!, $to: DateTime!, $zone: TimeZone, $length: Int, $uid: String) {
  slots(eventType: $by, start: $from, end: $to,
    timeZone: $zone, durationInMinutes: $length, bookingUidToReschedule: $uid) { start end date remainingSeatCount } }`;

function ask({ id, ...variables }: Record<string, unknown>) {
  return api.nobody.ask(SLOTS, { by: { id }, from: FROM, to: TO, ...variables });
}

describe('slots', () => {
  test('are found by id, by user and slug, and by team and slug', async () => {
    const byUser = await ask({ by: { ofUser: { username: 'ada', slug: 'intro' } } });
    const { data } = await api.nobody.ask(
      '{ publicEventType(by: { ofUser: { username: "ada", slug: "intro" } }) { id } }',
    );
    expect((await ask({ id: data.publicEventType.id })).data).toEqual(byUser.data);
    expect(byUser.data.slots.length).toBeGreaterThan(100);
    const ofTeam = { team: 'sales', organization: 'acme', slug: 'demo' };
    expect((await ask({ by: { ofTeam } })).data.slots.length).toBeGreaterThan(100);
  });

  test('are null for an event type that does not exist or is hidden', async () => {
    const hidden = await api.as('ada').ask('{ me { eventTypes { nodes { id isHidden } } } }');
    const { id } = hidden.data.me.eventTypes.nodes.find((one: { isHidden: boolean }) => one.isHidden);
    for (const name of [
      { id },
      { id: 'evt_0' },
      { id: '\0' },
      { ofUser: { username: 'nobody', slug: 'x' } },
      { ofUser: { username: '\0', slug: 'x' } },
      { ofUser: { username: 'ada', slug: '__proto__' } },
      { privateLinkToken: 'none' },
    ]) {
      expect(await ask({ by: name })).toMatchObject({ codes: [], data: { slots: null } });
    }
  });

  test('carry their date in the zone that is asked for', async () => {
    const page = await openBookingPage(api);
    const { data } = await ask({ id: page.eventTypeId, zone: 'Pacific/Kiritimati' });
    const slot = data.slots.at(-1);
    const nextDay = Temporal.Instant.from(slot.start).toZonedDateTimeISO('Pacific/Kiritimati').toPlainDate();
    expect(slot.date).toBe(nextDay.toString());
    expect(slot.date > slot.start.slice(0, 10)).toBe(true);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['an unknown zone', { zone: 'Mars/Olympus' }, 'INVALID_TIME_ZONE'],
    ['an inverted range', { from: TO, to: FROM }, 'INVERTED_RANGE'],
    ['a range of a year', { to: '2100-01-01T00:00:00Z' }, 'RANGE_TOO_LONG'],
    [
      'a range at the end of all calendars',
      { from: '9999-12-01T00:00:00Z', to: '9999-12-31T23:59:59Z' },
      'TOO_FAR_AHEAD',
    ],
    ['two names at once', { by: { id: 'evt_0', ofUser: { username: 'ada', slug: 'intro' } } }, 'BAD_USER_INPUT'],
    ['no name', { by: {} }, 'BAD_USER_INPUT'],
  ])('are refused for %s', async (_, variables, code) => {
    const page = await openBookingPage(api);
    expect((await ask({ id: page.eventTypeId, ...variables })).codes).toEqual([code]);
  });

  test('are none for a range that is over, and for a length that is not offered', async () => {
    const page = await openBookingPage(api);
    const past = { from: '0001-01-01T00:00:00Z', to: '0001-02-01T00:00:00Z' };
    expect((await ask({ id: page.eventTypeId, ...past })).data.slots).toEqual([]);
    for (const length of [0, -1, 31, 2_147_483_647]) {
      expect((await ask({ id: page.eventTypeId, length })).data.slots).toEqual([]);
    }
  });

  test('include the time of the booking that is to be moved', async () => {
    const page = await openBookingPage(api);
    const [start = ''] = await page.slots();
    const uid = await page.book(start);
    const startsOf = async (more: object) =>
      (await ask({ id: page.eventTypeId, ...more })).data.slots.map((slot: { start: string }) => slot.start);
    expect(await startsOf({})).not.toContain(start);
    expect(await startsOf({ uid })).toContain(start);
    const other = await openBookingPage(api);
    expect((await ask({ id: other.eventTypeId, uid })).codes).toEqual([]);
    for (const none of [unknownUid('booking'), idOfUid(uid), 'none'])
      expect([none, await startsOf({ uid: none })]).toEqual([none, []]);
  });

  test('that are offered can be booked, and what is booked was offered, whatever the settings', async () => {
    const page = await openBookingPage(api);
    await rows(
      api.database.em.fork(),
      sql`update event_types set buffer_before_in_minutes = 10, buffer_after_in_minutes = 5, slot_interval_in_minutes = 20,
            booking_limits = '{"day": {"count": 3}}' where id = ${uuidOf(page.eventTypeId)}`,
    );
    let offered = await page.slots();
    for (let n = 0; n < 12; n += 1) {
      const start = offered[(n * 37) % offered.length] ?? '';
      await page.book(start);
      const before = offered;
      offered = await page.slots();
      expect(offered).not.toContain(start);
      const [gone] = before.filter((one) => !offered.includes(one) && one !== start);
      const refused = gone === undefined ? [] : (await api.nobody.change('bookingCreate', page.request(gone))).mistakes;
      expect(refused.every((mistake) => ['SLOT_TAKEN start', 'LIMIT_REACHED start'].includes(mistake))).toBe(true);
    }
  });
});

describe('a reservation', () => {
  test('keeps a slot from everybody but a booker who shows it', async () => {
    const { page, start, reservationUid } = await reserved();
    expect(await page.slots()).not.toContain(start);
    expect((await api.nobody.change('bookingCreate', page.request(start))).mistakes).toEqual(['SLOT_RESERVED start']);
    const again = await api.nobody.change('slotReservationCreate', { eventTypeId: page.eventTypeId, start });
    expect(again.mistakes).toEqual(['SLOT_RESERVED start']);
    await page.book(start, { reservationUid });
    expect((await api.nobody.change('slotReservationDelete', { reservationUid })).mistakes).toEqual([
      'NOT_FOUND reservationUid',
    ]);
  });

  test('is given back', async () => {
    const { page, start, reservationUid } = await reserved();
    expect((await api.nobody.change('slotReservationDelete', { reservationUid })).mistakes).toEqual([]);
    expect(await page.slots()).toContain(start);
    for (const id of [reservationUid, '', '\0', 'uir_0']) {
      expect((await api.nobody.change('slotReservationDelete', { reservationUid: id })).mistakes).toEqual([
        'NOT_FOUND reservationUid',
      ]);
    }
  });

  test('is exchanged for another slot, or stays as it is', async () => {
    const { page, start, reservationUid } = await reserved();
    const [next = '', taken = ''] = await page.slots();
    await page.book(taken);
    const refused = await api.nobody.change('slotReservationUpdate', { reservationUid, start: taken });
    expect(refused.mistakes).toEqual(['SLOT_TAKEN start']);
    const { data } = await api.nobody.change(
      'slotReservationUpdate',
      { reservationUid, start: next },
      'reservation { uid start }',
    );
    expect(data.reservation.start).toBe(next);
    expect(await page.slots()).toContain(start);
    await page.book(next, { reservationUid: data.reservation.uid });
    expect((await api.nobody.change('slotReservationUpdate', { reservationUid })).mistakes).toEqual([
      'NOT_FOUND reservationUid',
    ]);
  });
});

/** A page where one booking a day is taken, with settings of its own. */
async function limitedPage(settings: object = { bookingLimits: { day: { maxBookings: 1 } } }): Promise<BookingPage> {
  const page = await openBookingPage(api);
  const { mistakes } = await page.host.change('eventTypeUpdate', { eventTypeId: page.eventTypeId, ...settings });
  expect(mistakes).toEqual([]);
  return page;
}

async function reserve(page: BookingPage, start: string, more: object = {}) {
  const input = { eventTypeId: page.eventTypeId, start, ...more };
  const { data, mistakes } = await api.nobody.change('slotReservationCreate', input, 'reservation { uid expiresAt }');
  return { reservationUid: data.reservation?.uid as string, mistakes };
}

describe('a reserved booking', () => {
  test.each<[string, object, object]>([
    ['number of bookings', { bookingLimits: { day: { maxBookings: 1 } } }, {}],
    ['number of minutes', { bookingLimits: { day: { maxMinutes: 45 } } }, {}],
    [
      'number of bookings with seats',
      { bookingLimits: { day: { maxBookings: 1 } }, seats: { perSlot: 2, showsAttendees: false } },
      {},
    ],
  ])('counts for a limited %s, so that its holder gets it', async (_, settings, more) => {
    const page = await limitedPage(settings);
    const [first = '', next = ''] = await page.slots();
    const { reservationUid } = await reserve(page, first, more);
    expect((await page.slots()).filter((slot) => slot.startsWith(first.slice(0, 10)))).toEqual([]);
    const refused = await api.nobody.change('bookingCreate', page.request(next), '');
    expect(refused.mistakes).toEqual(['SLOT_RESERVED start']);
    expect((await reserve(page, next)).mistakes).toEqual(['SLOT_RESERVED start']);
    await page.book(first, { reservationUid });
    expect((await api.nobody.change('bookingCreate', page.request(next))).mistakes).toEqual(['LIMIT_REACHED start']);
  });

  test('counts no more once it is given back, and not against its own exchange', async () => {
    const page = await limitedPage();
    const [first = '', next = '', third = ''] = await page.slots();
    const { reservationUid } = await reserve(page, first);
    const { data } = await api.nobody.change(
      'slotReservationUpdate',
      { reservationUid, start: next },
      'reservation { uid }',
    );
    await api.nobody.change('slotReservationDelete', { reservationUid: data.reservation.uid });
    expect((await api.nobody.change('bookingCreate', page.request(third))).mistakes).toEqual([]);
  });

  test('that takes a free seat adds no booking', async () => {
    const page = await limitedPage({
      bookingLimits: { day: { maxBookings: 2 } },
      seats: { perSlot: 3, showsAttendees: false },
    });
    const [first = '', next = ''] = await page.slots();
    await page.book(first);
    expect((await reserve(page, first)).mistakes).toEqual([]);
    await page.book(next);
  });

  test('has its notice as of when it was reserved; an exchange is judged as of now', async () => {
    const page = await openBookingPage(api);
    const [first = '', next = ''] = await page.slots();
    const { reservationUid } = await reserve(page, first);
    const { eventTypeId } = page;
    await page.host.change('eventTypeUpdate', { eventTypeId, minimumBookingNoticeInMinutes: 60 * 24 * 30 });
    const withIt = (start: string) => api.nobody.change('bookingCreate', page.request(start, { reservationUid }));
    expect((await api.nobody.change('bookingCreate', page.request(first))).mistakes).toEqual([
      'NOTICE_TOO_SHORT start',
    ]);
    expect((await withIt(next)).mistakes).toEqual(['NOTICE_TOO_SHORT start']);
    const exchange = await api.nobody.change('slotReservationUpdate', { reservationUid });
    expect(exchange.mistakes).toEqual(['NOTICE_TOO_SHORT start']);
    expect((await withIt(first)).mistakes).toEqual([]);
  });
});

/** A page with its first slot reserved. */
async function reserved(): Promise<{ page: BookingPage; start: string; reservationUid: string }> {
  const page = await openBookingPage(api);
  const [start = ''] = await page.slots();
  const input = { eventTypeId: page.eventTypeId, start };
  const { data, mistakes } = await api.nobody.change(
    'slotReservationCreate',
    input,
    'reservation { uid start end expiresAt }',
  );
  expect(mistakes).toEqual([]);
  expect(data.reservation.start).toBe(start);
  return { page, start, reservationUid: data.reservation.uid };
}
