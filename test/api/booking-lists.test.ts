import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../support/api.ts';
import { idOfUid } from '../support/ids.ts';
import { type BookingPage, openBookingPage } from './booking-pages.ts';

let api: TestApi;
let page: BookingPage;
let slots: string[];
/** Booked in an order other than that of their starts. */
let ids: string[];
let other: string;

beforeAll(async () => {
  api = await openTestApi();
  page = await openBookingPage(api);
  slots = (await page.slots()).slice(0, 5);
  const order = [2, 0, 4, 1, 3];
  ids = [];
  for (const index of order) {
    const attendee = { name: `N${index}`, email: `n${index % 2}@example.test`, timeZone: 'UTC' };
    const more = { attendee, notes: 'Hello', metadata: { n: String(index) } };
    ids[index] = idOfUid(await page.book(slots[index] ?? '', more));
  }
  await page.host.change('userBookingCancel', { bookingId: ids[1], reason: 'Ill' });
  const foreign = await openBookingPage(api);
  other = await foreign.book((await foreign.slots())[0] ?? '');
});
afterAll(() => api.close());

async function list(arguments_: string): Promise<number[]> {
  const { data, codes } = await page.host.ask(`{ me { bookings${arguments_} { nodes { id } } } }`);
  if (codes.length > 0) throw new Error(codes.join(' '));
  return data.me.bookings.nodes.map(({ id }: { id: string }) => ids.indexOf(id));
}

describe('the bookings of a host', () => {
  test('are those they host, earliest start first', async () => {
    expect(await list('')).toEqual([0, 1, 2, 3, 4]);
    const find = 'query($uid: ID!) { me { booking(id: $uid) { id } } }';
    expect((await page.host.ask(find, { uid: ids[0] })).data.me.booking).toEqual({ id: ids[0] });
    for (const uid of [other, `${ids[0]}x`, '\0', '']) {
      expect((await page.host.ask(find, { uid: idOfUid(uid) })).data.me.booking).toBeNull();
    }
  });

  test.each([
    ['START', [0, 1, 2, 3, 4]],
    ['END', [0, 1, 2, 3, 4]],
    ['CREATED_AT', [2, 0, 4, 1, 3]],
    ['UPDATED_AT', [2, 0, 4, 3, 1]],
  ])('can be sorted by %s, both ways', async (by, expected) => {
    expect(await list(`(orderBy: { field: ${by} })`)).toEqual(expected);
    expect(await list(`(orderBy: { field: ${by}, direction: DESC })`)).toEqual(expected.toReversed());
  });

  test.each([
    ['status', '{ statuses: [CANCELLED] }', [1]],
    ['several statuses', '{ statuses: [CANCELLED, ACCEPTED] }', [0, 1, 2, 3, 4]],
    ['no status', '{ statuses: [] }', []],
    ['attendee, however typed', '{ attendeeEmail: "N1@Example.test" }', [1, 3]],
    ['an attendee that nobody is', '{ attendeeEmail: "nobody@example.test" }', []],
    ['all at once', '{ attendeeEmail: "n1@example.test", statuses: [ACCEPTED] }', [3]],
    ['a team that has none', '{ teamId: "tea_0" }', []],
    ['another host who is not there', '{ hostUserId: "usr_0" }', []],
    ['creation', '{ createdAt: { from: "2000-01-01T00:00:00Z", to: "2999-01-01T00:00:00Z" } }', [0, 1, 2, 3, 4]],
    ['change', '{ updatedAt: { to: "2000-01-01T00:00:00Z" } }', []],
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
    expect(await list(`(filter: { hostUserId: "${page.host.userId}" })`)).toEqual([0, 1, 2, 3, 4]);
  });

  test.each(['', 'orderBy: { field: CREATED_AT, direction: DESC }'])(
    'come in pages, forwards and backwards (%s)',
    async (order) => {
      const all = await list(order && `(${order})`);
      const ask = async (arguments_: string) => {
        const document = `{ me { bookings(${order} ${arguments_}) { nodes { id } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } } }`;
        const { bookings } = (await page.host.ask(document)).data.me;
        return { numbers: bookings.nodes.map(({ id }: { id: string }) => ids.indexOf(id)), ...bookings.pageInfo };
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

  test('go on from a cursor whether or not the direction that is meant by default is said', async () => {
    const ways = [{ field: 'END' }, { field: 'END', direction: 'ASC' }];
    for (const [made = {}, used = {}] of [ways, ways.toReversed()]) {
      const { endCursor } = (await askSorted(made)).data.me.bookings.pageInfo;
      const { nodes } = (await askSorted(used, endCursor)).data.me.bookings;
      expect(nodes.map(({ id }: { id: string }) => ids.indexOf(id))).toEqual([2, 3]);
      expect(await list(`(orderBy: { field: END }, after: "${endCursor}")`)).toEqual([2, 3, 4]);
      expect((await askSorted({ field: 'END', direction: 'DESC' }, endCursor)).codes).toEqual(['BAD_INPUT']);
    }
  });

  test('refuse a range that ends before it begins, and a cursor of another list', async () => {
    const range =
      '{ me { bookings(filter: { start: { from: "2030-01-02T00:00:00Z", to: "2030-01-01T00:00:00Z" } }) { nodes { id } } } }';
    expect((await page.host.ask(range)).codes).toEqual(['BAD_INPUT']);
    expect((await page.host.ask('{ me { bookings(after: "WyJhIl0") { nodes { id } } } }')).codes).toEqual([
      'BAD_INPUT',
    ]);
  });

  test('are for BOOKING_READ', async () => {
    const document = '{ me { bookings { nodes { id } } } }';
    expect((await api.as(page.username, ['BOOKING_WRITE']).ask(document)).codes).toEqual(['INSUFFICIENT_SCOPE']);
    expect((await api.as(page.username, ['BOOKING_READ']).ask(document)).data.me.bookings.nodes).toHaveLength(5);
    expect((await api.nobody.ask(document)).codes).toEqual(['UNAUTHENTICATED']);
  });

  test('cost as many statements for a page of five as for one', async () => {
    const fields = 'id attendees { email } hosts { user { name } } eventType { slug }';
    const one = await page.host.ask(`{ me { bookings(first: 1) { nodes { ${fields} } } } }`);
    const five = await page.host.ask(`{ me { bookings(first: 5) { nodes { ${fields} } } } }`);
    expect(five.statements).toBe(one.statements);
    expect(five.statements).toBe(1);
  });
});

test('a booking shows a host all that it is', async () => {
  const document = `query($uid: ID!) { me { booking(id: $uid) {
    id title description status start end durationInMinutes location { type text } eventType { id slug title }
    hosts { user { id name username } isAbsent } attendees { name email timeZone locale phone notes responses isAbsent seatId }
    guests { email } notes responses seats { perSlot } metadata cancellationReason rejectionReason reschedulingReason
    rescheduledFromId rescheduledToId recurringId icsUid calendarLinks { calendar url } createdAt updatedAt } } }`;
  const { booking } = (await page.host.ask(document, { uid: ids[0] })).data.me;
  expect(booking).toMatchObject({
    id: ids[0],
    title: 'Talk',
    status: 'ACCEPTED',
    start: slots[0],
    durationInMinutes: 30,
    location: null,
    eventType: { id: page.eventTypeId, slug: 'talk', title: 'Talk' },
    hosts: [{ user: { id: page.host.userId }, isAbsent: false }],
    attendees: [{ name: 'N0', email: 'n0@example.test', notes: 'Hello', isAbsent: false, seatId: null }],
    guests: [],
    notes: 'Hello',
    responses: {},
    seats: null,
    metadata: { n: '0' },
  });
  expect(booking.calendarLinks.map(({ calendar }: { calendar: string }) => calendar)).toEqual([
    'GOOGLE',
    'OUTLOOK',
    'OFFICE365',
    'ICS',
  ]);
  expect(booking.icsUid).not.toContain(booking.id);
});

test('the reports of providers about the bookings of a page take one statement for each kind, and need only BOOKING_READ', async () => {
  const reader = api.as(page.username, ['BOOKING_READ']);
  const ask = (fields: string) => reader.ask(`{ me { bookings { nodes { id ${fields} } } } }`);
  const without = await ask('');
  const media = 'recordings { id } transcripts { id } references { id } conferencingSessions { id }';
  const { data, codes, statements } = await ask(media);
  expect(codes).toEqual([]);
  expect(statements).toBe(without.statements + 4);
  expect(data.me.bookings.nodes[0]).toEqual({
    id: ids[0],
    recordings: [],
    transcripts: [],
    references: [],
    conferencingSessions: [],
  });
});

function askSorted(orderBy: object, after?: string) {
  const bookings = 'bookings(orderBy: $orderBy, first: 2, after: $after) { nodes { id } pageInfo { endCursor } }';
  const document = `query($orderBy: BookingOrderInput, $after: String) { me { ${bookings} } }`;
  return page.host.ask(document, { orderBy, after });
}
