/** Two services over one database that differ in one setting: in one, queries that come again are answered by their plans. */
import { createYoga } from 'graphql-yoga';
import { vi } from 'vitest';
import { CircuitBreaker } from '../../src/graphql/operation.ts';
import { SCOPES, type Scope } from '../../src/scopes/catalog.ts';
import { startTestApp, type TestApp } from './app.ts';
import type { TestDatabase } from './database.ts';
import { APP, post, tokensFor } from './oauth-requests.ts';
import { type RawAnswer, send } from './raw-http.ts';
import { TestBrowser } from './test-browser.ts';

export interface Twins {
  readonly fast: TestApp;
  readonly ordinary: TestApp;
  /** How many of the requests that `ask` sent to the fast one came to Yoga. */
  readonly handedOn: () => number;
  /** How many answers plans have given; the ordinary one has none. */
  readonly byPlans: () => number;
  ask(which: 'fast' | 'ordinary', request: Asked): Promise<RawAnswer>;
  close(): Promise<void>;
}

/** One request to the API. */
export interface Asked {
  readonly body: string | Uint8Array;
  /** Whether the address has what the body would. */
  readonly isByGet?: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

const MARK = 'x-of-the-fast-one';

/** `env` is for both. They close the database, which has the demo data. */
export async function openTwins(env: Readonly<Record<string, string>> = {}, given?: TestDatabase): Promise<Twins> {
  // Yoga reads the body of whatever it answers; the door in front of it has read it before.
  const { Request: YogaRequest } = createYoga({ logging: false }).fetchAPI;
  let handedOn = 0;
  const { bytes } = YogaRequest.prototype as { readonly bytes: (this: Request) => Promise<Uint8Array<ArrayBuffer>> };
  const spy = vi.spyOn(YogaRequest.prototype, 'bytes').mockImplementation(function (this: Request) {
    if (this.headers.has(MARK)) handedOn += 1;
    return bytes.call(this);
  });
  // Not a spy, which tests restore that plant faults.
  const { succeeded } = CircuitBreaker.prototype as { readonly succeeded: (this: CircuitBreaker) => void };
  let byPlans = 0;
  CircuitBreaker.prototype.succeeded = function (this: CircuitBreaker) {
    byPlans += 1;
    succeeded.call(this);
  };
  const shared = {
    PUBLIC_URL: 'http://gatehouse.test',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64url'),
    RATE_LIMITS: 'anonymous=9999999,grant=9999999',
    ...env,
  };
  const ordinary = await startTestApp({ ...shared, FAST_PATH: 'off' }, given && { database: given });
  const fast = await startTestApp(
    { ...shared, FAST_PATH: 'on' },
    { database: { ...ordinary.database, close: async () => undefined } },
  );
  return {
    fast,
    ordinary,
    handedOn: () => handedOn,
    byPlans: () => byPlans,
    ask: (which, { body, headers: given, isByGet = false }) => {
      const app = which === 'fast' ? fast : ordinary;
      const headers = { ...given, ...(which === 'fast' && { [MARK]: '1' }) };
      if (isByGet) return send(app.url, { path: `/graphql?${addressed(body)}`, headers });
      return send(app.url, { method: 'POST', path: '/graphql', headers, body });
    },
    close: async () => {
      spy.mockRestore();
      CircuitBreaker.prototype.succeeded = succeeded;
      await fast.close();
      await ordinary.close();
    },
  };
}

/** As clients write it that send queries by GET. */
function addressed(body: string | Uint8Array): string {
  const params = Object.entries(JSON.parse(body.toString()) as Readonly<Record<string, unknown>>);
  return String(
    new URLSearchParams(
      params.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    ),
  );
}

/** Headers that say who calls, by a name for it. */
export type Callers = Readonly<Record<string, Readonly<Record<string, string>>>>;

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Nobody, tokens that are no good, a session, and tokens of ada: with each of these scopes alone, and with all. */
export async function callersOf({ ordinary, fast }: Twins, alone: readonly Scope[]): Promise<Callers> {
  const ada = await TestBrowser.signedIn(ordinary.url, 'ada@acme.test');
  const tokenOf = async (scopes: readonly Scope[]) => tokensFor(ada, APP, { scope: scopes.join(' ') });
  const callers: Record<string, Readonly<Record<string, string>>> = {
    nobody: {},
    'a garbled token': bearer('garbled'),
    'two tokens': { authorization: 'Bearer a, Bearer b' },
    'another scheme': { authorization: 'Basic YTpi' },
    'an empty header': { authorization: '' },
    'a session': { cookie: ada.cookie, 'sec-fetch-site': 'same-origin' },
    'a session on a foreign page': { cookie: ada.cookie, 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' },
    'a cookie of nobody': { cookie: 'gatehouse_session=x' },
    'all scopes': bearer((await tokenOf(SCOPES)).access_token),
  };
  const dan = await TestBrowser.signedIn(ordinary.url, 'dan@solo.test');
  callers['all scopes, of another user'] = bearer(
    (await tokensFor(dan, APP, { scope: SCOPES.join(' ') })).access_token,
  );
  for (const scope of alone) callers[scope] = bearer((await tokenOf([scope])).access_token);
  const revoked = (await tokenOf(SCOPES)).access_token;
  callers['a revoked token'] = bearer(revoked);
  const { client_id, client_secret } = APP;
  // Known to both as good before.
  for (const app of [fast, ordinary]) await app.graphql('{ me { id } }', { token: revoked });
  await post(ordinary.url, { client_id, client_secret, token: revoked }, { path: '/v2/auth/oauth2/revoke' });
  for (const app of [fast, ordinary]) {
    await vi.waitFor(async () => {
      const { status } = await app.graphql('{ me { id } }', { token: revoked });
      if (status !== 401) throw new Error(`The token is still good: ${status}`);
    });
  }
  return callers;
}
