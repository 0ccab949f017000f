import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSources } from './import-graph.ts';
import { layerViolations } from './layers.ts';

describe('the floors of src', () => {
  test('hold: imports go down, modules import in one direction, nothing is circular or orphaned', async () => {
    const sources = await readSources('src');
    expect(sources.has('src/main.ts')).toBe(true);
    expect(layerViolations(sources)).toEqual([]);
  });

  test('say in each folder what it is there for, in the first words of one of its files', async () => {
    const sources = [...(await readSources('src'))].filter(([path]) => !path.startsWith('src/persistence/migrations/'));
    const folders = Map.groupBy(sources, ([path]) => posix.dirname(path));
    folders.delete('src');
    expect(
      [...folders]
        .map(([folder, files]) => [
          folder,
          files.filter(([, code]) => opening(posix.basename(folder)).test(code)).length,
        ])
        .filter(([, count]) => count !== 1),
    ).toEqual([]);
  });
});

describe('an import is refused when', () => {
  test.each<[string, from: string, code: string, violation: RegExp]>([
    ['it goes up', 'src/core/id.ts', `import { builder } from '../graphql/builder.ts'`, /floor 0.*floor 5.*down only/],
    ['it goes up for a type alone', 'src/core/id.ts', `import type { A } from '../app.ts'`, /floor 0.*floor 7/],
    ['it goes up for a type in an expression', 'src/core/id.ts', `let a: import('../app.ts').A`, /floor 0.*floor 7/],
    ['it goes up by a re-export', 'src/core/id.ts', `export * from '../app.ts'`, /floor 0.*floor 7/],
    ['it goes up at run time', 'src/core/id.ts', `await import('../app.ts')`, /floor 0.*floor 7/],
    ['rules ask a query', 'src/modules/bookings/overlap.rules.ts', `import './booking.queries.ts'`, /floor 2.*floor 4/],
    [
      'a command knows its field',
      'src/modules/teams/team.commands.ts',
      `import './team.graphql.ts'`,
      /floor 4.*floor 6/,
    ],
    [
      'a module knows oauth',
      'src/modules/teams/a.graphql.ts',
      `import '../../oauth/tokens/token.ts'`,
      /never import oauth/,
    ],
    [
      'the kit knows a module',
      'src/graphql/a.ts',
      `import '../modules/teams/role.rules.ts'`,
      /graphql\/ knows no feature/,
    ],
    [
      'the kit knows oauth',
      'src/graphql/a.ts',
      `import type { A } from '../oauth/protocol/pkce.ts'`,
      /graphql\/ knows no feature/,
    ],
    ['a module brings routes', 'src/modules/teams/a.routes.ts', `import '../../http/health.ts'`, /floor 4.*floor 6/],
    [
      'a page knows http',
      'src/screens/teams/a.routes.ts',
      `import '../../http/health.ts'`,
      /meet in src\/screens\/kit/,
    ],
    ['http knows a page', 'src/http/a.ts', `import '../screens/teams/teams.ts'`, /meet in src\/screens\/kit/],
    ['the kit of pages knows http', 'src/screens/kit/a.ts', `import '../../http/health.ts'`, /floor 5.*floor 6/],
    ['the kit of pages knows a page', 'src/screens/kit/a.ts', `import '../teams/teams.ts'`, /floor 5.*floor 6/],
    ['a pure floor imports a package', 'src/core/id.ts', `import 'node:fs'`, /may import only node:crypto/],
    ['a rule imports a package', 'src/oauth/protocol/pkce.ts', `import 'zod'`, /may import only node:crypto/],
    ['it leaves src', 'src/core/id.ts', `import '../../test/support/a.ts'`, /is no file of src/],
  ])('%s', (_, from, code, violation) => {
    const { planted, clean } = aTree(from, code);
    expect(layerViolations(clean)).toEqual([]);
    expect(layerViolations(planted)).toEqual([expect.stringMatching(violation)]);
  });
});

describe('an import is accepted when', () => {
  test.each<[string, from: string, code: string]>([
    ['it goes down', 'src/graphql/builder.ts', `import '../core/id.ts'`],
    ['it stays on its floor', 'src/core/id.ts', `import type { A } from './page.ts'`],
    ['a module knows another one', 'src/modules/bookings/b.ts', `import '../teams/a.ts'`],
    ['oauth knows a module', 'src/oauth/tokens/token.ts', `import '../../modules/teams/a.ts'`],
    ['http stands on the kit of pages', 'src/http/a.ts', `import '../screens/kit/page.ts'`],
    ['a page stands on the kit', 'src/screens/teams/a.routes.ts', `import '../kit/page.ts'`],
    ['the scope engine reads documents', 'src/scopes/compile.ts', `import { visit } from 'graphql'`],
    ['a command imports a package', 'src/modules/teams/a.ts', `import 'jose'`],
  ])('%s', (_, from, code) => {
    expect(layerViolations(aTree(from, code).planted)).toEqual([]);
  });
});

describe('a file is refused when', () => {
  test('its folder has no floor', () => {
    const sources = new Map([
      ['src/main.ts', `import './helpers/a.ts'`],
      ['src/helpers/a.ts', ''],
    ]);
    expect(layerViolations(sources)).toEqual([expect.stringMatching(/src\/helpers\/a.ts stands on no floor/)]);
  });

  test('its module is one of several that import each other, by whatever files', () => {
    const sources = new Map([
      [
        'src/main.ts',
        `import './modules/bookings/a.ts'; import './modules/teams/deep/b.ts'; import './modules/levels/c.ts'`,
      ],
      ['src/modules/bookings/a.ts', `import '../teams/deep/a.ts'`],
      ['src/modules/teams/deep/a.ts', ''],
      ['src/modules/teams/deep/b.ts', `import type { C } from '../../levels/c.ts'`],
      ['src/modules/levels/c.ts', `import '../bookings/deep/d.ts'`],
      ['src/modules/bookings/deep/d.ts', ''],
    ]);
    expect(layerViolations(sources)).toEqual([
      'These modules import each other in a circle: bookings → teams → levels → bookings.',
    ]);
  });

  test('it is part of a circle', () => {
    const sources = new Map([
      ['src/main.ts', `import './core/a.ts'`],
      ['src/core/a.ts', `import './b.ts'`],
      ['src/core/b.ts', `import type { A } from './a.ts'`],
    ]);
    expect(layerViolations(sources)).toEqual([
      expect.stringMatching(/circle: src\/core\/a.ts → src\/core\/b.ts → src\/core\/a.ts/),
    ]);
  });

  test('its folder and another import each other, and not when one is within the other', () => {
    expect(layerViolations(mutual('src/jobs', '..'))).toEqual([
      'src/jobs/b.ts imports src/screens/b.ts, and src/screens/a.ts imports src/jobs/a.ts: folders do not import each other.',
    ]);
    expect(layerViolations(mutual('src/screens/booking', '../..'))).toEqual([]);
  });

  test('nothing imports it', () => {
    const sources = new Map([
      ['src/main.ts', ''],
      ['src/core/a.ts', ''],
    ]);
    expect(layerViolations(sources)).toEqual([expect.stringMatching(/src\/core\/a.ts is an orphan/)]);
  });
});

/** A tree with no violation, and the same with `code` in the file `from`. */
function aTree(from: string, code: string): { clean: Map<string, string>; planted: Map<string, string> } {
  const paths = [
    from,
    'src/app.ts',
    'src/core/id.ts',
    'src/core/page.ts',
    'src/graphql/builder.ts',
    'src/http/health.ts',
    'src/screens/kit/page.ts',
    'src/screens/teams/teams.ts',
    'src/modules/bookings/b.ts',
    'src/modules/bookings/booking.queries.ts',
    'src/modules/teams/a.ts',
    'src/modules/teams/role.rules.ts',
    'src/modules/teams/team.graphql.ts',
    'src/oauth/protocol/pkce.ts',
    'src/oauth/tokens/token.ts',
  ];
  const clean = new Map(paths.map((path) => [path, '']));
  clean.set('src/main.ts', paths.map((path) => `import './${path.slice('src/'.length)}';`).join('\n'));
  return { clean, planted: new Map(clean).set(from, code) };
}

/** `src/screens` and the folder import each other, by files of which no two do; `up` leads from the folder to `src`. */
function mutual(folder: string, up: string): Map<string, string> {
  const path = folder.slice('src/'.length);
  return new Map([
    ['src/main.ts', `import './screens/a.ts'; import './${path}/b.ts';`],
    ['src/screens/a.ts', `import '../${path}/a.ts'`],
    ['src/screens/b.ts', ''],
    [`${folder}/a.ts`, ''],
    [`${folder}/b.ts`, `import '${up}/screens/b.ts'`],
  ]);
}

/** The first words of the file that says what its folder is there for. */
function opening(folder: string): RegExp {
  return new RegExp(`^(#!.*\\n)?/\\*\\*\\s+(\\* )?${folder}/ `);
}
