/** A client of the REST paths whose types are made of the served description: they compile, and what they say comes true. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi } from '../../support/api.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { KNOWN_KEY, tokenMint } from '../../support/minted-tokens.ts';
import { runProgram } from '../../support/run-program.ts';

const TOOLS = 'tools/clients';
const withoutTools =
  (process.env['DATABASE_URL'] && 'they say the same on any database, and run on the embedded one') ||
  (!existsSync(join(TOOLS, 'node_modules/openapi-typescript')) && `run "npm ci --prefix ${TOOLS}" first`);

/** A program with the types at hand; each `@ts-expect-error` is a mistake that they find. */
const PROGRAM = `
import createClient from 'openapi-fetch';
import type { paths } from './gatehouse.d.ts';

export async function run(baseUrl: string, token: string, reader: string) {
  const client = (bearer: string) => createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${bearer}\` } });
  const api = client(token);
  const made = await api.POST('/v2/event-types', { body: { title: 'Talk', slug: 'talk', durationInMinutes: 30 } });
  const eventTypeId = made.data?.data.eventTypeId ?? '';
  const path = { eventTypeId };

  const titles: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.GET('/v2/event-types', { params: { query: { limit: 2, ...(cursor && { cursor }) } } });
    if (!page.data) throw new Error(page.error.error.message);
    titles.push(...page.data.data.map(({ title }) => title));
    cursor = page.data.pagination.hasMore ? (page.data.pagination.cursor ?? undefined) : undefined;
  } while (cursor !== undefined);

  const read = await api.GET('/v2/event-types/{eventTypeId}', { params: { path } });
  const tag = read.response.headers.get('etag') ?? '';
  const header = { 'If-Match': tag };
  const change = (title: string) =>
    api.PATCH('/v2/event-types/{eventTypeId}', { params: { path, header }, body: { title } });
  const [changed, late] = [await change('Other'), await change('Third')];
  const invalid = await api.POST('/v2/event-types', { body: { title: '', slug: 'No slug', durationInMinutes: 0 } });
  const forbidden = await client(reader).DELETE('/v2/event-types/{eventTypeId}', { params: { path } });
  const deleted = await api.DELETE('/v2/event-types/{eventTypeId}', { params: { path } });
  const gone = await api.GET('/v2/event-types/{eventTypeId}', { params: { path } });
  return {
    titles,
    length: read.data?.data.durationInMinutes,
    statuses: [made, read, changed, late, invalid, forbidden, deleted, gone].map(({ response }) => response.status),
    codes: [late, invalid, forbidden, gone].map(({ error }) => error?.error.code),
    required: forbidden.error?.error.requiredScopes,
  };
}

export function mistakes() {
  const api = createClient<paths>();
  return [
    // @ts-expect-error -- no such path
    () => api.GET('/v2/event-tipes'),
    // @ts-expect-error -- a number
    () => api.GET('/v2/event-types', { params: { query: { limit: 'few' } } }),
    // @ts-expect-error -- the slug is missing
    () => api.POST('/v2/event-types', { body: { title: 'Talk', durationInMinutes: 30 } }),
    // @ts-expect-error -- the id is missing
    () => api.DELETE('/v2/event-types/{eventTypeId}'),
  ];
}
`;

const SETTINGS = {
  compilerOptions: {
    target: 'es2024',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    types: [],
    lib: ['es2024', 'dom'],
  },
};

describe.skipIf(withoutTools)(`a typed client${withoutTools ? `: ${withoutTools}` : ''}`, () => {
  let app: TestApp;
  let folder: string;
  let tokens: readonly [string, string];
  beforeAll(async () => {
    const api = await openTestApi();
    app = await startTestApp(KNOWN_KEY, { database: api.database });
    const mint = await tokenMint(app);
    const { userId } = api.as('ada');
    tokens = [await mint(userId, ['EVENT_TYPE_READ', 'EVENT_TYPE_WRITE']), await mint(userId, ['EVENT_TYPE_READ'])];
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-rest-client-'));
    await symlink(resolve('node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ ...SETTINGS, files: ['client.ts'] }));
    await writeFile(join(folder, 'client.ts'), PROGRAM);
  });
  afterAll(async () => {
    await app?.close();
    if (folder) await rm(folder, { recursive: true });
  });

  const exec = (program: string, ...args: string[]) => runProgram(resolve(program), args, { cwd: folder });

  test('is generated of what is served, compiles, and gets what its types say', async () => {
    const generated = await exec(
      `${TOOLS}/node_modules/.bin/openapi-typescript`,
      `${app.url}/openapi.json`,
      '--output',
      'gatehouse.d.ts',
    );
    expect(generated).toMatchObject({ code: 0 });
    expect((await stat(join(folder, 'gatehouse.d.ts'))).size).toBeLessThanOrEqual(1_000_000);
    expect(await exec('node_modules/.bin/tsc')).toEqual({ code: 0, stdout: '', stderr: '' });

    const { run } = await import(pathToFileURL(join(folder, 'client.ts')).href);
    const { titles, ...found } = await run(app.url, ...tokens);
    expect(titles.toSorted()).toEqual(['Deep dive', 'Hidden review', 'Intro', 'Talk']);
    expect(found).toEqual({
      length: 30,
      statuses: [201, 200, 200, 412, 422, 403, 204, 404],
      codes: ['CONFLICT', expect.any(String), 'INSUFFICIENT_SCOPE', 'NOT_FOUND'],
      required: ['EVENT_TYPE_WRITE'],
    });
  });
  test('Spectral finds nothing wrong with the description', async () => {
    await writeFile(join(folder, 'ruleset.yaml'), 'extends: ["spectral:oas"]\n');
    const args = ['lint', `${app.url}/openapi.json`, '--ruleset', 'ruleset.yaml', '--format', 'json', '--quiet'];
    const { stdout } = await exec(`${TOOLS}/node_modules/.bin/spectral`, ...args);
    expect(JSON.parse(stdout)).toEqual([]);
  });

  test('Redocly finds nothing wrong with it, but that this service is at localhost', async () => {
    await writeFile(join(folder, 'redocly.yaml'), 'extends: ["recommended"]\ntelemetry: off\n');
    const args = ['lint', `${app.url}/openapi.json`, '--format', 'json'];
    const { stdout } = await exec(`${TOOLS}/node_modules/.bin/redocly`, ...args);
    const problems: { ruleId: string }[] = JSON.parse(stdout).problems;
    expect(problems.filter(({ ruleId }) => ruleId !== 'no-server-example.com')).toEqual([]);
  });
});
