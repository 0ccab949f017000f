/** Every GraphQL document that stands in the pages and in the tests of this project. */
import { readdir, readFile } from 'node:fs/promises';
import { Kind, OperationTypeNode, parse } from 'graphql';

/** Texts between quotes, of code and of JSON; what stands in backticks in a page; blocks of code. */
const LITERALS = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g;
const BLOCKS = /^```\w*\n(.*?)^```$/gms;

export interface WrittenDocument {
  readonly query: string;
  /** It changes something when it is carried out. */
  readonly changes: boolean;
}

export async function writtenDocuments(): Promise<readonly WrittenDocument[]> {
  const [docs, test] = await Promise.all(['docs', 'test'].map((folder) => readdir(folder, { recursive: true })));
  const files = [
    'README.md',
    ...(docs ?? []).map((name) => `docs/${name}`),
    ...(test ?? []).map((name) => `test/${name}`),
  ].filter((name) => /\.(?:md|ts)$/.test(name));
  const found = new Set<string>();
  for (const file of files.toSorted()) {
    const text = await readFile(file, 'utf8');
    const blocks = [...text.matchAll(BLOCKS)].map(([, block = '']) => block);
    const literals = [...text.matchAll(LITERALS)].map(([literal]) => unquoted(literal));
    for (const candidate of [...blocks, ...literals]) if (isDocument(candidate)) found.add(candidate);
  }
  return [...found].map((query) => ({ query, changes: isMutation(query) }));
}

function unquoted(literal: string): string {
  const inner = literal.slice(1, -1);
  if (!inner.includes('\\')) return inner;
  try {
    return JSON.parse(
      `"${inner
        .replaceAll(/\\(['`$])/g, '$1')
        .replaceAll(/(?<!\\)"/g, '\\"')
        .replaceAll('\n', '\\n')}"`,
    );
  } catch {
    return '';
  }
}

function isDocument(text: string): boolean {
  if (!/^\s*(?:\{|query|mutation|subscription|fragment)/.test(text) || text.includes('${')) return false;
  try {
    return parse(text).definitions.every(
      ({ kind }) => kind === Kind.OPERATION_DEFINITION || kind === Kind.FRAGMENT_DEFINITION,
    );
  } catch {
    return false;
  }
}

function isMutation(text: string): boolean {
  return parse(text).definitions.some(
    (one) => one.kind === Kind.OPERATION_DEFINITION && one.operation === OperationTypeNode.MUTATION,
  );
}
