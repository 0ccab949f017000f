import { glob, readFile } from 'node:fs/promises';
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

test('every entity is listed, in whichever file it is defined', async () => {
  const files = await Array.fromAsync(glob('src/**/*.ts'));
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const defined = texts.flatMap((text) =>
    [...text.matchAll(/= defineEntity\(\{\s*name: '(\w+)'/g)].map(([, name = '']) => name),
  );
  expect(defined.length).toBeGreaterThan(50);
  expect(ENTITIES.map(({ name }) => name).toSorted(), 'Entities are listed in src/persistence/entities.ts.').toEqual(
    defined.toSorted(),
  );
});
