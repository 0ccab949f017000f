import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import process from 'node:process';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { isOnPostgres, openTestDatabase } from '../support/database.ts';
import { paced } from '../support/pace.ts';
import { PostgresProxy } from '../support/postgres-proxy.ts';
import { freePort, type RunningService, runToExit, startService, temporaryFolder } from '../support/process.ts';
import { SHARED } from '../support/servers.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

/** From the signal to the end of the last process, in seconds. */
const GRACE_SECONDS = 17;

describe.runIf(isOnPostgres)('a service of several workers', { timeout: paced(150_000) }, () => {
  let proxy: PostgresProxy;
  let env: Record<string, string>;
  beforeEach(async () => {
    const database = await openTestDatabase();
    proxy = await PostgresProxy.open(database.url ?? '');
    onTestFinished(async () => {
      await proxy.cut();
      await database.close();
    });
    const DATA_DIR = await temporaryFolder();
    folders.push(DATA_DIR);
    env = { ...SHARED, DATA_DIR, DATABASE_URL: proxy.url, LOG_LEVEL: 'info', WORKERS: '2' };
  });

  async function start(): Promise<RunningService> {
    const service = await startService(env);
    onTestFinished(async () => {
      if (service.child.exitCode === null && service.child.signalCode === null) await service.kill('SIGKILL');
    });
    await expect.poll(() => statusOf(service, '/health/ready'), { timeout: paced(60_000) }).toBe(200);
    return service;
  }

  test('ends within its grace when every connection hangs, with requests under way', async () => {
    const service = await start();
    proxy.hush();
    const waiting = Array.from({ length: 30 }, () => statusOf(service, '/book/ada'));
    await expect.poll(() => statusOf(service, '/health/ready'), { timeout: paced(10_000) }).toBe(503);
    const before = performance.now();
    // Jobs cannot be handed back to others: that is said, and by the exit code.
    expect(await service.kill('SIGTERM')).toBe(1);
    expect(service.output()).toMatch(/waiting any longer/);
    expect((performance.now() - before) / 1000).toBeLessThan(paced(GRACE_SECONDS));
    // An answer or none, but nobody is left waiting.
    for (const status of await Promise.all(waiting)) expect([503, 'gone']).toContain(status);
  });

  test('ends at once on a second signal', async () => {
    const service = await start();
    proxy.hush();
    const waiting = statusOf(service, '/book/ada');
    await expect.poll(() => statusOf(service, '/health/ready'), { timeout: paced(10_000) }).toBe(503);
    service.child.kill('SIGTERM');
    await expect.poll(() => service.output(), { timeout: paced(10_000) }).toContain('Stopping');
    // A terminal and npm both pass on one signal, which is not two.
    const again = setInterval(() => service.child.kill('SIGTERM'), 200);
    const before = performance.now();
    expect(await service.exited).toBe(1);
    clearInterval(again);
    expect(performance.now() - before).toBeLessThan(paced(3_000));
    expect(await waiting).toBe('gone');
  });

  test('outlives the death of a worker while the database is away, and has all of them again afterwards', async () => {
    const service = await start();
    const [first = 0, second = 0] = workersOf(service);
    await proxy.cut();
    process.kill(first, 'SIGKILL');
    await expect.poll(() => service.output(), { timeout: paced(60_000) }).toMatch(/A worker could not start/);
    expect(service.output()).toMatch(/A worker died.*"signal":"SIGKILL"/);
    expect(service.output()).toMatch(/cannot be reached[\s\S]*A worker could not start.*"exitCode":1/);
    expect([service.child.exitCode, await statusOf(service, '/health/live')]).toEqual([null, 200]);
    await proxy.mend();
    await expect.poll(() => readyWorkers(service), { timeout: paced(60_000) }).toBe(2);
    expect(workersOf(service)).toContain(second);
    expect(await service.kill('SIGTERM')).toBe(0);
  });

  test('replaces a worker that is blocked', async () => {
    const service = await start();
    await expect.poll(() => readyWorkers(service), { timeout: paced(60_000) }).toBe(2);
    const [blocked = 0] = workersOf(service);
    process.kill(blocked, 'SIGSTOP');
    await expect.poll(() => service.output(), { timeout: paced(60_000) }).toMatch(/it does not answer/);
    await expect.poll(() => workersOf(service)).not.toContain(blocked);
    await expect.poll(() => readyWorkers(service), { timeout: paced(60_000) }).toBe(2);
    expect(await service.kill('SIGTERM')).toBe(0);
  });

  test('ends with what is wrong when it cannot start at all', async () => {
    const { code, output } = await runToExit({
      ...env,
      DATABASE_URL: `postgres://nobody@127.0.0.1:${await freePort()}/none`,
    });
    expect(code).toBe(1);
    expect(output).toMatch(/could not start: PostgreSQL at 127\.0\.0\.1:\d+ cannot be reached/);
  });

  /** How many answer by themselves: each has its own sessions at the database. */
  async function readyWorkers(service: RunningService): Promise<number> {
    const alive = workersOf(service);
    const listening = proxy.openConnections('gatehouse listener');
    return Math.min(alive.length, listening);
  }
});

function workersOf({ child }: RunningService): number[] {
  try {
    return execFileSync('ps', ['-o', 'pid=', '--ppid', String(child.pid)], { encoding: 'utf8' })
      .split('\n')
      .map(Number)
      .filter(Boolean);
  } catch {
    return [];
  }
}

async function statusOf({ url }: RunningService, path: string): Promise<number | 'gone'> {
  try {
    return (await fetch(`${url}${path}`)).status;
  } catch {
    return 'gone';
  }
}
