import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { uuidOf } from '../support/ids.ts';
import { APP, authorizePath, tokensFor } from '../support/oauth-requests.ts';
import { oauthRows } from '../support/oauth-rows.ts';
import { send } from '../support/raw-http.ts';
import { TestBrowser } from '../support/test-browser.ts';

let app: TestApp;
let ada: TestBrowser;
beforeAll(async () => {
  app = await startTestApp();
  ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
  // From here on, opening the address is enough to get a code.
  await tokensFor(ada, APP);
});
afterAll(() => app.close());

const REMEMBERED = authorizePath(APP);

describe('no code is made by', () => {
  test.each<[string, Record<string, string>]>([
    ['a prefetch', { 'sec-purpose': 'prefetch' }],
    ['a prerender', { 'sec-purpose': 'prefetch;prerender' }],
    ['a prefetch of an anonymous client address', { 'sec-purpose': 'prefetch;anonymous-client-ip' }],
    ['a prefetch of older browsers', { purpose: 'prefetch' }],
    ['a prefetch of Firefox', { 'x-moz': 'prefetch' }],
    ['a frame', { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' }],
    ['a frame of a frame set', { 'sec-fetch-dest': 'frame', 'sec-fetch-mode': 'navigate' }],
    ['an embedded object', { 'sec-fetch-dest': 'object', 'sec-fetch-mode': 'navigate' }],
    ['an embed', { 'sec-fetch-dest': 'embed', 'sec-fetch-mode': 'navigate' }],
    ['an image', { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' }],
    ['a script tag', { 'sec-fetch-dest': 'script', 'sec-fetch-mode': 'no-cors' }],
    ['a script that fetches', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }],
    ['a style sheet', { 'sec-fetch-dest': 'style', 'sec-fetch-mode': 'no-cors' }],
    ['a fenced frame', { 'sec-fetch-dest': 'fencedframe', 'sec-fetch-mode': 'navigate' }],
  ])('%s', async (_, headers) => {
    const before = await oauthRows(app.database.em);
    const answer = await ada.request(REMEMBERED, headers);
    expect([answer.status >= 400, answer.headers.get('location')]).toEqual([true, null]);
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await oauthRows(app.database.em)).toEqual(before);
  });

  test('HEAD, which gets the checks alone', async () => {
    const before = await oauthRows(app.database.em);
    const head = async (path: string) => {
      const { status, headers } = await send(app.url, { method: 'HEAD', path, headers: { cookie: ada.cookie } });
      return [status, headers.get('location')?.split('?')[0] ?? null];
    };
    expect(await head(REMEMBERED)).toEqual([200, null]);
    expect(await head(authorizePath(APP, { scope: 'NOPE' }))).toEqual([303, APP.redirect_uri]);
    expect(await head(authorizePath(APP, { redirect_uri: 'https://evil.test' }))).toEqual([400, null]);
    expect(await oauthRows(app.database.em)).toEqual(before);
  });

  test('HEAD of an interaction that only waits to be opened', async () => {
    const first = await ada.request(authorizePath(APP, { prompt: 'login' }));
    const interaction = new URL(first.headers.get('location') ?? '', app.url).searchParams.get('return_to') ?? '';
    for (const path of [interaction, `${interaction}/restart`]) {
      const answer = await send(app.url, { method: 'HEAD', path, headers: { cookie: ada.cookie } });
      expect([answer.status, answer.headers.get('location')]).toEqual([200, null]);
    }
    const id = uuidOf(interaction.split('/').at(-1) ?? '');
    expect(await rows(app.database.em, sql`select 1 from oauth_codes where interaction_id = ${id}`)).toEqual([]);
  });
});

test.each<[string, Record<string, string>]>([
  ['a person who follows a link', { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' }],
  ['a person who typed the address', { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none' }],
  ['a browser that says nothing about it', {}],
])('a code is made for %s', async (_, headers) => {
  const answer = await ada.request(REMEMBERED, headers);
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toMatch(/^https:\/\/app\.example\.test\/cb\?code=gh_code_/);
});
