import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import {
  APP,
  codeFor,
  exchange,
  PKCE,
  post,
  refresh,
  statusOf,
  type TokenBody,
  tokensFor,
  VERIFIER,
} from '../support/oauth-requests.ts';
import { TestBrowser } from '../support/test-browser.ts';

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * A lenient decoder takes other spellings for the same: a text of credentials is good in the one spelling that we gave
 * out.
 */
let app: TestApp;
let bob: TestBrowser;
let tokens: TokenBody;
beforeAll(async () => {
  app = await startTestApp();
  bob = await TestBrowser.signedIn(app.url, 'bob@acme.test');
  tokens = await tokensFor(bob, APP);
});
afterAll(() => app.close());

describe('an access token is good in one spelling, also once it is known:', () => {
  test.each([
    [0, 'header'],
    [1, 'payload'],
    [2, 'signature'],
  ])('not with the bits to spare at the end of part %i (%s) changed', async (index) => {
    const parts = tokens.access_token.split('.');
    const part = parts[index] ?? '';
    const bytes = Buffer.from(part, 'base64url');
    const variants = BASE64URL.split('')
      .map((last) => part.slice(0, -1) + last)
      .filter((text) => text !== part && Buffer.from(text, 'base64url').equals(bytes));
    // A signature has 64 bytes in 86 characters, so that there are 15 others; a part of whole groups has none.
    expect(variants).toHaveLength([0, 3, 15][(part.length * 6) % 8 === 0 ? 0 : ((part.length * 6) % 8) / 2] ?? -1);
    expect(await accepted(variants.map((variant) => parts.with(index, variant).join('.')))).toEqual(itself());
  });

  test('not with padding, line ends, other alphabets, more or fewer parts', async () => {
    const { access_token: token } = tokens;
    const [header = '', payload = '', signature = ''] = token.split('.');
    expect(
      await accepted([
        `${token}=`,
        `${token}==`,
        `${header}=.${payload}.${signature}`,
        `${header}.${payload}=.${signature}`,
        `${header}.${payload}==.${signature}==`,
        `${token}A`,
        `${token}.`,
        `.${token}`,
        `${token}.${signature}`,
        `${header}..${signature}`,
        `${header}.${payload}.`,
        `${header}.${payload}`,
        token.replaceAll('-', '+').replaceAll('_', '/').concat('=='),
      ]),
    ).toEqual(itself());
  });

  test('and introspection and revocation know no other one', async () => {
    const variant = `${tokens.access_token}==`;
    const credentials = { client_id: APP.client_id, client_secret: APP.client_secret };
    const asked = await post(app.url, { ...credentials, token: variant }, { path: '/v2/auth/oauth2/introspect' });
    expect(asked.body).toEqual({ active: false });
    expect((await post(app.url, { ...credentials, token: variant }, { path: '/v2/auth/oauth2/revoke' })).status).toBe(
      200,
    );
    expect(await statusOf(app.url, tokens.access_token)).toBe(200);
  });
});

const itself = () => Array.from({ length: 2 }, () => [tokens.access_token, 200, 200]);

/** Those of the texts that are not refused, once the right one is known. */
async function accepted(variants: readonly string[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const text of [tokens.access_token, ...variants, tokens.access_token]) {
    // Twice, since the second time some cache could know it.
    const statuses = [await statusOf(app.url, text), await statusOf(app.url, text)];
    if (String(statuses) !== '401,401') found.push([text, ...statuses]);
  }
  return found;
}

/** Near relatives of a text: other ends, capitals, digits, white space. */
function relativesOf(text: string): string[] {
  const last = text.at(-1) ?? '';
  const other = last === 'a' ? 'b' : 'a';
  return [
    text.slice(0, -1) + other,
    `${text}${other}`,
    `${text}=`,
    `${text} `,
    ` ${text}`,
    `${text}\n`,
    text.slice(0, -1),
    text.toUpperCase(),
    text.replace('gh_', 'GH_'),
    text.replace(/_(\d+)_/, '_0$1_'),
    text.replace(/[a-z]$/i, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    ),
  ].filter((one, index, all) => one !== text && all.indexOf(one) === index);
}

test('a code is exchanged in one spelling, and others leave it as it is', async () => {
  const code = await codeFor(bob, APP, PKCE);
  for (const variant of relativesOf(code)) {
    const { body } = await exchange(app.url, APP, variant, { code_verifier: VERIFIER });
    expect([variant, body.error]).toEqual([variant, 'invalid_grant']);
  }
  expect((await exchange(app.url, APP, code, { code_verifier: VERIFIER })).status).toBe(200);
});

test('a refresh token is taken in one spelling, and others end nothing', async () => {
  const { refresh_token: token } = await tokensFor(bob, APP);
  for (const variant of relativesOf(token)) {
    expect([variant, (await refresh(app.url, APP, variant)).body.error]).toEqual([variant, 'invalid_grant']);
  }
  expect((await refresh(app.url, APP, token)).status).toBe(200);
});

test('a secret is taken in one spelling, its checksum included', async () => {
  const ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
  const created = { clientId: APP.client_id, name: 'spelling' };
  const { secret } = await ada.mutate<{ secret: string }>('oauthClientSecretCreate', created, 'secret');
  const errorOf = async (client_secret: string) =>
    (await post(app.url, { client_id: APP.client_id, client_secret, grant_type: 'x' })).body.error;
  for (const variant of relativesOf(secret))
    expect([variant, await errorOf(variant)]).toEqual([variant, 'invalid_client']);
  expect(await errorOf(secret)).toBe('unsupported_grant_type');
});
