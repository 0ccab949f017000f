/**
 * The demo, whose passwords the README prints, is for the person at the machine, and for others only where the operator
 * says so.
 */
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { isOnPostgres } from '../support/database.ts';
import { paced } from '../support/pace.ts';
import { type RunningService, runToExit, startService, temporaryFolder, usedDataFolder } from '../support/process.ts';
import { send } from '../support/raw-http.ts';

const PUBLIC = { PUBLIC_URL: 'https://book.example.com' };
const PRODUCTION = {
  ...PUBLIC,
  NODE_ENV: 'production',
  SECRET_KEY: Buffer.alloc(32, 7).toString('base64url'),
  RATE_LIMITS: '',
  MAIL: 'files',
};
const PAGES = ['/dev', '/dev/mails', '/dev/oauth', '/demo/callback', '/graphql'];
const PASSED_ON = [
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-forwarded-host': 'localhost' },
  { forwarded: 'for=127.0.0.1;host=localhost' },
  { via: '1.1 proxy' },
];

const folders: string[] = [];
const started: RunningService[] = [];

async function folder(make: () => Promise<string>): Promise<string> {
  const path = await make();
  folders.push(path);
  return path;
}

async function start(env: Record<string, string>): Promise<RunningService> {
  const service = await startService({ LOG_LEVEL: 'warn', ...env });
  started.push(service);
  return service;
}

type Headers = Readonly<Record<string, string>>;

/** The answers that a browser gets at each page of the demo, and what the published password opens. */
async function asked({ url }: RunningService, headers: Headers = {}) {
  const page = async (path: string) => send(url, { path, headers: { accept: 'text/html', ...headers } });
  const pages = await Promise.all(PAGES.map(async (path) => (await page(path)).status));
  const login = await send(url, {
    method: 'POST',
    path: '/auth/login',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ email: 'admin@gatehouse.test', password: 'gatehouse-demo' }),
  });
  const told = [(await page('/')).text.includes('"/dev"'), (await page('/auth/login')).text.includes('gatehouse-demo')];
  return { pages, login: login.status, told };
}

/** The answer to `GET /dev`. */
async function otherHost(url: string, host: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(`GET /dev HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  return Buffer.concat(await socket.toArray()).toString();
}

const ALL = { pages: PAGES.map(() => 200), login: 200, told: [true, true] };
const NOTHING = { pages: [404, 404, 404, 404, 404], told: [false, false] };

afterAll(() => Promise.all(folders.map((path) => rm(path, { recursive: true, force: true }))));
afterEach(async () => {
  for (const service of started.splice(0)) await service.kill('SIGTERM');
});

/** Each starts a service on a database of its own: a busy machine takes its time for one, and none is in another's way. */
describe.skipIf(isOnPostgres)('the demo', { timeout: paced(180_000) }, () => {
  test('is there for somebody at this machine, and not for a request that was passed on or names another host', async () => {
    const service = await start({ DATA_DIR: await folder(usedDataFolder) });
    expect(await asked(service)).toEqual(ALL);
    for (const headers of PASSED_ON) {
      expect([headers, await asked(service, headers)]).toEqual([headers, { ...NOTHING, login: 401 }]);
    }
    const named = await fetch(`http://127.0.0.1:${new URL(service.url).port}/dev`);
    expect(named.status).toBe(200);
    // A name that was made to lead here, as a page of another site can.
    expect(await otherHost(service.url, 'rebound.example')).toMatch(/^HTTP\/1\.1 404 /);
  });

  test('is no part of a service with a public address', async () => {
    const service = await start({ ...PUBLIC, TRUST_PROXY: '127.0.0.0/8', DATA_DIR: await folder(temporaryFolder) });
    expect(service.output()).toMatch(/NODE_ENV=production/);
    const { pages, told, login } = await asked(service);
    expect([pages.slice(0, 4), told, login]).toEqual([[404, 404, 404, 404], [false, false], 401]);
  });

  test.each([PUBLIC, { HOST: '0.0.0.0' }, PRODUCTION])(
    'that was seeded before keeps a service from starting whose configuration reaches others (%j)',
    async (env) => {
      const { code, output } = await runToExit({ ...env, DATA_DIR: await folder(usedDataFolder) });
      expect(code).toBe(1);
      expect(output).toMatch(/holds the demo \(.*admin@gatehouse\.test.*the client demo-app.*SEED_DEMO=on/s);
    },
  );

  test('is for everybody where the operator says so, who is told what that means', async () => {
    const service = await start({ ...PUBLIC, SEED_DEMO: 'on', DATA_DIR: await folder(usedDataFolder) });
    expect(await asked(service, { 'x-forwarded-for': '192.0.2.1' })).toEqual(ALL);
    expect(service.output()).toMatch(/everybody who reaches this service can sign in to the demo accounts/);
  });

  test('is nowhere in production, which an account with a demo address does not keep from starting', async () => {
    const DATA_DIR = await folder(temporaryFolder);
    const service = await start({ ...PRODUCTION, DATA_DIR });
    const form = await send(service.url, { path: '/auth/login' });
    expect(form.status).toBe(200);
    expect((await asked(service)).pages.slice(0, 4)).toEqual([404, 404, 404, 404]);
  });
});
