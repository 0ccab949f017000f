/** The programs of docs/client-libraries.md, run as they stand there against the real service. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { MyApp, type Session } from './my-app.ts';
import { SECTIONS, section } from './page.ts';

/** A package of its own: together they are half as large as everything else. */
const TOOLS = 'tools/clients';
const withoutTools =
  (process.env['DATABASE_URL'] && 'they say the same on any database, and run on the embedded one') ||
  (!existsSync(join(TOOLS, 'node_modules')) && `run "npm ci --prefix ${TOOLS}" first`);
/** With the packages of `requirements.txt`, or some of them. */
const PYTHON = process.env['PYTHON'] ?? 'python3';
const AS_ON_THE_PAGE = { printed: section('What they print').printed, refreshed: true };

let app: TestApp;
let my: MyApp;
let session: Session;
/** Ada before any program ran. */
let before: unknown;
beforeAll(async () => {
  app = await startTestApp();
  my = await MyApp.create(app, withoutTools ? undefined : TOOLS);
  await my.save('Signing in: openid-client');
  session = await my.signIn('session.ts');
  before = await shownToAda();
});
afterAll(async () => {
  await app?.close();
  await my?.remove();
});

describe('the page', () => {
  test('has a section for each library', () => {
    expect([...SECTIONS.keys()]).toEqual([
      'Before you begin',
      'Signing in: openid-client',
      'Signing in: oauth4webapi',
      'Apollo Client',
      'urql',
      'graphql-request',
      'graphql-codegen',
      'gql.tada',
      'Relay',
      'What they print',
      'Python',
      'Python with gql',
      'curl',
    ]);
  });

  test('installs what is tested here', async () => {
    const manifests = await Promise.all(
      ['package.json', `${TOOLS}/package.json`].map(async (path) => JSON.parse(await readFile(path, 'utf8'))),
    );
    const tested = new Set(manifests.flatMap((one) => Object.keys({ ...one.dependencies, ...one.devDependencies })));
    const installed = [...SECTIONS.values()].flatMap(({ commands }) =>
      commands
        .filter((command) => command.startsWith('npm i '))
        .flatMap((command) => command.split(' ').filter((word) => !/^(?:npm|i|-D)$/.test(word)))
        .map((name) => name.replace(/@\d+$/, '')),
    );
    expect(installed.filter((name) => !tested.has(name))).toEqual([]);
    expect(installed.length).toBeGreaterThan(15);

    const byPip = [...SECTIONS.values()].flatMap(({ commands }) =>
      commands.flatMap((command) => /^pip install (.*)/.exec(command)?.[1]?.replaceAll("'", '').split(' ') ?? []),
    );
    expect(byPip).toEqual((await readFile(`${TOOLS}/requirements.txt`, 'utf8')).trim().split('\n'));
  });
});

describe('a program prints what the page says, and refreshes:', () => {
  test.each<[string, string, { byGet?: boolean; byHash?: boolean }]>([
    ['Apollo Client', 'apollo.ts', { byHash: true }],
    ['urql', 'urql.ts', { byGet: true, byHash: true }],
    ['graphql-request', 'graphql-request.ts', {}],
  ])('%s', async (name, program, { byGet = false, byHash = false }) => {
    await my.save(name);
    const { sent, ...run } = await my.run(program, session);
    expect(run).toEqual(AS_ON_THE_PAGE);
    expect(sent.some(({ method }) => method === 'GET')).toBe(byGet);
    // Hashes alone, which were refused; then the client went on without.
    const hashes = sent.filter(({ text }) => text.includes('persistedQuery') && !/\bquery(?:\\?"|=)/.test(text));
    expect(hashes.length > 0).toBe(byHash);
  });

  test('oauth4webapi', async () => {
    await my.save('graphql-request', 'by-hand');
    await my.save('Signing in: oauth4webapi', 'by-hand');
    const byHand = await my.signIn('by-hand/session.ts');
    expect(await my.run('by-hand/graphql-request.ts', byHand)).toMatchObject(AS_ON_THE_PAGE);
  });

  describe.skipIf(withoutTools)(`those with tools${withoutTools ? `: ${withoutTools}` : ''}`, () => {
    test('graphql-codegen', async () => {
      await my.prepare('graphql-codegen');
      expect(await my.run('graphql-codegen.ts', session)).toMatchObject(AS_ON_THE_PAGE);
    });

    test('Relay', async () => {
      await my.prepare('Relay');
      const { hooks } = (await my.load('relay-imports.ts')) as { hooks: { deregister(): void } };
      try {
        expect(await my.run('relay.ts', session)).toMatchObject(AS_ON_THE_PAGE);
      } finally {
        hooks.deregister();
      }
    });

    test('gql.tada; and all programs so far are well typed, in TypeScript 6 and 7', async () => {
      await writeFile(my.path('mistakes.ts'), MISTAKES);
      await my.prepare('gql.tada');
      expect(await my.exec(resolve('node_modules/.bin/tsc'), [])).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(await my.run('gql-tada.ts', session)).toMatchObject(AS_ON_THE_PAGE);
    });
  });

  test('curl', async ({ skip }) => {
    await needs(skip, 'sh', ['-c', 'command -v curl && command -v openssl && command -v basenc']);
    await my.save('curl');
    const stdout = `${section('curl').printed.join('\n')}\n`;
    expect(await my.exec('sh', ['curl.sh'])).toEqual({ code: 0, stdout, stderr: '' });
  });

  test.for([
    ['Python', 'event_types', 'authlib, requests'],
    ['Python with gql', 'with_gql', 'authlib, gql.transport.requests'],
  ] as const)('%s', async ([name, program, modules], { skip }) => {
    await needs(skip, PYTHON, ['-c', `import ${modules}`]);
    await my.save('Python');
    await my.save(name);
    const { code, stdout, stderr } = await my.exec(PYTHON, ['-c', withoutToken(program)]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.trimEnd().split('\n').slice(1)).toEqual(section('Python').printed);
  });
});

test('the programs leave the demo user as they found them, however many run', async () => {
  expect(await shownToAda()).toEqual(before);
});

/** Her profile and event types. */
async function shownToAda(): Promise<unknown> {
  const { status, body } = await app.graphql(
    '{ me { name username email eventTypes(first: 50) { nodes { slug title durationInMinutes } } } }',
    { token: session.accessToken() },
  );
  expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
  return body.data;
}

async function needs(skip: (why: string) => void, program: string, args: readonly string[]): Promise<void> {
  const result = await my.exec(program, args).catch(() => undefined);
  if (result?.code !== 0) skip(`This machine cannot do: ${[program, ...args].join(' ')}`);
}

/** That the types are those of the schema. */
const MISTAKES = `
import { initGraphQLTada, type ResultOf } from 'gql.tada';
import type { EventTypesQuery } from './gql/graphql.ts';
import type { introspection } from './graphql-env.d.ts';
// @ts-expect-error -- a text
export const one: EventTypesQuery['me']['id'] = 1;
const graphql = initGraphQLTada<{ introspection: introspection }>();
const query = graphql('{ me { id } }');
// @ts-expect-error -- a text
export const two: ResultOf<typeof query>['me']['id'] = 2;
`;

/** The program after its token is over: its first request is 401. */
function withoutToken(program: string): string {
  return `
from session import as_user, base
token = as_user.session.token["access_token"]
as_user.session.revoke_token(f"{base}/v2/auth/oauth2/revoke", token=token)
import ${program}
assert as_user.session.token["access_token"] != token
`;
}
