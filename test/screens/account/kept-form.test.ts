import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { NAVIGATION, type ShownPage, shownPage, TestBrowser } from '../../support/test-browser.ts';

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
  const { me } = await browser.ask<{ me: { bookings: { nodes: { uid: string }[] } } }>(
    `query ($now: DateTime!) { me { bookings(first: 1, filter: { start: { from: $now }, status: [ACCEPTED] }) { nodes { uid } } } }`,
    { now: new Date().toISOString() },
  );
  return `/bookings/${me.bookings.nodes[0]?.uid}/host`;
}

describe('a form that is sent after the session has ended', () => {
  test.each([
    [ACCOUNT, { name: 'Bob the Second' }, 'Your profile was saved'],
    ['/settings/absences', { reason: 'Far away', first: '2027-08-02', last: '2027-08-03' }, 'Far away'],
    ['BOOKING', { 'cancel-reason': 'Ill' }, 'You cancelled the booking'],
  ])('waits until its sender has signed in: %s', async (place, values, done) => {
    const path = place === 'BOOKING' ? await bookingOf('bob@acme.test') : place;
    const { browser, signIn } = await sentTooLate('bob@acme.test', path, values);
    expect([signIn.status, signIn.text]).toEqual([401, expect.stringContaining('what you typed is kept')]);
    const wrong = shownPage(await browser.signIn(signIn, 'bob@acme.test', 'wrong'));
    const resumed = shownPage(await browser.signIn(wrong, 'bob@acme.test'));
    expect(resumed.text).toContain('You are signed in as Bob');
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

  test('does nothing to another account, which sees what was typed', async () => {
    const { browser, signIn } = await sentTooLate('cyd@acme.test', ACCOUNT, { name: 'Cyd the Second' });
    const resumed = shownPage(await browser.signIn(signIn, 'ada@acme.test'));
    expect(resumed.text).toContain('You are signed in as Ada Okafor');
    expectRefused(shownPage(await browser.submit(resumed, { name: 'Cyd the Second' })), 'Cyd the Second');
    expect(await nameOf(browser)).toBe('Ada Okafor');
  });

  test('is not kept where another site has sent it, nor where there is nothing in it, or too much', async () => {
    const headers = { ...NAVIGATION, 'content-type': 'application/x-www-form-urlencoded' };
    for (const [origin, body] of [
      ['https://evil.example', 'name=Eve'],
      [app.url, 'csrf=x&currentPassword=y'],
      [app.url, ''],
      [app.url, `name=${'%20'.repeat(15_000)}`],
    ] as const) {
      const answer = await new TestBrowser(app.url).request(`${ACCOUNT}/profile`, { ...headers, origin }, body);
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        '/auth/login?return_to=%2Fsettings%2Faccount%2Fprofile',
      ]);
    }
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
  expect([status, text]).toEqual([403, expect.stringContaining('opened under another account')]);
  expect(html).toContain(`value="${typed}"`);
}
