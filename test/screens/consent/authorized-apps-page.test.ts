import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { row, sql } from '../../../src/database/sql.ts';
import { post, show } from '../../oauth/support/client-pages.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { shownPage, TestBrowser } from '../../support/test-browser.ts';

const APPS = '/settings/apps';
const REDIRECT_URI = 'https://app.example.test/cb';

let app: TestApp;
let user: TestBrowser;
beforeAll(async () => {
  app = await startTestApp();
  user = await TestBrowser.signedIn(app.url, 'bob@acme.test');
});
afterAll(() => app.close());

describe('the apps that a user authorized', () => {
  test('are none at first', async () => {
    expect((await show(user, APPS)).text).toContain('No app has access to your account.');
  });

  test('are listed with what each may do in words, for this user alone', async () => {
    await authorize('PROFILE_READ TEAM_BOOKING_READ');
    const { text } = await show(user, APPS);
    expect(text).toMatch(
      /Demo app .*Allowed \w+ \d+, 20\d\d, \d\d:\d\d Last used \w+ \d+, 20.*View the authorized user's profile View team bookings/,
    );
    const other = await TestBrowser.signedIn(app.url, 'dan@solo.test');
    expect((await show(other, APPS)).text).not.toContain('Demo app');
    const question = shownPage(await other.open(`${APPS}/demo-app/revoke`));
    expect([question.address, question.text]).toEqual([APPS, expect.stringContaining('No app has access')]);
  });

  test('say so when they have access to everything', async () => {
    await authorize('', { client_id: 'demo-legacy', redirect_uri: 'https://legacy.example.test/cb' });
    expect((await show(user, APPS)).text).toContain('It can do everything');
  });
});

describe('ending what an app was granted', () => {
  test('takes a confirmation, and refuses its tokens from then on', async () => {
    const token = await authorize('PROFILE_READ');
    expect((await app.graphql('{ me { name } }', { token })).status).toBe(200);
    const question = await show(user, `${APPS}/demo-app/revoke`);
    expect(question.text).toContain('End all access of');
    const forged = shownPage(await user.submit(question, { csrf: 'forged' }));
    expect([forged.status, (await app.graphql('{ me { name } }', { token })).status]).toEqual([403, 200]);
    const list = shownPage(await user.submit(question, {}));
    expect(list.text).toContain('Access ended');
    expect(list.text).not.toContain('Demo app');
    expect((await app.graphql('{ me { name } }', { token })).status).toBe(401);
  });

  test('can end one of several and leave the others', async () => {
    const first = await authorize('PROFILE_READ');
    const second = await authorize('PROFILE_READ');
    const page = await show(user, APPS);
    const [newest = ''] = [...page.html.matchAll(/href="([^"]*revoke\?grant=[^"]*)"/g)].map(([, href = '']) => href);
    const list = shownPage(await user.submit(await show(user, newest), {}));
    expect(list.text).toContain('Demo app');
    expect((await app.graphql('{ me { name } }', { token: second })).status).toBe(401);
    expect((await app.graphql('{ me { name } }', { token: first })).status).toBe(200);
  });

  test('ends nothing of somebody else', async () => {
    const token = await authorize('PROFILE_READ');
    const other = await TestBrowser.signedIn(app.url, 'cyd@acme.test');
    const grant = await row(
      app.database.em.fork(),
      sql<{ id: string }>`select id from oauth_grants where revoked_at is null order by created_at desc limit 1`,
    );
    const csrf = await csrfOf(other);
    const refused = await post(other, `${APPS}/demo-app/revoke?grant=${grant?.id}`, new URLSearchParams({ csrf }));
    expect(refused.status).toBe(404);
    expect((await app.graphql('{ me { name } }', { token })).status).toBe(200);
  });

  test.each(['nobody', '%00', 'demo-app/revoke/more'])('finds nothing for %s', async (clientId) => {
    const found = shownPage(await user.open(`${APPS}/${clientId}/revoke`));
    expect(found.text).toMatch(/Apps with access|Page not found/);
  });
});

/** The anti-forgery token of the confirmation, which somebody sees who has let the app in too. */
async function csrfOf(browser: TestBrowser): Promise<string> {
  await authorize('PROFILE_READ', {}, browser);
  const { html } = await show(browser, `${APPS}/demo-app/revoke`);
  return /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
}

/** Goes through the whole authorization. @returns an access token */
async function authorize(scope: string, client: Record<string, string> = {}, browser = user): Promise<string> {
  const { parameters } = await browser.allow(authorizePath(scope, client));
  const response = await fetch(`${app.url}/v2/auth/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: parameters.get('code') ?? '',
      client_id: 'demo-app',
      redirect_uri: REDIRECT_URI,
      ...client,
      client_secret: client['client_id'] === 'demo-legacy' ? 'gh_secret_demo_legacy' : 'gh_secret_demo_app',
    }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return token;
}

function authorizePath(scope: string, client: Record<string, string> = {}): string {
  const parameters = new URLSearchParams({ client_id: 'demo-app', redirect_uri: REDIRECT_URI, ...client });
  if (scope !== '') parameters.set('scope', scope);
  return `/auth/oauth2/authorize?${parameters}`;
}
