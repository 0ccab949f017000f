import { glob, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { UsageError } from '../command.ts';
import { READABLE } from './extract.ts';

const FOREIGN = /(?:^|[\\/])(?:node_modules|\.git)(?:[\\/]|$)/;

/** The files that paths name, and those of readable kinds that folders and globs name, sorted. @throws UsageError for one that names none */
export async function findFiles(patterns: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const pattern of patterns) {
    const files = await filesOf(pattern);
    if (files.length === 0) throw new UsageError(`"${pattern}" names no file: check the path, and quote globs.`);
    for (const file of files) found.add(file);
  }
  return [...found].toSorted();
}

async function filesOf(pattern: string): Promise<string[]> {
  const known = await stat(pattern).catch(() => undefined);
  if (known?.isFile()) return [pattern];
  const asGlob = known?.isDirectory() ? join(pattern, '**') : pattern;
  const paths = await Array.fromAsync(glob(asGlob, { exclude: (path) => FOREIGN.test(path) }));
  const readable = paths.filter((path) => READABLE.includes(extname(path).toLowerCase()));
  const areFiles = await Promise.all(readable.map(async (path) => (await stat(path)).isFile()));
  return readable.filter((_, index) => areFiles[index]);
}
