import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { statementLimit } from '../../src/database/deadline.ts';
import type { GraphQLContext } from '../../src/graphql/context.ts';
import { Documents } from '../../src/graphql/limits/documents.ts';
import { OperationLimits } from '../../src/graphql/limits/operation-limits.ts';
import { answeringOperations } from '../../src/graphql/listener.ts';
import { Introspection, QueryPlans, Refusals } from '../../src/graphql/operation.ts';
import { whileClientWaits } from '../../src/http/while-client-waits.ts';
import type { RequestVerdict } from '../../src/limits/request-limit.ts';
import { buildSchemas } from '../../src/schema.ts';
import { heard } from '../support/limited-talk.ts';

const QUERY = '{ __typename }';
const MUTATION = 'mutation { __typename }';
const ANSWER = '{"data":{"__typename":"Query"},"extensions":{"cost":{"requested":0,"limit":50000}}}';
const limits = new OperationLimits([]);

let server: Server;
let documents: Documents;
let signals: (AbortSignal | undefined)[];
/** Bodies of the requests that were handed on. */
let handedOn: { readonly body: string; readonly signal: AbortSignal | undefined }[];
let verdict: RequestVerdict;
const sockets: Socket[] = [];
const failures: unknown[] = [];
const onFailure = (reason: unknown): unknown => failures.push(reason);

beforeEach(async () => {
  [documents, signals, handedOn] = [new Documents(limits), [], []];
  verdict = { isAllowed: true, limit: 10, remaining: 9, resetInSeconds: 60 };
  failures.length = 0;
  process.on('unhandledRejection', onFailure);
  const { forTokens } = buildSchemas();
  const side = { plans: new QueryPlans(forTokens, documents), introspection: new Introspection(forTokens.schema) };
  const listener = answeringOperations(
    {
      endpoint: '/graphql',
      forTokens: side,
      forSessions: side,
      documents,
      limits,
      refusals: new Refusals({ realm: 'test', resourceMetadata: 'https://test' }, { note: () => undefined }),
      recall: () => ({ caller: { kind: 'anonymous' }, address: '192.0.2.1' }),
      rateLimit: {
        requests: { take: async () => verdict } as never,
        rates: { anonymous: 10, grant: 10, session: 10, user: 10, apps: 10 },
      },
      announcements: { note: () => undefined },
      contextOf: () => {
        signals.push(statementLimit().signal);
        return {} as GraphQLContext;
      },
      report: (error) => failures.push(error),
      executionSeconds: 10,
    },
    whileClientWaits(async (request, response) => {
      // As Yoga's adapter takes it: what was read, or the stream.
      const { body = request } = request as IncomingMessage & { body?: AsyncIterable<Buffer> };
      const chunks: Buffer[] = [];
      for await (const chunk of body) chunks.push(chunk);
      const { signal } = statementLimit();
      handedOn.push({ body: Buffer.concat(chunks).toString('latin1'), signal });
      response.end('handed on');
    }),
  );
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  process.off('unhandledRejection', onFailure);
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

async function open(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  return socket.on('error', () => undefined);
}

const JSON_TYPE = 'Content-Type: application/json';
const BODY = JSON.stringify({ query: QUERY });

function head(length: number | undefined, lines: readonly string[] = [JSON_TYPE], target = 'POST /graphql'): string {
  const all = [`${target} HTTP/1.1`, 'Host: localhost', ...lines];
  if (length !== undefined) all.push(`Content-Length: ${length}`);
  return `${all.join('\r\n')}\r\n\r\n`;
}

const endsWith = (text: string) => (all: string) => all.endsWith(text);
const answered = async (socket: Socket): Promise<string> =>
  heard(socket, (text) => /\}\}\}$|\]\}$|handed on$|0\r\n\r\n$/.test(text));

async function ask(message: string | Buffer): Promise<string> {
  const socket = await open();
  const answer = answered(socket);
  socket.write(message);
  return answer;
}

const get = (query: string, path = '/graphql') => Buffer.from(head(undefined, [], `GET ${path}?${query}`));
const withExtensions = JSON.stringify({ query: QUERY, extensions: { persistedQuery: { sha256Hash: 'a' } } });

test.each([
  ['by POST', head(BODY.length) + BODY],
  ['by POST with extensions, of which none means anything here', head(withExtensions.length) + withExtensions],
  ['by GET', get(`query=${encodeURIComponent(QUERY)}`)],
  ['by GET, as a form would write it', get('query=%7B+__typename+%7D&operationName=&variables=%7B%7D&extensions=')],
])('a query is answered here, %s', async (_how, message) => {
  expect(await ask(message)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*ratelimit-remaining: 9\r\n[^]*\}\}\}$/i);
  expect(handedOn).toEqual([]);
});

test('requests that are sent ahead on one connection are answered in their order', async () => {
  const socket = await open();
  const all = heard(socket, endsWith('handed on'));
  const other = '{"query":["{ __typename }"]}';
  socket.write((head(BODY.length) + BODY).repeat(5) + head(other.length) + other);
  const text = await all;
  expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(6);
  expect(text.split(ANSWER)).toHaveLength(6);
  expect(handedOn.map(({ body }) => body)).toEqual([other]);
});

describe('a request that is handed on arrives as it was sent:', () => {
  const text = (body: string, lines?: readonly string[], target?: string) =>
    Buffer.from(head(Buffer.byteLength(body), lines, target) + body);
  const requests: readonly [string, Buffer, string?][] = [
    ['another path', text(BODY, [JSON_TYPE], 'POST /other')],
    ['a query in the address', text(BODY, [JSON_TYPE], 'POST /graphql?a=1')],
    ['a slash at the end', text(BODY, [JSON_TYPE], 'POST /graphql/')],
    ['PUT', text(BODY, [JSON_TYPE], 'PUT /graphql')],
    ['no type', text(BODY, [])],
    ['a form', text(BODY, ['Content-Type: application/x-www-form-urlencoded'])],
    ['plain text, as any page may send it', text(BODY, ['Content-Type: text/plain'])],
    ['a compressed body', text(BODY, [JSON_TYPE, 'Content-Encoding: gzip'])],
    ['an unacceptable type of answer', text(BODY, [JSON_TYPE, 'Accept: text/html'])],
    ['100-continue', text(BODY, [JSON_TYPE, 'Expect: 100-continue'])],
    [
      'chunks',
      Buffer.from(
        `${head(undefined, [JSON_TYPE, 'Transfer-Encoding: chunked'])}${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
      ),
      BODY,
    ],
    ['nothing', text('')],
    ['broken JSON', text('{"query":')],
    ['a byte order mark', text(`\ufeff${BODY}`)],
    ['bytes that are no UTF-8', Buffer.concat([Buffer.from(head(2)), Buffer.from([0xff, 0xfe])])],
    ['a batch', text(`[${BODY}]`)],
    ['a text', text('"{ __typename }"')],
    ['null', text('null')],
    ['no document', text('{}')],
    ['a document that is no text', text('{"query":["{ __typename }"]}')],
    ['extensions that are no object', text(`{"query":"${QUERY}","extensions":[]}`)],
    ['a hash without a document', text('{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"a"}}}')],
    ['GET without a document', get('')],
    ['GET of another address', get('', '/graphqls')],
    ['GET of an unknown parameter', get(`query=${encodeURIComponent(QUERY)}&token=x`)],
    ['GET with a document twice', get(`query=${encodeURIComponent(QUERY)}&query=x`)],
    ['GET with variables that are no JSON', get(`query=${encodeURIComponent(QUERY)}&variables={`)],
    ['GET of what is no UTF-8', get('query=%ff')],
    [
      'GET of a browser',
      Buffer.from(head(undefined, ['Accept: text/html,*/*'], `GET /graphql?query=${encodeURIComponent(QUERY)}`)),
    ],
    ['GET with a body', text(BODY, [JSON_TYPE], `GET /graphql?query=${encodeURIComponent(QUERY)}`)],
    ['a field named __proto__', text(`{"query":"${QUERY}","__proto__":{"variables":{}}}`)],
    ['an operation name that is no text', text(`{"query":"${QUERY}","operationName":7}`)],
    ['variables in a list', text(`{"query":"${QUERY}","variables":[]}`)],
  ];
  test.each(requests)('%s', async (_what, message, body) => {
    expect(await ask(message)).toContain('handed on');
    const sent = body ?? message.toString('latin1').slice(message.indexOf('\r\n\r\n') + 4);
    expect(handedOn.map((one) => one.body)).toEqual([sent]);
    expect(signals).toEqual([]);
    expect(failures).toEqual([]);
  });

  test('a body that is larger than any may be, which is not read here', async () => {
    const socket = await open();
    const answer = heard(socket, endsWith('handed on'));
    socket.write(head(1_000_001));
    socket.write('x'.repeat(1_000_001));
    await answer;
    expect(handedOn.map(({ body }) => body.length)).toEqual([1_000_001]);
  });
});

const posted = (operation: object) => {
  const body = JSON.stringify(operation);
  return head(Buffer.byteLength(body)) + body;
};

describe('a wrong operation is answered here:', () => {
  test.each<[string, string | Buffer, number, string]>([
    ['a mutation by GET', get(`query=${encodeURIComponent(MUTATION)}`), 405, 'METHOD_NOT_ALLOWED'],
    [
      'an operation that is not there',
      posted({ query: QUERY, operationName: 'B' }),
      400,
      'OPERATION_RESOLUTION_FAILURE',
    ],
    ['a document that cannot be parsed', posted({ query: '{ a: ' }), 200, 'GRAPHQL_PARSE_FAILED'],
    ['a field that is not there', posted({ query: '{ nothing }' }), 200, 'GRAPHQL_VALIDATION_FAILED'],
    ['what nobody without a token may see', posted({ query: '{ me { id } }' }), 401, 'UNAUTHENTICATED'],
  ])('%s', async (_what, message, status, code) => {
    const answer = await ask(message);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*"code":"${code}"`));
    expect([handedOn, signals, failures]).toEqual([[], [], []]);
  });

  test('a caller who has asked too often is told so, and nothing of theirs is parsed', async () => {
    verdict = { isAllowed: false, limit: 10, remaining: 0, resetInSeconds: 60 };
    const read = vi.spyOn(documents, 'read');
    expect(await ask(head(BODY.length) + BODY)).toMatch(/^HTTP\/1\.1 429 [^]*retry-after: 60\r\n/i);
    expect(read).not.toHaveBeenCalled();
  });
});

describe('work ends when nobody waits for the answer any more,', () => {
  test.each(['in one piece', 'in pieces'])('also for a request that comes %s', async (how) => {
    const socket = await open();
    const answer = answered(socket);
    if (how === 'in one piece') {
      socket.write(head(BODY.length) + BODY);
    } else {
      socket.write(head(BODY.length));
      await new Promise((resolve) => setTimeout(resolve, 20));
      socket.write(BODY.slice(0, 5));
      await new Promise((resolve) => setTimeout(resolve, 20));
      socket.write(BODY.slice(5));
    }
    await answer;
    const [signal] = signals;
    expect(signal).toBeInstanceOf(AbortSignal);
    expect(signals).toHaveLength(1);
  });

  test('also of those behind others on one connection, each by itself', async () => {
    const socket = await open();
    const all = heard(socket, (text) => text.split(ANSWER).length === 3);
    socket.write((head(BODY.length) + BODY).repeat(2));
    await all;
    expect(new Set(signals).size).toBe(2);
    expect(signals).not.toContain(undefined);
  });

  test('and of those that are handed on', async () => {
    const other = '{"query":["{ __typename }"]}';
    await ask(head(other.length) + other);
    expect(handedOn[0]?.signal).toBeInstanceOf(AbortSignal);
  });
});

test('a client that goes away in the middle of its body leaves nothing behind', async () => {
  const socket = await open();
  socket.write(head(BODY.length) + BODY.slice(0, 5));
  await new Promise((resolve) => setTimeout(resolve, 20));
  socket.destroy();
  await vi.waitFor(async () =>
    expect(await new Promise((resolve) => server.getConnections((_, count) => resolve(count)))).toBe(0),
  );
  expect(await ask(head(BODY.length) + BODY)).toContain(ANSWER);
  expect(handedOn).toEqual([]);
  expect(failures).toEqual([]);
});
