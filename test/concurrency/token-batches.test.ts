import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicId } from '../../src/core/id.ts';
import { row, sql } from '../../src/database/sql.ts';
import {
  APP,
  CLI,
  codeFor,
  exchange,
  type KnownClient,
  NARROW,
  PKCE,
  post,
  refresh,
  type TokenAnswer,
  tokensFor,
  tokensIn,
  VERIFIER,
} from '../support/oauth-requests.ts';
import { atOnce, ONE_AND_TWO, type Servers, withBrowsers } from '../support/servers.ts';
import type { TestBrowser } from '../support/test-browser.ts';

const MANY = 50;
const SECRET_CREATE = 'oauthClientSecretCreate';

/** Requests that come at one moment share statements, and a statement reads clients and what they show at once. */
describe.each(ONE_AND_TWO)('%s, among requests that share statements', (_, start) => {
  let servers: Servers;
  let ada: TestBrowser;
  let admin: TestBrowser;
  beforeAll(async () => void ({ servers, ada, admin } = await withBrowsers(start)));
  afterAll(() => servers.close());

  test('each gets the answer to its own: right, wrong and made-up clients, secrets, codes and refresh tokens', async () => {
    const kinds: readonly (readonly [expected: unknown[], ask: (n: number) => () => Promise<TokenAnswer>])[] = [
      [[200, 'tokens'], (n) => refreshing(n, APP, ofApp)],
      [[200, 'tokens'], (n) => refreshing(n, CLI, ofCli)],
      [[200, 'tokens'], (n) => exchanging(n, APP, codes[n] ?? '')],
      // Tokens and codes of somebody else's client, by one that proves itself.
      [[400, 'invalid_grant'], (n) => refreshing(n, APP, ofCli)],
      [[400, 'invalid_grant'], (n) => refreshing(n, NARROW, ofApp)],
      [[400, 'invalid_grant'], (n) => exchanging(n, NARROW, codes[n] ?? '')],
      [[400, 'invalid_grant'], (n) => exchanging(n, APP, altered(codes[n] ?? ''))],
      // Right tokens, by nobody who proves anything.
      [[401, 'invalid_client'], (n) => refreshing(n, { ...APP, client_secret: NARROW.client_secret }, ofApp)],
      [[401, 'invalid_client'], (n) => refreshing(n, { ...APP, client_id: `demo-${n}` }, ofApp)],
      [[400, 'invalid_request'], (n) => () => post(servers.url(n), { ...APP, grant_type: 'refresh_token' })],
    ];
    const { refresh_token: ofApp } = await tokensFor(ada, APP);
    const { refresh_token: ofCli } = await tokensFor(ada, CLI);
    const codes = await atOnce(MANY, () => codeFor(ada, APP, PKCE));
    const chosen = Array.from({ length: MANY }, (__, n) => kinds[(n >> 1) % kinds.length]);
    const answers = await atOnce(MANY, (n) => chosen[n]?.[1](n)() ?? Promise.reject(new Error('No kind.')));
    expect(answers.map(outcome)).toEqual(chosen.map((kind) => kind?.[0]));
  });

  const refreshing = (n: number, client: KnownClient, token: string) => () => refresh(servers.url(n), client, token);
  const exchanging = (n: number, client: KnownClient, code: string) => () =>
    exchange(servers.url(n), client, code, { code_verifier: VERIFIER });

  test('a deleted secret is dead on the very next one, and the other one lives', async () => {
    const { refresh_token: token } = await tokensFor(ada, APP);
    const { secret } = await ada.mutate<{ secret: string }>(SECRET_CREATE, { clientId: APP.client_id }, 'secret');
    const other = { ...APP, client_secret: secret };
    const ask = () => atOnce(MANY, (n) => refresh(servers.url(n), n % 10 < 2 ? APP : other, token));
    expect((await ask()).map(outcome)).toEqual(Array.from({ length: MANY }, () => [200, 'tokens']));
    await ada.mutate('oauthClientSecretDelete', { clientId: APP.client_id, secretId: await firstSecretId() }, '');
    expect((await ask()).map(outcome)).toEqual(
      Array.from({ length: MANY }, (__, n) => (n % 10 < 2 ? [401, 'invalid_client'] : [200, 'tokens'])),
    );
  });

  async function firstSecretId(): Promise<string> {
    const found = await row(
      servers.database.em.fork(),
      sql<{ id: string }>`
        select id from oauth_client_secrets where client_id = ${APP.client_id} order by created_at limit 1`,
    );
    return publicId('secret', found?.id ?? '');
  }

  test('a suspended client gets nothing from the very next one on, others do, and reinstated it goes on', async () => {
    const clientId = NARROW.client_id;
    const [{ refresh_token: suspended }, { refresh_token: other }] = await Promise.all([
      tokensFor(ada, NARROW),
      tokensFor(ada, CLI),
    ]);
    const codes = await atOnce(MANY, () => codeFor(ada, NARROW, { ...PKCE, prompt: 'consent' }));
    const ask = () =>
      atOnce(MANY, (n) => {
        if (n % 6 < 2) return refresh(servers.url(n), NARROW, suspended);
        if (n % 6 < 4) return exchange(servers.url(n), NARROW, codes[n] ?? '', { code_verifier: VERIFIER });
        return refresh(servers.url(n), CLI, other);
      });
    await admin.mutate('oauthClientSuspend', { clientId, reason: 'Test' }, 'client { status }');
    expect((await ask()).map(outcome)).toEqual(
      Array.from({ length: MANY }, (__, n) => (n % 6 < 4 ? [400, 'unauthorized_client'] : [200, 'tokens'])),
    );
    await admin.mutate('oauthClientReinstate', { clientId }, 'client { status }');
    expect(tokensIn(await refresh(servers.url(1), NARROW, suspended)).refresh_token).toContain('_2_');
  });
});

function outcome({ status, body }: TokenAnswer): unknown[] {
  return [status, body.error ?? 'tokens'];
}

function altered(code: string): string {
  return `${code.slice(0, -1)}${code.endsWith('A') ? 'B' : 'A'}`;
}
