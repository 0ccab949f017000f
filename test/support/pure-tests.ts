import { importsOf, reachableFrom, readSources } from '../contract/import-graph.ts';

/** A test on a database reaches one of these: the database itself, or a process, which may open one. */
const WORLD = ['src/persistence/connect.ts', 'node:child_process'];

/** The test files that run without a database and without processes, by what they import: on any database they say the same. */
export async function pureTests(): Promise<string[]> {
  const sources = new Map([...(await readSources('src')), ...(await readSources('test'))]);
  const imports = importsOf(sources).map((one) => ({ ...one, isPackage: one.isPackage && !WORLD.includes(one.to) }));
  return [...sources.keys()].filter((path) => {
    if (!path.endsWith('.test.ts')) return false;
    const reached = [...reachableFrom([path], imports)];
    return !reached.some((file) => WORLD.includes(file) || /DATABASE_URL/.test(sources.get(file) ?? ''));
  });
}
