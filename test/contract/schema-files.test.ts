import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { contractFiles } from '../../src/cli/print-schema.ts';

test.each(Object.entries(contractFiles()))(
  'schema/%s is what the code declares (npm run schema)',
  async (name, text) => {
    expect(await readFile(`schema/${name}`, 'utf8')).toBe(text);
  },
);

test('every part of the schema is listed', async () => {
  const list = await readFile('src/schema.ts', 'utf8');
  const files = await readdir('src', { recursive: true });
  const missing = files.filter((file) => file.endsWith('.graphql.ts') && !list.includes(`'./${file}'`));
  expect(missing).toEqual([]);
});
