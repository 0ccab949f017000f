import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOnPostgres } from '../support/database.ts';
import {
  APP,
  authorizePath,
  codeFor,
  exchange,
  type KnownClient,
  NARROW,
  post,
  refresh,
  statusOf,
  type TokenBody,
  tokensFor,
  tokensIn,
} from '../support/oauth-requests.ts';
import { paced } from '../support/pace.ts';
import { PostgresProxy } from '../support/postgres-proxy.ts';
import { atOnce, type Servers, twoProcesses } from '../support/servers.ts';
import { departed, TestBrowser } from '../support/test-browser.ts';

const REVOKE = { path: '/v2/auth/oauth2/revoke' };
const INTROSPECT = { path: '/v2/auth/oauth2/introspect' };
/** A token can ask for this without any of the user's data, so that every statement is one about the token. */
const NO_DATA = '{ __typename }';

/** A decision in one process is known in the other, whose memory says which tokens may come in. */
describe.runIf(isOnPostgres)('over two processes', () => {
  let servers: Servers & { proxy: PostgresProxy };
  let here: string;
  let there: string;
  let ada: TestBrowser;
  let admin: TestBrowser;
  let slowRequest: Promise<string>;
  beforeAll(async () => {
    servers = await behindProxy();
    [here, there] = [servers.url(0), servers.url(1)];
    slowRequest = answerToUnfinished(here);
    ada = await TestBrowser.signedIn(here, 'ada@acme.test');
    admin = await TestBrowser.signedIn(here, 'admin@gatehouse.test');
  });
  afterAll(() => servers.close());

  test('a token that is revoked by one is refused by the other within 100 ms, by whichever way it was revoked', async () => {
    const client = { clientId: NARROW.client_id };
    const ways: (readonly [string, (tokens: TokenBody) => Promise<unknown>])[] = [
      ['revoked by its client', ({ access_token: token }) => post(here, { ...NARROW, token }, REVOKE)],
      ['its grant revoked by its client', ({ refresh_token: token }) => post(here, { ...NARROW, token }, REVOKE)],
      ['its grant revoked by the user', () => ada.mutate('authorizedAppRevoke', { ...client, grantId: null }, '')],
      [
        'its client suspended',
        () => admin.mutate('oauthClientSuspend', { ...client, reason: 'Test' }, 'client { status }'),
      ],
    ];
    const delays: number[] = [];
    for (const [, revoke] of [...ways, ...ways]) {
      await reinstate();
      const tokens = await tokensFor(ada, NARROW);
      expect([await at(here, tokens), await at(there, tokens)]).toEqual([200, 200]);
      await revoke(tokens);
      const revokedAt = performance.now();
      expect(await at(here, tokens)).toBe(401);
      await expect.poll(() => at(there, tokens), { interval: 2, timeout: paced(5_000) }).toBe(401);
      delays.push(performance.now() - revokedAt);
    }
    await reinstate();
    // The median: a machine that does something else for a moment is no fault of ours. The poll alone would take 500 ms.
    expect(delays.toSorted((a, b) => a - b)[delays.length >> 1]).toBeLessThan(100);
  });

  async function reinstate(): Promise<void> {
    await admin
      .mutate('oauthClientReinstate', { clientId: NARROW.client_id }, 'client { status }')
      .catch(() => undefined);
  }

  test('a reinstated client has its grants and tokens back', async () => {
    const tokens = await tokensFor(ada, NARROW);
    const suspended = { clientId: NARROW.client_id, reason: 'Test' };
    await admin.mutate('oauthClientSuspend', suspended, 'client { status }');
    await expect.poll(() => at(there, tokens)).toBe(401);
    expect((await refresh(there, NARROW, tokens.refresh_token)).body.error).toBe('unauthorized_client');
    expect((await ada.at(there).open(authorizePath(NARROW))).status).toBe(403);
    await admin.mutate('oauthClientReinstate', { clientId: NARROW.client_id }, 'client { status }');
    await expect.poll(() => at(there, tokens)).toBe(200);
    expect((await refresh(there, NARROW, tokens.refresh_token)).status).toBe(200);
  });

  describe('a developer who is suspended', () => {
    let client: KnownClient;
    let developer: { readonly userId: string };
    beforeAll(async () => {
      const cyd = await TestBrowser.signedIn(here, 'cyd@acme.test');
      client = await approvedClient(cyd);
      const { me } = await cyd.ask<{ me: { id: string } }>('{ me { id } }');
      developer = { userId: me.id };
    });

    test('stops what they have registered in both processes, and a reinstatement revives it', async () => {
      const tokens = await tokensFor(ada, client);
      const code = await codeFor(ada, client);
      expect([await at(here, tokens), await at(there, tokens)]).toEqual([200, 200]);
      await admin.mutate('userSuspend', developer, '');
      expect(await at(here, tokens)).toBe(401);
      await expect.poll(() => at(there, tokens)).toBe(401);
      for (const url of [here, there]) {
        expect((await refresh(url, client, tokens.refresh_token)).body.error).toBe('unauthorized_client');
        expect((await exchange(url, client, code)).body.error).toBe('unauthorized_client');
        expect(await ada.at(url).open(authorizePath(client))).toMatchObject({ kind: 'PAGE', status: 403 });
        const { client_id, client_secret } = client;
        const introspected = await post(url, { client_id, client_secret, token: tokens.access_token }, INTROSPECT);
        expect(introspected.body).toEqual({ active: false });
      }
      await admin.mutate('userReinstate', developer, '');
      for (const url of [here, there]) await expect.poll(() => at(url, tokens)).toBe(200);
      expect((await refresh(there, client, tokens.refresh_token)).status).toBe(200);
    });

    test('at the same moment as fifty refreshes: no token that any of them gets is good, and afterwards all are', async () => {
      for (let round = 0; round < 4; round += 1) {
        const tokens = await tokensFor(ada, client);
        const suspending = pause(round * 8).then(() => admin.mutate('userSuspend', developer, ''));
        const answers = await atOnce(50, (n) => refresh(n % 2 ? there : here, client, tokens.refresh_token));
        await suspending;
        const granted = answers.filter(({ status }) => status === 200).map(({ body }) => body);
        const refusals = answers.filter(({ status }) => status !== 200).map(({ body }) => body.error);
        for (const error of refusals) expect(['unauthorized_client', 'invalid_grant']).toContain(error);
        // However many got an answer, it is one and the same pair.
        expect(new Set(granted.map((body) => body.refresh_token)).size).toBeLessThanOrEqual(1);
        const latest = granted[0] ?? tokens;
        for (const url of [here, there]) {
          await expect.poll(() => at(url, latest)).toBe(401);
          expect((await refresh(url, client, latest.refresh_token)).body.error).toBe('unauthorized_client');
        }
        await admin.mutate('userReinstate', developer, '');
        for (const url of [here, there]) await expect.poll(() => at(url, latest)).toBe(200);
        expect((await refresh(there, client, latest.refresh_token)).status).toBe(200);
      }
    });

    test('at the same moment as fifty approvals of their client: afterwards it is refused', async () => {
      const cyd = await TestBrowser.signedIn(here, 'cyd@acme.test');
      const { clientId } = await registered(cyd);
      const [outcomes] = await Promise.all([
        atOnce(50, () =>
          admin.mutate('oauthClientApprove', { clientId }, '').then(
            () => 'DONE',
            () => 'REFUSED',
          ),
        ),
        admin.mutate('userSuspend', developer, ''),
      ]);
      expect(outcomes.filter((outcome) => outcome === 'DONE').length).toBeLessThanOrEqual(1);
      const path = authorizePath({ client_id: clientId, redirect_uri: APP.redirect_uri });
      for (const url of [here, there])
        expect(await ada.at(url).open(path)).toMatchObject({ kind: 'PAGE', status: 403 });
      await admin.mutate('userReinstate', developer, '');
    });
  });

  async function approvedClient(by: TestBrowser): Promise<KnownClient> {
    const { clientId, secret } = await registered(by);
    await admin.mutate('oauthClientApprove', { clientId }, '');
    return { client_id: clientId, client_secret: secret, redirect_uri: APP.redirect_uri };
  }

  test('a suspended user loses sessions and tokens', async () => {
    const dan = await TestBrowser.signedIn(here, 'dan@solo.test');
    const tokens = await tokensFor(dan, APP);
    const { text } = await dan.request('/v2/me', { authorization: `Bearer ${tokens.access_token}` });
    await admin.mutate('userSuspend', { userId: JSON.parse(text).id }, '');
    await expect.poll(() => at(there, tokens)).toBe(401);
    expect((await refresh(there, APP, tokens.refresh_token)).body.error).toBe('invalid_grant');
    expect((await dan.at(there).open('/auth/logout')).status).toBe(200);
    await expect(dan.at(there).ask('{ me { id } }')).rejects.toThrow('UNAUTHENTICATED');
  });

  test('a deleted client leaves nothing behind', async () => {
    const created = await ada.mutate<{ client: { clientId: string }; secret: string }>(
      'oauthClientCreate',
      {
        name: 'Short-lived',
        purpose: 'Test',
        type: 'CONFIDENTIAL',
        redirectUris: [APP.redirect_uri],
        scopes: ['PROFILE_READ'],
      },
      'client { clientId } secret',
    );
    const { clientId } = created.client;
    await admin.mutate('oauthClientApprove', { clientId }, 'client { status }');
    const client = { client_id: clientId, client_secret: created.secret, redirect_uri: APP.redirect_uri };
    const tokens = await tokensFor(ada, client);
    const code = await codeFor(ada, client);
    expect(await at(there, tokens)).toBe(200);
    await ada.mutate('oauthClientDelete', { clientId }, '');
    await expect.poll(() => at(there, tokens)).toBe(401);
    for (const answer of [await refresh(there, client, tokens.refresh_token), await exchange(there, client, code)]) {
      expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
    }
  });

  test('a secret deleted here is refused there on the very next request, and a new one taken', async () => {
    const { client_id: clientId } = APP;
    const { secret } = await ada.mutate<{ secret: string }>('oauthClientSecretCreate', { clientId }, 'secret');
    const withSecret = (client_secret: string) =>
      post(there, { client_id: clientId, client_secret, grant_type: 'x' }).then(({ body }) => body.error);
    const tokens = await tokensFor(ada, APP);
    expect([await withSecret(secret), await withSecret(APP.client_secret)]).toEqual(
      Array(2).fill('unsupported_grant_type'),
    );
    const { me } = await ada.ask<{
      me: { oauthClients: { nodes: { clientId: string; secrets: { id: string; hint: string }[] }[] } };
    }>('{ me { oauthClients { nodes { clientId secrets { id hint } } } } }');
    const secrets = me.oauthClients.nodes.find((client) => client.clientId === clientId)?.secrets ?? [];
    const secretId = secrets.find(({ hint }) => secret.endsWith(hint))?.id;
    await ada.mutate('oauthClientSecretDelete', { clientId, secretId }, '');
    expect([await withSecret(secret), await withSecret(APP.client_secret)]).toEqual([
      'invalid_client',
      'unsupported_grant_type',
    ]);
    // Rotation affects only requests that need the secret (specification §5, rule 9).
    expect([await at(there, tokens), (await refresh(there, APP, tokens.refresh_token)).status]).toEqual([200, 200]);
  });

  test('a code, a refresh token and an interaction of one process are good in the other', async () => {
    const page = await ada.open(authorizePath(APP, { prompt: 'consent' }));
    const { parameters } = departed(await ada.at(there).submit(page, { decision: 'allow' }));
    const tokens = tokensIn(await exchange(here, APP, parameters.get('code') ?? ''));
    expect((await refresh(there, APP, tokens.refresh_token)).status).toBe(200);
    const elsewhere = await TestBrowser.signedIn(there, 'bob@acme.test');
    expect(await elsewhere.at(here).open(authorizePath(APP))).toMatchObject({ kind: 'PAGE', status: 200 });
  });

  test('1,000 requests with a token that was seen before cost no statement', async () => {
    const tokens = await tokensFor(ada, APP);
    expect(await at(there, tokens)).toBe(200);
    // The work that follows an exchange, within a moment, is over.
    await pause(500);
    servers.proxy.statements = [];
    const beganAt = performance.now();
    for (let n = 0; n < 1_000; n += 50) {
      const statuses = await Promise.all(Array.from({ length: 50 }, () => at(there, tokens)));
      expect(new Set(statuses)).toEqual(new Set([200]));
    }
    const seconds = (performance.now() - beganAt) / 1_000;
    const { statements } = servers.proxy;
    // The feed's poll, once a second in each process, is no query per request; nor is the look for jobs, or what a new connection asks.
    const polls = statements.filter((statement) => statement.includes('oauth_revocations'));
    expect(statements.filter((one) => !polls.includes(one) && !BESIDE_REQUESTS.test(one))).toEqual([]);
    expect(polls.length).toBeLessThanOrEqual(2 * (seconds + 2));
  });

  test('a process that the database does not answer trusts its memory for seconds only, and says when it cannot tell', async () => {
    const [kept, lost] = [await tokensFor(ada, APP), await tokensFor(ada, NARROW)];
    expect([await at(there, kept), await at(there, lost)]).toEqual([200, 200]);
    await servers.proxy.cut();
    await expect.poll(() => at(there, kept), { timeout: paced(8_000) }).toBe(503);
    await servers.proxy.mend();
    await expect.poll(() => at(there, kept), { timeout: paced(8_000) }).toBe(200);
    expect((await post(here, { ...NARROW, token: lost.refresh_token }, REVOKE)).status).toBe(200);
    await expect.poll(() => at(there, lost)).toBe(401);
  });

  test('a request that does not end is answered 408 after 15 seconds', async () => {
    expect(await slowRequest).toMatch(/^HTTP\/1\.1 408 /);
  });
});

/** Every two seconds in each process, its text being seen where a connection has not prepared it yet; and once a connection. */
const BESIDE_REQUESTS = /\bjobs\.job\b|\bdomain_events\b|\bpg_is_in_recovery\b/;

function at(url: string, { access_token: token }: TokenBody): Promise<number> {
  return statusOf(url, token, NO_DATA);
}

async function behindProxy(): Promise<Servers & { proxy: PostgresProxy }> {
  let proxy: PostgresProxy | undefined;
  const servers = await twoProcesses(async (databaseUrl) => {
    proxy = await PostgresProxy.open(databaseUrl);
    return { DATABASE_URL: proxy.url };
  });
  if (!proxy) throw new Error('The processes were started without the proxy.');
  const way = proxy;
  const close = async (): Promise<void> => {
    await servers.close();
    await way.cut();
  };
  return { ...servers, proxy: way, close };
}

/** Sends half of a token request and then nothing. @returns the first line of the answer */
function answerToUnfinished(base: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  socket.on('data', (chunk) => resolve(chunk.toString().split('\r\n')[0] ?? ''));
  socket.on('error', reject);
  socket.write('POST /v2/auth/oauth2/token HTTP/1.1\r\nHost: localhost\r\n');
  socket.write('Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nclient_id=demo');
  return promise;
}

async function registered(by: TestBrowser) {
  const input = { name: 'Of somebody', purpose: 'Test', type: 'CONFIDENTIAL', scopes: ['PROFILE_READ'] };
  const { client, secret } = await by.mutate<{ client: { clientId: string }; secret: string }>(
    'oauthClientCreate',
    { ...input, redirectUris: [APP.redirect_uri] },
    'client { clientId } secret',
  );
  return { clientId: client.clientId, secret };
}
