import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { send } from '../support/raw-http.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

// GET is not served at all: any web page could send it without asking (CSRF). The audits on GET are notices.
const audits = serverAudits({ url: async () => `${app.url}/graphql` });

describe('the GraphQL over HTTP audits', () => {
  test.each(audits.map((audit) => [audit.id, audit.name, audit] as const))('%s %s', async (_id, name, audit) => {
    const result = await audit.fn();
    const allowed = /\bGETs?\b/.test(name) ? ['ok', 'notice'] : ['ok'];
    // The reason rides along, so that a failure says what the audit saw.
    expect({ allowed, ...result }).toMatchObject({ status: expect.toBeOneOf(allowed) });
  });
});

describe('a request that is no GraphQL request is refused before anybody asks who sent it', () => {
  const refused: [string, number, string, RequestInit][] = [
    ['GET', 405, 'METHOD_NOT_ALLOWED', { method: 'GET' }],
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
  ['an unknown field', '{ me { nope } }', 'GRAPHQL_VALIDATION_FAILED'],
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
