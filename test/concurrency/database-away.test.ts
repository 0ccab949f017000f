import { rm } from 'node:fs/promises';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { row, rows, sql } from '../../src/database/sql.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  APP,
  authorizePath,
  codeFor,
  exchange,
  PKCE,
  post,
  refresh,
  type TokenAnswer,
  tokensFor,
  tokensIn,
  VERIFIER,
} from '../support/oauth-requests.ts';
import { oauthRows } from '../support/oauth-rows.ts';
import { PostgresProxy } from '../support/postgres-proxy.ts';
import { type RunningService, startService, temporaryFolder } from '../support/process.ts';
import { send } from '../support/raw-http.ts';
import { SHARED } from '../support/servers.ts';
import { onServer } from '../support/settings.ts';
import { departed, shownPage, TestBrowser } from '../support/test-browser.ts';

const METRICS_TOKEN = 'a-token-of-the-operator';

async function metricsOf({ url }: RunningService) {
  const answer = await send(url, {
    path: '/metrics',
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  const names = answer.text.matchAll(/^# TYPE (\w+)/gm);
  return { status: answer.status, names: [...names].map(([, name]) => name) };
}

const input = (slug: string) => ({ title: 'In doubt', slug, durationInMinutes: 30 });

describe.runIf(isOnPostgres)('while the database is away', () => {
  let database: TestDatabase;
  let proxy: PostgresProxy;
  let service: RunningService;
  let folder: string;
  let ada: TestBrowser;
  beforeAll(async () => {
    [database, folder] = await Promise.all([openTestDatabase(), temporaryFolder()]);
    proxy = await PostgresProxy.open(database.url ?? '');
    service = await startService({ ...SHARED, DATA_DIR: folder, DATABASE_URL: proxy.url, METRICS_TOKEN });
    ada = await TestBrowser.signedIn(service.url, 'ada@acme.test');
  });
  afterEach(async () => {
    await mend();
  });
  afterAll(async () => {
    await service.kill('SIGKILL');
    await proxy.cut();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('clients are told to come back, nothing is consumed, and afterwards everything works', async () => {
    const code = await codeFor(ada, APP, PKCE);
    const tokens = await tokensFor(ada, APP);
    const before = await oauthRows(database.em);
    const requests = [
      () => exchange(service.url, APP, code, { code_verifier: VERIFIER }),
      () => refresh(service.url, APP, tokens.refresh_token),
      () => post(service.url, { ...APP, token: tokens.access_token }, { path: '/v2/auth/oauth2/revoke' }),
      () => post(service.url, { ...APP, token: tokens.access_token }, { path: '/v2/auth/oauth2/introspect' }),
    ];
    await proxy.cut();
    for (const request of requests) expectAway(await request());
    expect(await oauthRows(database.em)).toEqual(before);
    await mend();
    for (const request of requests.toReversed()) expect((await request()).status).toBe(200);
  });

  test.each([
    ['the authorization', () => authorizePath(APP)],
    ['signing in', () => '/auth/login'],
  ])('%s answers 503 and when to come back, and the process is alive', async (_, path) => {
    await proxy.cut();
    const answer = await ada.request(path());
    expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([503, true]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await ada.request('/health/live')).status).toBe(200);
  });

  test('readiness says so, and liveness does not', async () => {
    await proxy.cut();
    expect((await ada.request('/health/ready')).status).toBe(503);
    expect((await ada.request('/health/live')).status).toBe(200);
  });

  test('the metrics tell what the process has counted, and nothing of queues', async () => {
    const kept = ['bytes', 'entries', 'anonymous_bytes', 'budget_bytes'].map((what) => `gatehouse_cache_${what}`);
    const counted = [
      'gatehouse_deprecated_uses_total',
      'gatehouse_outbound_seconds',
      'gatehouse_wrong_uids_total',
      ...kept,
    ];
    expect(await metricsOf(service)).toMatchObject({
      status: 200,
      names: [...counted, 'gatehouse_jobs_waiting', ...Array(6).fill(expect.any(String))],
    });
    await proxy.cut();
    expect(await metricsOf(service)).toEqual({ status: 200, names: counted });
  });

  test('readiness says so within seconds when the database neither answers nor refuses', async () => {
    const sent = proxy.withholdAnswerTo('transaction_read_only');
    const answer = ada.request('/health/ready');
    await sent;
    expect((await answer).status).toBe(503);
    // The statement is being cancelled now, by a connection of its own: losing that one too is no reason to end.
    await proxy.cut();
    expect((await ada.request('/health/live')).status).toBe(200);
  });

  test('a sign-in form answers 503, and works when it is sent again', async () => {
    const browser = new TestBrowser(service.url);
    const page = await browser.open('/auth/login');
    await proxy.cut();
    expect(shownPage(await browser.signIn(page, 'ada@acme.test')).status).toBe(503);
    await mend();
    expect((await browser.signIn(page, 'ada@acme.test')).status).toBe(200);
  });

  test.each<[string, boolean]>([
    ['with a token that was not seen before', false],
    ['with a token that was, once what is remembered of its user is a second old,', true],
  ])('the API %s answers 503 and no data, by GraphQL and by REST', async (_, isSeen) => {
    const { access_token: token } = await tokensFor(ada, APP);
    const ask = () => [
      send(service.url, {
        method: 'POST',
        path: '/graphql',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ query: '{ me { name } }' }),
      }),
      send(service.url, { path: '/v2/me', headers: { authorization: `Bearer ${token}` } }),
    ];
    if (isSeen) await Promise.all(ask());
    await proxy.cut();
    if (isSeen) await pause(1_000);
    for (const answer of await Promise.all(ask())) {
      expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([503, true]);
      expect(answer.text).toContain('SERVICE_UNAVAILABLE');
      expect(answer.text).not.toMatch(/"data":\{/);
    }
  });

  test('a session by GraphQL is answered 503 too', async () => {
    await proxy.cut();
    await expect(ada.ask('{ me { id } }')).rejects.toThrow('SERVICE_UNAVAILABLE');
  });

  test('a consent that is allowed is not lost: the form works when it is sent again', async () => {
    const page = await ada.open(authorizePath(APP, { prompt: 'consent' }));
    await proxy.cut();
    const away = shownPage(await ada.submit(page, { decision: 'allow' }));
    expect([away.status, away.headers.get('location')]).toEqual([503, null]);
    await mend();
    expect(departed(await ada.submit(page, { decision: 'allow' })).parameters.get('code')).toMatch(/^gh_code_/);
  });

  test('the answer to a refresh that was lost on the way is given again, the same to the byte', async () => {
    const { refresh_token: token } = await tokensFor(ada, APP);
    const committed = proxy.withholdAnswerTo('update oauth_grants');
    const lost = refresh(service.url, APP, token);
    await committed;
    await expect.poll(generation).toBe(2);
    await proxy.cut();
    expectAway(await lost);
    await mend();
    const [again, andAgain] = [await refresh(service.url, APP, token), await refresh(service.url, APP, token)];
    expect(tokensIn(again).refresh_token).toContain('_2_');
    expect({ ...tokensIn(andAgain), expires_in: 0 }).toEqual({ ...tokensIn(again), expires_in: 0 });
    expect(await generation()).toBe(2);
  });

  test('a database that falls silent without a word is answered 503 in time, and nothing is consumed', async () => {
    const { refresh_token: token } = await tokensFor(ada, APP);
    const before = await oauthRows(database.em);
    proxy.hush();
    const [refreshed, page, session] = await Promise.all([
      refresh(service.url, APP, token),
      ada.request('/settings/apps'),
      ada.ask('{ me { id } }').catch(String),
    ]);
    expectAway(refreshed);
    expect(page.status).toBe(503);
    expect(session).toContain('SERVICE_UNAVAILABLE');
    expect(await oauthRows(database.em)).toEqual(before);
    await proxy.cut();
    await mend();
    expect((await refresh(service.url, APP, token)).status).toBe(200);
  });

  test('a database that became read-only is 503 and not ready with that reason, and nothing is consumed', async () => {
    const code = await codeFor(ada, APP, PKCE);
    const before = await oauthRows(database.em);
    await becomeReadOnly(true);
    expectAway(await exchange(service.url, APP, code, { code_verifier: VERIFIER }));
    const input = { title: 'Not made', slug: 'not-made', durationInMinutes: 30 };
    await expect(ada.mutate('eventTypeCreate', input, 'eventTypeId')).rejects.toThrow('SERVICE_UNAVAILABLE');
    const ready = await ada.request('/health/ready');
    expect([ready.status, ready.text]).toEqual([503, expect.stringContaining('"the database is read-only"')]);
    expect((await ada.request('/health/live')).status).toBe(200);
    expect(await oauthRows(database.em)).toEqual(before);
    await becomeReadOnly(false);
    await mend();
    expect((await exchange(service.url, APP, code, { code_verifier: VERIFIER })).status).toBe(200);
  });

  test('a full disk of the database is 503, and the service is ready once it takes a write', async () => {
    const input = { title: 'Made', slug: 'made', durationInMinutes: 30 };
    await rows(
      database.em.fork(),
      sql`create function full_disk() returns trigger language plpgsql as
          $$ begin raise 'could not extend file' using errcode = 'disk_full'; end $$`,
    );
    await rows(
      database.em.fork(),
      sql`create trigger full_disk before insert on event_types for each row execute function full_disk()`,
    );
    await expect(ada.mutate('eventTypeCreate', input, 'eventTypeId')).rejects.toThrow('SERVICE_UNAVAILABLE');
    await rows(database.em.fork(), sql`drop function full_disk cascade`);
    expect((await ada.request('/health/ready')).status).toBe(200);
    await ada.mutate('eventTypeCreate', input, 'eventTypeId');
  });

  describe('when the answer to a commit is lost', () => {
    test('a mutation is told that it may have been done, and is: GraphQL', async () => {
      const told = await inDoubt(/into "?event_types\b/, () =>
        ada.mutate('eventTypeCreate', input('doubt-1'), 'eventTypeId'),
      );
      expect(String(told)).toMatch(/OUTCOME_UNKNOWN/);
      expect(String(told)).toMatch(/may have been carried out/);
      await expect(ada.mutate('eventTypeCreate', input('doubt-1'), 'eventTypeId')).rejects.toThrow('SLUG_TAKEN');
    });

    test('with an idempotency key it is sent again as it is, and was done once', async () => {
      const keyed = { ...input('doubt-2'), idempotencyKey: 'a-key-of-the-caller' };
      const told = await inDoubt(/into "?event_types\b/, () => ada.mutate('eventTypeCreate', keyed, 'eventTypeId'));
      expect(String(told)).toMatch(/OUTCOME_UNKNOWN/);
      expect(await ada.mutate('eventTypeCreate', keyed, 'eventTypeId')).toMatchObject({ userErrors: [] });
    });

    test('so is a caller of REST, by 504', async () => {
      const { access_token: token } = await tokensFor(ada, APP, { scope: 'EVENT_TYPE_WRITE EVENT_TYPE_READ' });
      const told = await inDoubt(/into "?event_types\b/, () =>
        send(service.url, {
          method: 'POST',
          path: '/v2/event-types',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: JSON.stringify(input('doubt-3')),
        }),
      );
      expect([told.status, told.text]).toEqual([504, expect.stringContaining('OUTCOME_UNKNOWN')]);
    });

    test('so is a person, by a page; the same form is then done once', async () => {
      const page = await ada.open('/settings/event-types');
      const fill = () => ada.submit(page, { title: 'In doubt', slug: 'doubt-4', durationInMinutes: '30' });
      const told = shownPage(await inDoubt(/into "?event_types\b/, fill));
      expect([told.status, told.text]).toEqual([504, expect.stringContaining('may have been done')]);
      expect((await fill()).status).toBe(200);
    });

    test('a client of the token endpoint sends the same again, and has lost nothing', async () => {
      const { refresh_token: first } = await tokensFor(ada, APP);
      const sent = proxy.withholdAnswerTo('update oauth_grants');
      const answer = refresh(service.url, APP, first);
      await sent;
      await pause(100);
      await proxy.cut();
      const told = await answer;
      expectAway(told);
      expect(told.text).toContain('may have been');
      await mend();
      const [again, once] = [await refresh(service.url, APP, first), await refresh(service.url, APP, first)];
      expect([again.status, once.body.refresh_token]).toEqual([200, again.body.refresh_token]);
      expect((await refresh(service.url, APP, again.body.refresh_token)).status).toBe(200);
    });
  });

  /** The answer to a lost commit; the commit itself is carried out. */
  async function inDoubt<Answer>(after: RegExp, send: () => Promise<Answer>): Promise<Answer> {
    const sent = proxy.withholdCommitAfter(after);
    const answer = send();
    answer.catch(() => undefined);
    await sent;
    await pause(100);
    await proxy.cut();
    const told = await answer.catch((error: unknown) => error as Answer);
    await mend();
    return told;
  }

  /** As after a failover: clients that connect from now on find a standby. */
  async function becomeReadOnly(isReadOnly: boolean): Promise<void> {
    const [name] = new URL(database.url ?? '').pathname.split('/').slice(1);
    await onServer(
      process.env['DATABASE_URL'] ?? '',
      `alter database ${name} set default_transaction_read_only = ${isReadOnly}`,
    );
    await proxy.cut();
    await proxy.mend();
  }

  /** Mended, and the service, the same process as before, has noticed that its idle connections are gone. */
  async function mend(): Promise<void> {
    await proxy.mend();
    if (service.child.exitCode !== null) throw new Error(`The service ended: ${service.output()}`);
    await expect.poll(async () => (await ada.request('/health/ready')).status).toBe(200);
  }

  async function generation(): Promise<number | undefined> {
    const found = await row(
      database.em,
      sql<{ generation: number }>`select generation from oauth_grants order by created_at desc, id desc limit 1`,
    );
    return found?.generation;
  }
});

function expectAway({ status, headers, body }: TokenAnswer): void {
  expect([status, body.error]).toEqual([503, 'temporarily_unavailable']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(headers.get('cache-control')).toBe('no-store');
}
