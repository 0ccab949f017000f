import { createHash } from 'node:crypto';
import { buildSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import type { Authentication } from '../../src/graphql/context.ts';
import { trustedDocuments } from '../../src/graphql/trusted-documents.ts';
import { NO_SCOPES } from '../../src/scopes/scope-set.ts';
import { ANONYMOUS, plainGraphql, post } from '../support/plain-graphql.ts';

const DOCUMENT = 'query Twice($n: Int) { echo(n: $n) }';
const HASH = createHash('sha256').update(DOCUMENT).digest('hex');
const byHash = trustedDocuments(JSON.stringify({ [HASH]: DOCUMENT }));

const TOKEN: Authentication = {
  caller: { kind: 'token', userId: 'ada', clientId: 'app', grantId: 'grant', held: NO_SCOPES },
  address: '192.0.2.1',
};

async function send(
  body: unknown,
  { isExclusive = false, as = TOKEN } = {},
): Promise<{ status: number; body: unknown }> {
  const server = plainGraphql(buildSchema('type Query { echo(n: Int): Int }'), {
    authenticate: async () => as,
    trustedDocuments: { byHash, isExclusive, texts: new Set(byHash.values()) },
  });
  const response = await post(server, body, 'application/graphql-response+json');
  const { extensions: _, ...told } = (await response.json()) as { readonly extensions?: unknown };
  return { status: response.status, body: told };
}
const code = (expected: string) => ({ errors: [expect.objectContaining({ extensions: { code: expected } })] });

describe('a trusted document runs', () => {
  test.each([
    ['by documentId', { documentId: HASH }],
    ['by documentId with the name of the hash', { documentId: `sha256:${HASH}` }],
    ['as Apollo clients name it', { extensions: { persistedQuery: { version: 1, sha256Hash: HASH } } }],
    ['by its text with its hash', { query: DOCUMENT, documentId: HASH }],
    ['by its text', { query: DOCUMENT }],
  ])('%s, also where nothing else does', async (_how, named) => {
    const answer = { status: 200, body: { data: { echo: null } } };
    expect(await send(named)).toEqual(answer);
    expect(await send(named, { isExclusive: true })).toEqual(answer);
  });
});

test('a documentId that is not among the trusted ones is 404', async () => {
  const answer = { status: 404, body: code('PERSISTED_QUERY_NOT_FOUND') };
  expect(await send({ documentId: 'a'.repeat(64) })).toMatchObject(answer);
});

const named = (sha256Hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });

describe('a client with automatic persisted queries', () => {
  const other = '{ echo }';
  const hash = createHash('sha256').update(other).digest('hex');

  test('is told in its words of a hash that is not among the trusted ones, sends the document, and nothing is learned', async () => {
    const missed = {
      status: 400,
      body: { errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] },
    };
    expect(await send(named(hash))).toEqual(missed);
    expect(await send({ query: other, ...named(hash) })).toEqual({ status: 200, body: { data: { echo: null } } });
    expect(await send(named(hash))).toEqual(missed);
  });

  test('is refused where only trusted documents run, and where hash and document differ', async () => {
    expect(await send({ query: other, ...named(hash) }, { isExclusive: true })).toMatchObject({
      status: 403,
      body: code('DOCUMENT_NOT_TRUSTED'),
    });
    expect(await send({ query: other, ...named('a'.repeat(64)) })).toMatchObject({
      status: 400,
      body: code('BAD_REQUEST'),
    });
  });
});

test('a hash with the text of another document is refused', async () => {
  expect(await send({ query: '{ echo }', documentId: HASH })).toMatchObject({ status: 400, body: code('BAD_REQUEST') });
});

test('where only trusted documents run, a token cannot send another one; elsewhere it can', async () => {
  expect(await send({ query: '{ echo }' }, { isExclusive: true })).toMatchObject({
    status: 403,
    body: code('DOCUMENT_NOT_TRUSTED'),
  });
  expect(await send({ query: '{ echo }' })).toMatchObject({ status: 200 });
  expect(await send({ query: '{ echo }' }, { isExclusive: true, as: ANONYMOUS })).toMatchObject({ status: 200 });
});

test.each([
  [null],
  [7],
  ['text'],
  [[{ documentId: HASH }]],
  [{ documentId: 7 }],
  [{ documentId: '__proto__' }],
  [{ extensions: 7 }],
  [{ extensions: { persistedQuery: null } }],
])('a body that names no document is a mistake of the caller: %j', async (body) => {
  const { status } = await send(body);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
});

describe('a file of trusted documents is refused when', () => {
  test.each([
    ['it is no JSON', '{', /not a JSON object/],
    ['it is a list', '[]', /not a JSON object/],
    ['a document is no text', JSON.stringify({ [HASH]: 7 }), /is not a text/],
    ['a hash is not that of its document', JSON.stringify({ abc: DOCUMENT }), new RegExp(HASH)],
  ])('%s', (_what, json, message) => {
    expect(() => trustedDocuments(json)).toThrow(message);
  });
});
