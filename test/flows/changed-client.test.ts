import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changed, type RawBuilder, rows, sql } from '../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { APP, authorizePath, exchange, type Fields, PKCE, VERIFIER } from '../support/oauth-requests.ts';
import { departed, shownPage, TestBrowser } from '../support/test-browser.ts';

/** An authorization goes on or ends when its client is changed between its page and the answer. */
let app: TestApp;
let ada: TestBrowser;
let admin: TestBrowser;
let bob: TestBrowser;
beforeAll(async () => {
  app = await startTestApp();
  ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
  admin = await TestBrowser.signedIn(app.url, 'admin@gatehouse.test');
  bob = await TestBrowser.signedIn(app.url, 'bob@acme.test');
});
afterAll(() => app.close());
beforeEach(() => changed(app.database.em.fork(), sql`delete from oauth_grants`));

const consent = async (changes: Fields = {}) => shownPage(await bob.open(authorizePath(APP, changes)));
const allow = { decision: 'allow' };
const client = { clientId: APP.client_id };

describe('between the page and Allow', () => {
  test.each<[string, object, string, RegExp]>([
    ['disables a scope', { scopes: ['PROFILE_READ'] }, 'invalid_scope', /has not enabled BOOKING_READ/],
    ['demands PKCE', { requiresPkce: true }, 'invalid_request', /must use PKCE/],
  ])('a developer who %s has the app told of it, through the redirect', async (_, edit, error, description) => {
    const back = await asNow();
    const page = await consent({ scope: 'PROFILE_READ BOOKING_READ' });
    await ada.mutate('oauthClientUpdate', { ...client, ...edit }, 'client { clientId }');
    for (const stop of [
      await bob.submit(page, allow),
      await bob.submit(page, { decision: 'deny' }),
      await bob.open(page.address),
    ]) {
      const { status, location, parameters } = departed(stop);
      expect([status, location.startsWith(`${APP.redirect_uri}?`)]).toEqual([303, true]);
      expect(Object.fromEntries(parameters)).toEqual({
        error,
        error_description: expect.stringMatching(description),
        state: 'xyz',
        iss: app.url,
      });
    }
    expect(await codes()).toBe(0);
    await expect.poll(() => failures(error)).toBeGreaterThan(0);
    await back();
    expect(departed(await bob.submit(page, allow)).parameters.has('code')).toBe(true);
  });

  test('the app is told before its user signs in', async () => {
    const back = await asNow();
    const stranger = new TestBrowser(app.url);
    const signIn = shownPage(await stranger.open(authorizePath(APP, { scope: 'BOOKING_READ' })));
    await ada.mutate('oauthClientUpdate', { ...client, scopes: ['PROFILE_READ'] }, 'client { clientId }');
    expect(departed(await stranger.signIn(signIn, 'cyd@acme.test')).parameters.get('error')).toBe('invalid_scope');
    await back();
  });

  test('a developer who removes the address ends the request on our own page', async () => {
    const back = await asNow();
    const page = await consent();
    await ada.mutate(
      'oauthClientUpdate',
      { ...client, redirectUris: ['http://127.0.0.1/callback'] },
      'client { clientId }',
    );
    expect([shownPage(await bob.submit(page, allow)).status, await codes()]).toEqual([400, 0]);
    await back();
    expect(departed(await bob.submit(page, allow)).parameters.has('code')).toBe(true);
  });

  test('a developer who changes what the request does not hang on is not noticed', async () => {
    const back = await asNow();
    const page = await consent();
    await ada.mutate('oauthClientUpdate', { ...client, purpose: 'Another' }, 'client { clientId }');
    expect(departed(await bob.submit(page, allow)).parameters.has('code')).toBe(true);
    await back();
  });

  test('an administrator who suspends the client ends the request on our own page, for good', async () => {
    const [page, answered] = [await consent(PKCE), await consent(PKCE)];
    const code = departed(await bob.submit(answered, allow)).parameters.get('code') ?? '';
    await admin.mutate('oauthClientSuspend', { ...client, reason: 'Test' }, 'client { status }');
    expect([shownPage(await bob.submit(page, allow)).status, shownPage(await bob.open(page.address)).status]).toEqual([
      403, 403,
    ]);
    await admin.mutate('oauthClientReinstate', client, 'client { status }');
    for (const one of [page, answered]) {
      expect([shownPage(await bob.submit(one, allow)).status, shownPage(await bob.open(one.address)).status]).toEqual([
        410, 410,
      ]);
    }
    const { status, body } = await exchange(app.url, APP, code, { code_verifier: VERIFIER });
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
    const anew = departed(await bob.submit(await consent(PKCE), allow)).parameters.get('code') ?? '';
    expect((await exchange(app.url, APP, anew, { code_verifier: VERIFIER })).status).toBe(200);
  });
});

describe('between Allow and the exchange', () => {
  test('a developer who removes the address ends its codes', async () => {
    const back = await asNow();
    const code = departed(await bob.submit(await consent(), allow)).parameters.get('code') ?? '';
    await ada.mutate(
      'oauthClientUpdate',
      { ...client, redirectUris: ['http://127.0.0.1/callback'] },
      'client { clientId }',
    );
    expect((await exchange(app.url, APP, code)).body.error).toBe('invalid_grant');
    await back();
    expect((await exchange(app.url, APP, code)).status).toBe(200);
  });
});

/** @returns what sets the client back to what it is now, which no developer could without a review */
async function asNow(): Promise<() => Promise<unknown>> {
  const columns = ['scopes', 'redirect_uris', 'requires_pkce', 'purpose', 'pending_revision'];
  const em = app.database.em.fork();
  await changed(em, sql`delete from oauth_codes`);
  await changed(em, sql`drop table if exists client_before`);
  await changed(em, sql`create table client_before as select * from oauth_clients where client_id = ${APP.client_id}`);
  const set = sql.join(columns.map((column): RawBuilder<unknown> => sql`${sql.ref(column)} = b.${sql.ref(column)}`));
  return () => changed(em, sql`update oauth_clients c set ${set} from client_before b where c.client_id = b.client_id`);
}

async function codes(): Promise<number> {
  return (await rows(app.database.em, sql`select 1 from oauth_codes`)).length;
}

async function failures(error: string): Promise<number> {
  const found = await ada.ask<{ oauthClient: { failedRequests: { nodes: { error: string; endpoint: string }[] } } }>(
    `{ oauthClient(clientId: "${APP.client_id}") { failedRequests { nodes { error endpoint } } } }`,
  );
  return found.oauthClient.failedRequests.nodes.filter((one) => one.error === error && one.endpoint === 'AUTHORIZE')
    .length;
}
