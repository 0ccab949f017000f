import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changed, row, sql } from '../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { APP, authorizePath, type Fields, PKCE } from '../support/oauth-requests.ts';
import { oauthRows } from '../support/oauth-rows.ts';
import { paced } from '../support/pace.ts';
import { departed, shownPage, TestBrowser } from '../support/test-browser.ts';

const MANY = 500;

/** Anybody may begin authorizations: what nobody goes on with is nowhere kept. */
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const allow = { decision: 'allow' };

test(`${MANY} requests of nobody, good and bad, leave nothing behind but a bounded note for the developer`, async () => {
  const before = await oauthRows(app.database.em.fork());
  const kinds: readonly Fields[] = [
    {},
    PKCE,
    { prompt: 'login' },
    { prompt: 'none' },
    { scope: 'NOPE' },
    { redirect_uri: 'https://x.test' },
  ];
  for (let n = 0; n < MANY; n += 50) {
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        new TestBrowser(app.url).request(authorizePath(APP, kinds[i % kinds.length])),
      ),
    );
  }
  expect(await oauthRows(app.database.em.fork())).toEqual(before);
  const noted = await row(
    app.database.em.fork(),
    sql<{ most: number }>`
      select max(count)::int as most from (
        select count(*) from oauth_failed_requests group by client_id, endpoint, error) as kind`,
  );
  expect(noted?.most).toBeLessThanOrEqual(50);
});

describe('a request that waits for its user to sign in', () => {
  test('is good for an hour, in its own browser, as often as it is opened', async () => {
    const browser = new TestBrowser(app.url);
    const signIn = shownPage(await browser.open(authorizePath(APP, PKCE)));
    const waiting = waitingIn(signIn.address);
    expect(shownPage(await browser.open(waiting)).address).toBe(signIn.address);
    for (const other of [new TestBrowser(app.url), await TestBrowser.signedIn(app.url, 'cyd@acme.test')]) {
      expect(shownPage(await other.open(waiting)).status).toBe(403);
    }
    const [first, second] = [await browser.signIn(signIn, 'cyd@acme.test'), await browser.open(waiting)];
    for (const page of [second, first]) {
      expect(departed(await browser.submit(page, allow)).parameters.get('code')).toMatch(/^gh_code_/);
    }
  });

  test('is nothing when anything in it was changed', async () => {
    const browser = new TestBrowser(app.url);
    const waiting = waitingIn(shownPage(await browser.open(authorizePath(APP))).address);
    await browser.signIn(await browser.open('/auth/login'), 'cyd@acme.test');
    const [body = '', mac = ''] = waiting.split('/').at(-1)?.split('.') ?? [];
    for (const text of [
      body,
      `${body}.`,
      `${body}.${mac}A`,
      `A${body.slice(1)}.${mac}`,
      `${body}.${'A'.repeat(43)}`,
      'x',
      '.',
      '%00',
      'x'.repeat(9_000),
    ]) {
      expect(shownPage(await browser.open(`/auth/oauth2/requests/${text}`)).status).toBe(404);
    }
    expect(shownPage(await browser.open(waiting)).text).toContain('Allow Demo app');
  });

  test('is judged again by what the client is by then', async () => {
    const em = app.database.em.fork();
    const browser = new TestBrowser(app.url);
    const signIn = await browser.open(authorizePath(APP));
    await changed(em, sql`update oauth_clients set status = 'SUSPENDED' where client_id = ${APP.client_id}`);
    expect(shownPage(await browser.signIn(signIn, 'cyd@acme.test')).status).toBe(403);
    await changed(
      em,
      // Later than the request by more than what a busy process's clock may be ahead of the database's.
      sql`update oauth_clients set status = 'APPROVED', reinstated_at = clock_timestamp() + interval '2 seconds'
          where client_id = ${APP.client_id}`,
    );
    const waiting = waitingIn(shownPage(signIn).address);
    expect(shownPage(await browser.open(waiting)).status).toBe(410);
    const again = async () => shownPage(await browser.open(authorizePath(APP))).status;
    await expect.poll(again, { timeout: paced(10_000), interval: 200 }).toBe(200);
  });

  test('arrives whole, however long its state is', async () => {
    const states = [
      randomBytes(1_024).toString('hex'),
      '\u0001'.repeat(2_048),
      '€'.repeat(682),
      Array.from(randomBytes(680), (byte) => String.fromCodePoint(0x4e00 + byte * 64)).join(''),
    ];
    for (const state of states) {
      const browser = new TestBrowser(app.url);
      const fields = { state, login_hint: 'x'.repeat(320), scope: 'PROFILE_READ,BOOKING_READ', prompt: 'consent' };
      const page = await browser.signIn(await browser.open(authorizePath(APP, fields)), 'cyd@acme.test');
      expect(departed(await browser.submit(page, allow)).parameters.get('state')).toBe(state);
    }
  });
});

function waitingIn(address: string): string {
  return new URL(address, app.url).searchParams.get('return_to') ?? '';
}
