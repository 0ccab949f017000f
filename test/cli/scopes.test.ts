import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { command } from '../../src/cli/scopes.command.ts';

const FILES = {
  'mine.graphql':
    'query Mine($all: Boolean!) {\n  me {\n    eventTypes { nodes { ...Type } }\n    name @include(if: $all)\n  }\n}\n',
  'app/team.tsx':
    'const T = gql`\n  query Team { team(id: "t") { slug } }\n  ${TYPE}\n`;\nconst TYPE = gql`fragment Type on EventType { id }`;',
  'app/public.ts':
    'export const q = /* GraphQL */ `query Public { publicEventTypes(username: "ada") { nodes { title } } }`;',
  'app/node_modules/x/index.js': 'gql`query Foreign { me { username } }`',
  'broken.graphql': 'query Broken {\n  me { nonsense }\n}',
  'none.ts': 'export {};',
  'mixed/good.ts': 'gql`query Good { me { name } }`',
  'mixed/bad.vue': '<script lang="ts">\nconst a: = gql`{ me { email } }`;\n</script>',
  'mixed/notes.md': 'gql`{ me { bio } }`',
};
const NEEDED = 'EVENT_TYPE_READ PROFILE_READ TEAM_PROFILE_READ';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-cli-'));
  for (const [path, content] of Object.entries(FILES)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), content);
  }
});
afterAll(() => rm(folder, { recursive: true }));

let printed: string[];
let complaints: string[];
beforeEach(() => {
  printed = [];
  complaints = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
  vi.spyOn(console, 'error').mockImplementation((line: string) => void complaints.push(line));
});
afterEach(() => vi.restoreAllMocks());

const strip = (lines: readonly string[]): string => lines.join('\n').replaceAll(`${folder}/`, '');

async function run(...args: string[]): Promise<{ code: number; output: string; complaints: string }> {
  const code = await command.run(args.map((arg) => arg.replaceAll('$', folder)));
  return { code, output: strip(printed), complaints: strip(complaints) };
}

describe('gatehouse scopes', () => {
  test('says what each operation needs, because of which field, and what all need together', async () => {
    const { code, output } = await run('$/mine.graphql', '$/app');
    expect(code).toBe(0);
    expect(output).toBe(`app/public.ts:1:33  query Public
  needs no token

app/team.tsx:2:3  query Team
  TEAM_PROFILE_READ or ORG_PROFILE_READ: team.slug at team level (app/team.tsx:2:32)

mine.graphql:1:1  query Mine
  EVENT_TYPE_READ: me.eventTypes at user level (mine.graphql:3:5)
  PROFILE_READ: me.name at user level, also when its condition leaves it out (mine.graphql:4:5)

The 3 operations together need: ${NEEDED}`);
  });

  test('takes globs, and reads no foreign packages', async () => {
    const { output } = await run('$/app/**/*.{ts,tsx,js}', '--json');
    expect(JSON.parse(output)).toMatchObject({ operations: [{ title: 'query Public' }, { title: 'query Team' }] });
  });

  test('writes JSON for programs', async () => {
    const { code, output } = await run('$/mine.graphql', '$/app', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({
      scopes: NEEDED.split(' '),
      alternatives: { TEAM_PROFILE_READ: ['ORG_PROFILE_READ'] },
      faults: [],
      operations: [
        { title: 'query Public', scopes: [] },
        { title: 'query Team' },
        {
          fields: [
            { file: 'mine.graphql', line: 3, column: 5, path: ['me', 'eventTypes'], level: 'USER', conditional: false },
            { conditional: true },
          ],
        },
      ],
    });
  });
});

const check = (...args: string[]) => run('$/mine.graphql', '$/app', '--check', ...args);

describe('gatehouse scopes --check', () => {
  test('passes when the scopes are exactly enough', async () => {
    expect(await check(NEEDED)).toMatchObject({ code: 0, output: expect.stringMatching(/exactly these\.$/) });
    expect(await check(NEEDED.replaceAll(' ', ','))).toMatchObject({ code: 0 });
  });

  test('passes when an organization’s scope does for a team’s', async () => {
    expect(await check('EVENT_TYPE_READ PROFILE_READ ORG_PROFILE_READ')).toMatchObject({ code: 0 });
  });

  test('warns of what nothing needs', async () => {
    const { code, output } = await check(`${NEEDED} BOOKING_WRITE`);
    expect(code).toBe(0);
    expect(output).toMatch(/Superfluous: BOOKING_WRITE$/);
  });

  test('fails when one is missing, and names the fields that need it', async () => {
    const { code, output } = await check('EVENT_TYPE_READ PROFILE_READ');
    expect(code).toBe(1);
    expect(output).toMatch(/Missing: TEAM_PROFILE_READ\n  team\.slug \(app\/team\.tsx:2:32\)$/);
  });

  test('annotates the lines on GitHub', async () => {
    const { code, output } = await check('EVENT_TYPE_READ TEAM_PROFILE_READ BOOKING_READ', '--format', 'github');
    expect(code).toBe(1);
    expect(output.split('\n')).toEqual([
      '::error file=mine.graphql,line=4,col=5,title=Missing scope::me.name needs PROFILE_READ.',
      '::warning title=Superfluous scope::Nothing needs BOOKING_READ.',
      '::notice file=app/public.ts,line=1,col=33,title=Scopes::query Public needs no token.',
      '::notice file=app/team.tsx,line=2,col=3,title=Scopes::query Team needs TEAM_PROFILE_READ.',
      '::notice file=mine.graphql,line=1,col=1,title=Scopes::query Mine needs EVENT_TYPE_READ PROFILE_READ.',
    ]);
  });
});

describe('gatehouse scopes ends with 2 when', () => {
  test('a document has a mistake, of which it tells the place', async () => {
    const { code, complaints: told } = await run('$/broken.graphql');
    expect(code).toBe(2);
    expect(told).toBe('broken.graphql:2:8  Cannot query field "nonsense" on type "Viewer".');
    expect(await run('$/broken.graphql', '--format', 'github')).toMatchObject({
      code: 2,
      output: expect.stringContaining('::error file=broken.graphql,line=2,col=8,title=GraphQL::Cannot query'),
    });
  });

  test('a file cannot be parsed: it is named with its line and reason, and the others are told all the same', async () => {
    const { code, output, complaints: told } = await run('$/mixed', '--check', 'PROFILE_READ');
    expect(code).toBe(2);
    expect(told).toMatch(/^mixed\/bad\.vue:2:10  cannot be parsed, so what it holds is not known: \S.*$/);
    expect(output).toContain('mixed/good.ts:1:5  query Good');
    printed.length = 0;
    const { output: json } = await run('$/mixed', '--json');
    expect(JSON.parse(json)).toMatchObject({ faults: [{ file: 'mixed/bad.vue', line: 2 }], operations: [{}] });
    expect(await run('$/mixed/notes.md')).toMatchObject({ code: 2 });
  });

  test.each([
    ['no file is named', [], /Name the files/],
    ['a pattern names no file', ['$/*.nothing'], /names no file/],
    ['no operation is found', ['$/none.ts'], /No GraphQL operation/],
    ['a scope is unknown', ['$/app', '--check', 'PROFILE_READ booking_read'], /no scope booking_read/],
    ['a format is unknown', ['$/app', '--format', 'xml'], /no format "xml"/],
    ['the service cannot be reached', ['$/app', '--url', 'http://127.0.0.1:9'], /cannot be reached/],
    ['an option is unknown', ['$/app', '--all'], /--all/],
  ])('%s', async (_when, args, message) => {
    await expect(run(...args)).rejects.toThrow(message);
  });
});

test('gatehouse scopes --migrate ends with 1 where something is left by hand, and breaks no answer', async () => {
  const [query, fragment] = ['{ me { bookings { nodes { id: title ...F } } } }', 'fragment F on Booking { uid start }'];
  await mkdir(join(folder, 'old'));
  await writeFile(join(folder, 'old/a.graphql'), query);
  await writeFile(join(folder, 'old/b.graphql'), fragment);
  const { code, output, complaints: told } = await run('$/old', '--migrate');
  expect({ code, output }).toEqual({ code: 1, output: '' });
  expect(told).toContain('old/b.graphql:1:25  uid: is "id" now');
  expect(await readFile(join(folder, 'old/a.graphql'), 'utf8')).toBe(query);
  expect(await readFile(join(folder, 'old/b.graphql'), 'utf8')).toBe(fragment);
});
