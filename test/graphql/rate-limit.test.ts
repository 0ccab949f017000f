import { buildSchema } from 'graphql';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Authentication } from '../../src/graphql/context.ts';
import type { GraphQLServer } from '../../src/graphql/server.ts';
import { countedAs, RequestLimit } from '../../src/limits/request-limit.ts';
import { NO_SCOPES } from '../../src/scopes/scope-set.ts';
import { plainGraphql, post } from '../support/plain-graphql.ts';

const RATES = { anonymous: 2, grant: 4, session: 6, user: 9, apps: 7 };
const ADDRESS = '192.0.2.1';

let server: GraphQLServer;
let authentication: Authentication;
beforeEach(() => {
  server = plainGraphql(buildSchema('type Query { ok: Boolean }'), {
    authenticate: async () => authentication,
    rateLimit: { requests: new RequestLimit({ windowInSeconds: 60, now: () => 0 }), rates: RATES },
  });
});

const anonymous = (address = ADDRESS): Authentication => ({ caller: { kind: 'anonymous' }, address });
const token = (grantId: string, clientId = 'app'): Authentication => ({
  caller: { kind: 'token', userId: 'ada', clientId, grantId, held: NO_SCOPES },
  address: ADDRESS,
});
const session = (sessionId: string): Authentication => ({
  caller: { kind: 'session', userId: 'ada', sessionId, isAdministrator: false },
  address: ADDRESS,
});
const refused: Authentication = {
  caller: {
    kind: 'refused',
    status: 401,
    code: 'UNAUTHENTICATED',
    message: 'The token is unknown.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  },
  address: ADDRESS,
};

async function send(as: Authentication, query = '{ ok }'): Promise<Response> {
  authentication = as;
  return post(server, { query });
}

async function statuses(count: number, as: Authentication): Promise<number[]> {
  const found: number[] = [];
  for (let sent = 0; sent < count; sent += 1) found.push((await send(as)).status);
  return found;
}

describe('more requests in a minute than its rate allows are refused to', () => {
  test.each([
    ['an address without credentials', anonymous(), RATES.anonymous],
    ['a grant', token('grant-1'), RATES.grant],
    ['a session', session('session-1'), RATES.session],
  ])('%s', async (_who, as, rate) => {
    expect(await statuses(rate + 1, as)).toEqual([...Array.from({ length: rate }, () => 200), 429]);
  });

  test('a grant with another token: a refresh wins nothing', async () => {
    expect(await statuses(RATES.grant, token('grant-1'))).not.toContain(429);
    expect(await statuses(1, token('grant-1'))).toEqual([429]);
    expect(await statuses(1, token('grant-2'))).toEqual([200]);
  });

  test('nobody who shows tokens that are no good: they hear that, and use up what their address may send', async () => {
    expect(await statuses(RATES.anonymous + 1, refused)).toEqual([401, 401, 401]);
    expect(await statuses(1, anonymous())).toEqual([429]);
    expect(await statuses(1, token('grant-1'))).toEqual([200]);
  });
});

test('a request counts whatever its document, and is refused before that is read', async () => {
  expect((await send(anonymous(), '{ unknown }')).status).toBe(200);
  await send(anonymous(), '{');
  const answer = await send(anonymous(), '{');
  expect(answer.status).toBe(429);
  expect(await answer.json()).toEqual({
    errors: [
      {
        message: 'More than 2 requests in a minute; wait 60 seconds and send this one again.',
        extensions: { code: 'RATE_LIMITED', limit: 2, retryAfterInSeconds: 60 },
      },
    ],
  });
});

test('every answer says what is left, and the one that is refused when to come again', async () => {
  const first = (await send(anonymous())).headers;
  expect(Object.fromEntries(first)).toMatchObject({
    'ratelimit-limit': '2',
    'ratelimit-remaining': '1',
    'ratelimit-reset': '60',
  });
  expect(first.has('retry-after')).toBe(false);
  await send(anonymous());
  expect(Object.fromEntries((await send(anonymous())).headers)).toMatchObject({
    'ratelimit-remaining': '0',
    'retry-after': '60',
  });
});

const keyOf = (address: string) => countedAs(anonymous(address), RATES)[0]?.key;

test('IPv4 counts by address, IPv6 by the network of one customer', () => {
  expect(keyOf('192.0.2.1')).not.toBe(keyOf('192.0.2.2'));
  expect(keyOf('::ffff:192.0.2.1')).toBe(keyOf('192.0.2.1'));
  expect(keyOf('2001:db8::1')).toBe(keyOf('2001:db8::2'));
  expect(keyOf('2001:db8:0:100::1')).not.toBe(keyOf('2001:db8::1'));
});

async function inTurn(count: number, as: (n: number) => Authentication) {
  const found: [number, string | null, string | null][] = [];
  for (let n = 0; n < count; n += 1) {
    const { status, headers } = await send(as(n));
    found.push([status, headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]);
  }
  return found;
}

describe('a user has so many over all, and is told of what has least left', () => {
  test('sessions: signing in again wins nothing', async () => {
    expect(await inTurn(10, (n) => session(`session-${n % 3}`))).toEqual([
      [200, '6', '5'],
      [200, '6', '5'],
      [200, '6', '5'],
      [200, '6', '4'],
      [200, '6', '4'],
      [200, '9', '3'],
      [200, '9', '2'],
      [200, '9', '1'],
      [200, '9', '0'],
      [429, '9', '0'],
    ]);
  });

  test('grants, of whichever apps, which take nothing from the sessions', async () => {
    const answers = await inTurn(8, (n) => token(`grant-${n}`, `app-${n}`));
    expect(answers.map(([status]) => status)).toEqual([...Array.from({ length: RATES.apps }, () => 200), 429]);
    expect(answers.at(-1)).toEqual([429, '7', '0']);
    expect(await statuses(1, session('session-1'))).toEqual([200]);
  });
});

test('whoever sends credentials that cannot be read is refused like others', async () => {
  const unreadable: Authentication = {
    ...refused,
    caller: { kind: 'refused', status: 400, code: 'BAD_REQUEST', message: 'Send one token.', headers: {} },
  };
  expect(await statuses(RATES.anonymous + 1, unreadable)).toEqual([400, 400, 429]);
});
