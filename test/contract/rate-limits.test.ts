import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { formsOf } from '../support/html-form.ts';
import { APP, authorizePath, tokensFor } from '../support/oauth-requests.ts';
import { OWN_FORM, shownPage, TestBrowser } from '../support/test-browser.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMITS: 'anonymous=3,grant=5,session=4' });
});
afterAll(() => app.close());

/** Beside what all of them send. */
interface Sent {
  readonly method?: string;
  readonly body?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

describe('rate limits over HTTP', () => {
  test('a session has its own', async () => {
    const ada = await app.signIn('ada@acme.test');
    const send = () => ada.graphql('{ me { id } }', {});
    for (let left = 3; left >= 0; left -= 1) await send();
    await expect(send()).rejects.toThrow(/429.*RATE_LIMITED/);
  });

  test('a session begins as many authorizations as it may send requests', async () => {
    const cyd = await TestBrowser.signedIn(app.url, 'cyd@acme.test');
    for (let sent = 0; sent < 4; sent += 1) expect((await cyd.request(authorizePath(APP))).status).toBe(303);
    const refused = await cyd.request(authorizePath(APP));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    expect((await new TestBrowser(app.url).request(authorizePath(APP))).status).toBe(303);
  });

  test('pages for signed-in users count with the API, and one request too many does nothing', async () => {
    const dan = await TestBrowser.signedIn(app.url, 'dan@solo.test');
    const path = '/settings/account';
    const page = shownPage(await dan.open(path));
    expect(Object.fromEntries(page.headers)).toMatchObject({ 'ratelimit-limit': '4', 'ratelimit-remaining': '3' });
    for (const one of ['/settings/teams', '/admin/oauth']) await dan.request(one);
    const asked = '{ me { name } }';
    expect(await dan.ask(asked)).toEqual({ me: { name: 'Dan Whitlock' } });
    const [form] = formsOf(page.html).filter(({ action }) => action === `${path}/profile`);
    const body = new URLSearchParams({ ...form?.fields, name: 'Dan the Second' }).toString();
    for (const refused of [await dan.request(path), await dan.request(`${path}/profile`, OWN_FORM, body)]) {
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(refused.text).toMatch(/more than 4 requests in a minute\. Wait \d+ seconds?, then try again/);
    }
    const again = await TestBrowser.signedIn(app.url, 'dan@solo.test');
    expect(await again.ask(asked)).toEqual({ me: { name: 'Dan Whitlock' } });
  });

  test('pages for signed-in users count once, and without a session for the address, before a form is read', async () => {
    const limited = await startTestApp({ RATE_LIMITS: 'anonymous=4,session=4' });
    try {
      const stranger = new TestBrowser(limited.url);
      const ask = async (path: string, body?: string) => {
        const { status, headers } = await stranger.request(path, OWN_FORM, body);
        return [status, headers.get('ratelimit-remaining'), headers.has('retry-after')];
      };
      expect(await ask('/settings/hours')).toEqual([303, '3', false]);
      expect(await ask('/bookings')).toEqual([303, '2', false]);
      expect(await ask('/settings/absences', 'reason=Far+away')).toEqual([401, '1', false]);
      expect(await ask('/settings/absences', 'reason=Far+away')).toEqual([401, '0', false]);
      expect(await ask('/settings/absences', 'reason=Far+away')).toEqual([429, '0', true]);
      expect(await ask('/settings/hours')).toEqual([429, '0', true]);
      const dan = await TestBrowser.signedIn(limited.url, 'dan@solo.test');
      expect((await dan.request('/bookings')).headers.get('ratelimit-remaining')).toBe('3');
    } finally {
      await limited.close();
    }
  });

  test('an address is limited over GraphQL and over REST together', async () => {
    const rest = await fetch(`${app.url}/v2/me`);
    expect(rest.status).toBe(401);
    expect(Object.fromEntries(rest.headers)).toMatchObject({ 'ratelimit-limit': '3', 'ratelimit-remaining': '2' });
    const graphql = await app.graphql('{ __typename }');
    expect(Object.fromEntries(graphql.headers)).toMatchObject({
      'ratelimit-remaining': '1',
      'access-control-expose-headers': expect.stringContaining('RateLimit-Remaining'),
    });
    expect((await app.graphql('{ __typename }')).status).toBe(200);
    expect((await app.graphql('{ __typename }')).status).toBe(429);

    const refused = await fetch(`${app.url}/v2/me`);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await refused.json()).toMatchObject({ error: { code: 'RATE_LIMITED', limit: 3 } });
  });

  test('behind a trusted proxy, each client over REST is counted by its own address', async () => {
    const proxied = await startTestApp({ RATE_LIMITS: 'anonymous=1', TRUST_PROXY: '127.0.0.1/32,::1/128' });
    try {
      const from = (address: string) =>
        fetch(`${proxied.url}/v2/me`, { headers: { 'x-forwarded-for': address } }).then(({ status }) => status);
      expect([await from('203.0.113.5'), await from('203.0.113.5'), await from('198.51.100.77')]).toEqual([
        401, 429, 401,
      ]);
    } finally {
      await proxied.close();
    }
  });

  test('requests that cannot be read are counted like the rest, at either door, and limited before they are read', async () => {
    const limited = await startTestApp({ RATE_LIMITS: 'anonymous=2' });
    try {
      const post = async (path: string) => {
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(`${limited.url}${path}`, { method: 'POST', headers, body: '{' });
        return [answer.status, answer.headers.get('ratelimit-remaining'), answer.headers.has('retry-after')];
      };
      expect(await post('/v2/bookings')).toEqual([400, '1', false]);
      expect(await post('/graphql')).toEqual([400, '0', false]);
      expect(await post('/v2/bookings')).toEqual([429, '0', true]);
      expect(await post('/graphql')).toEqual([429, '0', true]);
      const unknown = await fetch(`${limited.url}/v2/public-event-types?nonsense=1`);
      expect(unknown.status).toBe(429);
    } finally {
      await limited.close();
    }
  });

  test.each<[string, string, Sent, number]>([
    [
      'an Authorization that is no token',
      '/graphql',
      { headers: { authorization: `Bearer x${' '.repeat(9_000)}y` } },
      400,
    ],
    ['two of them', '/v2/me', { method: 'GET', body: null, headers: { authorization: 'Bearer a, Bearer b' } }, 400],
    ['a method that there is not', '/graphql', { method: 'DELETE', body: null }, 405],
    ['a body that is no JSON', '/graphql', {}, 400],
    ['another type', '/graphql', { headers: { 'content-type': 'text/plain' } }, 415],
    ['a compressed body', '/graphql', { headers: { 'content-encoding': 'br' } }, 415],
    ['a body that is too large', '/graphql', { body: ' '.repeat(1_000_001) }, 413],
    [
      'an answer that there is not',
      '/graphql',
      { headers: { accept: 'image/png' }, body: '{"query":"{__typename}"}' },
      406,
    ],
    ['a path that there is not', '/v2/nowhere', {}, 404],
    ['a method that a path does not have', '/v2/me', { method: 'PUT' }, 405],
    [
      'credentials that cannot be read for the scopes of a document',
      '/graphql/scopes',
      { headers: { authorization: '' } },
      400,
    ],
    [
      'credentials that cannot be read at a public page',
      '/book/ada',
      { headers: { authorization: ' ' }, method: 'GET', body: null },
      400,
    ],
  ])('%s counts for the address as any request, and the next is refused before', async (_what, path, init, status) => {
    const limited = await startTestApp({ RATE_LIMITS: 'anonymous=2' });
    try {
      const ask = async () => {
        const headers = { 'content-type': 'application/json', ...init.headers };
        const answer = await fetch(`${limited.url}${path}`, { method: 'POST', body: '{', ...init, headers });
        return [answer.status, answer.headers.get('ratelimit-remaining')];
      };
      expect([await ask(), await ask(), await ask()]).toEqual([
        [status, '1'],
        [status, '0'],
        [429, '0'],
      ]);
      expect((await limited.graphql('{ __typename }')).status).toBe(429);
    } finally {
      await limited.close();
    }
  });

  test('the sessions of one user have one wider count together', async () => {
    const limited = await startTestApp({ RATE_LIMITS: 'session=4' });
    try {
      const statuses: number[] = [];
      for (let n = 0; n < 3; n += 1) {
        const dan = await limited.signIn('dan@solo.test');
        for (let sent = 0; sent < 3; sent += 1)
          statuses.push(
            await dan.graphql('{ me { id } }', {}).then(
              () => 200,
              (error: unknown) => (/429/.test(String(error)) ? 429 : 0),
            ),
          );
      }
      expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 429]);
    } finally {
      await limited.close();
    }
  });

  test('a mutation that has been asked too often says when to come back', async () => {
    const codes = await startTestApp();
    try {
      const known = await fetch(`${codes.url}/v2/public-event-types?username=ada`);
      const { data } = (await known.json()) as { data: [{ id: string }] };
      const ask = () =>
        fetch(`${codes.url}/v2/booker-email-verifications`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ eventTypeId: data[0].id, email: 'grace@example.test' }),
        });
      await expect.poll(async () => (await ask()).status).toBe(429);
      const refused = await ask();
      expect(await refused.json()).toMatchObject({ error: { code: 'TOO_MANY_GUESSES' } });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
    } finally {
      await codes.close();
    }
  });

  test('a token that is dead is 401, whatever was sent before from its address or by its grant', async () => {
    const bob = await TestBrowser.signedIn(app.url, 'bob@acme.test');
    const { access_token: token } = await tokensFor(bob, APP);
    const ask = async (bearer: string) => {
      const { status, headers } = await app.graphql('{ me { id } }', { token: bearer });
      return [
        status,
        headers.get('retry-after') !== null,
        /error="([^"]*)"/.exec(headers.get('www-authenticate') ?? '')?.[1],
      ];
    };
    await expect.poll(() => ask(token)).toEqual([429, true, undefined]);
    for (let n = 0; n < 10; n += 1) expect(await ask('abc')).toEqual([401, false, 'invalid_token']);
    await bob.submit(await bob.open(`/settings/apps/${APP.client_id}/revoke`), {});
    for (let n = 0; n < 10; n += 1) expect(await ask(token)).toEqual([401, false, 'invalid_token']);
    expect((await app.graphql('{ __typename }')).status).toBe(429);
  });
});
