import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const MINE = 'query Mine { me { eventTypes { nodes { title } } } }';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly body: any;
}

async function ask(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${app.url}/graphql/scopes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

test('anybody learns the least that an operation requires, and because of which fields', async () => {
  const { status, headers, body } = await ask({ query: MINE });
  expect(status).toBe(200);
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(body).toEqual({
    scopes: ['EVENT_TYPE_READ'],
    public: false,
    fields: [
      {
        coordinate: 'Viewer.eventTypes',
        level: 'USER',
        path: ['me', 'eventTypes'],
        requires: ['EVENT_TYPE_READ'],
        conditional: false,
        location: { line: 1, column: 19 },
      },
    ],
    alternatives: {},
    conditional: [],
  });
});

test('the API requires what the explanation says', async () => {
  const query = 'query ($id: ID!) { team(id: $id) { slug eventTypes { nodes { id } } } }';
  const { body } = await ask({ query });
  const refusal = await app.graphql(query, { variables: { id: 'team_1' } });
  expect(body.scopes).toEqual(['TEAM_EVENT_TYPE_READ', 'TEAM_PROFILE_READ']);
  expect(refusal.body.errors[0].extensions.requiredScopes).toEqual(body.scopes);
  expect(body.alternatives).toEqual({
    TEAM_EVENT_TYPE_READ: ['ORG_EVENT_TYPE_READ'],
    TEAM_PROFILE_READ: ['ORG_PROFILE_READ'],
  });
});

test('below the list of an organization’s teams, what it says is the organization’s, and no team’s', async () => {
  const teams =
    'teams { nodes { eventTypes { nodes { id } } memberships { nodes { id } } schedules { nodes { id } } } }';
  const query = `query ($id: ID!) { organization(id: $id) { ${teams} } }`;
  const { body } = await ask({ query });
  const refusal = await app.graphql(query, { variables: { id: 'org_1' } });
  expect(body.scopes).toEqual(['ORG_EVENT_TYPE_READ', 'ORG_SCHEDULE_READ', 'ORG_PROFILE_READ', 'ORG_MEMBERSHIP_READ']);
  expect(refusal.body.errors[0].extensions.requiredScopes).toEqual(body.scopes);
  expect(body.fields).toContainEqual(
    expect.objectContaining({
      coordinate: 'Team.eventTypes',
      level: 'ORGANIZATION',
      requires: ['ORG_EVENT_TYPE_READ'],
    }),
  );
  expect(body.alternatives).toEqual({});
});

test('the named one of several operations is explained', async () => {
  const query = `${MINE} query Me { me { name } }`;
  expect((await ask({ query, operationName: 'Me' })).body.scopes).toEqual(['PROFILE_READ']);
  expect((await ask({ query })).body.errors[0].message).toMatch(/Mine, Me/);
});

test('a client learns what it has not enabled, or where to send its users', async () => {
  const narrow = await ask({ query: MINE, clientId: 'demo-narrow' });
  expect(narrow.body.client).toEqual({ notEnabled: ['EVENT_TYPE_READ'] });
  const { client } = (await ask({ query: MINE, clientId: 'demo-app' })).body;
  expect(client.notEnabled).toEqual([]);
  const url = new URL(client.authorizeUrl);
  expect(url.origin + url.pathname).toBe(`${app.url}/auth/oauth2/authorize`);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({ client_id: 'demo-app', scope: 'EVENT_TYPE_READ' });
  expect((await ask({ query: MINE, clientId: 'demo-legacy' })).body.client.notEnabled).toEqual([]);
});

test('only a client’s owner who is signed in learns where it sends its users', async () => {
  expect(await redirectUriFor('ada@acme.test')).toBe('http://localhost:4000/demo/callback');
  expect(await redirectUriFor('dan@solo.test')).toBeNull();
  expect(await redirectUriFor('admin@gatehouse.test')).toBeNull();
  expect(await redirectUriFor()).toBeNull();
});

async function redirectUriFor(email?: string): Promise<string | null> {
  const headers = email === undefined ? {} : { cookie: await cookieOf(email) };
  const { client } = (await ask({ query: MINE, clientId: 'demo-app' }, headers)).body;
  return new URL(client.authorizeUrl).searchParams.get('redirect_uri');
}

async function cookieOf(email: string): Promise<string> {
  const response = await fetch(`${app.url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'gatehouse-demo' }),
  });
  return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

test('fields of signed-in sessions are as unknown here as fields that do not exist, and never suggested', async () => {
  const { status, body } = await ask({ query: /* invalid */ '{ me { oauthClient { nodes { name } } } }' });
  expect(status).toBe(400);
  expect(body.errors[0].message).toBe('Cannot query field "oauthClient" on type "Viewer".');
});

describe('a question is refused when', () => {
  test.each<[string, number, unknown, Record<string, string>?]>([
    ['it is not JSON', 400, '{'],
    ['it is a list', 400, '[]'],
    ['it has no query', 400, {}],
    ['its query is no text', 400, { query: 7 }],
    ['it has a parameter of another kind', 400, { query: MINE, variables: {} }],
    ['its client is unknown', 404, { query: MINE, clientId: 'nobody' }],
    ['its client cannot be one', 404, { query: MINE, clientId: 'a\0b' }],
    ['its document has a mistake', 400, { query: '{ me {' }],
    ['its document runs in a circle', 400, { query: /* invalid */ '{ me { ...A } } fragment A on Viewer { ...A }' }],
    ['it is larger than 64 KiB', 413, { query: `# ${'x'.repeat(70_000)}` }],
    ['it is not said to be JSON', 415, { query: MINE }, { 'content-type': 'text/plain' }],
    ['it is compressed', 415, { query: MINE }, { 'content-encoding': 'gzip' }],
  ])('%s', async (_what, status, body, headers) => {
    const answer = await ask(body, headers);
    expect(answer.status).toBe(status);
    expect(answer.body.errors[0].message).toMatch(/\w/);
    expect(answer.body.errors[0].extensions.code).toMatch(/^[A-Z_]+$/);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('it is sent by GET', async () => {
    const response = await fetch(`${app.url}/graphql/scopes?query=${encodeURIComponent(MINE)}`);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST, OPTIONS');
  });
});
