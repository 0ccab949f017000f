/** A caller who sends invalid credentials is refused, and never answered as an anonymous caller. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OwnedId } from '../../src/core/id.ts';
import { row, sql } from '../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { uidsOf } from '../support/minted-tokens.ts';
import { APP, tokensFor } from '../support/oauth-requests.ts';
import { type RawAnswer, send } from '../support/raw-http.ts';
import { TestBrowser } from '../support/test-browser.ts';

let app: TestApp;
let bob: TestBrowser;
let uid: string;
let file: string;
let live: string;
let dead: string;
beforeAll(async () => {
  app = await startTestApp();
  bob = await TestBrowser.signedIn(app.url, 'bob@acme.test');
  const booking = await row(
    app.database.em.fork(),
    sql<OwnedId>`select owner_id as "ownerId", id from bookings where status = 'ACCEPTED' limit 1`,
  );
  if (!booking) throw new Error('The demo has no booking.');
  const uids = await uidsOf(app);
  uid = uids.of({ ...booking, version: 0 });
  file = uids.ofFile({ ...booking, version: 0 });
  dead = (await tokensFor(bob, APP)).access_token;
  await bob.mutate('authorizedAppRevoke', { clientId: APP.client_id }, '');
  live = (await tokensFor(bob, APP)).access_token;
});
afterAll(() => app.close());

type Headers = readonly (readonly [string, string])[];
type Place = (headers: Headers) => Promise<RawAnswer>;
const JSON_TYPE = ['content-type', 'application/json'] as const;
const graphql =
  (query: string): Place =>
  (headers) =>
    send(app.url, {
      method: 'POST',
      path: '/graphql',
      headers: [JSON_TYPE, ...headers],
      body: JSON.stringify({ query }),
    });
const get =
  (path: () => string): Place =>
  (headers) =>
    send(app.url, { path: path(), headers });

/** With what each answers without credentials. */
const PLACES: readonly (readonly [string, Place, number])[] = [
  ['public fields', graphql('{ publicEventTypes(username: "ada") { nodes { slug } } }'), 200],
  ['a public mutation', graphql('mutation { bookingCancel(input: { uid: "none" }) { userErrors { code } } }'), 200],
  ['fields of the user', graphql('{ me { id } }'), 401],
  [
    'explain',
    (headers) =>
      send(app.url, {
        method: 'POST',
        path: '/graphql/scopes',
        headers: [JSON_TYPE, ...headers],
        body: '{"query":"{ me { id } }"}',
      }),
    200,
  ],
  ['/v2/me', get(() => '/v2/me'), 401],
  ['a booking page', get(() => '/book/ada'), 200],
  ['a private link', get(() => '/private-links/none'), 404],
  ['the page of a booking', get(() => `/bookings/${uid}`), 200],
  ['a calendar file', get(() => `/bookings/${file}.ics`), 200],
];

describe.each(PLACES)('%s', (_, place, withoutCredentials) => {
  test('is answered without credentials, and with a token that lives', async () => {
    expect((await place([])).status).toBe(withoutCredentials);
    const withToken = withoutCredentials === 401 ? 200 : withoutCredentials;
    expect((await place([['authorization', `Bearer ${live}`]])).status).toBe(withToken);
  });

  test.each<[string, () => Headers, number, RegExp]>([
    ['Basic', () => [['authorization', 'Basic YTpi']], 401, /^Bearer realm="Gatehouse", resource_metadata="[^"]+"$/],
    ['Token', () => [['authorization', `Token ${live}`]], 401, /^Bearer realm="Gatehouse", resource_metadata="[^"]+"$/],
    ['DPoP', () => [['authorization', `DPoP ${live}`]], 401, /^Bearer realm="[^"]+", resource_metadata="[^"]+"$/],
    ['a token alone', () => [['authorization', live]], 401, /^Bearer realm="[^"]+", resource_metadata="[^"]+"$/],
    ['two schemes joined', () => [['authorization', `Basic YTpi, Bearer ${live}`]], 401, /^Bearer /],
    ['the other way round', () => [['authorization', `Bearer ${live}, Basic YTpi`]], 400, /error="invalid_request"/],
    [
      'two headers',
      () => [
        ['authorization', 'Basic YTpi'],
        ['authorization', `Bearer ${live}`],
      ],
      400,
      /error="invalid_request"/,
    ],
    ['nothing', () => [['authorization', '']], 400, /error="invalid_request"/],
    ['Bearer without a token', () => [['authorization', 'Bearer']], 400, /error="invalid_request"/],
    ['a garbled token', () => [['authorization', 'Bearer abc']], 401, /error="invalid_token"/],
    ['a revoked token', () => [['authorization', `Bearer ${dead}`]], 401, /error="invalid_token"/],
    [
      'another scheme beside a session',
      () => [
        ['authorization', 'Basic YTpi'],
        ['cookie', bob.cookie],
      ],
      401,
      /^Bearer /,
    ],
  ])('refuses %s', async (__, headers, status, challenge) => {
    const answer = await place(headers());
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([status, expect.stringMatching(challenge)]);
  });
});
