/** RFC 9110 §15.5.2: a 401 says by which scheme to come back. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { APP, basic, formOf, TOKEN_PATH } from '../support/oauth-requests.ts';
import { paced } from '../support/pace.ts';
import { type RawAnswer, type RawRequest, send } from '../support/raw-http.ts';
import { shownPage, TestBrowser } from '../support/test-browser.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ CONFERENCING_CALLBACK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}` });
});
afterAll(() => app.close());

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'content-type': 'application/json' };
const REQUESTS: readonly (Omit<RawRequest, 'path' | 'headers'> & {
  readonly headers?: Readonly<Record<string, string>>;
})[] = [
  {},
  { method: 'HEAD' },
  {
    method: 'POST',
    headers: FORM,
    body: formOf({ email: 'ada@acme.test', password: 'wrong', client_id: 'x', client_secret: 'x' }),
  },
  { method: 'POST', headers: JSON_TYPE, body: '{"email":"ada@acme.test","password":"wrong"}' },
  { method: 'POST', headers: JSON_TYPE, body: '{"query":"{ me { id } }"}' },
  { method: 'PUT', headers: JSON_TYPE, body: '{}' },
  { method: 'DELETE' },
];
const CREDENTIALS: readonly Readonly<Record<string, string>>[] = [
  {},
  { authorization: 'Bearer abc' },
  { authorization: basic(APP.client_id, 'wrong') },
  { authorization: '' },
  { cookie: `gatehouse_session=${'x'.repeat(43)}` },
];

// Some ten thousand requests: half a minute on a machine that has nothing else to do.
test('every route that answers 401 says how to come in', { timeout: paced(240_000) }, async () => {
  const paths = new Set([
    '/graphql',
    '/nowhere',
    '/v2/nowhere',
    ...app.routes.map((route) => route.split(' ')[1] ?? ''),
  ]);
  const wrong: unknown[] = [];
  let unauthorized = 0;
  for (const path of [...paths].map(concrete)) {
    for (const request of REQUESTS) {
      const asked = CREDENTIALS.map(async (credentials) => {
        const answer = await send(app.url, { ...request, path, headers: { ...request.headers, ...credentials } });
        if (answer.status !== 401) return;
        unauthorized += 1;
        if (!challengeOf(answer)) wrong.push([request.method, path, credentials, answer.text]);
      });
      await Promise.all(asked);
    }
  }
  expect(wrong).toEqual([]);
  // GraphQL, /v2/me, three endpoints of clients, sign-in twice, the callback, and what anybody may read with bad tokens.
  expect(unauthorized).toBeGreaterThan(30);
});

describe('a challenge names the scheme', () => {
  test.each<[string, () => Promise<RawAnswer>, RegExp]>([
    [
      'GraphQL',
      () => send(app.url, { method: 'POST', path: '/graphql', headers: JSON_TYPE, body: '{"query":"{ me { id } }"}' }),
      /^Bearer /,
    ],
    ['/v2/me', () => send(app.url, { path: '/v2/me' }), /^Bearer /],
    [
      'an endpoint of clients',
      () => send(app.url, { method: 'POST', path: TOKEN_PATH, headers: FORM, body: 'client_id=x' }),
      /^Basic /,
    ],
    [
      'sign-in by JSON',
      () =>
        send(app.url, {
          method: 'POST',
          path: '/auth/login',
          headers: JSON_TYPE,
          body: '{"email":"ada@acme.test","password":"wrong"}',
        }),
      /^Cookie /,
    ],
    [
      'the callback',
      () => send(app.url, { method: 'POST', path: '/callbacks/conferencing', headers: JSON_TYPE, body: '{}' }),
      /^StandardWebhooks /,
    ],
  ])('%s', async (_, ask, challenge) => {
    const answer = await ask();
    expect([answer.status, challengeOf(answer)]).toEqual([401, expect.stringMatching(challenge)]);
  });

  test('sign-in by its form', async () => {
    const browser = new TestBrowser(app.url);
    const page = shownPage(await browser.signIn(await browser.open('/auth/login'), 'bob@acme.test', 'wrong'));
    expect([page.status, page.headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Cookie /)]);
  });
});

function challengeOf(answer: RawAnswer): string | null {
  return answer.headers.get('www-authenticate');
}

/** A path with something in the place of its parameters. */
function concrete(path: string): string {
  return path.replaceAll(/:\w+(?:\{[^/]*\})?/g, 'x').replaceAll('*', 'x');
}
