import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  filesThatKnowTheWire,
  listsOfAResource,
  namedOtherwise,
  readSourceFile,
  readSourceFiles,
  replacedWords,
  riddlesIn,
} from '../../tools/house.ts';

const CONTRIBUTING = readFileSync('CONTRIBUTING.md', 'utf8');

/** So many places of src and tools still have a word that the glossary replaces. */
const REPLACED_WORDS_LEFT = 0;

const FILES = await readSourceFiles(['src', 'test', 'bench', 'build', 'tools']);

describe('a comment is a sentence with a subject', () => {
  test.each([
    ['// What a job does.', 1],
    ['/** Of two rows, the older. */', 1],
    ['/** Whose calendar\n * it is. */', 1],
    ['// The mail\n// for who books.', 1],
    ['/** The host, by whom it was cancelled. */', 1],
    ['// The host cancels what\n// Of the series is left.', 0],
    ['const text = "// What";', 0],
  ])('%j has %i without', (text, count) => {
    expect(riddlesIn([readSourceFile('x.ts', text)])).toHaveLength(count);
  });

  test('everywhere', () => {
    expect(riddlesIn(FILES)).toEqual([]);
  });
});

describe('the glossary', () => {
  test('names about thirty terms, in the order of the alphabet, and the words that they replace', () => {
    const [, below = ''] = CONTRIBUTING.split('\n## Glossary\n');
    const terms = [
      ...below
        .split('\n## ', 1)
        .join('')
        .matchAll(/^\| ([a-z ]+) \|/gm),
    ]
      .map(([, term = '']) => term)
      .slice(1);
    expect(terms.length).toBeGreaterThanOrEqual(30);
    expect(terms).toEqual(terms.toSorted());
    expect(replacedWords(CONTRIBUTING)).toContain('deed');
  });

  test('a replaced word is found as a part of an identifier, and not inside another word', () => {
    const file = readSourceFile('x.ts', 'const deedOf = THE_DEED; x.indeed(isDeed);');
    expect([...namedOtherwise([file], ['deed']).keys()]).toEqual(['deedOf', 'THE_DEED', 'isDeed']);
  });

  test('no more identifiers than before have a replaced word', () => {
    const source = FILES.filter(({ path }) => path.startsWith('src/') || path.startsWith('tools/'));
    const found = namedOtherwise(source, replacedWords(CONTRIBUTING));
    expect([...found.values()].reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(REPLACED_WORDS_LEFT);
  });
});

describe('the figures of `npm run house`', () => {
  test('count the code lines and imports of a file', () => {
    const text = "/** A. */\nimport type { A, B } from './a.ts';\n\n// b\nexport const x = 1; // c\n";
    const { codeLines, imports } = readSourceFile('x.ts', text);
    expect({ codeLines, imports }).toEqual({ codeLines: 2, imports: [{ from: './a.ts', names: ['A', 'B'] }] });
  });

  test('find who imports rows of the wire, by folder and by name', () => {
    const files = [
      readSourceFile('src/modules/a.ts', "import type { Anything } from '../database/wire/wire-row.ts';"),
      readSourceFile('src/modules/b.ts', "import { readRows as read } from '../database/lanes.ts';"),
      readSourceFile('src/modules/c.ts', "import { read } from '../database/lanes.ts';"),
      readSourceFile('src/persistence/d.ts', "import { WireRow } from '../database/wire/wire-row.ts';"),
    ];
    expect(filesThatKnowTheWire(files)).toEqual(['src/modules/a.ts', 'src/modules/b.ts']);
    // In the product nobody does: a row is an object, whatever it came as.
    expect(filesThatKnowTheWire(FILES)).toEqual([]);
  });

  test('read the lists of a resource from CONTRIBUTING', () => {
    expect(listsOfAResource(CONTRIBUTING)).toContain('src/persistence/entities.ts');
  });
});
