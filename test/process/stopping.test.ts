import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { killedWithFile } from '../support/ends-with-file.ts';
import { paced } from '../support/pace.ts';
import { freePort, startService, usedDataFolder } from '../support/process.ts';
import { SHARED } from '../support/servers.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((path) => rm(path, { recursive: true, force: true }))));

async function folder(): Promise<string> {
  const path = await usedDataFolder();
  folders.push(path);
  return path;
}

const LAUNCHER = 'src/cli/gatehouse.js';
const { PATH = '', HOME = '' } = process.env;

describe('a service that is told to stop', () => {
  test.each([
    ['npm', ['start']],
    ['npx', ['gatehouse', 'start']],
  ])('by a signal to %s, which started it, stops', async (program, options) => {
    const [PORT, DATA_DIR] = [String(await freePort()), await folder()];
    // In a group of its own, of which nothing is left behind.
    const child = spawn(program, options, { env: { PATH, HOME, PORT, DATA_DIR }, stdio: 'ignore', detached: true });
    const ended = once(child, 'close');
    const status = () =>
      fetch(`http://localhost:${PORT}/health/live`).then(
        (answer) => answer.status,
        () => 'nobody',
      );
    try {
      await expect.poll(status, { timeout: paced(60_000), interval: 100 }).toBe(200);
      child.kill('SIGTERM');
      await ended;
      await expect.poll(status, { timeout: paced(20_000), interval: 100 }).toBe('nobody');
    } finally {
      execFileSync('sh', ['-c', `kill -KILL -${child.pid} 2> /dev/null || true`]);
    }
  });

  test.skipIf(process.getuid?.() !== 0).each([50, 200, 500, 1_000])(
    'as process 1 of a container, %i ms after it has begun to listen to signals, stops (needs root)',
    async (milliseconds) => {
      const [PORT, DATA_DIR] = [String(await freePort()), await folder()];
      const [says, listens] = [join(DATA_DIR, 'says.cjs'), join(DATA_DIR, 'listens')];
      // Node listens by itself before it reads a program, and process 1 then loses what comes: /proc says the same of both.
      const isListening = `(name) => name === 'SIGTERM' && require('node:fs').writeFileSync('${listens}', '')`;
      await writeFile(says, `process.on('newListener', ${isListening});`);
      const child = killedWithFile(
        spawn('unshare', ['--pid', '--fork', '--mount-proc', process.execPath, '--require', says, LAUNCHER, 'start'], {
          env: { PATH, HOME, PORT, DATA_DIR },
          stdio: 'ignore',
        }),
      );
      const ended = once(child, 'exit');
      const first = () => execFileSync('sh', ['-c', `pgrep -P ${child.pid} || true`], { encoding: 'utf8' }).trim();
      await expect.poll(first, { timeout: paced(10_000), interval: 5 }).not.toBe('');
      const pid = Number(first());
      await expect.poll(() => existsSync(listens), { timeout: paced(10_000), interval: 5 }).toBe(true);
      await pause(milliseconds);
      process.kill(pid, 'SIGTERM');
      const [code] = (await Promise.race([ended, pause(paced(20_000), ['it goes on'])])) as [unknown];
      expect(code).toBe(0);
    },
  );

  test.each([
    ['at a desk', {}],
    [
      'in production',
      {
        NODE_ENV: 'production',
        PUBLIC_URL: 'https://gatehouse.example',
        MAIL: 'files',
        SEED_DEMO: 'off',
        RATE_LIMITS: 'anonymous=120',
      },
    ],
  ])('goes on until then, and stops as it should, when nobody reads its log any more: %s', async (_where, env) => {
    const service = await startService({ ...SHARED, LOG_LEVEL: 'info', DATA_DIR: await newOrUsed(env), ...env });
    service.child.stdout?.destroy();
    service.child.stderr?.destroy();
    expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
    service.child.kill('SIGTERM');
    expect(await once(service.child, 'exit')).toEqual([0, null]);
  });
});

/** Production does without the demo, which a used folder holds. */
async function newOrUsed(env: object): Promise<string> {
  return 'NODE_ENV' in env ? 'memory:' : folder();
}

const signIn = (url: string) =>
  fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@acme.test', password: 'gatehouse-demo' }),
  }).then(
    ({ status }) => status,
    () => 'cut off',
  );

describe.runIf(isOnPostgres)('work that has to be abandoned', { timeout: paced(120_000) }, () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database?.close());

  const start = async (workers: string) =>
    startService({
      ...SHARED,
      DATA_DIR: await folder(),
      DATABASE_URL: database.url ?? '',
      LOG_LEVEL: 'info',
      WORKERS: workers,
    });
  test.each(['1', '2'])('at the end is logged and told by the exit code, with WORKERS=%s', async (workers) => {
    const service = await start(workers);
    const operator = new Client({ connectionString: database.url ?? '' });
    await operator.connect();
    try {
      await operator.query('begin; lock table sessions in access exclusive mode');
      const signedIn = signIn(service.url);
      await expect.poll(() => waiting(operator)).toBeGreaterThan(0);
      expect(await service.kill('SIGTERM')).toBe(1);
      expect(await signedIn).toBe('cut off');
    } finally {
      await operator.end();
    }
    expect(service.output()).toMatch(/Requests were cut off.*"requests":1/);
    const isSupervised = /A worker has not stopped by itself, or had to abandon something/.test(service.output());
    expect(isSupervised).toBe(workers === '2');
  });

  test.each(['1', '2'])('is nothing, with WORKERS=%s, if all is done in time', async (workers) => {
    const service = await start(workers);
    const idle = connect(Number(new URL(service.url).port), '127.0.0.1');
    expect(await signIn(service.url)).toBe(200);
    expect(await service.kill('SIGTERM')).toBe(0);
    idle.destroy();
    expect(service.output()).not.toMatch(/cut off|abandon/);
  });
});

async function waiting(operator: Client): Promise<number> {
  const { rowCount } = await operator.query(`select from pg_locks where not granted`);
  return rowCount ?? 0;
}
