/** Scanners for GraphQL services (graphql-cop and the like) look for these; they are tried on the whole service. */
import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GraphQLAnswer, startTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const times = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => write(index)).join(' ');
const codes = ({ body }: GraphQLAnswer): unknown[] =>
  body.errors?.map((error: { extensions?: { code?: string } }) => error.extensions?.code) ?? [];
const slots = (index: number): string => `s${index}: publicEventTypes(username: "ada") { nodes { title } }`;

const entries = (count: number, value: unknown): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`eventTipeId${index}`, value]));

const guess = (index: number): string =>
  `g${index}: passwordChange(input: { currentPassword: "guess-${index}", newPassword: "another-one" }) { userErrors { code } }`;

describe('a request that asks for too much is 400, without credentials and before anything is looked up', () => {
  test.each([
    ['aliases (alias overloading)', 'TOO_MANY_ALIASES', `{ ${times(101, (index) => `a${index}: __typename`)} }`],
    ['aliases of a costly field', 'TOO_MANY_ALIASES', `{ ${times(31, slots)} }`],
    ['fields over and over (field duplication)', 'TOO_MANY_ROOT_FIELDS', `{ ${times(500, () => '__typename')} }`],
    [
      'directives over and over (directive overloading)',
      'TOO_MANY_DIRECTIVES',
      `{ __typename ${times(100, () => '@aa')} }`,
    ],
    [
      'the schema in circles (circular introspection)',
      'INTROSPECTION_TOO_DEEP',
      `{ __schema { types ${'{ fields { type '.repeat(5)} { name } ${'} }'.repeat(5)} } }`,
    ],
    [
      'fragments in a fan',
      'QUERY_TOO_DEEP',
      `{ me { ...F0 } } ${times(60, (index) => `fragment F${index} on Viewer { eventTypes { ...F${index + 1} ...F${index + 1} } }`)} fragment F60 on Viewer { id }`,
    ],
    ['levels', 'QUERY_TOO_DEEP', /* invalid */ `{ me ${'{ teams { nodes '.repeat(10)} { slug } ${'} }'.repeat(10)} }`],
    [
      'root fields',
      'TOO_MANY_ROOT_FIELDS',
      `mutation { ${times(21, () => 'bookingCancel(input: { uid: "x" }) { userErrors { code } }')} }`,
    ],
    [
      'pages in pages',
      'COST_LIMIT_EXCEEDED',
      '{ me { organizations(first: 100) { nodes { teams(first: 100) { nodes { memberships(first: 100) { nodes { id } } } } } } } }',
    ],
  ])('%s', async (_what, code, query) => {
    const answer = await app.graphql(query);
    expect(answer.status).toBe(400);
    expect(codes(answer)).toEqual([code]);
    expect(answer.body).not.toHaveProperty('data');
  });

  test('many guesses of a password or code', async () => {
    expect(codes(await app.graphql(`mutation { ${times(2, guess)} }`))).toEqual(['TOO_MANY_MUTATIONS']);
    expect(codes(await app.graphql(`mutation { ${times(1, guess)} }`))).not.toContain('TOO_MANY_MUTATIONS');
  });
});

test('a limit is checked before credentials are missed and before scopes are: it depends on the document alone', async () => {
  const document = `{ me { ${times(31, (index) => `a${index}: name`)} } }`;
  expect(codes(await app.graphql(document))).toEqual(['TOO_MANY_ALIASES']);
  expect(codes(await app.graphql('{ me { name } }'))).toEqual(['UNAUTHENTICATED']);
});

test('an unknown token is refused before its document is read', async () => {
  const answer = await app.graphql('{ this is no document', { token: 'unknown' });
  expect(answer.status).toBe(401);
  expect(codes(answer)).toEqual(['UNAUTHENTICATED']);
});

describe('the answer to', () => {
  test('the introspection query that tools send is the schema that tokens see', async () => {
    const { status, body } = await app.graphql(
      getIntrospectionQuery({ descriptions: true, inputValueDeprecation: true }),
    );
    expect(status).toBe(200);
    expect(body.data).toHaveProperty('__schema.types');
  });

  test('an ordinary operation tells its cost, and nothing about how it was made', async () => {
    const { body, headers } = await app.graphql('{ publicEventTypes(username: "ada") { nodes { title } } }');
    expect(body.extensions).toEqual({ cost: { requested: 26, limit: 50_000 } });
    expect(headers.has('x-powered-by')).toBe(false);
    expect(headers.has('server')).toBe(false);
  });

  test('an operation that is not in its document is 400', async () => {
    const response = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'query A { __typename } query B { __typename }', operationName: 'C' }),
    });
    expect(response.status).toBe(400);
  });

  test('a document with several operations and no choice is 400', async () => {
    const { status } = await app.graphql('query A { __typename } query B { __typename }');
    expect(status).toBe(400);
  });

  test('a document without an operation is 400', async () => {
    const { status } = await app.graphql('fragment F on Viewer { id }');
    expect([200, 400]).toContain(status);
  });
});

describe('an error is short, however much is wrong:', () => {
  const booking = 'mutation ($input: BookingCreateInput!) { bookingCreate(input: $input) { userErrors { message } } }';
  test.each<[string, string, Record<string, unknown>]>([
    ['9,900 unknown input fields', booking, { input: entries(9_900, 1) }],
    ['unknown input fields with 5,000 characters each', booking, { input: entries(180, 'x'.repeat(5_000)) }],
    ['a text of 900 kB for a time', booking, { input: { eventTypeId: 'x', start: 'x'.repeat(900_000) } }],
    [
      'a text of 900 kB that is no time zone in 20 fields',
      `query ($zone: String!) { ${times(20, (index) => `a${index}: slots(eventType: { ofUser: { username: "ada", slug: "intro" } }, start: "2030-01-01T00:00:00Z", end: "2030-01-02T00:00:00Z", timeZone: $zone) { start }`)} }`,
      { zone: 'x'.repeat(900_000) },
    ],
    ['480 unknown types', `query (${times(480, (index) => `$v${index}: PublicEventTipe${index}`)}) { __typename }`, {}],
    [
      'a long name in 200 errors',
      `query ${'x'.repeat(90_000)} (${times(200, (index) => `$v${index}: Int`)}) { __typename }`,
      {},
    ],
    [
      'one mistake in each of 20 lists',
      `{ ${times(20, (index) => `a${index}: publicEventTypes(username: "ada", first: 0) { nodes { id } }`)} }`,
      {},
    ],
  ])('%s', async (_what, query, variables) => {
    const { body } = await app.graphql(query, { variables });
    expect(JSON.stringify(body).length).toBeLessThan(30_000);
    expect(codes({ body } as GraphQLAnswer).length).toBeLessThan(22);
  });
});

describe('hostile variables never break anything:', () => {
  const query =
    'query ($first: Int, $after: String) { publicEventTypes(username: "ada", first: $first, after: $after) { nodes { title } } }';
  test.each([
    ['a list', { first: [1, 2] }],
    ['an object', { first: { __proto__: null, constructor: 1 } }],
    ['a number that is none', { first: 0.5 }],
    ['a huge number', { first: 2 ** 53 }],
    ['a negative number', { first: -1 }],
    ['a NUL', { after: 'a\0b' }],
    ['half a surrogate pair', { after: '\ud800' }],
    ['100 kB', { after: 'x'.repeat(100_000) }],
    ['a name that every object has', { constructor: 1, __proto__: 1, toString: 1 }],
  ])('%s', async (_what, variables) => {
    const answer = await app.graphql(query, { variables });
    expect(answer.status).toBeLessThan(500);
    expect(JSON.stringify(answer.body)).not.toMatch(/INTERNAL_SERVER_ERROR|syntax error|at Object/);
  });
});
