import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicId } from '../../src/core/id.ts';
import { row, rows, sql } from '../../src/database/sql.ts';
import { NEW_ID, uuidOf } from '../support/ids.ts';
import {
  APP,
  authorizePath,
  CLI,
  codeFor,
  exchange,
  type KnownClient,
  PKCE,
  post,
  refresh,
  statusOf,
  tokensFor,
  tokensIn,
  VERIFIER,
} from '../support/oauth-requests.ts';
import { atOnce, ONE_AND_TWO, type Servers } from '../support/servers.ts';
import { departed, type Stop, shownPage, TestBrowser } from '../support/test-browser.ts';

const MANY = 50;
const SECRET = 'oauthClientSecretCreate';

describe.each(ONE_AND_TWO)('%s, of 50 requests at the same moment', (_, start) => {
  let servers: Servers;
  let ada: TestBrowser;
  beforeAll(async () => {
    servers = await start();
    ada = await TestBrowser.signedIn(servers.url(0), 'ada@acme.test');
  });
  afterAll(() => servers.close());

  const aliveAt = (token: string) => Promise.all(servers.urls.map((url) => statusOf(url, token)));
  const allAlive = () => servers.urls.map(() => 200);

  test.each<[string, KnownClient]>([
    ['a confidential client', APP],
    ['a public client', CLI],
  ])('that redeem one code of %s, one succeeds, and with PKCE its tokens live', async (_name, client) => {
    const code = await codeFor(ada, client, PKCE);
    const answers = await atOnce(MANY, (n) => exchange(servers.url(n), client, code, { code_verifier: VERIFIER }));
    const [winner, ...others] = answers.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    const refused = answers.filter((answer) => answer !== winner).map(({ status, body }) => [status, body.error]);
    expect(refused).toEqual(Array.from({ length: MANY - 1 }, () => [400, 'invalid_grant']));
    expect(await aliveAt(winner?.body.access_token ?? '')).toEqual(allAlive());
    expect((await refresh(servers.url(1), client, winner?.body.refresh_token ?? '')).status).toBe(200);
  });

  test('that redeem one code without PKCE, one succeeds, and what it got is dead everywhere: one of them is a thief', async () => {
    const code = await codeFor(ada, APP, { prompt: 'consent' });
    const answers = await atOnce(MANY, (n) => exchange(servers.url(n), APP, code));
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    expect((await refresh(servers.url(0), APP, winners[0]?.body.refresh_token ?? '')).status).toBe(400);
  });

  test.each<[string, KnownClient]>([
    ['a confidential client', APP],
    ['a public client', CLI],
  ])('that refresh one token of %s, all succeed, with one and the same pair, which lives', async (_name, client) => {
    const { refresh_token: token } = await tokensFor(ada, client);
    const answers = await atOnce(MANY, (n) => refresh(servers.url(n), client, token));
    const pairs = answers.map((answer) => tokensIn(answer)).map((pair) => `${pair.access_token} ${pair.refresh_token}`);
    expect(new Set(pairs).size).toBe(1);
    const [access = '', next = ''] = pairs[0]?.split(' ') ?? [];
    expect(await aliveAt(access)).toEqual(allAlive());
    expect(tokensIn(await refresh(servers.url(1), client, next)).refresh_token).not.toBe(next);
  });

  test('that refresh one token, half of them with a narrower scope, all get the same refresh token', async () => {
    const { refresh_token: token } = await tokensFor(ada, APP, { scope: 'PROFILE_READ BOOKING_READ' });
    const answers = await atOnce(MANY, (n) =>
      refresh(servers.url(n), APP, token, n % 4 < 2 ? {} : { scope: 'PROFILE_READ' }),
    );
    const tokens = answers.map((answer) => tokensIn(answer));
    expect(new Set(tokens.map(({ refresh_token: next }) => next)).size).toBe(1);
    expect(new Set(tokens.map(({ access_token: access }) => access)).size).toBe(2);
    // A caller who narrowed the scope narrowed one access token, not the grant.
    expect(tokensIn(await refresh(servers.url(0), APP, tokens[2]?.refresh_token ?? '')).scope).toBe(
      'BOOKING_READ PROFILE_READ',
    );
  });

  test('that allow one request, all are sent to the same address, with one code', async () => {
    const page = shownPage(await ada.open(authorizePath(APP, { ...PKCE, prompt: 'consent' })));
    const stops = await atOnce(MANY, (n) => ada.at(servers.url(n)).submit(page, { decision: 'allow' }));
    const locations = new Set(stops.map((stop) => departed(stop).location));
    expect(locations.size).toBe(1);
    const code = new URL([...locations][0] ?? '').searchParams.get('code') ?? '';
    expect((await exchange(servers.url(1), APP, code, { code_verifier: VERIFIER })).status).toBe(200);
    const id = page.address.split('/').at(-1) ?? '';
    // A grant has the UUID of its interaction.
    expect(await rows(servers.database.em, sql`select 1 from oauth_grants where id = ${uuidOf(id)}`)).toHaveLength(1);
  });

  test('that allow or cancel one request, all get one answer', async () => {
    const page = await ada.open(authorizePath(APP, { prompt: 'consent' }));
    const stops = await atOnce(MANY, (n) =>
      ada.at(servers.url(n)).submit(page, { decision: n % 4 < 2 ? 'allow' : 'deny' }),
    );
    expect(new Set(stops.map((stop) => departed(stop).location)).size).toBe(1);
  });

  test('that open a remembered authorization, each gets a code of its own', async () => {
    await tokensFor(ada, APP);
    const stops = await atOnce(MANY, (n) => ada.at(servers.url(n)).open(authorizePath(APP)));
    expect(new Set(stops.map((stop) => departed(stop).parameters.get('code'))).size).toBe(MANY);
  });

  test('that refresh or revoke one grant, none leaves a token that lives', async () => {
    const { refresh_token: token } = await tokensFor(ada, APP);
    const revoking = { path: '/v2/auth/oauth2/revoke' };
    const answers = await atOnce(MANY, (n) =>
      n % 10 === 9 ? post(servers.url(n), { ...APP, token }, revoking) : refresh(servers.url(n), APP, token),
    );
    expect(answers.filter((__, n) => n % 10 === 9).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    for (const { status, body } of answers.filter(({ body }) => body.access_token)) {
      expect(status).toBe(200);
      // The processes hear of it by themselves, a moment later.
      await expect.poll(() => aliveAt(body.access_token)).toEqual(servers.urls.map(() => 401));
      expect((await refresh(servers.url(0), APP, body.refresh_token)).status).toBe(400);
    }
  });

  test('that allow requests from before or revoke the app, none leaves a code that is good', async () => {
    await tokensFor(ada, APP);
    const path = authorizePath(APP, { ...PKCE, prompt: 'consent' });
    const pages = await atOnce(MANY, () => ada.open(path));
    const stops = await atOnce(MANY, (n) =>
      n % 10 === 5 ? revokeAt(n) : ada.at(servers.url(n)).submit(pages[n] as Stop, { decision: 'allow' }),
    );
    expect(await surprisesIn(stops)).toEqual([]);
  });

  test('that are allowed because of what was granted before, or revoke it, none leaves a code that is good', async () => {
    await tokensFor(ada, APP);
    const stops = await atOnce(MANY, (n) =>
      n % 10 === 5 ? revokeAt(n) : ada.at(servers.url(n)).open(authorizePath(APP, PKCE)),
    );
    expect(await surprisesIn(stops)).toEqual([]);
  });

  test('that redeem codes or revoke the app, none leaves a token that lives', async () => {
    await tokensFor(ada, APP);
    const codes = await atOnce(MANY, () => codeFor(ada, APP, PKCE));
    const answers = await atOnce(MANY, (n) =>
      n % 10 === 5 ? revokeAt(n) : exchange(servers.url(n), APP, codes[n] ?? '', { code_verifier: VERIFIER }),
    );
    const given = answers.filter((answer) => answer !== undefined);
    for (const { body } of given.filter(({ status }) => status === 200)) {
      expect((await refresh(servers.url(1), APP, body.refresh_token)).body.error).toBe('invalid_grant');
      await expect.poll(() => aliveAt(body.access_token)).toEqual(servers.urls.map(() => 401));
    }
    const refused = given.filter(({ status }) => status !== 200);
    expect(refused.filter(({ body }) => body.error !== 'invalid_grant')).toEqual([]);
  });

  /** Finds nothing to end when another one was faster. */
  async function revokeAt(n: number): Promise<undefined> {
    const input = { clientId: APP.client_id, grantId: null };
    await ada
      .at(servers.url(n))
      .mutate('authorizedAppRevoke', input, '')
      .catch((error: unknown) => {
        if (!String(error).includes('NOT_FOUND')) throw error;
      });
  }

  /**
   * Finds codes among these answers that are good for something else than expected, and pages that were none of those
   * that are possible.
   */
  async function surprisesIn(stops: readonly (Stop | undefined)[]): Promise<unknown[]> {
    const surprises: unknown[] = [];
    for (const stop of stops) {
      if (stop?.kind === 'PAGE' && ![200, 404].includes(stop.status)) surprises.push(stop.text);
      if (stop?.kind !== 'AWAY') continue;
      const code = stop.parameters.get('code') ?? '';
      const { body } = await exchange(servers.url(0), APP, code, { code_verifier: VERIFIER });
      if (body.error !== 'invalid_grant') surprises.push(body);
    }
    return surprises;
  }

  test('that redeem codes beside 80 other grants of the app, all succeed, and those not refreshed for longest end', async () => {
    const { access_token: first } = await tokensFor(ada, APP);
    await fillWithGrants(79);
    const codes = await atOnce(MANY, () => codeFor(ada, APP, PKCE));
    const answers = await atOnce(MANY, (n) =>
      exchange(servers.url(n), APP, codes[n] ?? '', { code_verifier: VERIFIER }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: MANY }, () => 200));
    await expect.poll(liveGrants).toBe(100);
    const tokens = answers.map((answer) => tokensIn(answer).access_token);
    for (const token of [first, ...tokens]) expect(await aliveAt(token)).toEqual(allAlive());
  });

  async function liveGrants(): Promise<number> {
    const found = await row(
      servers.database.em.fork(),
      sql<{ count: number }>`
        select count(*)::int as count from oauth_grants where client_id = ${APP.client_id} and revoked_at is null`,
    );
    return found?.count ?? 0;
  }

  /** Leaves the user's newest grant and so many others, which were refreshed longer ago. */
  async function fillWithGrants(count: number): Promise<void> {
    const em = servers.database.em.fork();
    await rows(
      em,
      sql`
      delete from oauth_grants where id <> (select id from oauth_grants order by created_at desc, id desc limit 1)`,
    );
    await rows(
      em,
      sql`
      insert into oauth_grants (id, client_id, user_id, kind, scopes, seed, generation, rotated_at, created_at,
        last_used_at, expires_at)
      select ${NEW_ID}, client_id, user_id, kind, scopes, seed, 1,
        rotated_at - interval '1 hour', now() + interval '1 hour', last_used_at, expires_at
      from oauth_grants, generate_series(1, ${count}::int) as n`,
    );
  }

  test('that redeem codes of a client or begin authorizations of it, none fails on our side while it is deleted', async () => {
    const input = { name: 'Short-lived', purpose: 'Test', type: 'CONFIDENTIAL', redirectUris: [APP.redirect_uri] };
    const created = await ada.mutate<{ client: { clientId: string }; secret: string }>(
      'oauthClientCreate',
      { ...input, scopes: ['PROFILE_READ'] },
      'client { clientId } secret',
    );
    const { clientId } = created.client;
    const admin = await TestBrowser.signedIn(servers.url(0), 'admin@gatehouse.test');
    await admin.mutate('oauthClientApprove', { clientId }, 'client { status }');
    const client = { client_id: clientId, client_secret: created.secret, redirect_uri: APP.redirect_uri };
    const codes = await atOnce(MANY, () => codeFor(ada, client));
    const statuses = await atOnce(MANY, async (n) => {
      if (n === 20) return ada.mutate('oauthClientDelete', { clientId }, '').then(() => 200);
      if (n % 2 === 0) return (await ada.at(servers.url(n)).request(authorizePath(client))).status;
      return (await exchange(servers.url(n), client, codes[n] ?? '')).status;
    });
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    // By now it may have been tried too often: from here on there is no such client.
    expect((await exchange(servers.url(0), client, codes[0] ?? '')).status).toBeOneOf([401, 429]);
  });

  test('that add a secret to a client with one, one succeeds, and there are two', async () => {
    const added = await Promise.allSettled(
      Array.from({ length: MANY }, (__, n) =>
        ada.at(servers.url(n)).mutate<{ secret: string }>(SECRET, { clientId: APP.client_id }, 'secret'),
      ),
    );
    const [created, ...others] = added.filter(({ status }) => status === 'fulfilled');
    expect(others).toEqual([]);
    const refusals = added.filter((one) => one.status === 'rejected').map(({ reason }) => String(reason));
    expect(refusals.filter((refusal) => !refusal.includes('TOO_MANY_SECRETS'))).toEqual([]);
    expect(await secretIds()).toHaveLength(2);
    const secret = created?.status === 'fulfilled' ? created.value.secret : '';
    const attempt = { ...APP, client_secret: secret, grant_type: 'x' };
    for (const url of servers.urls) expect((await post(url, attempt)).body.error).toBe('unsupported_grant_type');
  });

  test('that delete both secrets of a client, one succeeds, and one secret is left', async () => {
    const ids = await secretIds();
    expect(ids).toHaveLength(2);
    const deleted = await Promise.allSettled(
      Array.from({ length: MANY }, (__, n) =>
        ada
          .at(servers.url(n))
          .mutate('oauthClientSecretDelete', { clientId: APP.client_id, secretId: ids[(n >> 1) % 2] }, ''),
      ),
    );
    expect(deleted.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refusals = deleted.filter((one) => one.status === 'rejected').map(({ reason }) => String(reason));
    expect(refusals.filter((refusal) => !/LAST_SECRET|NOT_FOUND/.test(refusal))).toEqual([]);
    expect(await secretIds()).toHaveLength(1);
  });

  async function secretIds(): Promise<string[]> {
    const found = await row(
      servers.database.em,
      sql<{ ids: string[] }>`select array_agg(id) as ids from oauth_client_secrets where client_id = ${APP.client_id}`,
    );
    return (found?.ids ?? []).map((id) => publicId('secret', id));
  }
});
