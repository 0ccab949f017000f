import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { GRACE, type Host, hostOf, see, timesOn } from '../../support/booking-visitor.ts';
import { type ShownPage, shownPage, TestBrowser } from '../../support/test-browser.ts';

let app: TestApp;
let dan: Host;
let visitor: TestBrowser;
let eventTypeId: string;

beforeAll(async () => {
  app = await startTestApp();
  dan = await hostOf(app, 'dan@solo.test', 'dan');
  visitor = new TestBrowser(app.url);
  ({ eventTypeId } = await dan.offer({ slug: 'secret', title: 'Secret talk', isHidden: true }));
});
afterAll(() => app.close());

/** The path of a new link. */
async function newLink(limits: Record<string, unknown> = {}): Promise<string> {
  const selection = 'privateLink { url }';
  const { privateLink } = await dan.browser.mutate<{ privateLink: { url: string } }>(
    'privateLinkCreate',
    { eventTypeId, ...limits },
    selection,
  );
  return new URL(privateLink.url).pathname;
}

/** The form of the `index`th free time, as a visitor who follows the links comes to it. */
async function formOf(link: string, index: number): Promise<ShownPage> {
  const { times } = await timesOn(visitor, link);
  return see(visitor, times[index] ?? '');
}

test('a private link shows and books a hidden event type, once', async () => {
  const link = await newLink();
  expect((await see(visitor, link)).text).toContain('Secret talk');
  const form = await formOf(link, 0);
  expect(form.headers.get('x-robots-tag')).toContain('noindex');
  const booked = shownPage(await visitor.submit(form, { ...GRACE, step: 'book' }));
  expect(booked.text).toContain('Confirmed');
  // The same form again is the same booking; another one comes too late.
  expect(shownPage(await visitor.submit(form, { ...GRACE, step: 'book' })).address).toBe(booked.address);
  const late = shownPage(await visitor.submit(form, { ...GRACE, name: 'Lin', step: 'book' }));
  expect([late.status, late.text]).toEqual([404, expect.stringContaining('This link no longer works')]);
  expect((await see(visitor, link)).status).toBe(404);
});

test('a link that is over takes no form: nothing of the event type is shown, and nothing is mailed', async () => {
  const [used, live] = [await newLink(), await newLink({ maxUsageCount: 5 })];
  const late = await formOf(used, 3);
  await visitor.submit(await formOf(used, 4), { ...GRACE, step: 'book' });
  const twin = shownPage(await visitor.submit(await formOf(live, 3), { name: '', step: 'book' }));
  expect([twin.status, twin.text]).toEqual([422, expect.stringContaining('Secret talk')]);
  const nothing = await see(visitor, '/private-links/x');
  for (const wrong of [
    { name: '', step: 'book' },
    { ...GRACE, step: 'send-code' },
    { ...GRACE, step: 'book', csrf: 'x' },
    { ...GRACE, step: 'book', start: 'x' },
    { ...GRACE, step: 'book', durationInMinutes: '31' },
    { ...GRACE, step: 'book', idempotencyKey: '' },
  ]) {
    const page = shownPage(await visitor.submit(late, wrong));
    expect([page.status, page.text]).toEqual([404, nothing.text]);
  }
});

test('a booking by a link that is over can still be moved', async () => {
  const form = await formOf(await newLink(), 1);
  const { address } = shownPage(await visitor.submit(form, { ...GRACE, step: 'book' }));
  const calendar = await see(visitor, `${address}/reschedule`);
  expect(calendar.text).toContain('Secret talk');
});

test('a link that is over, one that never was, and what is none are one page, which tells nothing', async () => {
  const used = await newLink();
  await visitor.submit(await formOf(used, 2), { ...GRACE, step: 'book' });
  const live = await newLink({ maxUsageCount: 5 });
  const guessed = `${live.slice(0, -1)}${live.endsWith('a') ? 'b' : 'a'}`;
  const pages = await Promise.all(
    [used, guessed, '/private-links/x', '/private-links/%00', `/private-links/${'x'.repeat(3_000)}`].map((path) =>
      see(visitor, path),
    ),
  );
  expect(new Set(pages.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(pages[0]?.status).toBe(404);
  expect(pages[0]?.text).not.toMatch(/Secret|Dan/);
  expect((await see(visitor, live)).status).toBe(200);
});
