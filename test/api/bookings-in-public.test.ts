import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../support/api.ts';
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

const SEEN = 'booking { uid title status start end hosts { name } attendee { name email timeZone } }';

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
      uid: expect.stringMatching(/^bkg_/),
      title: 'Talk',
      status: 'ACCEPTED',
      start,
      end: start.replace('00:00Z', '30:00Z'),
      hosts: [{ name: expect.any(String) }],
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
