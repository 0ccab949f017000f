import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { row, sql } from '../../src/database/sql.ts';
import { isOnPostgres, openTestDatabase } from '../support/database.ts';
import { APP, refresh, statusOf, type TokenBody, tokensFor, tokensIn } from '../support/oauth-requests.ts';
import { PostgresProxy } from '../support/postgres-proxy.ts';
import { type RunningService, startService, usedDataFolder } from '../support/process.ts';
import { atOnce, SHARED } from '../support/servers.ts';
import { TestBrowser } from '../support/test-browser.ts';

const CHAINS = 40;

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

describe('a process that is killed while it refreshes', () => {
  test(`gives everybody who got no answer one, and the same again, once it is back (${CHAINS} chains)`, async () => {
    const env = await aDatabase();
    const first = await start(env);
    const ada = await TestBrowser.signedIn(first.url, 'ada@acme.test');
    await tokensFor(ada, APP);
    const chains = await atOnce(CHAINS, () => tokensFor(ada, APP));
    let answers = 0;
    // Each refreshes on and on, so that at the end each has a request somewhere between its statement and its answer.
    const unanswered = await atOnce(CHAINS, async (n) => {
      for (let token = chains[n]?.refresh_token ?? ''; ; ) {
        const answer = await refresh(first.url, APP, token).catch(() => undefined);
        if (!answer) return token;
        answers += 1;
        if (answers === 3 * CHAINS) first.child.kill('SIGKILL');
        token = tokensIn(answer).refresh_token;
      }
    });
    expect(await first.exited).toBe('SIGKILL');

    const second = await start(env);
    const retry = () => atOnce(CHAINS, (n) => refresh(second.url, APP, unanswered[n] ?? ''));
    const pairs = (await retry()).map((answer) => pairOf(tokensIn(answer)));
    expect((await retry()).map((answer) => pairOf(tokensIn(answer)))).toEqual(pairs);
    const alive = await Promise.all(pairs.map(({ access_token: token }) => statusOf(second.url, token)));
    expect(new Set(alive)).toEqual(new Set([200]));
  });
});

describe.runIf(isOnPostgres)('a process that is killed between the commit of a refresh and its answer', () => {
  test('gives the identical pair when the client tries again', async () => {
    const database = await openTestDatabase();
    onTestFinished(() => database.close());
    const proxy = await PostgresProxy.open(database.url ?? '');
    onTestFinished(() => proxy.cut());
    const env = { ...SHARED, DATA_DIR: await folder(), DATABASE_URL: proxy.url };
    const first = await start(env);
    const ada = await TestBrowser.signedIn(first.url, 'ada@acme.test');
    const { refresh_token: token } = await tokensFor(ada, APP);

    const committed = proxy.withholdAnswerTo('update oauth_grants');
    const lost = refresh(first.url, APP, token).catch(() => 'no answer');
    await committed;
    const generation = async () =>
      (await row(database.em, sql<{ generation: number }>`select generation from oauth_grants`))?.generation;
    await expect.poll(generation).toBe(2);
    await first.kill('SIGKILL');
    expect(await lost).toBe('no answer');

    const second = await start(env);
    const pair = pairOf(tokensIn(await refresh(second.url, APP, token)));
    expect(pairOf(tokensIn(await refresh(second.url, APP, token)))).toEqual(pair);
    expect(await generation()).toBe(2);
    expect(await statusOf(second.url, pair.access_token)).toBe(200);
    expect(tokensIn(await refresh(second.url, APP, pair.refresh_token)).refresh_token).toContain('_3_');
  });
});

/** Settings for a service on a database of its own, of the kind that the suite runs on. */
async function aDatabase(): Promise<Record<string, string>> {
  const DATA_DIR = await folder();
  if (!isOnPostgres) return { ...SHARED, DATA_DIR };
  const database = await openTestDatabase();
  onTestFinished(() => database.close());
  return { ...SHARED, DATA_DIR, DATABASE_URL: database.url ?? '' };
}

async function folder(): Promise<string> {
  const path = await usedDataFolder();
  folders.push(path);
  return path;
}

async function start(env: Record<string, string>): Promise<RunningService> {
  const service = await startService(env);
  onTestFinished(async () => {
    await service.kill('SIGKILL');
  });
  return service;
}

/** The parts that have to be identical; `expires_in` says what remains. */
function pairOf({ access_token, refresh_token, scope }: TokenBody) {
  return { access_token, refresh_token, scope };
}
