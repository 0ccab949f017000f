import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

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
