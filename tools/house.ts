/**
 * Prints how far one has to walk through the house, and how many ways there are, as one table: `npm run house`. Each figure stands beside
 * its definition, so that two counts of it agree. What takes a person (walks, first guesses) is not counted here.
 */
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { type Comment, parseSync, Visitor } from 'oxc-parser';

/** A TypeScript file, read once: its text, its comments, and what its syntax tree says. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** Consecutive `//` lines are one comment. `text` is on one line, without the marks. */
  readonly comments: readonly { readonly line: number; readonly text: string }[];
  readonly codeLines: number;
  readonly imports: readonly { readonly from: string; readonly names: readonly string[] }[];
  /** Each identifier as often as it stands there, with the keys of objects and types. */
  readonly identifiers: readonly string[];
}

/** A file that cannot be parsed is an error. `node_modules` are left out. */
export async function readSourceFiles(folders: readonly string[]): Promise<SourceFile[]> {
  const patterns = folders.map((folder) => `${folder}/**/*.ts`);
  const paths = await Array.fromAsync(glob(patterns, { exclude: (name) => name.includes('node_modules') }));
  return paths.toSorted().map((path) => readSourceFile(path, readFileSync(path, 'utf8')));
}

export function readSourceFile(path: string, text: string): SourceFile {
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const imports: { from: string; names: string[] }[] = [];
  const identifiers: string[] = [];
  const add = ({ name }: { name: string }) => identifiers.push(name);
  new Visitor({
    Identifier: add,
    PrivateIdentifier: add,
    ImportDeclaration: ({ source, specifiers }) => {
      const names = specifiers.flatMap((one) =>
        one.type === 'ImportSpecifier' && one.imported.type === 'Identifier' ? [one.imported.name] : [],
      );
      imports.push({ from: source.value, names });
    },
  }).visit(program);
  return {
    path,
    text,
    comments: togetherIn(text, comments),
    codeLines: codeLinesOf(text, comments),
    imports,
    identifiers,
  };
}

function togetherIn(text: string, comments: readonly Comment[]): { line: number; text: string }[] {
  const found: { line: number; text: string; end: number; isBlock: boolean }[] = [];
  for (const { type, value, start, end } of comments) {
    const isBlock = type === 'Block';
    const words = value
      .replace(/^\*/, '')
      .replace(/\n[ \t]*\*/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    const last = found.at(-1);
    if (last && !isBlock && !last.isBlock && /^\n[ \t]*$/.test(text.slice(last.end, start))) {
      last.text += ` ${words}`;
      last.end = end;
    } else {
      found.push({ line: text.slice(0, start).split('\n').length, text: words, end, isBlock });
    }
  }
  return found.map(({ line, text: words }) => ({ line, text: words }));
}

function codeLinesOf(text: string, comments: readonly Comment[]): number {
  const code = comments.toReversed().reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
  return code.split('\n').filter((line) => line.trim() !== '').length;
}

const BEGINNING = /^(?:What|Of|Who|Whose|Whom)\b/;
const RIDDLE = /\b(?:for|of|to|by|with) whom?\b/i;

/** Finds the comments without a subject: they begin with "What", "Of" or a form of "who", or have such a form behind a preposition. */
export function riddlesIn(files: readonly SourceFile[]): { path: string; line: number; text: string }[] {
  return files.flatMap(({ path, comments }) =>
    comments
      .filter(({ text }) => BEGINNING.test(text) || RIDDLE.test(text))
      .map(({ line, text }) => ({ path, line, text })),
  );
}

/** The words that the glossary of CONTRIBUTING replaces: the third column of its table. */
export function replacedWords(contributing: string): string[] {
  return rowsOf(contributing, '## Glossary').flatMap(([, , instead = '']) =>
    [...instead.matchAll(/`([a-z]+)`/g)].map(([, word = '']) => word),
  );
}

/** Each identifier that has one of `words` as a whole word (`deedOf`, `THE_DEED`), with how often it stands there. */
export function namedOtherwise(files: readonly SourceFile[], words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of files.flatMap(({ identifiers }) => identifiers)) {
    if (wordsOf(name).some((word) => words.includes(word))) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function wordsOf(identifier: string): string[] {
  const apart = identifier.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
  return apart.toLowerCase().split(/[ _$]+/);
}

/** The lists that CONTRIBUTING tells to add a new resource to: each file or constant named in the first column of the table. */
export function listsOfAResource(contributing: string): string[] {
  return rowsOf(contributing, '### The lists that a resource stands in').flatMap(([list = '']) =>
    [...list.matchAll(/`([\w/.<>-]+\.(?:ts|md))`/g)].map(([, path = '']) => path),
  );
}

/** The cells of each row of the first table below a heading, without the table's own heading. */
function rowsOf(markdown: string, heading: string): string[][] {
  const [, below = ''] = markdown.split(`\n${heading}\n`);
  const [table = ''] = /(?:^\|.*\n?)+/m.exec(below) ?? [];
  const rows = table.trim().split('\n').slice(2);
  return rows.map((row) => row.split('|').slice(1, -1));
}

const WIRE = /\/database\/wire\//;
const NAMES_OF_THE_WIRE = ['SentRow', 'WireRow', 'readRows', 'inArrays'];

/** The files outside of `database` and `persistence` that import rows as they came: from `database/wire`, or by one of these names. */
export function filesThatKnowTheWire(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => path.startsWith('src/') && !/^src\/(?:database|persistence)\//.test(path))
    .filter(({ imports }) =>
      imports.some(({ from, names }) => WIRE.test(from) || names.some((name) => NAMES_OF_THE_WIRE.includes(name))),
    )
    .map(({ path }) => path);
}

function countOf<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}

function atMost(lines: number, files: readonly SourceFile[]): number {
  return files.filter(({ text }) => text.trimEnd().split('\n').length <= lines).length;
}

async function figures(): Promise<[string, number, string][]> {
  const [files, others] = [await readSourceFiles(['src', 'tools']), await readSourceFiles(['test', 'bench', 'build'])];
  const contributing = readFileSync('CONTRIBUTING.md', 'utf8');
  const otherwise = namedOtherwise(files, replacedWords(contributing));
  const here = 'TypeScript files of src and tools';
  return [
    ['files', files.length, here],
    ['imports', countOf(files, ({ imports }) => imports.length), 'import statements, those of types included'],
    ['code lines', countOf(files, ({ codeLines }) => codeLines), 'lines that hold more than blanks and comments'],
    ['files of at most 20 lines', atMost(20, files), 'all lines counted, blank ones and comments too'],
    ['files of at most 50 lines', atMost(50, files), 'the same'],
    [
      'lists that a new resource stands in',
      listsOfAResource(contributing).length,
      'files named in the first column of the table in CONTRIBUTING',
    ],
    [
      'files that know rows of the wire',
      filesThatKnowTheWire(files).length,
      `outside of database and persistence: import database/wire, or ${NAMES_OF_THE_WIRE.join(', ')}`,
    ],
    [
      'comments without a subject',
      riddlesIn(files).length,
      'begin What, Of, Who, Whose, Whom, or say "for who(m)", "of", "to", "by", "with"',
    ],
    ['the same in test, bench, build', riddlesIn(others).length, 'consecutive // lines are one comment'],
    [
      'identifiers in replaced words',
      otherwise.size,
      'different names with a word of the third column of the glossary',
    ],
    ['places of these identifiers', countOf([...otherwise.values()], (count) => count), 'how often they stand there'],
  ];
}

if (import.meta.main) {
  const rows = await figures();
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, figure, definition] of rows) {
    process.stdout.write(`${name.padEnd(width)}  ${figure.toLocaleString('en').padStart(7)}  ${definition}\n`);
  }
}
