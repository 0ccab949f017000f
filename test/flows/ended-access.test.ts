import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changed, sql } from '../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { formsOf } from '../support/html-form.ts';
import { unknownId } from '../support/ids.ts';
import {
  APP,
  authorizePath,
  codeFor,
  exchange,
  type Fields,
  NARROW,
  PKCE,
  post,
  type TokenAnswer,
  type TokenBody,
  tokensFor,
  VERIFIER,
} from '../support/oauth-requests.ts';
import { departed, OWN_FORM, type ShownPage, shownPage, TestBrowser } from '../support/test-browser.ts';

/** Codes and consent pages from before access ended must not bring it back. */
let app: TestApp;
let admin: TestBrowser;
let cyd: TestBrowser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await TestBrowser.signedIn(app.url, 'admin@gatehouse.test');
});
afterAll(() => app.close());
beforeEach(async () => {
  await changed(app.database.em.fork(), sql`delete from oauth_grants`);
  cyd = await TestBrowser.signedIn(app.url, 'cyd@acme.test');
});

const allow = { decision: 'allow' };
const ask = (changes: Fields = {}) => cyd.open(authorizePath(APP, { ...PKCE, ...changes }));
const redeem = (code: string): Promise<TokenAnswer> => exchange(app.url, APP, code, { code_verifier: VERIFIER });
const revoke = (input: object) => cyd.mutate('authorizedAppRevoke', { clientId: APP.client_id, ...input }, '');

interface Pending {
  readonly page: ShownPage;
  readonly answered: ShownPage;
  readonly code: string;
  readonly remembered: string;
  readonly tokens: TokenBody;
}

/** Everything that can be on its way when access ends. */
async function pending(): Promise<Pending> {
  const tokens = await tokensFor(cyd, APP);
  const consent = { prompt: 'consent' };
  const [page, answered] = [shownPage(await ask(consent)), shownPage(await ask(consent))];
  const code = departed(await cyd.submit(answered, allow)).parameters.get('code') ?? '';
  return { page, answered, code, remembered: await codeFor(cyd, APP, PKCE), tokens };
}

async function expectDead({ page, answered, code, remembered }: Pending): Promise<void> {
  for (const one of [code, remembered]) {
    const { status, body } = await redeem(one);
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
  }
  for (const one of [page, answered]) {
    expect(shownPage(await cyd.open(one.address)).status).toBe(404);
    expect(shownPage(await cyd.submit(one, allow)).status).toBe(404);
  }
}

describe('a code, and a page that still asks, are dead once', () => {
  test.each<[string, (held: Pending) => Promise<unknown>]>([
    ['the user has revoked the app', () => revoke({})],
    [
      'the user has revoked the app on its page',
      async () => {
        const path = `/settings/apps/${APP.client_id}/revoke`;
        await cyd.submit(await cyd.open(path), {});
      },
    ],
    ['the user has revoked a grant of it', async () => revoke({ grantId: await someGrant() })],
    [
      'the client has revoked a grant',
      ({ tokens }) => post(app.url, { ...APP, token: tokens.refresh_token }, { path: '/v2/auth/oauth2/revoke' }),
    ],
  ])('%s; a new request goes on', async (_, end) => {
    const held = await pending();
    await end(held);
    await expectDead(held);
    const code = departed(await cyd.submit(await ask(), allow)).parameters.get('code') ?? '';
    expect((await redeem(code)).status).toBe(200);
  });

  test('the user was suspended, also after they are let in again', async () => {
    const held = await pending();
    const { me } = await cyd.ask<{ me: { id: string } }>('{ me { id } }');
    await admin.mutate('userSuspend', { userId: me.id }, '');
    expect((await redeem(held.code)).body.error).toBe('invalid_grant');
    await admin.mutate('userReinstate', { userId: me.id }, '');
    await cyd.signIn(await cyd.open('/auth/login'), 'cyd@acme.test');
    await expectDead(held);
  });
});

test('an app that has a code and no grant yet can be revoked, and then not again', async () => {
  const code = departed(await cyd.submit(await ask(), allow)).parameters.get('code') ?? '';
  await revoke({});
  expect((await redeem(code)).body.error).toBe('invalid_grant');
  await expect(revoke({})).rejects.toThrow('NOT_FOUND');
});

test('the form of a page that was opened before the last grant ended, ends a code that was given since', async () => {
  const { refresh_token: token } = await tokensFor(cyd, APP);
  const question = shownPage(await cyd.open(`/settings/apps/${APP.client_id}/revoke`));
  await post(app.url, { ...APP, token }, { path: '/v2/auth/oauth2/revoke' });
  const code = departed(await cyd.submit(await ask(), allow)).parameters.get('code') ?? '';
  const after = shownPage(await cyd.submit(question, {}));
  expect([after.status, after.address]).toEqual([200, '/settings/apps?done=revoked']);
  expect((await redeem(code)).body.error).toBe('invalid_grant');
  // Nothing is said to have ended where nothing was there.
  const body = new URLSearchParams(formsOf(question.html).at(-1)?.fields).toString();
  expect((await cyd.request('/settings/apps/nothing/revoke', OWN_FORM, body)).status).toBe(404);
});

test('requests on their way to another app, or of another user, go on', async () => {
  const { page } = await pending();
  const bob = await TestBrowser.signedIn(app.url, 'bob@acme.test');
  const bobs = await codeFor(bob, APP, PKCE);
  const narrow = await codeFor(cyd, NARROW, PKCE);
  await revoke({});
  expect((await redeem(bobs)).status).toBe(200);
  expect((await exchange(app.url, NARROW, narrow, { code_verifier: VERIFIER })).status).toBe(200);
  expect(shownPage(await cyd.open(page.address)).status).toBe(404);
});

test('a grant that is not there ends nothing', async () => {
  const { page, code } = await pending();
  await expect(revoke({ grantId: unknownId('grant') })).rejects.toThrow('NOT_FOUND');
  expect(shownPage(await cyd.open(page.address)).status).toBe(200);
  expect((await redeem(code)).status).toBe(200);
});

async function someGrant(): Promise<string> {
  const { me } = await cyd.ask<{ me: { authorizedApps: { nodes: { grants: { id: string }[] }[] } } }>(
    '{ me { authorizedApps { nodes { grants { id } } } } }',
  );
  return me.authorizedApps.nodes[0]?.grants[0]?.id ?? '';
}
