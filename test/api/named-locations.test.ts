import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { idOfUid, unknownId, uuidOf } from '../support/ids.ts';
import { type BookingPage, openBookingPage } from './booking-pages.ts';

const OWN = 'eventType { locations { id type label } }';
const LINKS = [
  { type: 'LINK', url: 'https://meet.example/first', label: 'Zoom' },
  { type: 'LINK', url: 'https://meet.example/second' },
] as const;

const [, { url }] = LINKS;
const SECOND = { type: 'LINK', text: url, address: null, url, phone: null, app: null };

let api: TestApi;
let page: BookingPage;
let ids: string[];

beforeAll(async () => {
  api = await openTestApi();
  page = await openBookingPage(api);
  ids = (await update(LINKS)).map(({ id }) => id);
});
afterAll(() => api.close());

interface Named {
  readonly id: string;
  readonly label: string | null;
}

async function update(locations: readonly object[]): Promise<readonly Named[]> {
  const { data, mistakes } = await page.host.change(
    'eventTypeUpdate',
    { eventTypeId: page.eventTypeId, locations },
    OWN,
  );
  expect(mistakes).toEqual([]);
  return data.eventType.locations;
}

async function locationOf(uid: string) {
  const document = 'query($uid: String!) { publicBooking(uid: $uid) { location { type text address url phone app } } }';
  return (await api.nobody.ask(document, { uid })).data.publicBooking.location;
}

describe('a location of an event type', () => {
  test('has an id of its own', () => {
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^loc_[\w-]{22}$/);
  });

  test('keeps id and label through an update that says neither', async () => {
    const again = await update(LINKS.map(({ type, url }) => ({ type, url })));
    expect(again.map(({ id, label }) => [id, label])).toEqual([
      [ids[0], 'Zoom'],
      [ids[1], null],
    ]);
  });

  test('cannot take an id that is not its own', async () => {
    const locations = [{ id: unknownId('location'), type: 'LINK', url: 'https://meet.example/x' }];
    const { mistakes } = await page.host.change('eventTypeUpdate', { eventTypeId: page.eventTypeId, locations });
    expect(mistakes).toEqual(['UNKNOWN_LOCATION locations 0 id']);
    const created = await page.host.change('eventTypeCreate', {
      title: 'Other',
      slug: 'other',
      durationInMinutes: 30,
      locations: [{ id: ids[0], type: 'LINK', url: 'https://meet.example/x' }],
    });
    expect(created.mistakes).toEqual(['UNKNOWN_LOCATION locations 0 id']);
  });
});

describe('a booker', () => {
  test('sees id and label of a link, and not where it leads', async () => {
    const { data } = await api.nobody.ask(
      'query($id: ID!) { publicEventType(by: { id: $id }) { locations { id type address app label } } }',
      { id: page.eventTypeId },
    );
    expect(data.publicEventType.locations).toEqual([
      { id: ids[0], type: 'LINK', address: null, app: null, label: 'Zoom' },
      { id: ids[1], type: 'LINK', address: null, app: null, label: null },
    ]);
  });

  test('chooses the second of two links by its id', async () => {
    const [start = ''] = await page.slots();
    const uid = await page.book(start, { location: { id: ids[1] } });
    expect(await locationOf(uid)).toEqual(SECOND);
  });

  test('hears of a location that is not offered, or not that one', async () => {
    const [start = ''] = await page.slots();
    for (const [location, where = ''] of [
      [{ id: unknownId('location') }],
      [{ id: ids[0], type: 'PHONE' }],
      [{ id: ids[0], url: LINKS[1].url }],
      [{ id: ids[0], url: LINKS[0].url, phone: '+4930123456' }],
      [{}],
      [{ type: 'LINK' }],
      [{ type: 'LINK', address: LINKS[1].url }, ' address'],
    ] as const) {
      const { mistakes } = await api.nobody.change('bookingCreate', { ...page.request(start), location });
      expect(mistakes).toEqual([`LOCATION_NOT_OFFERED location${where}`]);
    }
  });
});

test('a host moves a booking to one of the locations by its id', async () => {
  const [start = ''] = await page.slots();
  const uid = await page.book(start, { location: { id: ids[0] } });
  expect(
    (await page.host.change('bookingLocationUpdate', { bookingId: idOfUid(uid), location: { id: ids[1] } })).mistakes,
  ).toEqual([]);
  expect(await locationOf(uid)).toEqual(SECOND);
  const elsewhere = { bookingId: idOfUid(uid), location: { id: unknownId('location') } };
  expect((await page.host.change('bookingLocationUpdate', elsewhere)).mistakes).toEqual([
    'LOCATION_NOT_OFFERED location',
  ]);
});

test('a booking in an app names the app, and the link that it has made once that is there', async () => {
  await update([...LINKS, { type: 'CONFERENCING', app: 'zoom' }]);
  const [start = ''] = await page.slots();
  const uid = await page.book(start, { location: { type: 'CONFERENCING' } });
  const IN_ZOOM = { type: 'CONFERENCING', text: 'zoom', address: null, url: null, phone: null, app: 'zoom' };
  expect(await locationOf(uid)).toEqual(IN_ZOOM);
  const link = 'https://zoom.example/j/1';
  const made = JSON.stringify({ url: link });
  await rows(
    api.database.em.fork(),
    sql`update bookings set location = location || ${made}::jsonb where id = ${uuidOf(uid)}`,
  );
  expect(await locationOf(uid)).toEqual({ ...IN_ZOOM, text: link, url: link });
});
