import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { posix } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/** A source text by its path from the repository's root, as in `src/core/id.ts`. */
export type Sources = ReadonlyMap<string, string>;

/** One import of one file. `to` is a path like `from` for a relative specifier, and the specifier itself for a package. */
export interface Import {
  readonly from: string;
  readonly to: string;
  readonly isPackage: boolean;
}

/** Reads every source file below `folder`. */
export async function readSources(folder: string): Promise<Sources> {
  const paths = await Array.fromAsync(glob(`${folder}/**/*.{ts,js}`));
  return new Map(paths.toSorted().map((path) => [path, readFileSync(path, 'utf8')]));
}

/** Every import, re-export, dynamic import and type import; a type ties two files together as a value does. */
export function importsOf(sources: Sources): Import[] {
  return [...sources].flatMap(([from, text]) => specifiersIn(from, text).map((specifier) => anImport(from, specifier)));
}

function specifiersIn(path: string, text: string): string[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const found = new Set<string>();
  const add = (source: unknown) => {
    if (isStringLiteral(source)) found.add(source.value);
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source),
    ExportNamedDeclaration: (node) => add(node.source),
    ExportAllDeclaration: (node) => add(node.source),
    ImportExpression: (node) => add(node.source),
    TSImportType: (node) => add(node.source),
  }).visit(program);
  return [...found];
}

function isStringLiteral(node: unknown): node is { value: string } {
  return typeof node === 'object' && node !== null && 'value' in node && typeof node.value === 'string';
}

function anImport(from: string, specifier: string): Import {
  const isPackage = !specifier.startsWith('.');
  return { from, to: isPackage ? specifier : posix.join(posix.dirname(from), specifier), isPackage };
}

/** The first circle of imports, as the paths along it, or undefined. */
export function findCycle(imports: readonly Import[]): string[] | undefined {
  const importsByFile = groupByFile(imports);
  const finished = new Set<string>();
  const walk = (path: string, trail: readonly string[]): string[] | undefined => {
    if (finished.has(path)) return undefined;
    const start = trail.indexOf(path);
    if (start >= 0) return [...trail.slice(start), path];
    for (const { to } of importsByFile.get(path) ?? []) {
      const cycle = walk(to, [...trail, path]);
      if (cycle) return cycle;
    }
    finished.add(path);
    return undefined;
  };
  for (const path of importsByFile.keys()) {
    const cycle = walk(path, []);
    if (cycle) return cycle;
  }
  return undefined;
}

/** Every file that can be reached from `entries` by following imports, the entries included. */
export function reachableFrom(entries: readonly string[], imports: readonly Import[]): ReadonlySet<string> {
  const importsByFile = groupByFile(imports);
  const reached = new Set(entries);
  // A set being walked also yields what is added to it on the way.
  for (const path of reached) {
    for (const { to } of importsByFile.get(path) ?? []) reached.add(to);
  }
  return reached;
}

function groupByFile(imports: readonly Import[]): Map<string, Import[]> {
  return Map.groupBy(
    imports.filter((one) => !one.isPackage),
    (one) => one.from,
  );
}
