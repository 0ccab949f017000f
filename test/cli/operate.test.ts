import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { command as admin } from '../../src/cli/admin.command.ts';
import { command as client } from '../../src/cli/client.command.ts';
import type { Command } from '../../src/cli/command.ts';
import { command as jobs } from '../../src/cli/jobs.command.ts';
import { command as keys } from '../../src/cli/keys.command.ts';
import { command as migrate } from '../../src/cli/migrate.command.ts';
import { command as scopes } from '../../src/cli/scopes.command.ts';
import { command as seed } from '../../src/cli/seed.command.ts';
import { rows, sql } from '../../src/database/sql.ts';
import { enqueueJobs, giveUpJob, handBackJobs, postponeJob, prepareQueues } from '../../src/jobs/job-queue.ts';
import { connect, type Database } from '../../src/persistence/connect.ts';
import { EmbeddedConnection } from '../../src/persistence/embedded/embedded-dialect.ts';
import { claimSome } from '../jobs/support/jobs.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeEach(() => {
  vi.stubEnv('LOG_LEVEL', 'silent');
  vi.stubEnv('DATABASE_URL', database.url ?? '');
});
afterAll(() => vi.unstubAllEnvs());

let printed: string[];
beforeEach(() => {
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
});
afterEach(() => vi.restoreAllMocks());

async function run({ run: runCommand }: Command, ...args: string[]): Promise<string> {
  expect(await runCommand(args)).toBe(0);
  return printed.splice(0).join('\n');
}

async function audited({ em }: Database = database): Promise<string[]> {
  const found = await rows(em.fork(), sql<{ type: string }>`select type from audit_events order by occurred_at, id`);
  return found.map(({ type }) => type);
}

/** Edits an approved client, as its developer would. */
async function replace(clientId: string): Promise<void> {
  await rows(
    database.em.fork(),
    sql`update oauth_clients set version = version + 1, pending_revision = jsonb_build_object('name', 'Your bank', 'developerName', developer_name,
          'logoUrl', null, 'websiteUrl', null, 'redirectUris', redirect_uris, 'scopes', scopes,
          'requestedAt', '2026-11-20T10:00:00Z')
        where client_id = ${clientId}`,
  );
}

// The commands open the database by themselves, as they do from a terminal: here a new folder, or a database on the server.
describe('from an empty database', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-cli-'));
    database = await openTestDatabase();
  });
  beforeEach(() => void vi.stubEnv('DATA_DIR', folder));
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });

  test('migrate makes the tables, seed the demo, and both may run again', async () => {
    expect(await run(migrate)).toMatch(/newest schema/);
    expect(await run(seed)).toMatch(/gatehouse-demo/);
    expect(await run(seed)).toMatch(/gatehouse-demo/);
    expect(await run(client, 'list')).toMatch(/^demo-app {2}APPROVED/m);
  });

  test('keys rotate uids makes a key that writes uids, once until it does, and says how else it is called', async () => {
    expect(await run(keys, 'rotate', 'uids')).toMatch(/^Key 1 writes uids from 20\S+Z on\.$/);
    await expect(keys.run(['rotate', 'uids'])).rejects.toMatchObject({ code: 'ROTATION_UNDER_WAY' });
    for (const wrong of [['rotate', 'uid'], ['rotate', 'uids', 'now'], ['uids']]) {
      await expect(keys.run(wrong)).rejects.toThrow('gatehouse keys rotate uids');
    }
    const opened = await connect({ databaseUrl: database.url, dataDir: folder });
    expect(await audited(opened)).toContain('UID_KEY_ROTATED');
    await opened.close();
  });

  test('keys rotate publishes a key, once until that one signs', async () => {
    expect(await run(keys, 'rotate')).toMatch(/^The key [\w-]+ is published and signs from 20\S+Z on\.$/);
    await expect(keys.run(['rotate'])).rejects.toThrow(/rotate again after that/);
    const opened = await connect({ databaseUrl: database.url, dataDir: folder });
    expect(await audited(opened)).toContain('SIGNING_KEY_ROTATED');
    await opened.close();
  });
});

// And here one that stays open in between, where it is embedded: to open a folder takes a fifth of a second of work.
describe('on a database with the demo data', () => {
  beforeAll(async () => {
    database = await openTestDatabase('demo');
  });
  beforeEach(async () => {
    vi.stubEnv('DATA_DIR', 'memory:');
    const connection = database.orm.em.getDriver().getConnection();
    if (!(connection instanceof EmbeddedConnection)) return;
    const pglite = await connection.getNativeClient();
    vi.spyOn(PGlite, 'create').mockResolvedValue(pglite);
    vi.spyOn(pglite, 'close').mockResolvedValue();
  });
  afterAll(() => database.close());

  test('client list tells of all clients, or of those of one status', async () => {
    expect(await run(client, 'list')).toMatch(
      /^demo-app {2}APPROVED {2}confidential {2}"Demo app" {2}ada@acme\.test$/m,
    );
    const pending = JSON.parse(await run(client, 'list', '--status', 'pending', '--json')) as unknown;
    expect(pending).toMatchObject([{ clientId: 'demo-pending', status: 'PENDING', ownerEmail: 'ada@acme.test' }]);
  });

  test('client approve, suspend and reinstate move a client, for the only administrator there is', async () => {
    const list = (): Promise<string> => run(client, 'list');
    await run(client, 'approve', 'demo-pending');
    expect(await list()).toMatch(/^demo-pending {2}APPROVED/m);
    await run(client, 'suspend', 'demo-pending', '--reason', 'It sends spam.');
    expect(await list()).toMatch(/^demo-pending {2}SUSPENDED/m);
    await run(client, 'reinstate', 'demo-pending');
    expect(await list()).toMatch(/^demo-pending {2}APPROVED/m);
    expect(await audited()).toEqual(['CLIENT_APPROVED', 'CLIENT_SUSPENDED', 'CLIENT_REINSTATED']);
    // The mails about that: beside data in memory, they are kept nowhere.
    expect(existsSync('memory:')).toBe(false);
  });

  test('client approve and reject decide about the version that was looked at', async () => {
    expect(await run(client, 'show', 'demo-narrow')).toMatch(
      /^demo-narrow\n {2}status: "APPROVED"\n {2}version: 1\n[^]*redirect URIs: \["https:\/\/narrow\.example\.test\/cb"\]/,
    );
    await replace('demo-narrow');
    const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    expect(await client.run(['approve', 'demo-narrow', '--version', '1'])).toBe(1);
    expect(errors.mock.calls.flat().join('\n')).toMatch(/version 1 was replaced by version 2/);
    expect(printed.splice(0).join('\n')).toMatch(/version: 2\n[^]*would change name to: "Your bank"$/);
    await expect(client.run(['approve', 'demo-narrow', '--version', 'two'])).rejects.toThrow(/is no version/);
    expect(await run(client, 'reject', 'demo-narrow', '--version', '2', '--reason', 'No.')).toBe(
      'demo-narrow: reject is done.',
    );
    await replace('demo-narrow');
    // Without a version, only what was registered is approved.
    expect(await client.run(['approve', 'demo-narrow'])).toBe(1);
    expect(printed.splice(0).join('\n')).toMatch(/version: 3\n/);
    expect(await run(client, 'approve', 'demo-narrow', '--version', '3')).toBe('demo-narrow: approve is done.');
  });

  test('admin create makes an account, or an administrator of one that is there', async () => {
    const made = await run(admin, 'create', 'eve@gatehouse.test', '--name', 'Eve');
    expect(made).toMatch(/^The account eve@gatehouse\.test was made.* shown this once: [\w-]{24}$/);
    expect(await run(admin, 'create', 'dan@solo.test')).toBe('dan@solo.test is an administrator now.');
    expect(await run(admin, 'create', 'DAN@solo.test')).toBe('DAN@solo.test is an administrator already.');
    expect(await audited()).toEqual(expect.arrayContaining(['USER_SIGNED_UP', 'USER_MADE_ADMINISTRATOR']));
  });

  test('then a decision has to say whose it is', async () => {
    await expect(client.run(['suspend', 'demo-narrow'])).rejects.toThrow(/--as <email>/);
    await expect(client.run(['suspend', 'demo-narrow', '--as', 'bob@acme.test'])).rejects.toThrow(/no administrator/);
    await run(client, 'suspend', 'demo-narrow', '--as', 'Dan@solo.test');
  });

  test('a decision that is not possible is refused with its reason', async () => {
    const as = ['--as', 'dan@solo.test'];
    await expect(client.run(['approve', 'demo-app', ...as])).rejects.toThrow(/only a pending client/);
    await expect(client.run(['approve', 'nobody', ...as])).rejects.toThrow(/no such OAuth client/);
  });

  test('jobs tells what waits and what was given up, and has that done again', async () => {
    expect(await run(jobs)).toBe('Nothing waits, and nothing was given up.');
    const em = database.em.fork();
    await prepareQueues(em, ['mail']);
    await enqueueJobs(
      em,
      [1, 2, 3].map((n) => ({ queue: 'mail', data: { n } })),
    );
    const [waiting, failing, failed] = (await claimSome(em, 'mail', 3)).jobs;
    if (!waiting || !failing || !failed) throw new Error('There are not three jobs.');
    await handBackJobs(em, [waiting]);
    await postponeJob(em, failing, 60, new Error('Busy.'));
    await giveUpJob(em, failed, new Error('No such\nuser.'));
    expect(await run(jobs)).toMatch(
      /^mail: 2 waiting \(1 after a failure(?:, .*)?\), 1 given up\n {2}3 {2}mail {2}20\S+Z {2}attempts: 1 {2}No such user\.$/,
    );
    await expect(jobs.run(['retry', '1'])).rejects.toThrow('No job "1" was given up: see gatehouse jobs.');
    expect(await run(jobs, 'retry', '3')).toBe('1 to be done again, by the service as soon as it runs.');
    await rows(em, sql`update jobs.job set start_after = now() - interval '90 seconds' where start_after <= now()`);
    expect(await run(jobs)).toMatch(/^mail: 3 waiting \(1 after a failure, the oldest due for 9\d s\), 0 given up$/);
    expect(await run(jobs, 'retry', '--all')).toMatch(/^0 to be done again/);
  });

  test('scopes --client says what a client has not enabled, or where to send its users', async () => {
    const file = 'test/cli/support/mine.graphql';
    expect(await scopes.run([file, '--client', 'demo-narrow'])).toBe(1);
    expect(printed.join('\n')).toMatch(/demo-narrow has not enabled: EVENT_TYPE_READ$/);
    expect(await run(scopes, file, '--client', 'demo-app')).toMatch(
      /authorize\?\S*client_id=demo-app\S*scope=EVENT_TYPE_READ\+PROFILE_READ/,
    );
    await expect(scopes.run([file, '--client', 'nobody'])).rejects.toThrow(/clientId "nobody"/);
  });
});

test.each([
  [admin, ['create']],
  [admin, ['delete', 'eve@gatehouse.test']],
  [client, []],
  [client, ['approve']],
  [client, ['delete', 'demo-app']],
  [client, ['constructor', 'demo-app']],
  [client, ['list', '--status', 'gone']],
  [keys, []],
  [keys, ['delete']],
  [jobs, ['retry']],
  [jobs, ['delete', '1']],
])('%# a call that makes no sense is refused before anything is opened', async (command, args) => {
  await expect(command.run(args)).rejects.toMatchObject({ name: 'UsageError' });
});
