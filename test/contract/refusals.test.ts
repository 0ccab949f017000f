/** Requests that may not do what they ask are answered with this status, code and challenge, over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { unknownId } from '../support/ids.ts';
import { APP, tokensFor } from '../support/oauth-requests.ts';
import { TestBrowser } from '../support/test-browser.ts';

let app: TestApp;
let ada: TestBrowser;
let poor: string;
beforeAll(async () => {
  app = await startTestApp();
  ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
  poor = (await tokensFor(ada, APP, { scope: 'PROFILE_READ' })).access_token;
});
afterAll(() => app.close());

interface Asked {
  readonly accept: string;
  readonly authorization?: string | undefined;
  readonly search?: string;
}

async function ask(query: string, { accept, authorization, search = '' }: Asked) {
  const response = await fetch(`${app.url}/graphql${search}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...(authorization !== undefined && { authorization }) },
    body: JSON.stringify({ query }),
  });
  const body = (await response.json()) as { errors: { message: string; extensions: Record<string, unknown> }[] };
  return { status: response.status, body, challenge: response.headers.get('www-authenticate') };
}

const start = () => `Bearer realm="Gatehouse", resource_metadata="${app.url}/.well-known/oauth-protected-resource"`;
const MIXED = '{ me { name eventTypes { nodes { id } } bookings { nodes { id } } } }';

const byPost = (query: string) => ({ method: 'POST', path: '/graphql?', body: JSON.stringify({ query }) });
const byGet = (query: string) => ({ method: 'GET', path: `/graphql?query=${encodeURIComponent(query)}&` });

/** In an address, which is logged, a token counts as none (RFC 6750 §2.3); beside one in a header it is one too many (§2). */
describe.each(['on', 'off'])('a token in the address alone, with FAST_PATH=%s', (fastPath) => {
  let service: TestApp;
  let token: string;
  beforeAll(async () => {
    service = await startTestApp({ FAST_PATH: fastPath });
    const owner = await TestBrowser.signedIn(service.url, 'ada@acme.test');
    token = (await tokensFor(owner, APP, { scope: 'PROFILE_READ' })).access_token;
  });
  afterAll(() => service.close());

  const REQUESTS: Readonly<Record<string, { method: string; path: string; body?: string; isPublic: boolean }>> = {
    'POST of what is public': { ...byPost('{ __typename }'), isPublic: true },
    'POST of what needs a token': { ...byPost('{ me { name } }'), isPublic: false },
    'GET of what is public': { ...byGet('{ __typename }'), isPublic: true },
    'GET of what needs a token': { ...byGet('{ me { name } }'), isPublic: false },
    explaining: { method: 'POST', path: '/graphql/scopes?', body: '{"query":"{ me { name } }"}', isPublic: true },
    'a path that is public': { method: 'GET', path: '/v2/public-event-types?username=ada&', isPublic: true },
    'a path that needs a token': { method: 'GET', path: '/v2/me?', isPublic: false },
  };

  describe.each(Object.entries(REQUESTS))('%s', (_, { method, path, body, isPublic }) => {
    async function answered(search: string, authorization?: string) {
      const response = await fetch(`${service.url}${path}${search}`, {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(authorization !== undefined && { authorization }),
        },
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      expect(text).not.toContain(token);
      return { status: response.status, challenge: response.headers.get('www-authenticate'), text };
    }

    test.each(['access_token', 'access%5Ftoken'])('%s counts as none', async (name) => {
      const challenge = `Bearer realm="Gatehouse", resource_metadata="${service.url}/.well-known/oauth-protected-resource"`;
      const without = await answered('');
      expect(without).toMatchObject(isPublic ? { status: 200, challenge: null } : { status: 401, challenge });
      // The second time it may be answered in front of the rest.
      for (const value of [token, token, '', 'garbled', `${token}&access_token=${token}`]) {
        expect(await answered(`${name}=${value}`)).toEqual(without);
      }
    });

    test('beside one in the header it is one too many, also when that was seen before', async () => {
      const authorization = `Bearer ${token}`;
      expect((await answered('', authorization)).status).toBe(200);
      for (const search of [`access_token=${token}`, 'access%5Ftoken=x', 'access_token']) {
        const refused = await answered(search, authorization);
        expect([refused.status, refused.challenge]).toEqual([400, expect.stringContaining('error="invalid_request"')]);
      }
    });
  });
});

describe.each(['application/json', 'application/graphql-response+json'])('as %s', (accept) => {
  test('without credentials it is 401, challenged without an error', async () => {
    const { status, body, challenge } = await ask(MIXED, { accept });
    expect([status, challenge]).toEqual([401, start()]);
    expect(body).not.toHaveProperty('data');
    expect(body.errors.map(({ extensions }) => extensions['code'])).toEqual(['UNAUTHENTICATED']);
  });

  test.each([
    ['what needs a token', MIXED],
    ['what is public', '{ __typename }'],
    ['what is no document', '{ me {'],
    ['what does not exist', /* invalid */ '{ nothing }'],
  ])('with a token that is none it is 401 and invalid_token, for %s', async (_, query) => {
    const { status, body, challenge } = await ask(query, { accept, authorization: 'Bearer none' });
    expect(status).toBe(401);
    expect(challenge).toMatch(/^Bearer realm="Gatehouse", .*, error="invalid_token", error_description="[^"]+"$/);
    expect(body.errors.map(({ extensions }) => extensions['code'])).toEqual(['UNAUTHENTICATED']);
  });

  test.each([
    ['no token', 'Bearer', ''],
    ['two tokens', 'Bearer one two', ''],
    ['one in the header and one in the address', 'Bearer one', '?access_token=two'],
  ])('with %s it is 400 and invalid_request', async (_, authorization, search) => {
    const { status, body, challenge } = await ask(MIXED, { accept, authorization, search });
    expect(status).toBe(400);
    expect(challenge).toMatch(/error="invalid_request"/);
    expect(body.errors.map(({ extensions }) => extensions['code'])).toEqual(['BAD_REQUEST']);
  });

  test('with a token that lacks scopes it is 403: the challenge names all that are needed, the error which are missing', async () => {
    const { status, body, challenge } = await ask(MIXED, { accept, authorization: `Bearer ${poor}` });
    const whole = ['EVENT_TYPE_READ', 'BOOKING_READ', 'PROFILE_READ'];
    expect([status, challenge]).toEqual([403, `${start()}, error="insufficient_scope", scope="${whole.join(' ')}"`]);
    expect(body).toEqual({
      errors: [
        {
          message: 'The access token lacks scopes that this operation needs: EVENT_TYPE_READ, BOOKING_READ.',
          locations: [
            { line: 1, column: 13 },
            { line: 1, column: 41 },
          ],
          extensions: {
            code: 'INSUFFICIENT_SCOPE',
            requiredScopes: whole,
            missingScopes: ['EVENT_TYPE_READ', 'BOOKING_READ'],
            fields: [
              {
                coordinate: 'Viewer.eventTypes',
                level: 'USER',
                path: ['me', 'eventTypes'],
                requires: ['EVENT_TYPE_READ'],
              },
              { coordinate: 'Viewer.bookings', level: 'USER', path: ['me', 'bookings'], requires: ['BOOKING_READ'] },
            ],
          },
        },
      ],
    });
  });

  test('once the app has been given what the challenge names, it runs', async () => {
    const refused = await ask(MIXED, { accept, authorization: `Bearer ${poor}` });
    const scope = /scope="([^"]+)"/.exec(refused.challenge ?? '')?.[1] ?? '';
    const { access_token: token } = await tokensFor(ada, APP, { scope });
    const { status, body } = await ask(MIXED, { accept, authorization: `Bearer ${token}` });
    expect([status, body.errors]).toEqual([200, undefined]);
  });

  test('a document that is not valid is that, whatever the token lacks', async () => {
    const { body, challenge } = await ask(/* invalid */ '{ me { bookings nothing } }', {
      accept,
      authorization: `Bearer ${poor}`,
    });
    expect(challenge).toBeNull();
    expect(new Set(body.errors.map(({ extensions }) => extensions['code']))).toEqual(
      new Set(['GRAPHQL_VALIDATION_FAILED']),
    );
  });

  test('where the scopes suffice and the role does not, it is 200 and null', async () => {
    const { access_token: token } = await tokensFor(ada, APP, { scope: 'ORG_PROFILE_READ' });
    const query = `{ organization(id: "${unknownId('organization')}") { name } }`;
    const { status, body, challenge } = await ask(query, { accept, authorization: `Bearer ${token}` });
    expect([status, body, challenge]).toEqual([200, expect.objectContaining({ data: { organization: null } }), null]);
  });
});
