import { describe, expect, test } from 'vitest';
import { extractDocuments } from '../../src/cli/documents/extract.ts';
import { findOperations } from '../../src/cli/documents/operations.ts';
import { placeOf } from '../../src/cli/documents/source-text.ts';

const operationsIn = (files: Record<string, string>) =>
  findOperations(Object.entries(files).flatMap(([file, content]) => extractDocuments(file, content)));

const titles = (files: Record<string, string>): string[] => operationsIn(files).operations.map(({ title }) => title);

describe('GraphQL is found in TypeScript and JavaScript', () => {
  test.each([
    ['after a gql tag', 'const Q = gql`query A { me { id } }`;'],
    ['after a graphql tag', 'const Q = graphql`query A { me { id } }`;'],
    ['as an argument of graphql', 'const Q = graphql(`query A { me { id } }`);'],
    ['as an argument with a comment', 'const Q = graphql(\n  /* GraphQL */ `query A { me { id } }`,\n  [F],\n);'],
    ['after a comment', 'const q = /* GraphQL */ `query A { me { id } }`;'],
    [
      'with fragments interpolated between definitions',
      'gql`${F} query A { me { id } } ${[...fs].map((f) => `${f}`)}`',
    ],
  ])('%s', (_where, content) => {
    expect(titles({ 'a.ts': content })).toEqual(['query A']);
  });

  test.each([
    ['another template', 'const s = `query A { me { id } }`;'],
    ['a name that only ends in gql', 'const Q = notgql`query A { me { id } }`;'],
    ['a comment', '// const Q = gql`query A { me { id } }`;'],
    ['a comment of several lines', '/**\n * gql`query A { me { id } }`\n */'],
  ])('and not in %s', (_where, content) => {
    expect(titles({ 'a.ts': content })).toEqual([]);
  });

  test('and an interpolation inside a selection is refused, with its place: it may bring any field', () => {
    expect(() => titles({ 'a.ts': 'const Q = gql`\n  query A { me { ${FIELDS} } }`;' })).toThrow(
      /^a\.ts:2:18: .*write a fragment/,
    );
  });
});

describe('an operation', () => {
  test('brings its fragments along, from whichever file, each once', () => {
    const { operations, faults } = operationsIn({
      'a.ts': 'gql`query A { me { ...One ...Two } }`',
      'b.graphql':
        'fragment One on Viewer { ...Two }\n\n  fragment Two on Viewer { name }\nfragment Unused on Viewer { id }',
    });
    expect(faults).toEqual([]);
    expect(operations[0]?.query).toBe(
      'query A { me { ...One ...Two } }\nfragment One on Viewer { ...Two }\nfragment Two on Viewer { name }',
    );
  });

  test('knows where each place of it was written', () => {
    const { operations } = operationsIn({
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

  test('takes the fragment of its own file before one of the same name elsewhere', () => {
    const { operations, faults } = operationsIn({
      'a.graphql': 'fragment F on Viewer { id }',
      'b.graphql': 'query B { me { ...F } } fragment F on Viewer { name }',
    });
    expect(faults).toEqual([]);
    expect(operations[0]?.query).toContain('{ name }');
  });

  test('is a fault if two other files write its fragment differently, and none if they write the same', () => {
    const query = { 'q.graphql': 'query Q { me { ...F } }', 'a.graphql': 'fragment F on Viewer { id }' };
    expect(operationsIn({ ...query, 'b.graphql': 'fragment F on Viewer { id }' }).faults).toEqual([]);
    expect(operationsIn({ ...query, 'b.graphql': '\nfragment F on Viewer { name }' }).faults).toMatchObject([
      { file: 'a.graphql', line: 1, message: expect.stringContaining('b.graphql:2:1') },
    ]);
  });
});

test('a document with a mistake is told with its place, and the others are still read', () => {
  const { operations, faults } = operationsIn({
    'a.ts': 'gql`query A { me { id } }`; gql`\n\nquery B {`',
    'empty.graphql': '# nothing yet\n',
  });
  expect(operations).toHaveLength(1);
  expect(faults).toMatchObject([{ file: 'a.ts', line: 3, column: 10 }]);
});
