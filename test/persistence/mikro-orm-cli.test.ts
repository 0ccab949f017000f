import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import process from 'node:process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockDataFolder } from '../../src/persistence/embedded/data-folder.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { usedDataFolder } from '../support/process.ts';
import { SHORT_LIVED } from '../support/short-lived.ts';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await openTestDatabase();
  folder = await usedDataFolder();
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

function mikroOrm(...args: string[]): { code: number | null; printed: string } {
  const program = [SHORT_LIVED, 'node_modules/@mikro-orm/cli/cli.js'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...program, ...args], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], DATA_DIR: folder, DATABASE_URL: database.url, NO_COLOR: '1' },
  });
  return { code: status, printed: stdout + stderr };
}

test("MikroORM's command line finds no difference between the migrated database and the entities", () => {
  expect(mikroOrm('migration:check')).toEqual({ code: 0, printed: expect.stringContaining('No changes required') });
  expect(mikroOrm('schema:update', '--dump')).toEqual({
    code: 0,
    printed: expect.stringContaining('Schema is up-to-date'),
  });
});

test.skipIf(isOnPostgres)("MikroORM's command line keeps off an embedded database that is in use", async () => {
  const lock = await lockDataFolder(folder);
  const { code, printed } = mikroOrm('migration:check');
  expect(code).toBe(1);
  expect(printed).toContain(`The data folder ${folder} is in use by process ${process.pid}.`);
  await lock.release();
});
