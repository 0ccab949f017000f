import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { APP, CLI, NARROW, post, read, statusOf, TOKEN_PATH } from '../../support/oauth-requests.ts';
import { oauthRows } from '../../support/oauth-rows.ts';
import { send } from '../../support/raw-http.ts';
import { TestBrowser } from '../../support/test-browser.ts';
import { COUNTED } from './counted.ts';
import { ELSEWHERE } from './elsewhere.ts';
import { MALFORMED } from './malformed.ts';
import { NOT_GRANTED } from './not-granted.ts';
import {
  APP_BASIC,
  cliExchangeOf,
  exchangeOf,
  form,
  type Given,
  giveCredentials,
  json,
  plainExchangeOf,
  refreshOf,
  type Sent,
  withAuthorization,
} from './token-requests.ts';
import { UNAUTHENTICATED } from './unauthenticated.ts';
import { UNREADABLE } from './unreadable.ts';

let app: TestApp;
let ada: TestBrowser;
let given: Given;
beforeAll(async () => {
  // Each request comes from a network of its own, or the limit against guessing would answer in the end.
  app = await startTestApp({ TRUST_PROXY: '127.0.0.0/8' });
  ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
  given = await giveCredentials(ada);
});
afterAll(() => app.close());

describe('refused, with nothing changed, is', () => {
  describe.each([
    ['a request that cannot be read:', UNREADABLE],
    ['a parameter that cannot be used:', MALFORMED],
    ['a client that does not authenticate:', UNAUTHENTICATED],
    ['what a client is not granted:', NOT_GRANTED],
    ['at the other endpoints:', ELSEWHERE],
  ] as const)('%s', (_, table) => {
    test.each(table)('%s', async (_name, request, status, error) => {
      const before = await oauthRows(app.database.em);
      const sent = request(given);
      const isOpenToScripts = !sent.path?.includes('introspect');
      expect(await refusal(sent)).toEqual({ status, error, isOpenToScripts });
      expect(await oauthRows(app.database.em)).toEqual(before);
    });
  });

  describe('a wrong proof, which counts against the code:', () => {
    test.each(COUNTED)('%s', async (_name, request, status, error) => {
      const own = await giveCredentials(ada);
      const { oauth_codes: codes, ...before } = await oauthRows(app.database.em);
      expect(await refusal(request(own))).toEqual({ status, error, isOpenToScripts: true });
      expect(await oauthRows(app.database.em)).toEqual({
        ...before,
        oauth_codes: expect.not.stringContaining(codes ?? ''),
      });
    });
  });

  test('whatever is authenticated alike: the answers are the same to the byte', async () => {
    const texts = await Promise.all(
      [
        refreshOf(given, { client_secret: 'wrong' }),
        refreshOf(given, { client_id: 'nobody' }),
        refreshOf(given, { client_secret: undefined }),
        { client_id: CLI.client_id, client_secret: 'x', grant_type: 'refresh_token' },
      ].map(async (fields) => (await deliver(form(fields))).text),
    );
    expect(new Set(texts).size).toBe(1);
  });
});

describe('after all of that, what was given is still good:', () => {
  test.each<[string, () => Sent]>([
    ['the code with PKCE', () => form(exchangeOf(given))],
    ['the code without PKCE, as JSON', () => json(plainExchangeOf(given))],
    ['the code of the public client', () => form(cliExchangeOf(given))],
    [
      'the refresh token, by Basic and with a narrower scope',
      () => withAuthorization(refreshOf(given, { scope: 'PROFILE_READ' }), APP_BASIC),
    ],
    [
      'the refresh token of the public client',
      () => form({ client_id: CLI.client_id, grant_type: 'refresh_token', refresh_token: given.cliRefreshToken }),
    ],
    [
      'a refresh token with an empty scope, an empty resource and unknown parameters',
      () =>
        form({
          ...NARROW,
          grant_type: 'refresh_token',
          refresh_token: given.narrowRefreshToken,
          scope: '',
          resource: '',
          audience: 'x',
        }),
    ],
  ])('%s', async (_, request) => {
    const { status, headers, body } = await deliver(request());
    expect([status, body]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^eyJ/),
        refresh_token: expect.stringMatching(/^gh_refresh_/),
        token_type: 'bearer',
        expires_in: 1800,
        scope: 'PROFILE_READ',
      },
    ]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      pragma: 'no-cache',
      'access-control-allow-origin': '*',
    });
  });

  test('and the access token', async () => {
    expect(await statusOf(app.url, given.accessToken)).toBe(200);
  });
});

describe('limits against guessing', () => {
  test('20 wrong secrets a minute from a network; then even the right one waits, and only there', async () => {
    const answers = [];
    for (let n = 0; n < 22; n += 1) answers.push((await guess(`wrong ${n}`, '198.51.100.1')).status);
    expect([answers.indexOf(429), answers.at(-1)]).toEqual([20, 429]);
    const waiting = await guess(NARROW.client_secret, '198.51.100.2');
    expect([waiting.status, Number(waiting.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await guess(NARROW.client_secret, '203.0.113.1')).body.error).toBe('unsupported_grant_type');
  });
});

test('a script of any site may ask first: the preflight is answered, and without credentials', async () => {
  const { status, headers } = await send(app.url, {
    method: 'OPTIONS',
    path: TOKEN_PATH,
    headers: {
      origin: 'https://spa.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });
  expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*']);
  expect(headers.get('access-control-allow-headers')?.toLowerCase()).toMatch(/authorization.*content-type/);
  expect(headers.get('access-control-allow-credentials')).toBeNull();
});

let requests = 0;

async function deliver({ headers = {}, ...sent }: Sent) {
  requests += 1;
  const listed = Array.isArray(headers) ? headers : Object.entries(headers);
  const address = `10.${requests >> 8}.${requests & 255}.1`;
  const all = [...listed, ['x-forwarded-for', address], ['origin', 'https://spa.example']];
  return read(await send(app.url, { method: 'POST', path: TOKEN_PATH, headers: all, ...sent }));
}

function guess(secret: string, address: string) {
  const headers = { 'x-forwarded-for': address };
  return post(app.url, { ...NARROW, client_secret: secret, grant_type: 'x' }, { headers });
}

/** Sends a bad request, and checks what every refusal has in common. */
async function refusal(sent: Sent) {
  const { status, headers, body, text } = await deliver(sent);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'no-store',
    pragma: 'no-cache',
    'x-content-type-options': 'nosniff',
  });
  expect(Object.keys(body)).toEqual(['error', 'error_description']);
  // RFC 6749 §5.2 says which characters a description may hold.
  expect(body.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]{20,300}$/);
  for (const credential of [...Object.values(given), APP.client_secret]) expect(text).not.toContain(credential);
  const isChallenged = headers.get('www-authenticate')?.startsWith('Basic realm="') ?? false;
  const isToldTheMethod = headers.get('allow')?.startsWith('POST') ?? false;
  expect([isChallenged, isToldTheMethod]).toEqual([status === 401, status === 405]);
  expect(headers.get('access-control-allow-credentials')).toBeNull();
  const isOpenToScripts = headers.get('access-control-allow-origin') === '*';
  return { status, error: body.error, isOpenToScripts };
}
