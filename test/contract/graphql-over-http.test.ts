import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { APP, tokensFor } from '../support/oauth-requests.ts';
import { send } from '../support/raw-http.ts';
import { TestBrowser } from '../support/test-browser.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const audits = serverAudits({ url: async () => `${app.url}/graphql` });

describe('the GraphQL over HTTP audits', () => {
  test.each(audits.map((audit) => [audit.id, audit.name, audit] as const))('%s %s', async (_id, _name, audit) => {
    const result = await audit.fn();
    // The reason rides along, so that a failure says what the audit saw.
    expect(result).toMatchObject({ status: 'ok' });
  });
});

describe('a request that is no GraphQL request is refused before anybody asks who sent it', () => {
  const refused: [string, number, string, RequestInit][] = [
    ['DELETE', 405, 'METHOD_NOT_ALLOWED', { method: 'DELETE' }],
    ['GET without a document', 400, 'BAD_REQUEST', { method: 'GET' }],
    ['GET of an event stream', 406, 'NOT_ACCEPTABLE', { method: 'GET', headers: { accept: 'text/event-stream' } }],
    ['PUT', 405, 'METHOD_NOT_ALLOWED', { method: 'PUT', body: '{}' }],
    [
      'a form',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      { method: 'POST', body: new URLSearchParams({ query: '{ __typename }' }) },
    ],
    [
      'text',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      { method: 'POST', body: '{ __typename }', headers: { 'content-type': 'text/plain' } },
    ],
    [
      'application/graphql',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      { method: 'POST', body: '{ __typename }', headers: { 'content-type': 'application/graphql' } },
    ],
    [
      'another charset',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      json('{"query":"{ __typename }"}', { 'content-type': 'application/json; charset=utf-16' }),
    ],
    [
      'an event stream asked for',
      406,
      'NOT_ACCEPTABLE',
      json('{"query":"{ __typename }"}', { accept: 'text/event-stream' }),
    ],
    ['a page asked for', 406, 'NOT_ACCEPTABLE', json('{"query":"{ __typename }"}', { accept: 'text/html' })],
    ['JSON refused', 406, 'NOT_ACCEPTABLE', json('{"query":"{ __typename }"}', { accept: 'application/json;q=0' })],
    ['broken JSON', 400, 'BAD_REQUEST', json('{"query":')],
    ['a batch', 400, 'BAD_REQUEST', json('[{"query":"{ __typename }"}]')],
    ['a body that is no object', 400, 'BAD_REQUEST', json('"query"')],
    ['null', 400, 'BAD_REQUEST', json('null')],
    ['no query', 400, 'BAD_REQUEST', json('{}')],
    ['a query that is no text', 400, 'BAD_REQUEST', json('{"query":7}')],
    ['variables that are no object', 400, 'BAD_REQUEST', json('{"query":"{ __typename }","variables":[1]}')],
    ['an unknown parameter', 400, 'BAD_REQUEST', json('{"query":"{ __typename }","token":"x"}')],
  ];
  test.each(refused)('%s', async (_name, status, code, init) => {
    // With a token that would be refused by itself: this comes first.
    const headers = new Headers(init.headers);
    headers.set('authorization', 'Bearer garbled');
    const response = await fetch(`${app.url}/graphql`, { ...init, headers });
    expect(response.status).toBe(status);
    const body = (await response.json()) as { errors: { extensions: { code: string } }[] };
    expect(body).not.toHaveProperty('data');
    expect(body.errors.map(({ extensions }) => extensions.code)).toEqual([code]);
  });
});

const get = (params: Record<string, string> | string, headers: Record<string, string> = {}) =>
  fetch(`${app.url}/graphql?${new URLSearchParams(params)}`, { headers });

describe('a query by GET', () => {
  const QUERY = 'query Named($is: Boolean!) { __typename @include(if: $is) }';

  test('takes variables and the name of its operation, and is kept by no cache', async () => {
    const response = await get({ query: QUERY, operationName: 'Named', variables: '{"is":true}' });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.json()).toMatchObject({ data: { __typename: 'Query' } });
  });

  test.each([
    ['a mutation', 405, { query: 'mutation { __typename }' }],
    [
      'the mutation among two operations',
      405,
      { query: 'query A { __typename } mutation B { __typename }', operationName: 'B' },
    ],
    ['an unknown parameter', 400, { query: '{ __typename }', token: 'x' }],
    ['a document that is there twice', 400, 'query={__typename}&query={__typename}'],
    ['variables that are no JSON', 400, { query: QUERY, variables: /* invalid */ '{is:true}' }],
    ['variables that are no object', 400, { query: QUERY, variables: '[true]' }],
    ['extensions that are no object', 400, { query: '{ __typename }', extensions: '7' }],
  ])('with %s is %d', async (_what, status, params) => {
    const response = await get(params);
    expect(response.status).toBe(status);
    const { errors, ...rest } = (await response.json()) as { errors: { extensions: { code: string } }[] };
    expect(rest).toEqual({});
    expect(errors.map(({ extensions }) => extensions.code)).toEqual([
      status === 405 ? 'METHOD_NOT_ALLOWED' : 'BAD_REQUEST',
    ]);
  });

  test.each([
    ['a name of its own', 'token=x', '"token"'],
    ['a name of a document', 'documentId=abc', 'The query string has the unknown parameter "documentId"'],
    ['a token without a name', `eyJhbGciOiJFUzI1NiJ9.${'a'.repeat(200)}`, 'an unknown parameter'],
    ['a token by another name', 'ACCESS_TOKEN=a-secret', '"ACCESS_TOKEN"'],
    ['a name and a token in one', 'access_token%3Da-secret=', 'an unknown parameter'],
    ['control characters', '%0d%0aX-Injected:', 'an unknown parameter'],
  ])('with %s is refused with that reason, and no possible secret is repeated', async (_what, param, told) => {
    const { status, text } = await send(app.url, { path: `/graphql?query={__typename}&${param}` });
    const [{ message }] = JSON.parse(text).errors;
    expect([status, message]).toEqual([400, expect.stringContaining(told)]);
    expect(message.length).toBeLessThan(120);
    expect(message).not.toContain('secret');
  });

  test('with a mutation is answered with the method that takes it', async () => {
    expect((await get({ query: 'mutation { __typename }' })).headers.get('allow')).toBe('POST, OPTIONS');
  });

  test('in a text that is no UTF-8 is refused, and not repaired', async () => {
    expect(await send(app.url, { path: '/graphql?query=%7B__typename%7D%23%ff' })).toMatchObject({
      status: 400,
      text: expect.stringContaining('UTF-8'),
    });
  });

  test('is judged by its token as by POST, and never answered to a session, whatever it asks for and wherever it comes from', async () => {
    const ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
    const { access_token } = await tokensFor(ada, APP, { scope: 'PROFILE_READ' });
    const authorization = `Bearer ${access_token}`;
    expect((await get({ query: '{ me { username } }' }, { authorization })).status).toBe(200);
    expect((await get({ query: '{ me { bookings { nodes { id } } } }' }, { authorization })).status).toBe(403);
    expect((await get({ query: '{ me { username } }' })).status).toBe(401);
    const { cookie } = ada;
    const { origin } = new URL(app.url);
    const said: readonly Readonly<Record<string, string>>[] = [
      {},
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'cross-site' },
      { origin },
      { origin: 'https://evil.test' },
      { accept: 'application/graphql-response+json' },
    ];
    const asked = ['{ me { username } }', '{ __typename }', '{ publicEventTypes(username: "ada") { nodes { slug } } }'];
    for (const headers of said) {
      for (const query of [...asked, ...asked]) {
        const refused = await get({ query }, { cookie, ...headers });
        expect([headers, query, refused.status, await refused.text()]).toEqual([
          headers,
          query,
          403,
          expect.stringContaining('FOREIGN_REQUEST'),
        ]);
      }
    }
    // A cookie that signs nobody in is none, and beside a token the token counts.
    const nobody = await get({ query: '{ __typename }' }, { cookie: 'gatehouse_session=x' });
    expect(await nobody.json()).toMatchObject({ data: { __typename: 'Query' } });
    expect((await get({ query: '{ me { username } }' }, { authorization, cookie })).status).toBe(200);
    const head = await fetch(`${app.url}/graphql?query={me{username}}`, { method: 'HEAD', headers: { cookie } });
    expect(head.status).toBe(405);
    // The paths of REST know no session at all, by whatever method.
    for (const method of ['GET', 'HEAD', 'PATCH']) {
      const rest = await fetch(`${app.url}/v2/me`, { method, headers: { cookie, 'sec-fetch-site': 'same-origin' } });
      expect([method, rest.status]).toEqual([method, 401]);
    }
  });
});

test.each(['GET', 'POST'])(
  'a hash in the place of a document is answered as clients know it, by %s',
  async (method) => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } };
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const response =
        method === 'GET'
          ? await fetch(`${app.url}/graphql?${new URLSearchParams({ extensions: JSON.stringify(extensions) })}`, {
              headers: { accept },
            })
          : await fetch(`${app.url}/graphql`, json(JSON.stringify({ extensions }), { accept }));
      expect(response.status).toBe(accept === 'application/json' ? 200 : 400);
      expect(await response.json()).toEqual({
        errors: [{ message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }],
      });
    }
    const both = await fetch(`${app.url}/graphql`, json(JSON.stringify({ query: '{ __typename }', extensions })));
    expect(await both.json()).toMatchObject({ data: { __typename: 'Query' } });
  },
);

test.each([
  ['/graphql', 'GET, POST'],
  ['/graphql/scopes', 'POST'],
  ['/v2/auth/oauth2/token', 'POST'],
  ['/v2/auth/oauth2/revoke', 'POST'],
  ['/.well-known/oauth-authorization-server', 'GET, HEAD'],
  ['/.well-known/oauth-protected-resource', 'GET, HEAD'],
  ['/v2/me', 'GET, HEAD, PATCH'],
  ['/schema.graphql', 'GET, HEAD'],
])('any page may send what client libraries send to %s, and no cookie', async (path, methods) => {
  const { status, headers } = await preflight(path);
  expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*']);
  expect(wordsOf(headers.get('access-control-allow-methods'))).toEqual(wordsOf(methods));
  expect(wordsOf(headers.get('access-control-allow-headers'))).toEqual(['Authorization', 'Content-Type', '*']);
  expect(headers.has('access-control-allow-credentials')).toBe(false);
});

test.each(['/v2/auth/oauth2/introspect', '/auth/login', '/settings/account'])('no page may call %s', async (path) => {
  expect((await preflight(path)).headers.has('access-control-allow-origin')).toBe(false);
});

function preflight(path: string): Promise<Response> {
  const asked = 'apollographql-client-name, authorization, content-type, traceparent, x-request-id';
  return fetch(`${app.url}${path}`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': asked,
    },
  });
}

function wordsOf(list: string | null): string[] | undefined {
  return list?.split(/,\s*/);
}

function json(body: string, headers: Record<string, string> = {}): RequestInit {
  return { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } };
}

describe.each([
  ['with its length', {}],
  ['in chunks', { 'transfer-encoding': 'chunked' }],
])('a body that comes %s', (_how, headers) => {
  const post = (padding: number) =>
    send(app.url, {
      method: 'POST',
      path: '/graphql',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query: '{ __typename }' }).padEnd(padding),
    });

  test('is 413 when it is over a megabyte', async () => {
    const { status, text } = await post(1_000_001);
    expect(status).toBe(413);
    expect(JSON.parse(text).errors[0].extensions.code).toBe('REQUEST_ENTITY_TOO_LARGE');
  });

  test('is 400 when it is not UTF-8, and nothing of it is repeated when it is not JSON', async () => {
    const at = { method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json', ...headers } };
    const garbled = Buffer.from(JSON.stringify({ query: '{ __typename } # é' }), 'latin1');
    expect(await send(app.url, { ...at, body: garbled })).toMatchObject({
      status: 400,
      text: expect.stringContaining('UTF-8'),
    });
    const broken = await send(app.url, { ...at, body: '{"variables":{"password":"secret"' });
    expect(broken).toMatchObject({ status: 400, text: expect.not.stringContaining('secret') });
  });

  test('is read up to a megabyte', async () => {
    expect(await post(1_000_000)).toMatchObject({ status: 200, text: expect.stringContaining('"Query"') });
  });
});

test.each([
  ['a syntax error', '{ me {', 'GRAPHQL_PARSE_FAILED'],
  ['an unknown field', /* invalid */ '{ me { nope } }', 'GRAPHQL_VALIDATION_FAILED'],
  ['a subscription, since there are none', 'subscription { me { id } }', 'GRAPHQL_VALIDATION_FAILED'],
])('%s is a request error, 400 where the media type allows to say so', async (_name, query, code) => {
  for (const accept of ['application/json', 'application/graphql-response+json']) {
    const response = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify({ query }),
    });
    const body = (await response.json()) as { errors: { extensions: { code: string } }[] };
    expect(body.errors[0]?.extensions.code).toBe(code);
    expect(response.status).toBe(accept === 'application/json' ? 200 : 400);
  }
});
