/** Both doors answer clients' posts alike: on Node's request and response, and through the routes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COUNTED } from '../flows/token-endpoint/counted.ts';
import { ELSEWHERE } from '../flows/token-endpoint/elsewhere.ts';
import { MALFORMED } from '../flows/token-endpoint/malformed.ts';
import { NOT_GRANTED } from '../flows/token-endpoint/not-granted.ts';
import {
  APP_BASIC,
  cliExchangeOf,
  exchangeOf,
  form,
  type Given,
  giveCredentials,
  json,
  plainExchangeOf,
  refreshOf,
  type Sent,
  withAuthorization,
} from '../flows/token-endpoint/token-requests.ts';
import { UNAUTHENTICATED } from '../flows/token-endpoint/unauthenticated.ts';
import { UNREADABLE } from '../flows/token-endpoint/unreadable.ts';
import { APP, CLI, NARROW, TOKEN_PATH } from '../support/oauth-requests.ts';
import { oauthRows } from '../support/oauth-rows.ts';
import { send } from '../support/raw-http.ts';
import { type Compared, compared } from './compare.ts';
import { anotherNetwork, DOORS, type Door, openTwoDoors, type TwoDoors } from './two-doors.ts';

const REVOKE = '/v2/auth/oauth2/revoke';
const INTROSPECT = '/v2/auth/oauth2/introspect';

let doors: TwoDoors;
let given: Given;
beforeAll(async () => {
  doors = await openTwoDoors();
  given = await giveCredentials(doors.ada);
});
afterAll(() => doors?.close());

async function answerOf(door: Door, sent: Sent, network = anotherNetwork()): Promise<Compared> {
  const { path = TOKEN_PATH, method = 'POST', headers = {}, body } = sent;
  const own = Array.isArray(headers) ? headers : Object.entries(headers);
  const all = [...own, ['x-forwarded-for', network] as const];
  const before = doors.byRoutes();
  const answer = compared(await send(doors[door].url, { method, path, headers: all, body }));
  // The intended door answers a post.
  const isRight = method !== 'POST' || doors.byRoutes() > before === (door === 'ordinary');
  if (!isRight) throw new Error(`The ${door} door has not answered.`);
  return { ...answer, text: answer.text.replaceAll(DRAWN, '"$1":"drawn"') };
}

/** More wrong secrets from one network than are allowed. */
async function tooManyGuesses(door: Door): Promise<readonly Compared[]> {
  const network = anotherNetwork();
  const answers: Compared[] = [];
  for (let n = 0; n < 22; n += 1) {
    const { status, headers, text } = await answerOf(door, form({ ...NARROW, client_secret: `wrong ${n}` }), network);
    const lasting = { ...headers, 'content-length': 'some' };
    answers.push({ status, headers: lasting, text: text.replace(/\d+ seconds/, 'some seconds') });
  }
  return answers;
}

/** Two answers to two good requests cannot have these in common. */
const DRAWN = /"(access_token|refresh_token|expires_in|exp|iat|jti)":(?:"[^"]*"|\d+)/g;

describe('refused alike, with nothing changed, is', () => {
  describe.each([
    ['a request that cannot be read:', UNREADABLE],
    ['a parameter that cannot be used:', MALFORMED],
    ['a client that does not authenticate:', UNAUTHENTICATED],
    ['what a client is not granted:', NOT_GRANTED],
    ['at the other endpoints:', ELSEWHERE],
  ] as const)('%s', (_, table) => {
    test.each(table)('%s', async (_name, request, status) => {
      const before = await oauthRows(doors.fast.database.em);
      const [ordinary, fast] = [await answerOf('ordinary', request(given)), await answerOf('fast', request(given))];
      expect(fast).toEqual(ordinary);
      expect(fast.status).toBe(status);
      expect(await oauthRows(doors.fast.database.em)).toEqual(before);
    });
  });

  test.each(COUNTED)('a wrong proof: %s', async (_name, request, status) => {
    const answers = [];
    for (const door of DOORS) answers.push(await answerOf(door, request(await giveCredentials(doors.ada))));
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[0]?.status).toBe(status);
  });

  test('one guess too many', async () => {
    const [ordinary, fast] = [await tooManyGuesses('ordinary'), await tooManyGuesses('fast')];
    expect(fast).toEqual(ordinary);
    expect(new Set(fast.map(({ status }) => status))).toEqual(new Set([401, 429]));
  });
});

const { redirect_uri: _app, ...APP_LOGIN } = APP;

describe('granted alike is', () => {
  test.each<[string, (own: Given) => Sent]>([
    ['a code with PKCE', (own) => form(exchangeOf(own))],
    ['a code without PKCE, as JSON', (own) => json(plainExchangeOf(own))],
    ['a code of a public client', (own) => form(cliExchangeOf(own))],
    ['a refresh token', (own) => form(refreshOf(own))],
    ['a refresh token, by Basic', (own) => withAuthorization(refreshOf(own, { scope: 'PROFILE_READ' }), APP_BASIC)],
    [
      'a refresh token, in chunks and in capitals',
      (own) => form(refreshOf(own), '', { 'transfer-encoding': 'chunked', 'Content-Encoding': 'IDENTITY' }),
    ],
    [
      'a refresh token of a public client',
      (own) => form({ client_id: CLI.client_id, grant_type: 'refresh_token', refresh_token: own.cliRefreshToken }),
    ],
    ['the end of a grant', (own) => ({ ...form({ ...APP_LOGIN, token: own.refreshToken }), path: REVOKE })],
    ['the end of an access token', (own) => ({ ...form({ ...APP_LOGIN, token: own.accessToken }), path: REVOKE })],
    ['the end of what nobody knows', () => ({ ...form({ ...APP_LOGIN, token: 'x' }), path: REVOKE })],
    ['a look at a refresh token', (own) => ({ ...form({ ...APP_LOGIN, token: own.refreshToken }), path: INTROSPECT })],
    ['a look at an access token', (own) => ({ ...form({ ...APP_LOGIN, token: own.accessToken }), path: INTROSPECT })],
    ['a look at what nobody knows', () => ({ ...json({ ...APP_LOGIN, token: 'x' }), path: INTROSPECT })],
  ])('%s', async (_name, request) => {
    const answers = [];
    for (const door of DOORS) {
      const { headers, ...answer } = await answerOf(door, request(await giveCredentials(doors.ada)));
      // The tokens of ten generations are a character longer.
      answers.push({ ...answer, headers: { ...headers, 'content-length': 'some' } });
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[0]?.status).toBe(200);
  });

  test('a refresh token that comes again, to the byte, whichever door it came by first', async () => {
    for (const order of [DOORS, DOORS.toReversed()]) {
      const { refreshToken } = await giveCredentials(doors.ada);
      const pairs: string[] = [];
      for (const door of [...order, ...order]) {
        const { headers, body } = form(refreshOf({ ...given, refreshToken }));
        const { text } = await send(doors[door].url, {
          method: 'POST',
          path: TOKEN_PATH,
          headers: headers ?? {},
          body,
        });
        pairs.push(text.replace(/"expires_in":\d+/, ''));
      }
      expect(new Set(pairs).size).toBe(1);
      expect(pairs[0]).toContain('_2_');
    }
  });
});
