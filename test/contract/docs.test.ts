import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { takes } from '../../src/http/rest/route.ts';
import { restRoutesOf } from '../../src/http/rest/table.ts';
import { buildSchemas } from '../../src/schema.ts';

/** The blocks of one language in a page, in order. */
function blocks(page: string, language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text = '']) => text);
}

test('the examples of docs/scope-engine.md print what the page says', async () => {
  const page = await readFile('docs/scope-engine.md', 'utf8');
  const program = blocks(page, 'ts').join('\n');
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module-typescript', '--eval', program], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
  });
  expect(stderr).toBe('');
  expect(stdout).toBe(blocks(page, 'text').join(''));
});

test('the tests that docs/scope-engine.md names exist', async () => {
  const page = await readFile('docs/scope-engine.md', 'utf8');
  const named = new Set([...page.matchAll(/`((?:test|src)\/[\w/.-]+\.ts)`/g)].map(([, path = '']) => path));
  expect(named.size).toBeGreaterThan(10);
  for (const path of named) await expect(readFile(path, 'utf8')).resolves.not.toBe('');
});

test('docs/rest.md names the paths that make something and take no Idempotency-Key', async () => {
  const page = await readFile('docs/rest.md', 'utf8');
  const [, list = ''] = /^- `Idempotency-Key`.*?, except\sthose to\s(.*?)\./ms.exec(page) ?? [];
  const named = [...list.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name);
  const posts = restRoutesOf(buildSchemas().forTokens.rules).filter(({ method }) => method === 'POST');
  const nameOf = (path: string): string => named.find((name) => path.split('/').includes(name)) ?? path;
  const unkeyed = posts.filter((route) => route.status === 201 && !takes(route, 'idempotencyKey'));
  expect(new Set(unkeyed.map(({ path }) => nameOf(path)))).toEqual(new Set(named));
  const keyed = posts.filter((route) => takes(route, 'idempotencyKey'));
  expect(keyed.map(({ path }) => nameOf(path)).filter((name) => named.includes(name))).toEqual([]);
  expect(keyed.flatMap(({ path, status }) => (status === 201 ? [] : path))).toEqual([
    '/v2/public-routing-forms/:routingFormId/responses',
  ]);
  expect(keyed.map(({ path }) => path)).toContain('/v2/organizations/:orgId/users');
});
