import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changed, sql } from '../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import {
  authorizePath,
  exchange,
  LEGACY,
  post,
  refresh,
  statusOf,
  type TokenBody,
  tokensFor,
  tokensIn,
} from '../support/oauth-requests.ts';
import { departed, shownPage, TestBrowser } from '../support/test-browser.ts';

let app: TestApp;
let ada: TestBrowser;
let bob: TestBrowser;
beforeAll(async () => {
  app = await startTestApp();
  ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
  bob = await TestBrowser.signedIn(app.url, 'bob@acme.test');
});
afterAll(() => app.close());
beforeEach(async () => {
  const em = app.database.em.fork();
  await changed(em, sql`delete from oauth_grants`);
  await changed(em, sql`update oauth_clients set legacy = true, scopes = '{}' where client_id = ${LEGACY.client_id}`);
});

const WITHOUT_SCOPE = { scope: undefined };
const EVERYTHING =
  '{ me { name eventTypes { nodes { id } } teams { nodes { slug } } organizations { nodes { slug } } } }';
const PROFILE = '{ me { name } }';
const EVENT_TYPES = '{ me { eventTypes { nodes { id } } } }';

/** The second step of the migration: the developer saves scopes in the client's settings. */
const saveScopes = (scopes: readonly string[]) =>
  ada.mutate('oauthClientUpdate', { clientId: LEGACY.client_id, scopes }, 'client { status }');
const may = ({ access_token: token }: TokenBody, query: string) => statusOf(app.url, token, query);
const introspect = async (token: string) => {
  const { client_id, client_secret } = LEGACY;
  return (await post(app.url, { client_id, client_secret, token }, { path: '/v2/auth/oauth2/introspect' })).body;
};
const next = async (tokens: TokenBody) => tokensIn(await refresh(app.url, LEGACY, tokens.refresh_token));

describe('a legacy client', () => {
  test('without scope gets access to any resource of the user, and the page says so', async () => {
    const page = shownPage(await bob.open(authorizePath(LEGACY, WITHOUT_SCOPE)));
    expect(page.text).toContain('This app will be able to do everything');
    const tokens = await tokensFor(bob, LEGACY, WITHOUT_SCOPE);
    expect([tokens.scope, await may(tokens, EVERYTHING)]).toEqual(['', 200]);
    expect([(await next(tokens)).scope, await may(await next(tokens), EVERYTHING)]).toEqual(['', 200]);
  });

  test('has tokens without scope introspected without the member: an empty one would mean that nothing is open', async () => {
    const tokens = await tokensFor(bob, LEGACY, WITHOUT_SCOPE);
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      const found = await introspect(token);
      expect([found.active, 'scope' in found]).toEqual([true, false]);
    }
    const narrow = await tokensFor(bob, LEGACY, { scope: 'PROFILE_READ' });
    for (const token of [narrow.access_token, narrow.refresh_token]) {
      expect(await introspect(token)).toMatchObject({ active: true, scope: 'PROFILE_READ' });
    }
  });

  test('never gets first-party fields', async () => {
    const tokens = await tokensFor(bob, LEGACY, WITHOUT_SCOPE);
    for (const query of ['{ me { sessions { nodes { id } } } }', '{ me { oauthClients { nodes { clientId } } } }']) {
      // In the schema that tokens see, they are not there at all.
      const { body } = await app.graphql(query, { token: tokens.access_token });
      expect([body.data, body.errors[0].message]).toEqual([undefined, expect.stringMatching(/^Cannot query field/)]);
    }
  });

  test('with scope gets exactly those', async () => {
    const tokens = await tokensFor(bob, LEGACY, { scope: 'PROFILE_READ' });
    expect(tokens.scope).toBe('PROFILE_READ');
    expect([await may(tokens, PROFILE), await may(tokens, EVENT_TYPES)]).toEqual([200, 403]);
  });

  test('asked for nothing is asked for everything: earlier scopes do not stand for it', async () => {
    await tokensFor(bob, LEGACY, { scope: 'PROFILE_READ' });
    expect((await bob.open(authorizePath(LEGACY, WITHOUT_SCOPE))).kind).toBe('PAGE');
    await tokensFor(bob, LEGACY, WITHOUT_SCOPE);
    expect((await bob.open(authorizePath(LEGACY, WITHOUT_SCOPE))).kind).toBe('AWAY');
    expect((await bob.open(authorizePath(LEGACY, { scope: 'BOOKING_WRITE' }))).kind).toBe('AWAY');
  });

  test.each(['', ' ', 'NOPE'])('with scope "%s" does not get everything', async (scope) => {
    const { parameters } = departed(await bob.open(authorizePath(LEGACY, { scope: `${scope},` })));
    expect(parameters.get('error')).toBe('invalid_scope');
  });
});

describe('the migration in its order', () => {
  test('first the address with scope: new tokens are narrow, and nothing breaks', async () => {
    const old = await tokensFor(bob, LEGACY, WITHOUT_SCOPE);
    const narrow = await tokensFor(bob, LEGACY, { scope: 'PROFILE_READ' });
    expect([await may(narrow, EVENT_TYPES), await may(old, EVENT_TYPES)]).toEqual([403, 200]);
    // Old addresses are still about, and still work.
    expect((await ada.open(authorizePath(LEGACY, WITHOUT_SCOPE))).kind).toBe('PAGE');
  });

  test('then the scopes of the client: at once, without review, and it is legacy no more', async () => {
    expect(await saveScopes(['PROFILE_READ'])).toMatchObject({ client: { status: 'APPROVED' } });
    const { parameters } = departed(await bob.open(authorizePath(LEGACY, { scope: 'BOOKING_READ' })));
    expect(parameters.get('error')).toBe('invalid_scope');
    expect((await tokensFor(bob, LEGACY, { scope: 'PROFILE_READ' })).scope).toBe('PROFILE_READ');
  });

  test('tokens from before stay valid and refresh, until their user authorizes again', async () => {
    const bobs = await tokensFor(bob, LEGACY, WITHOUT_SCOPE);
    const adas = await tokensFor(ada, LEGACY, WITHOUT_SCOPE);
    await saveScopes(['PROFILE_READ']);
    expect(await may(bobs, EVERYTHING)).toBe(200);
    const refreshed = await next(bobs);
    expect([refreshed.scope, await may(refreshed, EVERYTHING)]).toEqual(['', 200]);

    const narrow = await tokensFor(bob, LEGACY, { scope: 'PROFILE_READ' });
    expect([await may(refreshed, PROFILE), await may(narrow, PROFILE), await may(adas, EVERYTHING)]).toEqual([
      401, 200, 200,
    ]);
    expect((await refresh(app.url, LEGACY, refreshed.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('and a page that was open meanwhile grants nothing that the client may not ask for any more', async () => {
    const page = await bob.open(authorizePath(LEGACY, WITHOUT_SCOPE));
    await saveScopes(['PROFILE_READ']);
    const { parameters } = departed(await bob.submit(page, { decision: 'allow' }));
    expect([parameters.get('error'), parameters.has('code')]).toEqual(['invalid_scope', false]);
  });

  test('and a code from before leads to what its user was told', async () => {
    const { parameters } = await bob.allow(authorizePath(LEGACY, WITHOUT_SCOPE));
    await saveScopes(['PROFILE_READ']);
    const tokens = tokensIn(await exchange(app.url, LEGACY, parameters.get('code') ?? ''));
    expect([tokens.scope, await may(tokens, EVERYTHING)]).toEqual(['', 200]);
  });
});

test('the migration in the wrong order breaks old addresses without scope, as an error that says what is missing', async () => {
  await saveScopes(['PROFILE_READ']);
  const { parameters } = departed(await bob.open(authorizePath(LEGACY, WITHOUT_SCOPE)));
  expect(parameters.get('error')).toBe('invalid_scope');
  expect(parameters.get('error_description')).toMatch(/scope is missing/);
  expect((await bob.open(authorizePath(LEGACY, { scope: 'PROFILE_READ' }))).kind).toBe('PAGE');
});
