import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_PASSWORD } from '../../../src/persistence/demo-data.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { formsOf } from '../../support/html-form.ts';
import { NAVIGATION, OWN_FORM, type ShownPage, shownPage, TestBrowser } from '../../support/test-browser.ts';

const ACCOUNT = '/settings/account';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const nameOf = async (browser: TestBrowser): Promise<string> =>
  (await browser.ask<{ me: { name: string } }>('{ me { name } }')).me.name;

/** A form that was opened in time, and sent when nobody was signed in any more. */
async function sentTooLate(email: string, path: string, values: Readonly<Record<string, string>>) {
  const browser = await TestBrowser.signedIn(app.url, email);
  const page = shownPage(await browser.open(path));
  await browser.signOut();
  return { browser, signIn: shownPage(await browser.submit(page, values)) };
}

async function bookingOf(email: string): Promise<string> {
  const browser = await TestBrowser.signedIn(app.url, email);
  const { me } = await browser.ask<{ me: { bookings: { nodes: { id: string }[] } } }>(
    `query ($now: DateTime!) { me { bookings(first: 1, filter: { start: { from: $now }, statuses: [ACCEPTED] }) { nodes { id } } } }`,
    { now: new Date().toISOString() },
  );
  return `/bookings/${me.bookings.nodes[0]?.id}/host`;
}

describe('a form that is sent after the session has ended', () => {
  test.each([
    [ACCOUNT, { name: 'Bob the Second' }, 'Your profile was saved'],
    ['/settings/absences', { reason: 'Far away', first: '2027-08-02', last: '2027-08-03' }, 'Far away'],
    ['BOOKING', { 'cancel-reason': 'Ill' }, 'You cancelled the booking'],
  ])('waits until its sender has signed in: %s', async (place, values, done) => {
    const path = place === 'BOOKING' ? await bookingOf('bob@acme.test') : place;
    const { browser, signIn } = await sentTooLate('bob@acme.test', path, values);
    expect([signIn.status, signIn.text]).toEqual([401, expect.stringContaining('we’ve kept what you typed')]);
    const wrong = shownPage(await browser.signIn(signIn, 'bob@acme.test', 'wrong'));
    const resumed = shownPage(await browser.signIn(wrong, 'bob@acme.test'));
    expect(resumed.text).toContain('You’re signed in as Bob');
    const after = shownPage(await browser.submit(resumed, values));
    expect([after.status, after.text]).toEqual([200, expect.stringContaining(done)]);
  });

  test('shows no password again, and asks for it once more', async () => {
    const { browser, signIn } = await sentTooLate('dan@solo.test', ACCOUNT, {
      newEmail: 'dan@new.test',
      passwordForEmail: 'typed in vain',
    });
    const resumed = shownPage(await browser.signIn(signIn, 'dan@solo.test'));
    for (const { html } of [signIn, resumed]) expect(html).not.toContain('in vain');
    const after = shownPage(await browser.submit(resumed, { newEmail: 'dan@new.test' }));
    expect([after.status, after.html]).toEqual([422, expect.stringContaining('id="passwordForEmail-mistake"')]);
    expect(after.html).toContain('value="dan@new.test"');
  });

  test.each([
    ['/settings/calendars/apple', { username: 'dan@icloud.test', appPassword: 'a-secret' }, ['username']],
    ['/settings/calendars/add-feed', { name: 'x', url: 'https://calendar.test/a-secret.ics' }, ['name']],
    ['/settings/webhooks', { triggers: 'BOOKING_CREATED', url: 'https://hooks.test/a-secret' }, ['triggers']],
    [
      '/settings/account/password',
      { revokesApps: 'yes', currentPassword: 'a-secret', newPassword: 'a-secret' },
      ['revokesApps'],
    ],
    ['/settings/account/profile', { name: 'Dan', avatarUrl: 'https://dan.test/dan.png' }, ['name', 'avatarUrl']],
  ])('shows the next user who signs in nothing that is secret: %s', async (path, values, keptNames) => {
    const browser = new TestBrowser(app.url);
    const { status, text: html } = await browser.request(path, OWN_FORM, new URLSearchParams(values).toString());
    const kept = formsOf(html).find(({ fields }) => 'kept' in fields)?.fields['kept'] ?? '';
    expect([status, [...new URLSearchParams(kept).keys()]]).toEqual([401, keptNames]);
    expect(html).not.toContain('a-secret');
  });

  test('does nothing to another account, which sees what was typed', async () => {
    const { browser, signIn } = await sentTooLate('cyd@acme.test', ACCOUNT, { name: 'Cyd the Second' });
    const resumed = shownPage(await browser.signIn(signIn, 'ada@acme.test'));
    expect(resumed.text).toContain('You’re signed in as Ada Okafor');
    expectRefused(shownPage(await browser.submit(resumed, { name: 'Cyd the Second' })), 'Cyd the Second');
    expect(await nameOf(browser)).toBe('Ada Okafor');
  });

  test('is not kept where another site has sent it, nor where there is nothing in it', async () => {
    const headers = { ...NAVIGATION, 'content-type': 'application/x-www-form-urlencoded' };
    for (const [origin, body] of [
      ['https://evil.example', 'name=Eve'],
      [app.url, 'csrf=x&currentPassword=y'],
      [app.url, ''],
    ] as const) {
      const answer = await new TestBrowser(app.url).request(`${ACCOUNT}/profile`, { ...headers, origin }, body);
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        '/auth/login?return_to=%2Fsettings%2Faccount%2Fprofile',
      ]);
    }
  });

  test.each([
    ['as many fields as a page takes', '/settings/calendars/choose', 'shown-', 900, 'KEPT'],
    ['more than are kept', '/settings/calendars/choose', 'shown-', 1_100, 'LOST'],
    ['more than its page takes', `${ACCOUNT}/profile`, 'name-', 101, 'LOST'],
    ['texts that are too long', `${ACCOUNT}/profile`, 'name-'.padEnd(30_000, '\n'), 2, 'LOST'],
  ])('that holds %s is kept, or it is said that it is not', async (_what, path, prefix, fields, outcome) => {
    const browser = new TestBrowser(app.url);
    const names = Array.from({ length: fields }, (_, index) => [`${prefix}${index}`, '']);
    const body = new URLSearchParams(names).toString();
    const { status, text: html } = await browser.request(path, OWN_FORM, body);
    expect(status).toBe(401);
    expect(html).toContain(outcome === 'KEPT' ? 'we’ve kept what you typed' : 'too large for us to keep');
    expect(html.includes('name="kept"')).toBe(outcome === 'KEPT');
  });

  test('that is larger than what is kept is not read, also where its page takes as much', async () => {
    const headers = { ...OWN_FORM, 'content-length': String(500 * 1024) };
    const sending = request(`${app.url}/settings/calendars/choose`, { method: 'POST', headers });
    // The form itself never arrives.
    sending.on('error', () => {}).flushHeaders();
    const [answer] = (await once(sending, 'response')) as [IncomingMessage];
    expect([answer.statusCode, await text(answer)]).toEqual([401, expect.stringContaining('too large for us to keep')]);
    sending.destroy();
  });

  test('makes no large page of many fields that somebody else has made up', async () => {
    const browser = new TestBrowser(app.url);
    const page = shownPage(await browser.open('/auth/login?return_to=/settings/absences'));
    const [form] = formsOf(page.html);
    const values = { ...form?.fields, email: 'dan@solo.test', password: DEMO_PASSWORD, kept: 'a&'.repeat(13_000) };
    const body = new URLSearchParams(values).toString();
    const { status, headers } = await browser.request('/auth/login', OWN_FORM, body);
    expect([status, headers.get('location')]).toEqual([303, '/settings/absences']);
  });
});

test('a form of one account is not taken in a tab where another one has signed in meanwhile', async () => {
  const browser = await TestBrowser.signedIn(app.url, 'cyd@acme.test');
  const tab = shownPage(await browser.open(ACCOUNT));
  await browser.signIn(await browser.open('/auth/login?prompt=login'), 'dan@solo.test');
  const refused = shownPage(await browser.submit(tab, { name: 'Cyd the Second' }));
  expectRefused(refused, 'Cyd the Second');
  expect(await nameOf(browser)).toBe('Dan Whitlock');
  // It is Dan's form now: sent once more, it is he who says so.
  await browser.submit(refused, { name: 'Dan the Second', username: 'dan' });
  expect(await nameOf(browser)).toBe('Dan the Second');
});

test('a form stays good when its account signs in anew', async () => {
  const browser = await TestBrowser.signedIn(app.url, 'cyd@acme.test');
  const tab = await browser.open(ACCOUNT);
  await browser.signIn(await browser.open('/auth/login?prompt=login'), 'cyd@acme.test');
  expect(shownPage(await browser.submit(tab, { name: 'Cyd Raman' })).text).toContain('Your profile was saved');
});

function expectRefused({ status, text, html }: ShownPage, typed: string): void {
  expect([status, text]).toEqual([403, expect.stringContaining('opened with another account')]);
  expect(html).toContain(`value="${typed}"`);
}
