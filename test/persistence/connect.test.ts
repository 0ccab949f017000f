import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { command as migrate } from '../../src/cli/migrate.command.ts';
import { connect } from '../../src/persistence/connect.ts';
import type { DatabaseSettings } from '../../src/persistence/embedded/data-folder.ts';
import { MIGRATIONS } from '../../src/persistence/migrations/known-migrations.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { runToExit, usedDataFolder } from '../support/process.ts';
import { onServer, postgresSettings } from '../support/settings.ts';

const server = process.env['DATABASE_URL'] ?? '';
const name = `gatehouse_test_${randomUUID().replaceAll('-', '')}`;

describe.runIf(isOnPostgres)('on PostgreSQL', () => {
  afterAll(() => onServer(server, `drop database if exists ${name} with (force)`));

  test('a database that is not there is not made: the address may have a typo', async () => {
    await expect(connect(postgresSettings(server, 'gatehouse_tpyo'))).rejects.toThrow(
      'There is no database "gatehouse_tpyo" on that PostgreSQL. Create it, or correct DATABASE_URL.',
    );
  });

  test('one of several processes that start at once on a new database migrates, and all of them run', async () => {
    await onServer(server, `create database ${name}`);
    const settings = postgresSettings(server, name);
    const opened = await Promise.all(Array.from({ length: 5 }, () => connect(settings)));
    for (const database of opened) {
      expect(await database.orm.migrator.getPending()).toEqual([]);
      await database.close();
    }
  });
});

describe('a database that was made by', () => {
  const ours = MIGRATIONS[0]?.name ?? '';
  let settings: DatabaseSettings;
  /** How the operator is told which database it is. */
  let where: string;
  let password: string;
  let served: TestDatabase | undefined;

  beforeAll(async () => {
    if (isOnPostgres) served = await openTestDatabase();
    const dataDir = served ? 'memory:' : await usedDataFolder();
    const url = URL.parse(served?.url ?? '');
    // A server that trusts who connects takes any.
    if (url) url.password ||= 'not-to-be-shown';
    password = url?.password ?? 'not-to-be-shown';
    settings = { databaseUrl: url?.href, dataDir };
    where = url
      ? `The database "${url.pathname.slice(1)}" at ${url.host}`
      : `The embedded database in ${dataDir}/database`;
  });
  afterEach(() => vi.unstubAllEnvs());
  afterAll(() => (served ? served.close() : rm(settings.dataDir, { recursive: true })));

  /** Past the service's own way in, which would refuse what this leaves. */
  async function leave(statement: string): Promise<void> {
    if (settings.databaseUrl) return onServer(settings.databaseUrl, statement);
    await using pglite = await PGlite.create(join(settings.dataDir, 'database'));
    await pglite.exec(statement);
  }

  const refusal = (had: string): string =>
    `${where} was made by another version of Gatehouse, whose tables are different (It has ${had}; this version has ${ours}.) `;

  test('this version is opened', async () => {
    expect(ours).toMatch(/^initial-schema-[0-9a-f]{12}$/);
    await (await connect(settings)).close();
  });

  test('an older one is refused, to all who open it at once', async () => {
    await leave(`update migrations set name = 'initial-schema'`);
    const opened = await Promise.allSettled(Array.from({ length: isOnPostgres ? 3 : 1 }, () => connect(settings)));
    for (const { reason } of opened as PromiseRejectedResult[])
      expect(String(reason)).toContain(refusal('initial-schema'));
  });

  test('a newer one is refused by `migrate` and `start`, which say what to do and no password', async () => {
    await leave(`update migrations set name = '${ours}'; insert into migrations (name) values ('one-more')`);
    const env = { DATA_DIR: settings.dataDir, DATABASE_URL: settings.databaseUrl ?? '' };
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    await expect(migrate.run([])).rejects.toThrow(refusal('one-more'));
    const { code, output } = await runToExit(env);
    expect(code).toBe(1);
    expect(output).toContain(`Gatehouse could not start: ${refusal('one-more')}`);
    expect(output).toContain(isOnPostgres ? 'name it in DATABASE_URL.' : `move the folder ${settings.dataDir} away.`);
    expect(output).not.toContain(password);
  });
});
