import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { addClient, addUser, SECRET } from './support/test-server.ts';

const TOKEN = '/v2/auth/oauth2/token';
const FORM = 'application/x-www-form-urlencoded';

let app: TestApp;
let clientId: string;
beforeAll(async () => {
  app = await startTestApp({ SEED_DEMO: 'off' });
  const em = app.database.em.fork();
  clientId = await addClient(em, await addUser(em));
});
afterAll(() => app.close());

describe('an error of the token endpoint', () => {
  test('has the body of RFC 6749, and is never stored', async () => {
    const response = await post(`client_id=${clientId}&client_secret=${SECRET}&grant_type=password`);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: 'unsupported_grant_type',
      error_description: "grant_type is 'password'; use authorization_code or refresh_token.",
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('pragma')).toBe('no-cache');
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  });

  test('can be read by scripts of any site, without their credentials', async () => {
    const response = await post('client_id=x', { origin: 'https://spa.example' });
    expect(response.status).toBe(401);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('names the scheme when the client did not authenticate', async () => {
    const response = await post(`client_id=${clientId}&client_secret=wrong&grant_type=refresh_token&refresh_token=x`);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
    expect(await response.json()).toMatchObject({ error: 'invalid_client' });
  });

  test.each([
    ['is compressed', 415, { 'content-encoding': 'gzip' }, 'x'],
    ['is larger than 64 KiB', 413, {}, `a=${'x'.repeat(65_536)}`],
    ['is not UTF-8', 400, {}, new Uint8Array([0x61, 0x3d, 0xff])],
    ['is XML', 400, { 'content-type': 'application/xml' }, '<a/>'],
    ['is a JSON array', 400, { 'content-type': 'application/json' }, '[]'],
    ['repeats a parameter', 400, {}, 'client_id=a&client_id=b'],
    ['has a NUL', 400, {}, 'client_id=a%00b&grant_type=refresh_token'],
    ['is empty', 401, {}, ''],
  ])('is said when the body %s', async (_, status, headers, body) => {
    const response = await post(body, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toHaveProperty('error_description');
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('is said when parameters stand in the address', async () => {
    const response = await fetch(`${app.url}${TOKEN}?client_id=${clientId}`, {
      method: 'POST',
      headers: { 'content-type': FORM },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'invalid_request' });
  });

  test.each(['GET', 'PUT', 'DELETE'])('is said to %s, with the method that is allowed', async (method) => {
    const response = await fetch(`${app.url}${TOKEN}`, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST, OPTIONS');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('the token endpoint takes', () => {
  const fields = { grant_type: 'refresh_token', refresh_token: 'x' };

  // An authenticated client is told that the token is unusable: that is how far each of these gets.
  test.each<[string, () => [string, Record<string, string>]]>([
    ['a form', () => [new URLSearchParams({ ...fields, client_id: clientId, client_secret: SECRET }).toString(), {}]],
    [
      'a flat JSON object',
      () => [
        JSON.stringify({ ...fields, client_id: clientId, client_secret: SECRET }),
        { 'content-type': 'application/json' },
      ],
    ],
    ['HTTP Basic', () => [new URLSearchParams(fields).toString(), { authorization: basic(clientId, SECRET) }]],
  ])('%s', async (_, request) => {
    const [body, headers] = request();
    const response = await post(body, headers);
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([400, 'invalid_grant']);
  });

  test('not both ways of authenticating at once', async () => {
    const body = new URLSearchParams({ ...fields, client_id: clientId, client_secret: SECRET }).toString();
    const response = await post(body, { authorization: basic(clientId, SECRET) });
    expect(await response.json()).toMatchObject({ error: 'invalid_request' });
  });

  test('a preflight, and allows the headers that clients send', async () => {
    const response = await fetch(`${app.url}${TOKEN}`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://spa.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization');
  });
});

describe('the other endpoints', () => {
  test('revocation answers 200 to a token that nobody knows, with nothing to tell', async () => {
    const response = await post(
      `client_id=${clientId}&client_secret=${SECRET}&token=unknown`,
      {},
      '/v2/auth/oauth2/revoke',
    );
    expect([response.status, await response.text()]).toEqual([200, '{}']);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('introspection says that such a token is inactive, and is no matter for scripts', async () => {
    const response = await post(
      `client_id=${clientId}&client_secret=${SECRET}&token=unknown`,
      {},
      '/v2/auth/oauth2/introspect',
    );
    expect([response.status, await response.json()]).toEqual([200, { active: false }]);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the metadata', () => {
  test.each(['oauth-authorization-server', 'oauth-protected-resource', 'jwks.json'])(
    '%s may be cached, and asked about',
    async (name) => {
      const address = `${app.url}/.well-known/${name}`;
      const response = await fetch(address);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      const again = await fetch(address, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } });
      expect([again.status, await again.text()]).toEqual([304, '']);
      expect((await fetch(address, { headers: { 'if-none-match': '"another"' } })).status).toBe(200);
      expect((await fetch(address, { method: 'HEAD' })).status).toBe(200);
      expect((await fetch(address, { method: 'POST' })).status).toBe(405);
    },
  );

  test('names no address that does not answer', async () => {
    const metadata = (await (await fetch(`${app.url}/.well-known/oauth-authorization-server`)).json()) as Record<
      string,
      string
    >;
    expect(metadata['issuer']).toBe(app.url);
    const addresses = Object.entries(metadata).filter(([name]) => name.endsWith('_endpoint') || name.endsWith('_uri'));
    expect(addresses.map(([name]) => name)).toEqual(
      expect.arrayContaining(['authorization_endpoint', 'token_endpoint', 'jwks_uri']),
    );
    for (const [, address] of addresses) expect((await fetch(address, { method: 'GET' })).status).not.toBe(404);
  });

  test('of OpenID Connect does not exist: no ID tokens are issued', async () => {
    expect((await fetch(`${app.url}/.well-known/openid-configuration`)).status).toBe(404);
  });
});

function post(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
  path = TOKEN,
): Promise<Response> {
  return fetch(app.url + path, { method: 'POST', headers: { 'content-type': FORM, ...headers }, body });
}

function basic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;
}
