/** How scopes of others were bypassed, tried over HTTP on the whole service. The numbers are those of public advisories. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES } from '../../src/scopes/catalog.ts';
import { type GraphQLAnswer, startTestApp, type TestApp } from '../support/app.ts';
import { APP, tokensFor } from '../support/oauth-requests.ts';
import { TestBrowser } from '../support/test-browser.ts';

let app: TestApp;
let ada: TestBrowser;
const tokens = new Map<string, string>();
beforeAll(async () => {
  app = await startTestApp();
  ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
});
afterAll(() => app.close());

/** An access token of ada's with these scopes. */
async function token(scope: string): Promise<string> {
  const known = tokens.get(scope) ?? (await tokensFor(ada, APP, { scope })).access_token;
  tokens.set(scope, known);
  return known;
}

async function ask(scope: string, query: string, variables: Record<string, unknown> = {}): Promise<GraphQLAnswer> {
  return app.graphql(query, { token: await token(scope), variables });
}

async function readProfile(scope: string): Promise<Response> {
  return fetch(`${app.url}/v2/me`, { headers: { authorization: `Bearer ${await token(scope)}` } });
}

function post(search: string, body: object): Promise<Response> {
  return fetch(`${app.url}/graphql${search}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const missing = ({ status, body }: GraphQLAnswer) => ({ status, missing: body.errors?.[0]?.extensions.missingScopes });
const REFUSED = (...scopes: string[]) => ({ status: 403, missing: scopes });
const RUN = { status: 200, missing: undefined };

describe('an operation does not run without its scopes', () => {
  test('under the name of one that servers treat specially (CVE-2024-4994)', async () => {
    for (const name of ['IntrospectionQuery', '__schema', '_service']) {
      const query = `query ${name} { me { name } }`;
      expect(missing(await ask('BOOKING_READ', query))).toEqual(REFUSED('PROFILE_READ'));
      expect(missing(await ask('PROFILE_READ', query))).toEqual(RUN);
    }
  });

  test('behind the alias __proto__ (CVE-2026-32621)', async () => {
    const query = '{ __proto__: me { constructor: name } }';
    expect(missing(await ask('BOOKING_READ', query))).toEqual(REFUSED('PROFILE_READ'));
    expect(missing(await ask('PROFILE_READ', query))).toEqual(RUN);
  });

  test('with a directive of its own that says it is public (CVE-2026-19478)', async () => {
    const { status, body } = await ask('BOOKING_READ', /* invalid */ '{ me @requiresScope(access: PUBLIC) { name } }');
    expect(body).not.toHaveProperty('data.me');
    expect([200, 400]).toContain(status);
    expect(body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  test('with the fields that lack scopes under a condition', async () => {
    const query =
      'query ($no: Boolean = false) { me { name username @include(if: $no) eventTypes @skip(if: true) { nodes { id } } } }';
    expect(missing(await ask('PROFILE_READ', query))).toEqual(REFUSED('EVENT_TYPE_READ'));
    expect(missing(await ask('PROFILE_READ EVENT_TYPE_READ', query))).toEqual(RUN);
  });

  test('with nothing selected but structure', async () => {
    for (const query of ['{ me { __typename } }', '{ me { ... on Viewer { __typename } } }']) {
      expect(missing(await ask('BOOKING_READ', query))).toEqual(REFUSED('PROFILE_READ'));
      expect(missing(await ask('PROFILE_READ', query))).toEqual(RUN);
    }
    const page = '{ me { eventTypes { pageInfo { hasNextPage } } } }';
    expect(missing(await ask('PROFILE_READ', page))).toEqual(REFUSED('EVENT_TYPE_READ'));
    expect(missing(await ask('EVENT_TYPE_READ', page))).toEqual(RUN);
  });

  test('in a fragment that was judged at another level before (GHSA-224p-v68g-5g8f)', async () => {
    const query = `{ me { eventTypes { ...F } teams { nodes { slug eventTypes { ...F } } } } }
      fragment F on EventTypeConnection { nodes { title } }`;
    expect(missing(await ask('EVENT_TYPE_READ TEAM_PROFILE_READ', query))).toEqual(REFUSED('TEAM_EVENT_TYPE_READ'));
    expect(missing(await ask('EVENT_TYPE_READ TEAM_PROFILE_READ TEAM_EVENT_TYPE_READ', query))).toEqual(RUN);
  });

  test('beside one that it may run, whose result is not given either', async () => {
    const answer = await ask('PROFILE_READ', '{ me { name eventTypes { nodes { id } } } }');
    expect(missing(answer)).toEqual(REFUSED('EVENT_TYPE_READ'));
    expect(answer.body).not.toHaveProperty('data');
  });
});

test('a scope to read writes nothing (CVE-2025-11340)', async () => {
  const query = 'mutation ($input: EventTypeCreateInput!) { eventTypeCreate(input: $input) { eventTypeId } }';
  const variables = { input: { title: 'Written', slug: 'written', durationInMinutes: 30 } };
  expect(missing(await ask('EVENT_TYPE_READ', query, variables))).toEqual(REFUSED('EVENT_TYPE_WRITE'));
  const { body } = await ask('EVENT_TYPE_READ', '{ me { eventTypes(first: 100) { nodes { slug } } } }');
  expect(JSON.stringify(body)).not.toContain('written');
  expect(missing(await ask('EVENT_TYPE_WRITE', query, variables))).toEqual(RUN);
});

test('a scope to write reads nothing: a payload’s entity is paid for like any other', async () => {
  const query = 'mutation ($input: EventTypeCreateInput!) { eventTypeCreate(input: $input) { eventType { title } } }';
  const variables = { input: { title: 'Read back', slug: 'read-back', durationInMinutes: 30 } };
  expect(missing(await ask('EVENT_TYPE_WRITE', query, variables))).toEqual(REFUSED('EVENT_TYPE_READ'));
  expect(missing(await ask('EVENT_TYPE_WRITE EVENT_TYPE_READ', query, variables))).toEqual(RUN);
});

test('the verdict on one caller is never another’s, whichever caller sends the document first', async () => {
  const query = 'query Cached { me { username } }';
  for (const [scope, expected] of [
    ['PROFILE_READ', RUN],
    ['BOOKING_READ', REFUSED('PROFILE_READ')],
    ['PROFILE_READ', RUN],
  ] as const) {
    expect(missing(await ask(scope, query))).toEqual(expected);
  }
  expect((await app.graphql(query)).status).toBe(401);
});

test('nobody subscribes around the scopes (CVE-2024-4006): there are no subscriptions', async () => {
  const { body } = await ask('PROFILE_READ', 'subscription { __typename }');
  expect(body).not.toHaveProperty('data.__typename');
  expect(body.errors).toHaveLength(1);
});

describe('there is no second door (CVE-2025-14592)', () => {
  test.each([
    '/graphql/',
    '/GraphQL',
    '/graphql/x',
    '//graphql',
    '/graphql%2f',
    '/v2/graphql',
    '/api/graphql',
    '/graphiql',
  ])('%s serves no GraphQL', async (path) => {
    const response = await fetch(`${app.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await token('BOOKING_READ')}` },
      body: JSON.stringify({ query: '{ me { name } }' }),
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await response.text()).not.toContain('"data"');
  });

  test('the REST paths ask for the same scopes', async () => {
    const refused = await readProfile('BOOKING_READ');
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toMatch(/error="insufficient_scope", scope="PROFILE_READ"/);
    expect((await readProfile('PROFILE_READ')).status).toBe(200);
  });

  test('a token in the address or in the body is none', async () => {
    const query = '{ me { name } }';
    const inAddress = await post(`?access_token=${await token('PROFILE_READ')}`, { query });
    expect(inAddress.status).toBe(401);
    const inBody = await post('', { query, access_token: await token('PROFILE_READ') });
    expect([400, 401]).toContain(inBody.status);
  });
});

describe('fields for signed-in users alone do not exist for tokens', () => {
  test('whatever their scopes', async () => {
    const scope = SCOPES.join(' ');
    const { body } = await ask(scope, '{ me { oauthClients { nodes { clientId } } } }');
    expect(body.errors[0].message).toBe('Cannot query field "oauthClients" on type "Viewer".');
    expect(await ada.ask('{ me { oauthClients { nodes { clientId } } } }')).toHaveProperty('me.oauthClients');
  });

  test('in introspection', async () => {
    const query = '{ viewer: __type(name: "Viewer") { fields { name } } client: __type(name: "OAuthClient") { name } }';
    const { body } = await ask('PROFILE_READ', query);
    const names = body.data.viewer.fields.map(({ name }: { name: string }) => name);
    expect(names).toContain('eventTypes');
    expect(names).not.toContain('oauthClients');
    expect(body.data.client).toBeNull();
    expect(JSON.stringify(await ada.ask(query))).toContain('oauthClients');
  });

  test('in suggestions', async () => {
    for (const [query, hidden] of [
      [/* invalid */ '{ me { oauthClientz { nodes { clientId } } } }', 'oauthClients'],
      [/* invalid */ 'mutation { oauthClientApprov(input: {}) { client { status } } }', 'oauthClientApprove'],
      [/* invalid */ 'query ($i: OAuthClientCreateInpu!) { me { name } }', 'OAuthClientCreateInput'],
      [/* invalid */ '{ me { ... on OAuthClien { name } } }', 'OAuthClient"'],
    ] as const) {
      const { body } = await ask('PROFILE_READ', query);
      expect(body.errors.length).toBeGreaterThan(0);
      expect(JSON.stringify(body)).not.toContain(hidden);
    }
    expect(JSON.stringify((await ask('PROFILE_READ', /* invalid */ '{ me { nam } }')).body)).toContain('Did you mean');
  });
});
