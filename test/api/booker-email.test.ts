import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../support/api.ts';
import { type BookingPage, openBookingPage } from './booking-pages.ts';

let api: TestApi;
let page: BookingPage;
beforeAll(async () => {
  api = await openTestApi();
  page = await openBookingPage(api);
  const change = { eventTypeId: page.eventTypeId, requiresBookerEmailVerification: true };
  await page.host.change('eventTypeUpdate', change);
});
afterAll(() => api.close());

const request = (eventTypeId: string, email = 'grace@example.test', more: object = {}) =>
  api.nobody.change('bookerEmailVerificationRequest', { eventTypeId, email, ...more }, 'expiresInMinutes');

test('an event type that asks for it is booked with the code that was mailed, by anybody who got it', async () => {
  const [start = ''] = await page.slots();
  const without = await api.nobody.change('bookingCreate', page.request(start));
  expect(without.mistakes).toEqual(['EMAIL_VERIFICATION_REQUIRED emailVerificationCode']);

  const { data } = await request(page.eventTypeId);
  expect(data).toEqual({ expiresInMinutes: 15, userErrors: [] });
  const code = /\d{6}/.exec(api.mails.at(-1)?.text ?? '')?.[0] ?? '';
  const wrong = page.request(start, { emailVerificationCode: code === '000000' ? '000001' : '000000' });
  expect((await api.nobody.change('bookingCreate', wrong)).mistakes).toEqual([
    'INVALID_VERIFICATION_CODE emailVerificationCode',
  ]);
  await page.book(start, { emailVerificationCode: code });
});

test('a caller who requests a code hears the same of a hidden event type, of none, and of one without codes', async () => {
  const hidden = await page.host.change(
    'eventTypeCreate',
    { slug: 'hidden', title: 'H', durationInMinutes: 30, isHidden: true, requiresBookerEmailVerification: true },
    'eventTypeId',
  );
  const { eventTypeId } = hidden.data;
  const other = await openBookingPage(api);
  const before = api.mails.length;
  const ids = [eventTypeId, other.eventTypeId, `${page.eventTypeId}x`, '', '\0', 'x'.repeat(100_000)];
  for (const [index, id] of ids.entries()) {
    expect((await request(id, `ada-${index}@example.test`)).data).toEqual({ expiresInMinutes: 15, userErrors: [] });
  }
  expect(api.mails).toHaveLength(before);
  const link = await page.host.change('privateLinkCreate', { eventTypeId }, 'privateLink { url }');
  const privateLinkToken = link.data.privateLink.url.split('/').at(-1);
  await request(eventTypeId, 'bob@example.test', { privateLinkToken });
  expect(api.mails.slice(before)).toMatchObject([{ to: 'bob@example.test' }]);
});

test('a text that is no address, and one request too many, are refused clearly', async () => {
  expect((await request(page.eventTypeId, 'nobody')).mistakes).toEqual(['INVALID_EMAIL email']);
  for (let index = 0; index < 5; index += 1) {
    expect((await request(page.eventTypeId, 'cyd@example.test')).mistakes).toEqual([]);
  }
  expect((await request(page.eventTypeId, 'cyd@example.test')).mistakes).toEqual(['TOO_MANY_GUESSES']);
});
