import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../support/api.ts';
import { unknownId } from '../support/ids.ts';
import { type BookingPage, openBookingPage } from './booking-pages.ts';

const OWN = 'eventType { locations { id type value label } }';
const LINKS = [
  { type: 'LINK', value: 'https://meet.example/first', label: 'Zoom' },
  { type: 'LINK', value: 'https://meet.example/second' },
];

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
  const document = 'query($uid: String!) { publicBooking(uid: $uid) { location locationType } }';
  return (await api.nobody.ask(document, { uid })).data.publicBooking;
}

describe('a location of an event type', () => {
  test('has an id of its own', () => {
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^loc_[\w-]{22}$/);
  });

  test('keeps id and label through an update that says neither', async () => {
    const again = await update(LINKS.map(({ type, value }) => ({ type, value })));
    expect(again.map(({ id, label }) => [id, label])).toEqual([
      [ids[0], 'Zoom'],
      [ids[1], null],
    ]);
  });

  test('cannot take an id that is not its own', async () => {
    const locations = [{ id: unknownId('location'), type: 'LINK', value: 'https://meet.example/x' }];
    const { mistakes } = await page.host.change('eventTypeUpdate', { eventTypeId: page.eventTypeId, locations });
    expect(mistakes).toEqual(['UNKNOWN_LOCATION locations 0 id']);
    const created = await page.host.change('eventTypeCreate', {
      title: 'Other',
      slug: 'other',
      lengthInMinutes: 30,
      locations: [{ id: ids[0], type: 'LINK', value: 'https://meet.example/x' }],
    });
    expect(created.mistakes).toEqual(['UNKNOWN_LOCATION locations 0 id']);
  });
});

describe('a booker', () => {
  test('sees id and label of a link, and not where it leads', async () => {
    const { data } = await api.nobody.ask(
      'query($id: ID!) { publicEventType(id: $id) { locations { id type value label } } }',
      { id: page.eventTypeId },
    );
    expect(data.publicEventType.locations).toEqual([
      { id: ids[0], type: 'LINK', value: null, label: 'Zoom' },
      { id: ids[1], type: 'LINK', value: null, label: null },
    ]);
  });

  test('chooses the second of two links by its id', async () => {
    const [start = ''] = await page.slots();
    const uid = await page.book(start, { location: { id: ids[1] } });
    expect(await locationOf(uid)).toEqual({ location: 'https://meet.example/second', locationType: 'LINK' });
  });

  test('hears of a location that is not offered, or not that one', async () => {
    const [start = ''] = await page.slots();
    for (const location of [{ id: unknownId('location') }, { id: ids[0], type: 'PHONE' }, {}, { type: 'LINK' }]) {
      const { mistakes } = await api.nobody.change('bookingCreate', { ...page.request(start), location });
      expect(mistakes).toEqual(['LOCATION_NOT_OFFERED location']);
    }
  });
});

test('a host moves a booking to one of the locations by its id', async () => {
  const [start = ''] = await page.slots();
  const uid = await page.book(start, { location: { id: ids[0] } });
  expect((await page.host.change('bookingLocationUpdate', { uid, location: { id: ids[1] } })).mistakes).toEqual([]);
  expect(await locationOf(uid)).toMatchObject({ location: 'https://meet.example/second' });
  const elsewhere = { uid, location: { id: unknownId('location') } };
  expect((await page.host.change('bookingLocationUpdate', elsewhere)).mistakes).toEqual([
    'LOCATION_NOT_OFFERED location',
  ]);
});
