import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENTITIES } from '../../src/persistence/entities.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('the migrated schema is what the entities say', async () => {
  expect(await database.orm.schema.getUpdateSchemaSQL({ wrap: false })).toBe('');
});

test('every entity file is listed', async () => {
  const files = await readdir('src', { recursive: true });
  const entityFiles = files.filter((file) => file.endsWith('.entity.ts'));
  const list = await readFile('src/persistence/entities.ts', 'utf8');
  const missing = entityFiles.filter((file) => !list.includes(`'../${file}'`));
  expect(missing, 'They are not in src/persistence/entities.ts.').toEqual([]);
  expect(ENTITIES).toHaveLength(entityFiles.length);
});
