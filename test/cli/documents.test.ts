import { describe, expect, test } from 'vitest';
import { extractDocuments } from '../../src/cli/documents/extract.ts';
import { findOperations } from '../../src/cli/documents/operations.ts';
import { placeOf } from '../../src/cli/documents/source-text.ts';

async function operationsIn(files: Record<string, string>) {
  const found = await Promise.all(Object.entries(files).map(([file, content]) => extractDocuments(file, content)));
  const { operations, faults } = findOperations(found.flatMap(({ sources }) => sources));
  return { operations, faults: [...found.flatMap((file) => file.faults), ...faults] };
}

async function foundIn(file: string, content: string): Promise<{ titles: string[]; faults: string[] }> {
  const { operations, faults } = await operationsIn({ [file]: content });
  const told = faults.map((fault) => `${placeOf(fault)} ${fault.message}`);
  return { titles: operations.map(({ title, ...place }) => `${placeOf(place)} ${title}`), faults: told };
}

const A = '`query A { me { id } }`';

describe('GraphQL is found in TypeScript and JavaScript', () => {
  test.each([
    ['after a gql tag', 'a.ts', `const Q = gql${A};`, '1:15'],
    ['after a graphql tag', 'a.ts', `const Q = graphql${A};`, '1:19'],
    ['after a tag with types', 'a.ts', `const Q = gql<Data, Vars>${A};`, '1:27'],
    ['after a tag of a namespace', 'a.ts', `const Q = urql.gql${A};`, '1:20'],
    ['as an argument of graphql', 'a.ts', `const Q = graphql(${A});`, '1:20'],
    ['as an argument with a type', 'a.ts', `const Q = graphql(${A} as const);`, '1:20'],
    ['as an argument that depends', 'a.ts', `gql(isOld ? Q : (${A}))`, '1:19'],
    ['as a string', 'a.js', 'const Q = graphql("query A { me { id } }");', '1:20'],
    ['as an argument with a comment', 'a.ts', `const Q = graphql(\n  /* GraphQL */ ${A},\n  [F],\n);`, '2:18'],
    ['after a comment', 'a.ts', `const q = /* GraphQL */ ${A};`, '1:26'],
    ['after a comment, as a string', 'a.mjs', "const q = /*graphql*/\n  'query A { me { id } }';", '2:4'],
    [
      'with fragments interpolated between definitions',
      'a.ts',
      'gql`${F} query A { me { id } } ${[...fs].map((f) => `${f}`)}`',
      '1:10',
    ],
    ['with a brace in a string before an interpolation', 'a.ts', 'gql`query A { me(a: "{") { id } } ${F}`', '1:5'],
    ['in an interpolation of another template', 'a.ts', `html\`<a>\${send(gql${A})}</a>\``, '1:20'],
    ['in an interpolation of its own kind', 'a.ts', `gql\`\${gql${A}} # \${"a"}\n\``, '1:11'],
    ['in JSX', 'a.jsx', `export const Q = () => <Query query={gql${A}}>\`</Query>;`, '1:42'],
    ['in TSX', 'a.tsx', `const f = <T,>(x: T) => <Query<T> query={gql${A}} />;`, '1:46'],
    ['in a .js with Flow', 'a.js', `import type { T } from 'a';\nconst q: T = gql${A};`, '2:18'],
    ['in CommonJS', 'a.cjs', `const { gql } = require('x'); if (!gql) return;\ngql${A};`, '2:5'],
    ['where the tag has another name', 'a.ts', `import { gql as q } from 'urql';\nq${A};`, '2:3'],
    ['where a package is the tag', 'a.ts', `import q from 'graphql-tag';\nq${A};`, '2:3'],
    ['after lines that end in another way', 'a.ts', '\r\n\rgql`\r\n  query A { me { id } }`', '4:3'],
    ['beside letters of two units', 'a.ts', `const s = '😀é'; gql${A}`, '1:22'],
    ['after a byte order mark', 'a.ts', `\uFEFFgql${A}`, '1:6'],
    [
      'in Vue',
      'a.vue',
      '<!-- <script>gql`query No { me { id } }`</script> -->\n<template><p title="a">{{ a }}</p></template>\n' +
        '<style>a { b: "<script>" }</style>\n' +
        `<script setup lang="ts" generic="T extends A<B>">\n  const q: T = gql${A};\n</script>`,
      '5:20',
    ],
    [
      'in Astro',
      'a.astro',
      `---\nimport { gql } from 'graphql-request';\nif (!Astro.locals.user) return Astro.redirect('/');\nconst tag = '<script>';\n` +
        `const data: Data = await send(gql${A});\n---\n<html>{data}</html>\n<style>a { b: "<script>" }</style>`,
      '5:35',
    ],
    ['in a script of Astro', 'a.astro', `---\n---\n<p>a</p>\n<script>\nconst q: T = gql${A};\n</script>`, '5:18'],
    ['in Astro without dashes', 'a.astro', `<p>---</p>\n<script>\nconst q: T = gql${A};\n</script>`, '3:18'],
    ['in Svelte', 'a.svelte', `<script>\nconst q = gql${A};\n</script>\n<h1>{q}</h1>`, '2:15'],
  ])('%s', async (_where, file, content, place) => {
    expect(await foundIn(file, content)).toEqual({ titles: [`${file}:${place} query A`], faults: [] });
  });

  test.each([
    ['another template', `const gql = ${A};`],
    ['a name that only ends in gql', `const Q = notgql${A};`],
    ['a comment', `// const Q = gql${A};`],
    ['a comment after code', `f(); // gql${A}`],
    ['a comment of several lines', `/**\n * gql${A}\n */`],
    ['a comment in the middle of a line', `f(/* gql${A} */);`],
    ['a string', `const s = "gql${A}";`],
    ['a template that holds one as text', 'const s = `gql\\`query A { me { id } }\\``;'],
    ['a regular expression', 'const r = /gql`query A`/;'],
    ['what another function is given', "other(gql, 'query A { me { id } }');"],
    ['what is given as an object', `graphql({ schema, source: ${A} });`],
    ['what a comment to the end of the line stands before', `// GraphQL\nconst s = ${A};`],
  ])('and not in %s', async (_where, content) => {
    expect(await foundIn('a.ts', content)).toEqual({ titles: [], faults: [] });
  });

  test('and escapes are what they stand for, each with its place', async () => {
    const content = 'gql`query A { me(a: "\\\\"\\`", b: "\\u0041\\x41\\u{1f600}") {\\n  id } }\n  query B {`';
    const { operations, faults } = await operationsIn({ 'a.ts': content });
    expect(operations).toEqual([]);
    // The fault stands after all the escapes.
    expect(faults).toMatchObject([{ file: 'a.ts', line: 2, column: 12 }]);
    const closed = await operationsIn({ 'a.ts': content.replace('B {', 'B { me { id } }') });
    expect(closed.operations.map(({ query }) => query)).toEqual([
      'query A { me(a: "\\"`", b: "AA😀") {\n  id } }',
      'query B { me { id } }',
    ]);
    expect(closed.operations.map((place) => placeOf(place))).toEqual(['a.ts:1:5', 'a.ts:2:3']);
  });
});

describe('a file that cannot be read is named with its place, and the rest is still read', () => {
  test.each([
    [
      'an interpolation inside a selection: it may bring any field',
      'a.ts',
      'gql`query B { me { id } }`;\nconst Q = gql`\n  query A { me { ${FIELDS} } }`;',
      ['a.ts:1:5 query B'],
      /^a\.ts:3:18 .*write a fragment/,
    ],
    ['an interpolated type', 'a.ts', 'gql`query A($id: ${T}) { me { id } }`', [], /^a\.ts:1:18 .*write a fragment/],
    ['an interpolation in a string', 'a.ts', 'gql`{ team(id: "${ID}") { id } }`', [], /^a\.ts:1:17 .*write a fragment/],
    ['texts that are added', 'a.ts', "gql('query A { me { ' + fields + '} }')", [], /^a\.ts:1:5 .*write one text/],
    ['a mistake in TypeScript', 'a.ts', `const a: = 1;\ngql${A}`, [], /^a\.ts:1:10 cannot be parsed.*: \S/],
    ['a mistake in JavaScript', 'a.js', `\nfunction ( { gql${A} }`, [], /^a\.js:2:10 cannot be parsed/],
    ['a mistake in Vue', 'a.vue', '<script>\n\n  gql`</script>', [], /^a\.vue:3:6 cannot be parsed/],
    [
      'a mistake in Astro',
      'a.astro',
      `---\nif (gql) return;\nconst a: = 1;\n---`,
      [],
      /^a\.astro:3:10 cannot be parsed/,
    ],
    ['a language that is not known', 'a.vue', '<script lang="coffee">gql</script>', [], /^a\.vue:1:23 .*coffee/],
    ['a kind of file that is not known', 'a.py', 'gql("{ me { id } }")', [], /^a\.py:1:1 .*\.graphql, /],
  ])('%s', async (_what, file, content, titles, fault) => {
    const found = await foundIn(file, content);
    expect(found.titles).toEqual(titles);
    expect(found.faults).toEqual([expect.stringMatching(fault)]);
  });

  test('but a file that speaks of no GraphQL may be of any dialect', async () => {
    expect(await foundIn('a.js', 'opaque type A = {||};')).toEqual({ titles: [], faults: [] });
  });
});

describe('an operation', () => {
  test('brings its fragments along, from whichever file, each once', async () => {
    const { operations, faults } = await operationsIn({
      'a.ts': 'gql`query A { me { ...One ...Two } }`',
      'b.graphql':
        'fragment One on Viewer { ...Two }\n\n  fragment Two on Viewer { name }\nfragment Unused on Viewer { id }',
    });
    expect(faults).toEqual([]);
    expect(operations[0]?.query).toBe(
      'query A { me { ...One ...Two } }\nfragment One on Viewer { ...Two }\nfragment Two on Viewer { name }',
    );
  });

  test('knows where each place of it was written', async () => {
    const { operations } = await operationsIn({
      'a.ts': 'const Q = gql`query A {\n  me { ...One } }`',
      'b.graphql': '# first\n  fragment One\n on Viewer { name }',
    });
    const [operation] = operations;
    if (!operation) throw new Error('No operation was found.');
    const { query, origin } = operation;
    const placeOfText = (text: string): string => {
      const before = query.slice(0, query.indexOf(text)).split('\n');
      return placeOf(origin({ line: before.length, column: (before.at(-1) ?? '').length + 1 }));
    };
    expect(placeOf(operation)).toBe('a.ts:1:15');
    expect(placeOfText('query A')).toBe('a.ts:1:15');
    expect(placeOfText('me {')).toBe('a.ts:2:3');
    expect(placeOfText('fragment One')).toBe('b.graphql:2:3');
    expect(placeOfText('on Viewer')).toBe('b.graphql:3:2');
  });

  test('takes the fragment of its own file before one of the same name elsewhere', async () => {
    const { operations, faults } = await operationsIn({
      'a.graphql': 'fragment F on Viewer { id }',
      'b.graphql': 'query B { me { ...F } } fragment F on Viewer { name }',
    });
    expect(faults).toEqual([]);
    expect(operations[0]?.query).toContain('{ name }');
  });

  test('is a fault if two other files write its fragment differently, and none if they write the same', async () => {
    const query = { 'q.graphql': 'query Q { me { ...F } }', 'a.graphql': 'fragment F on Viewer { id }' };
    expect((await operationsIn({ ...query, 'b.graphql': 'fragment F on Viewer { id }' })).faults).toEqual([]);
    expect((await operationsIn({ ...query, 'b.graphql': '\nfragment F on Viewer { name }' })).faults).toMatchObject([
      { file: 'a.graphql', line: 1, message: expect.stringContaining('b.graphql:2:1') },
    ]);
  });
});

test('a document with a mistake is told with its place, and the others are still read', async () => {
  const { operations, faults } = await operationsIn({
    'a.ts': 'gql`query A { me { id } }`; gql`\n\nquery B {`',
    'empty.graphql': '# nothing yet\n',
  });
  expect(operations).toHaveLength(1);
  expect(faults).toMatchObject([{ file: 'a.ts', line: 3, column: 10 }]);
});
