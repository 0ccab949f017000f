import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../support/api.ts';
import { type BookingPage, openBookingPage } from './booking-pages.ts';

let api: TestApi;
let page: BookingPage;
let slots: string[];
/** Booked in an order other than that of their starts. */
let uids: string[];
let other: string;

beforeAll(async () => {
  api = await openTestApi();
  page = await openBookingPage(api);
  slots = (await page.slots()).slice(0, 5);
  const order = [2, 0, 4, 1, 3];
  uids = [];
  for (const index of order) {
    const attendee = { name: `N${index}`, email: `n${index % 2}@example.test`, timeZone: 'UTC' };
    uids[index] = await page.book(slots[index] ?? '', { attendee, notes: 'Hello', metadata: { n: String(index) } });
  }
  await page.host.change('bookingCancel', { uid: uids[1], reason: 'Ill' });
  const foreign = await openBookingPage(api);
  other = await foreign.book((await foreign.slots())[0] ?? '');
});
afterAll(() => api.close());

async function list(arguments_: string): Promise<number[]> {
  const { data, codes } = await page.host.ask(`{ me { bookings${arguments_} { nodes { uid } } } }`);
  if (codes.length > 0) throw new Error(codes.join(' '));
  return data.me.bookings.nodes.map(({ uid }: { uid: string }) => uids.indexOf(uid));
}

describe('the bookings of a host', () => {
  test('are those they host, earliest start first', async () => {
    expect(await list('')).toEqual([0, 1, 2, 3, 4]);
    const find = 'query($uid: String!) { me { booking(uid: $uid) { uid } } }';
    expect((await page.host.ask(find, { uid: uids[0] })).data.me.booking).toEqual({ uid: uids[0] });
    for (const uid of [other, `${uids[0]}x`, '\0', '']) {
      expect((await page.host.ask(find, { uid })).data.me.booking).toBeNull();
    }
  });

  test.each([
    ['START', [0, 1, 2, 3, 4]],
    ['END', [0, 1, 2, 3, 4]],
    ['CREATED', [2, 0, 4, 1, 3]],
    ['UPDATED', [2, 0, 4, 3, 1]],
  ])('can be sorted by %s, both ways', async (by, expected) => {
    expect(await list(`(sort: { by: ${by} })`)).toEqual(expected);
    expect(await list(`(sort: { by: ${by}, descending: true })`)).toEqual(expected.toReversed());
  });

  test.each([
    ['status', '{ status: [CANCELLED] }', [1]],
    ['several statuses', '{ status: [CANCELLED, ACCEPTED] }', [0, 1, 2, 3, 4]],
    ['no status', '{ status: [] }', []],
    ['attendee, however typed', '{ attendeeEmail: "N1@Example.test" }', [1, 3]],
    ['an attendee that nobody is', '{ attendeeEmail: "nobody@example.test" }', []],
    ['all at once', '{ attendeeEmail: "n1@example.test", status: [ACCEPTED] }', [3]],
    ['a team that has none', '{ teamId: "tea_0" }', []],
    ['another host who is not there', '{ hostId: "usr_0" }', []],
    ['creation', '{ created: { from: "2000-01-01T00:00:00Z", to: "2999-01-01T00:00:00Z" } }', [0, 1, 2, 3, 4]],
    ['change', '{ updated: { to: "2000-01-01T00:00:00Z" } }', []],
    [
      'the first and the last instant that there are',
      '{ end: { from: "0001-01-01T00:00:00Z", to: "9999-12-31T23:59:59.999Z" } }',
      [0, 1, 2, 3, 4],
    ],
  ])('can be narrowed by %s', async (_, filter, expected) => {
    expect(await list(`(filter: ${filter})`)).toEqual(expected);
  });

  test('can be narrowed by start, end, event type and host', async () => {
    expect(await list(`(filter: { start: { from: "${slots[1]}", to: "${slots[3]}" } })`)).toEqual([1, 2]);
    expect(await list(`(filter: { end: { from: "${slots[4]}" } })`)).toEqual([3, 4]);
    expect(await list(`(filter: { eventTypeIds: ["${page.eventTypeId}"] })`)).toEqual([0, 1, 2, 3, 4]);
    expect(await list('(filter: { eventTypeIds: ["evt_0", "\\u0000"] })')).toEqual([]);
    expect(await list(`(filter: { hostId: "${page.host.userId}" })`)).toEqual([0, 1, 2, 3, 4]);
  });

  test.each(['', 'sort: { by: CREATED, descending: true }'])(
    'come in pages, forwards and backwards (%s)',
    async (sort) => {
      const all = await list(sort && `(${sort})`);
      const ask = async (arguments_: string) => {
        const document = `{ me { bookings(${sort} ${arguments_}) { nodes { uid } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } } }`;
        const { bookings } = (await page.host.ask(document)).data.me;
        return { numbers: bookings.nodes.map(({ uid }: { uid: string }) => uids.indexOf(uid)), ...bookings.pageInfo };
      };
      const first = await ask('first: 2');
      const second = await ask(`first: 2, after: "${first.endCursor}"`);
      const third = await ask(`first: 2, after: "${second.endCursor}"`);
      expect([...first.numbers, ...second.numbers, ...third.numbers]).toEqual(all);
      expect([first, second, third].map(({ hasNextPage }) => hasNextPage)).toEqual([true, true, false]);
      const last = await ask('last: 2');
      const before = await ask(`last: 3, before: "${last.startCursor}"`);
      expect([...before.numbers, ...last.numbers]).toEqual(all);
      expect(before.hasPreviousPage).toBe(false);
    },
  );

  test('refuse a range that ends before it begins, and a cursor of another list', async () => {
    const range =
      '{ me { bookings(filter: { start: { from: "2030-01-02T00:00:00Z", to: "2030-01-01T00:00:00Z" } }) { nodes { uid } } } }';
    expect((await page.host.ask(range)).codes).toEqual(['BAD_INPUT']);
    expect((await page.host.ask('{ me { bookings(after: "WyJhIl0") { nodes { uid } } } }')).codes).toEqual([
      'BAD_INPUT',
    ]);
  });

  test('are for BOOKING_READ', async () => {
    const document = '{ me { bookings { nodes { uid } } } }';
    expect((await api.as(page.username, ['BOOKING_WRITE']).ask(document)).codes).toEqual(['INSUFFICIENT_SCOPE']);
    expect((await api.as(page.username, ['BOOKING_READ']).ask(document)).data.me.bookings.nodes).toHaveLength(5);
    expect((await api.nobody.ask(document)).codes).toEqual(['UNAUTHENTICATED']);
  });

  test('cost as many statements for a page of five as for one', async () => {
    const fields = 'uid attendees { email } hosts { name } eventType { slug }';
    const one = await page.host.ask(`{ me { bookings(first: 1) { nodes { ${fields} } } } }`);
    const five = await page.host.ask(`{ me { bookings(first: 5) { nodes { ${fields} } } } }`);
    expect(five.statements).toBe(one.statements);
    expect(five.statements).toBe(1);
  });
});

test('a booking shows a host all that it is', async () => {
  const document = `query($uid: String!) { me { booking(uid: $uid) {
    uid title description status start end durationInMinutes location locationType eventType { id slug title }
    hosts { id name username absent } attendees { name email timeZone locale phone notes responses absent seatUid }
    guests { email } notes responses seats { perSlot } metadata cancellationReason rejectionReason reschedulingReason
    rescheduledFromUid rescheduledToUid recurringUid icsUid calendarLinks { calendar url } createdAt updatedAt } } }`;
  const { booking } = (await page.host.ask(document, { uid: uids[0] })).data.me;
  expect(booking).toMatchObject({
    uid: uids[0],
    title: 'Talk',
    status: 'ACCEPTED',
    start: slots[0],
    durationInMinutes: 30,
    location: null,
    locationType: null,
    eventType: { id: page.eventTypeId, slug: 'talk', title: 'Talk' },
    hosts: [{ id: page.host.userId, absent: false }],
    attendees: [{ name: 'N0', email: 'n0@example.test', notes: 'Hello', absent: false, seatUid: null }],
    guests: [],
    notes: 'Hello',
    responses: {},
    seats: null,
    metadata: { n: '0' },
  });
  expect(booking.calendarLinks.map(({ calendar }: { calendar: string }) => calendar)).toEqual([
    'GOOGLE',
    'OUTLOOK',
    'OFFICE_365',
    'ICS',
  ]);
  expect(booking.icsUid).not.toContain(booking.uid);
});

test('the reports of providers about the bookings of a page take one statement for each kind, and need only BOOKING_READ', async () => {
  const reader = api.as(page.username, ['BOOKING_READ']);
  const ask = (fields: string) => reader.ask(`{ me { bookings { nodes { uid ${fields} } } } }`);
  const without = await ask('');
  const media = 'recordings { id } transcripts { id } references { id } conferencingSessions { id }';
  const { data, codes, statements } = await ask(media);
  expect(codes).toEqual([]);
  expect(statements).toBe(without.statements + 4);
  expect(data.me.bookings.nodes[0]).toEqual({
    uid: uids[0],
    recordings: [],
    transcripts: [],
    references: [],
    conferencingSessions: [],
  });
});
