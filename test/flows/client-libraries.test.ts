/** The programs of docs/client-libraries.md, run as they stand there against the real service. */
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { CLI, post } from '../support/oauth-requests.ts';
import { TestBrowser } from '../support/test-browser.ts';

const BASE = 'http://localhost:4000';
const page = await readFile('docs/client-libraries.md', 'utf8');
const programs = [...page.matchAll(/^```ts ([\w-]+\.ts)\n(.*?)^```$/gms)].map(
  ([, name = '', text = '']) => [name, text] as const,
);
const printed = /^```text\n(.*?)^```$/ms.exec(page)?.[1] ?? '';

interface Session {
  signIn(show: (url: URL) => void): Promise<void>;
  accessToken(): string;
}

let app: TestApp;
let folder: string;
let session: Session;
const load = (name: string): Promise<unknown> => import(pathToFileURL(join(folder, name)).href);

beforeAll(async () => {
  app = await startTestApp();
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-clients-'));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  for (const [name, text] of programs) await writeFile(join(folder, name), text.replaceAll(BASE, app.url));
  session = (await load('session.ts')) as Session;
  const ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
  await session.signIn((url) => {
    void ada.allow(url.pathname + url.search).then(({ location }) => fetch(location));
  });
});
afterAll(async () => {
  await app?.close();
  await rm(folder, { recursive: true });
});

test('the page has programs', () => {
  expect(programs.map(([name]) => name)).toEqual(['session.ts', 'apollo.ts', 'urql.ts', 'graphql-request.ts']);
});

test.each(programs.slice(1).map(([name]) => name))('%s prints what the page says, and refreshes', async (name) => {
  // The first request of the program is 401.
  const token = session.accessToken();
  await post(app.url, { client_id: CLI.client_id, token }, { path: '/v2/auth/oauth2/revoke' });
  await vi.waitFor(async () => expect((await app.graphql('{ me { id } }', { token })).status).toBe(401));
  const requests = vi.spyOn(globalThis, 'fetch');
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    await load(name);
    expect(log.mock.calls.map((values) => values.map(shown).join(' '))).toEqual(printed.trimEnd().split('\n'));
    expect(session.accessToken()).not.toBe(token);
    const sent = requests.mock.calls.map(([address, init]) => ({
      method: init?.method,
      text: JSON.stringify([address, init?.body]),
    }));
    expect(sent.some(({ method }) => method === 'GET')).toBe(name === 'urql.ts');
    // Hashes alone, which were refused; then the client went on without.
    const hashes = sent.filter(({ text }) => text.includes('persistedQuery') && !/\bquery(?:\\?"|=)/.test(text));
    expect(hashes.length > 0).toBe(name !== 'graphql-request.ts');
  } finally {
    log.mockRestore();
    requests.mockRestore();
  }
});

/** As the console writes it. */
function shown(value: unknown): string {
  return Array.isArray(value) ? `[ ${value.map((one) => `'${one}'`).join(', ')} ]` : String(value);
}
