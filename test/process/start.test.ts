import { rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browser } from '../../src/cli/demo-browser.ts';
import { isOnPostgres } from '../support/database.ts';
import {
  freePort,
  type RunningService,
  runToExit,
  startService,
  temporaryFolder,
  usedDataFolder,
} from '../support/process.ts';
import { send } from '../support/raw-http.ts';

const folders: string[] = [];
async function folder(make = usedDataFolder): Promise<string> {
  const path = await make();
  folders.push(path);
  return path;
}
afterAll(() => Promise.all(folders.map((path) => rm(path, { recursive: true, force: true }))));

async function createEventType(browser: Browser, slug: string): Promise<string | null> {
  const query = `mutation ($slug: String!) {
    eventTypeCreate(input: { title: "Kept", slug: $slug, durationInMinutes: 30 }) { eventTypeId userErrors { code } }
  }`;
  const { eventTypeCreate } = await browser.graphql<{ eventTypeCreate: { eventTypeId: string | null } }>(query, {
    slug,
  });
  return eventTypeCreate.eventTypeId;
}

describe.skipIf(isOnPostgres)('a service on the embedded database, in a new folder', () => {
  let DATA_DIR: string;
  let service: RunningService;
  beforeAll(async () => {
    DATA_DIR = await folder(temporaryFolder);
    await writeFile(join(DATA_DIR, 'lock'), 'garbled');
    service = await startService({ DATA_DIR });
  });
  afterAll(async () => {
    if (service.child.exitCode === null) await service.kill('SIGKILL');
  });

  test('starts over a lock file that is garbled', async () => {
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  });

  test('takes a request with one Host, and refuses one with two before any route sees it', async () => {
    const path = '/health/live';
    expect((await send(service.url, { path })).status).toBe(200);
    expect((await send(service.url, { path, headers: { host: 'evil.test' } })).status).toBe(400);
  });

  test('keeps a second process off its folder', async () => {
    const { code, output } = await runToExit({ DATA_DIR });
    expect(code).toBe(1);
    expect(output).toContain(`${DATA_DIR} is in use by process ${service.child.pid}`);
  });

  test('keeps a second process off its port, which says so', async () => {
    const { port } = new URL(service.url);
    const { code, output } = await runToExit({ DATA_DIR: await folder(), PORT: port });
    expect(code).toBe(1);
    expect(output).toContain(`port ${port}`);
  });

  test('loses nothing that it acknowledged when it is killed during writes; the next one takes its folder over', async () => {
    const first = service;
    const ada = await Browser.signIn(first.url, 'ada@acme.test', 'gatehouse-demo');
    const acknowledged: string[] = [];
    const writing = (async () => {
      for (let n = 0; ; n += 1) {
        const id = await createEventType(ada, `kept-${n}`);
        if (id) acknowledged.push(id);
        if (acknowledged.length === 15) void first.kill('SIGKILL');
      }
    })();
    await expect(writing).rejects.toThrow('fetch failed');
    await first.exited;

    service = await startService({ DATA_DIR });
    const again = await Browser.signIn(service.url, 'ada@acme.test', 'gatehouse-demo');
    const { me } = await again.graphql<{ me: { eventTypes: { nodes: { id: string }[] } } }>(
      '{ me { eventTypes(first: 100) { nodes { id } } } }',
      {},
    );
    const kept = new Set(me.eventTypes.nodes.map(({ id }) => id));
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
  });

  test('answers on SIGTERM what comes on an open connection, ends it with that, takes no new one, and exits with 0', async () => {
    const head = 'POST /graphql/scopes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
    const body = '{"query":"{ __typename }"}';
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n{`);
    // The first byte of the body is there once a later request has been answered.
    expect((await send(service.url, { path: '/health/live' })).status).toBe(200);
    const exit = service.kill('SIGTERM');
    await expect.poll(() => fetch(`${service.url}/health/live`).catch(() => 'refused')).toBe('refused');
    socket.write(`${body.slice(1)}GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const answers = Buffer.concat(await socket.toArray())
      .toString()
      .split(/(?=HTTP\/1\.1 )/);
    expect(answers.map((answer) => answer.slice(9, 12))).toEqual(['200', '200']);
    expect(answers[1]).toMatch(/^connection: close$/im);
    expect(await exit).toBe(0);
  });
});

describe('a service is not started', () => {
  test('with mistakes in the configuration, all named at once', async () => {
    const { code, output } = await runToExit({
      PORT: 'x',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://x',
      AUTHORIZATION_CODE_SECONDS: '9000',
    });
    expect(code).toBe(1);
    for (const name of ['PORT', 'LOG_LEVEL', 'DATABASE_URL', 'AUTHORIZATION_CODE_SECONDS'])
      expect(output).toContain(name);
  });

  test('in production without what production needs', async () => {
    const { code, output } = await runToExit({
      NODE_ENV: 'production',
      SEED_DEMO: 'on',
      RATE_LIMITS: 'off',
      MAIL_LIMITS: 'off',
    });
    expect(code).toBe(1);
    for (const name of ['PUBLIC_URL', 'SECRET_KEY', 'SMTP_URL', 'SEED_DEMO', 'RATE_LIMITS', 'MAIL_LIMITS'])
      expect(output).toContain(name);
  });

  test('when the database is away, and says so', async () => {
    const { code, output } = await runToExit({ DATABASE_URL: `postgres://nobody@127.0.0.1:${await freePort()}/none` });
    expect(code).toBe(1);
    expect(output).toMatch(
      /could not start: PostgreSQL at 127\.0\.0\.1:\d+ cannot be reached .*ECONNREFUSED.*DATABASE_URL/s,
    );
    expect(output).not.toContain('nobody');
  });
});
