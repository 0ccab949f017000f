import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { idOfUid, uuidOf } from '../support/ids.ts';
import { type BookingPage, FROM, openBookingPage, TO } from './booking-pages.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const execute = (statement: ReturnType<typeof sql>) => rows(api.database.em.fork(), statement);

/** A page with one booking; `status` as if the event type had asked for it. */
async function booked(status: 'ACCEPTED' | 'PENDING' | 'CANCELLED' | 'REJECTED' = 'ACCEPTED') {
  const page = await openBookingPage(api);
  const [start = ''] = await page.slots();
  const uid = await page.book(start);
  await execute(sql`update bookings set status = ${status} where id = ${uuidOf(uid)}`);
  await execute(sql`update booking_hosts set status = ${status} where booking_id = ${uuidOf(uid)}`);
  return { page, uid, start };
}

/** The booking began an hour ago, and goes on. */
async function begin(uid: string): Promise<void> {
  await execute(
    sql`update bookings set starts_at = now() - interval '1 hour', ends_at = now() + interval '1 hour' where id = ${uuidOf(uid)}`,
  );
}

/** Everything that is stored of a booking. */
async function stored(uid: string): Promise<unknown> {
  return Promise.all([
    execute(sql`select * from bookings where id = ${uuidOf(uid)}`),
    execute(sql`select * from booking_attendees where booking_id = ${uuidOf(uid)} order by id`),
    execute(sql`select * from booking_hosts where booking_id = ${uuidOf(uid)}`),
    execute(sql`select * from occupied_times where holder_id = ${uuidOf(uid)}`),
    execute(sql`select type from domain_events where data -> 'booking' ->> 'id' = ${uuidOf(uid)}`),
  ]);
}

async function lastEvent({ host }: BookingPage): Promise<unknown> {
  const [event] = await rows<{ type: string }>(
    api.database.em.fork(),
    sql`select type, data from domain_events where owner_id = ${uuidOf(host.userId)} order by id desc limit 1`,
  );
  return event;
}

/** Every mutation of a host, with the least that it takes, and the status in which it is possible. */
const CHANGES = [
  ['bookingConfirm', {}, 'PENDING'],
  ['bookingDecline', { reason: 'No time' }, 'PENDING'],
  ['bookingRescheduleRequest', { reason: 'No time' }, 'ACCEPTED'],
  ['bookingGuestsAdd', { guests: ['guest@example.test'] }, 'ACCEPTED'],
  ['bookingAttendeeAdd', { attendee: { name: 'Lin', email: 'lin@example.test', timeZone: 'UTC' } }, 'ACCEPTED'],
  ['bookingLocationUpdate', { location: { type: 'LINK', url: 'https://meet.example/1' } }, 'ACCEPTED'],
  ['bookingUidRotate', {}, 'ACCEPTED'],
  ['bookingAbsenceMark', { isHostAbsent: true }, 'ACCEPTED'],
] as const;

describe.each(CHANGES)('%s', (name, input, status) => {
  async function ready() {
    const { page, uid } = await booked(status);
    if (name === 'bookingAbsenceMark') await begin(uid);
    return { page, uid, username: page.username };
  }

  test('is for the scope BOOKING_WRITE, and shows the booking to BOOKING_READ', async () => {
    const { uid, username } = await ready();
    const before = await stored(uid);
    const refused = [
      await api.nobody.change(name, { bookingId: idOfUid(uid), ...input }),
      await api.as(username, []).change(name, { bookingId: idOfUid(uid), ...input }),
      await api.as(username, ['BOOKING_READ']).change(name, { bookingId: idOfUid(uid), ...input }),
      await api.as(username, ['BOOKING_WRITE']).change(name, { bookingId: idOfUid(uid), ...input }, 'booking { id }'),
    ];
    expect(refused.flatMap(({ codes }) => codes)).toEqual([
      'UNAUTHENTICATED',
      'INSUFFICIENT_SCOPE',
      'INSUFFICIENT_SCOPE',
      'INSUFFICIENT_SCOPE',
    ]);
    expect(await stored(uid)).toEqual(before);
    const done = await api
      .as(username, ['BOOKING_WRITE'])
      .change(name, { bookingId: idOfUid(uid), ...input }, 'bookingId');
    expect(done).toMatchObject({ codes: [], mistakes: [], data: { bookingId: idOfUid(uid) } });
  });

  test('finds nobody else’s booking, as if there were none', async () => {
    const { uid } = await ready();
    const before = await stored(uid);
    const foreign = await api.as('ada').change(name, { bookingId: idOfUid(uid), ...input });
    const missing = await api.as('ada').change(name, { bookingId: `${idOfUid(uid).slice(0, -1)}_`, ...input });
    expect([foreign.mistakes, missing.mistakes]).toEqual([['NOT_FOUND bookingId'], ['NOT_FOUND bookingId']]);
    expect(await stored(uid)).toEqual(before);
  });

  // The uid of a booking that is off still shows it, so it can be ended: test/flows/ended-uids.test.ts.
  test.skipIf(name === 'bookingUidRotate').each(['CANCELLED', 'REJECTED'] as const)(
    'is not possible once the booking is %s, and changes nothing',
    async (off) => {
      const { page, uid } = await booked(off);
      await begin(uid);
      const before = await stored(uid);
      expect((await page.host.change(name, { bookingId: idOfUid(uid), ...input })).mistakes).toEqual([
        'NOT_POSSIBLE bookingId',
      ]);
      expect(await stored(uid)).toEqual(before);
    },
  );
});

describe('a host', () => {
  test('confirms a request once', async () => {
    const { page, uid } = await booked('PENDING');
    const { data } = await page.host.change('bookingConfirm', { bookingId: idOfUid(uid) }, 'booking { id status }');
    expect(data.booking).toEqual({ id: idOfUid(uid), status: 'ACCEPTED' });
    expect(await lastEvent(page)).toMatchObject({ type: 'BOOKING_CONFIRMED', data: { booking: { id: uuidOf(uid) } } });
    expect((await page.host.change('bookingConfirm', { bookingId: idOfUid(uid) })).mistakes).toEqual([
      'NOT_POSSIBLE bookingId',
    ]);
    expect((await page.host.change('bookingDecline', { bookingId: idOfUid(uid) })).mistakes).toEqual([
      'NOT_POSSIBLE bookingId',
    ]);
  });

  test('declines a request, which frees its time', async () => {
    const { page, uid, start } = await booked('PENDING');
    expect(await page.slots()).not.toContain(start);
    const { data } = await page.host.change(
      'bookingDecline',
      { bookingId: idOfUid(uid), reason: 'Away' },
      'booking { status rejectionReason }',
    );
    expect(data.booking).toEqual({ status: 'REJECTED', rejectionReason: 'Away' });
    expect(await page.slots()).toContain(start);
    expect(await lastEvent(page)).toMatchObject({ type: 'BOOKING_REJECTED', data: { reason: 'Away' } });
  });

  test('asks for another time, which cancels the booking', async () => {
    const { page, uid, start } = await booked();
    const { data } = await page.host.change(
      'bookingRescheduleRequest',
      { bookingId: idOfUid(uid), reason: 'Ill' },
      'booking { status reschedulingReason rescheduleRequestReason }',
    );
    expect(data.booking).toEqual({ status: 'CANCELLED', reschedulingReason: null, rescheduleRequestReason: 'Ill' });
    expect(await page.slots()).toContain(start);
    expect(await lastEvent(page)).toMatchObject({ type: 'BOOKING_CANCELLED', data: { rescheduleRequested: true } });
  });

  test('who has asked for another time gets it from the holder of the uid, once', async () => {
    const { page, uid } = await booked();
    const free = await page.slots();
    const move = (start: string | undefined, shown = 'booking { uid status }') =>
      api.nobody.change('bookingReschedule', { uid, start }, shown);
    await page.host.change('userBookingCancel', { bookingId: idOfUid(await page.book(free[9] ?? '')), reason: 'Ill' });
    await page.host.change('bookingRescheduleRequest', { bookingId: idOfUid(uid), reason: 'Ill' });
    const asked = await api.nobody.ask(
      'query($uid: String!) { publicBooking(uid: $uid) { status isRescheduleRequested rescheduleRequestReason } }',
      { uid },
    );
    expect(asked.data.publicBooking).toEqual({
      status: 'CANCELLED',
      isRescheduleRequested: true,
      rescheduleRequestReason: 'Ill',
    });

    const { data } = await move(free[8]);
    expect(data.booking.status).toBe('ACCEPTED');
    expect(await lastEvent(page)).toMatchObject({
      type: 'BOOKING_RESCHEDULED',
      data: { previousId: uuidOf(uid), booking: { id: uuidOf(data.booking.uid) } },
    });
    expect(await page.slots()).not.toContain(free[8]);
    expect((await move(free[7])).mistakes).toEqual(['NOT_POSSIBLE uid']);
    const document = `query($uid: ID!) {
      me { booking(id: $uid) { status rescheduleRequestReason isRescheduleRequested rescheduledToId } } }`;
    expect((await page.host.ask(document, { uid: idOfUid(uid) })).data.me.booking).toEqual({
      status: 'CANCELLED',
      rescheduleRequestReason: 'Ill',
      isRescheduleRequested: true,
      rescheduledToId: idOfUid(data.booking.uid),
    });
  });

  test('who has cancelled has not asked for another time', async () => {
    const { page, uid } = await booked();
    const [, start] = await page.slots();
    await page.host.change('userBookingCancel', { bookingId: idOfUid(uid), reason: 'Ill' });
    expect((await api.nobody.change('bookingReschedule', { uid, start })).mistakes).toEqual(['NOT_POSSIBLE uid']);
  });

  test('must give a reason to cancel; who only holds the uid need not', async () => {
    const { page, uid } = await booked();
    for (const reason of [undefined, '', '  ']) {
      expect((await page.host.change('userBookingCancel', { bookingId: idOfUid(uid), reason })).mistakes).toEqual([
        'REASON_REQUIRED reason',
      ]);
    }
    const given = await page.host.change(
      'userBookingCancel',
      { bookingId: idOfUid(uid), reason: ' Ill ' },
      'booking { status cancellationReason }',
    );
    expect(given.data.booking).toEqual({ status: 'CANCELLED', cancellationReason: 'Ill' });
    const other = await booked();
    expect((await api.nobody.change('bookingCancel', { uid: other.uid })).mistakes).toEqual([]);
  });

  test('is not recognized where they come by the uid, whatever they hold', async () => {
    const page = await openBookingPage(api);
    const cutOff = { reschedulingPolicy: { type: 'NEVER' }, cancellationPolicy: { type: 'NEVER' } };
    await page.host.change('eventTypeUpdate', { eventTypeId: page.eventTypeId, ...cutOff });
    const [start = '', later = ''] = await page.slots();
    const uid = await page.book(start);
    const reader = api.as(page.username, ['BOOKING_READ', 'PROFILE_READ']);
    const reservation = { eventTypeId: page.eventTypeId, start: later, expiresInMinutes: 60 };
    for (const who of [reader, api.as(page.username), page.host]) {
      expect((await who.change('bookingReschedule', { uid, start: later })).mistakes).toEqual([
        'RESCHEDULING_DISABLED uid',
      ]);
      expect((await who.change('bookingCancel', { uid, reason: 'Ill' })).mistakes).toEqual(['CANCELLING_DISABLED uid']);
    }
    expect((await reader.change('slotReservationCreate', reservation)).mistakes).toEqual([
      'FORBIDDEN expiresInMinutes',
    ]);
    const writer = api.as(page.username, ['BOOKING_WRITE']);
    expect((await writer.change('slotReservationCreate', reservation)).mistakes).toEqual([]);
    expect((await writer.change('userBookingCancel', { bookingId: idOfUid(uid), reason: 'Ill' })).mistakes).toEqual([]);
  });

  test('is the user of the token, not the user of the input', async () => {
    const page = await openBookingPage(api);
    const [start = ''] = await page.slots();
    const { data } = await page.host.ask('{ me { email } }');
    const uid = await page.book(start, { attendee: { name: 'Me', email: data.me.email, timeZone: 'UTC' } });
    expect((await api.as('ada').change('bookingConfirm', { bookingId: idOfUid(uid) })).mistakes).toEqual([
      'NOT_FOUND bookingId',
    ]);
    expect((await api.nobody.change('bookingCancel', { uid })).mistakes).toEqual([]);
  });

  test('adds guests up to 10 at once and 30 in all, each once', async () => {
    const { page, uid } = await booked();
    const add = (list: string[]) =>
      page.host.change('bookingGuestsAdd', { bookingId: idOfUid(uid), guests: list }, 'booking { guests { email } }');
    expect((await add(guests(0, 11))).mistakes).toEqual(['TOO_MANY guests']);
    expect((await add([])).mistakes).toEqual(['REQUIRED guests']);
    expect((await add(['x'])).mistakes).toEqual(['INVALID_EMAIL guests 0']);
    for (const from of [0, 10, 20]) expect((await add(guests(from, 10))).mistakes).toEqual([]);
    expect((await add(guests(30, 1))).mistakes).toEqual(['TOO_MANY guests']);
    const { data } = await page.host.ask('query($uid: ID!) { me { booking(id: $uid) { guests { email } } } }', {
      uid: idOfUid(uid),
    });
    expect(data.me.booking.guests.map(({ email }: { email: string }) => email)).toEqual(guests(0, 30));
  });

  test('adds nobody who comes already', async () => {
    const { page, uid } = await booked();
    const twice = await page.host.change('bookingGuestsAdd', {
      bookingId: idOfUid(uid),
      guests: ['GRACE@example.test'],
    });
    expect(twice.mistakes).toEqual(['DUPLICATE guests 0']);
    const attendee = { name: 'G', email: 'Grace@Example.test', timeZone: 'UTC' };
    expect((await page.host.change('bookingAttendeeAdd', { bookingId: idOfUid(uid), attendee })).mistakes).toEqual([
      'DUPLICATE attendee email',
    ]);
  });

  test('says where it is, which attendees see', async () => {
    const { page, uid } = await booked();
    const location = { type: 'LINK', url: 'https://meet.example/1' };
    await page.host.change('bookingLocationUpdate', { bookingId: idOfUid(uid), location });
    const { data } = await api.nobody.ask(
      'query($uid: String!) { publicBooking(uid: $uid) { location { type url } } }',
      { uid },
    );
    expect(data.publicBooking).toEqual({ location });
    const own = await page.host.ask('query($uid: ID!) { me { booking(id: $uid) { location { type url } } } }', {
      uid: idOfUid(uid),
    });
    expect(own.data.me.booking).toEqual({ location });
    for (const [bad, mistake] of [
      [{ type: 'LINK', url: 'http://x' }, 'INVALID_URL location url'],
      [{ type: 'ATTENDEE_PHONE' }, 'NOT_POSSIBLE location type'],
      [{ type: 'LINK', app: 'zoom' }, 'LOCATION_NOT_OFFERED location app'],
      [{ type: 'PHONE', phone: '12' }, 'INVALID_PHONE location phone'],
    ] as const) {
      expect(
        (await page.host.change('bookingLocationUpdate', { bookingId: idOfUid(uid), location: bad })).mistakes,
      ).toEqual([mistake]);
    }
  });

  test('marks who was absent, and not before the start', async () => {
    const { page, uid } = await booked();
    const input = {
      bookingId: idOfUid(uid),
      isHostAbsent: false,
      attendees: [{ email: 'GRACE@example.test', isAbsent: true }],
    };
    expect((await page.host.change('bookingAbsenceMark', input)).mistakes).toEqual(['NOT_STARTED bookingId']);
    await begin(uid);
    const { data } = await page.host.change(
      'bookingAbsenceMark',
      input,
      'booking { attendees { isAbsent } hosts { isAbsent } }',
    );
    expect(data.booking).toEqual({ attendees: [{ isAbsent: true }], hosts: [{ isAbsent: false }] });
    const unknown = { bookingId: idOfUid(uid), attendees: [{ email: 'who@example.test', isAbsent: true }] };
    expect((await page.host.change('bookingAbsenceMark', unknown)).mistakes).toEqual([
      'UNKNOWN_ATTENDEE attendees 0 email',
    ]);
    expect((await page.host.change('bookingAbsenceMark', { bookingId: idOfUid(uid) })).mistakes).toEqual([
      'REQUIRED attendees',
    ]);
  });

  test('hands nothing over where there is no other host', async () => {
    const { page, uid } = await booked();
    expect((await page.host.change('bookingReassign', { bookingId: idOfUid(uid) })).mistakes).toEqual([
      'HOST_NOT_AVAILABLE toUserId',
    ]);
    const ada = api.as('ada').userId;
    expect((await page.host.change('bookingReassign', { bookingId: idOfUid(uid), toUserId: ada })).mistakes).toEqual([
      'HOST_NOT_AVAILABLE toUserId',
    ]);
    expect((await api.as('ada').change('bookingReassign', { bookingId: idOfUid(uid) })).mistakes).toEqual([
      'NOT_FOUND bookingId',
    ]);
  });
});

test('a booking of a team is in the list of whose turn it was, who can hand it to another host', async () => {
  const demo = '{ ofTeam: { team: "sales", organization: "acme", slug: "demo" } }';
  const { data } = await api.nobody.ask(
    `query($from: DateTime!, $to: DateTime!) { publicEventType(by: ${demo}) { id } slots(eventType: ${demo}, start: $from, end: $to) { start } }`,
    { from: FROM, to: TO },
  );
  // When people work in Berlin and in New York, and well after the bookings of the demo.
  const start = data.slots
    .map((slot: { start: string }) => slot.start)
    .findLast((one: string) => one.includes('T14:30'));
  const attendee = { name: 'Grace', email: 'grace@example.test', timeZone: 'UTC' };
  const input = { eventTypeId: data.publicEventType.id, start, attendee };
  const booked = await api.nobody.change('bookingCreate', input, 'booking { uid }');
  const { uid } = booked.data.booking;

  const lists = await Promise.all(['ada', 'bob'].map(async (host) => ({ host, has: await hasBooking(host, uid) })));
  const [from = '', to = ''] = [lists.find(({ has }) => has)?.host, lists.find(({ has }) => !has)?.host];
  const before = await stored(uid);
  for (const scopes of [[], ['BOOKING_READ'], ['TEAM_BOOKING_WRITE']] as const) {
    expect((await api.as(from, scopes).change('bookingReassign', { bookingId: idOfUid(uid) })).codes).toEqual([
      'INSUFFICIENT_SCOPE',
    ]);
  }
  expect((await api.as(to).change('bookingReassign', { bookingId: idOfUid(uid) })).mistakes).toEqual([
    'NOT_FOUND bookingId',
  ]);
  expect(await stored(uid)).toEqual(before);
  const done = await api
    .as(from, ['BOOKING_WRITE'])
    .change('bookingReassign', { bookingId: idOfUid(uid), toUserId: api.as(to).userId }, 'hostUserId');
  expect(done).toMatchObject({ mistakes: [], data: { hostUserId: api.as(to).userId } });
  expect([await hasBooking(from, uid), await hasBooking(to, uid)]).toEqual([false, true]);
});

async function hasBooking(username: string, uid: string): Promise<boolean> {
  const { data } = await api.as(username).ask('{ me { bookings(first: 100) { nodes { id } } } }');
  return data.me.bookings.nodes.some((one: { id: string }) => one.id === idOfUid(uid));
}

function guests(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `g${from + index}@example.test`);
}
