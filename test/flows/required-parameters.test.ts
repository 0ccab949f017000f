import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import {
  APP,
  authorizePath,
  CLI,
  codeFor,
  type Fields,
  FORM,
  formOf,
  type KnownClient,
  NARROW,
  PKCE,
  read,
  TOKEN_PATH,
  tokensFor,
  VERIFIER,
} from '../support/oauth-requests.ts';
import { oauthRows } from '../support/oauth-rows.ts';
import { send } from '../support/raw-http.ts';
import { TestBrowser } from '../support/test-browser.ts';

/** The columns "Parameter" and "Required: yes" of the specification's sections 4.1 to 4.3. */
const REQUIRED = {
  authorize: ['client_id', 'redirect_uri', 'scope'],
  exchange: ['client_id', 'client_secret', 'grant_type', 'code', 'redirect_uri'],
  refresh: ['client_id', 'client_secret', 'grant_type', 'refresh_token'],
} as const;

/** The values that are sent for a parameter, given its right one. */
const MISTAKES: readonly (readonly [string, (right: string) => readonly string[]])[] = [
  ['missing', () => []],
  ['empty', () => ['']],
  ['sent twice', (right) => [right, right]],
  ['sent with another one', (right) => [right, 'other']],
  ['sent with an empty one', (right) => ['', right]],
];

let app: TestApp;
let ada: TestBrowser;
beforeAll(async () => {
  app = await startTestApp({ TRUST_PROXY: '127.0.0.0/8' });
  ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
});
afterAll(() => app.close());

let callers = 0;
async function answerTo(body: string) {
  callers += 1;
  // Each caller is of a network of its own, or the limit against guessing would answer in the end.
  const address = `198.${18 + Math.floor(callers / 200)}.${callers % 200}.1`;
  const headers = { 'content-type': FORM, 'x-forwarded-for': address };
  return read(await send(app.url, { method: 'POST', path: TOKEN_PATH, headers, body }));
}

/** A form in which one parameter has the values instead of its own. */
function formWith(fields: Fields, parameter: string, values: readonly string[]): string {
  const others = formOf({ ...fields, [parameter]: undefined });
  return [others, ...values.map((value) => formOf({ [parameter]: value }))].join('&');
}

/** A client that sends no secret, or no id, is not authenticated (RFC 6749 §5.2). */
function errorOf(parameter: string, mistake: string): readonly [number, string] {
  const isOmitted = mistake === 'missing' || mistake === 'empty';
  return isOmitted && parameter.startsWith('client_') ? [401, 'invalid_client'] : [400, 'invalid_request'];
}

describe('a required parameter of an exchange', () => {
  const clients: readonly (readonly [string, KnownClient, Fields, Fields])[] = [
    ['a confidential client', APP, {}, {}],
    ['a confidential client with PKCE', APP, PKCE, { code_verifier: VERIFIER }],
    // It has one redirect URI only, which tells no more than several would.
    ['a client of one redirect URI with PKCE', NARROW, PKCE, { code_verifier: VERIFIER }],
    ['a public client', CLI, PKCE, { code_verifier: VERIFIER }],
  ];
  test.each(clients)('of %s: the code stays usable, and nothing is kept', async (_, client, asked, proof) => {
    const code = await codeFor(ada, client, asked);
    const fields: Fields = { ...client, grant_type: 'authorization_code', code, ...proof };
    const before = await oauthRows(app.database.em);
    for (const parameter of REQUIRED.exchange.filter((name) => fields[name] !== undefined)) {
      for (const [mistake, valuesFor] of MISTAKES) {
        const answer = await answerTo(formWith(fields, parameter, valuesFor(fields[parameter] ?? '')));
        expect([parameter, mistake, answer.status, answer.body.error]).toEqual([
          parameter,
          mistake,
          ...errorOf(parameter, mistake),
        ]);
        const isNamed = answer.body.error_description?.includes(parameter);
        expect(isNamed || answer.body.error === 'invalid_client').toBe(true);
      }
    }
    expect(await oauthRows(app.database.em)).toEqual(before);
    expect(await answerTo(formOf(fields))).toMatchObject({ status: 200 });
  });
});

describe('a required parameter of a refresh', () => {
  test.each([
    ['a confidential client', APP],
    ['a public client', CLI],
  ] as const)('of %s: the refresh token stays usable, and nothing is kept', async (_, client) => {
    const { refresh_token } = await tokensFor(ada, client);
    const { redirect_uri: _uri, ...credentials } = client;
    const fields: Fields = { ...credentials, grant_type: 'refresh_token', refresh_token };
    const before = await oauthRows(app.database.em);
    for (const parameter of REQUIRED.refresh.filter((name) => fields[name] !== undefined)) {
      for (const [mistake, valuesFor] of MISTAKES) {
        const answer = await answerTo(formWith(fields, parameter, valuesFor(fields[parameter] ?? '')));
        expect([parameter, mistake, answer.status, answer.body.error]).toEqual([
          parameter,
          mistake,
          ...errorOf(parameter, mistake),
        ]);
      }
    }
    expect(await oauthRows(app.database.em)).toEqual(before);
    expect(await answerTo(formOf(fields))).toMatchObject({ status: 200 });
  });
});

describe('a required parameter of an authorization request', () => {
  test.each([
    ['a confidential client', APP],
    ['a client of one redirect URI', NARROW],
  ] as const)('of %s leads to no code and to no question', async (_, client) => {
    const before = await oauthRows(app.database.em);
    for (const parameter of REQUIRED.authorize) {
      for (const [mistake, valuesFor] of MISTAKES) {
        const url = new URL(authorizePath(client), app.url);
        const right = url.searchParams.get(parameter) ?? '';
        url.searchParams.delete(parameter);
        for (const value of valuesFor(right)) url.searchParams.append(parameter, value);
        const { status, headers } = await send(app.url, {
          path: url.pathname + url.search,
          headers: { cookie: ada.cookie },
        });
        const location = headers.get('location');
        const error = location && new URL(location).searchParams.get('error');
        const isTold = parameter === 'scope';
        const expected = mistake === 'missing' || mistake === 'empty' ? 'invalid_scope' : 'invalid_request';
        expect([parameter, mistake, status, error]).toEqual([
          parameter,
          mistake,
          isTold ? 303 : 400,
          isTold ? expected : null,
        ]);
      }
    }
    expect(await oauthRows(app.database.em)).toEqual(before);
  });
});
