/**
 * Makes dist/ for `npm pack`: Node runs no TypeScript below node_modules. It holds what `src/cli/main.ts` reaches and
 * what is started as a worker, as JavaScript and in the same folders, and the scope engine with its types.
 */
import { execFile } from 'node:child_process';
import { cp, rm, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
const [SRC, DIST] = [join(ROOT, 'src'), join(ROOT, 'dist')];
/** Pages refer to these files. */
const ASSETS = new Set(['.css', '.svg', '.js']);

await rm(DIST, { recursive: true, force: true });
await emit('tsconfig.service.json');
await emit('tsconfig.engine.json');
await cp(join(SRC, 'screens'), join(DIST, 'screens'), {
  recursive: true,
  // A script of a page and a module of ours must not have one name: the one would replace the other.
  force: false,
  errorOnExist: true,
  filter: async (path) => ASSETS.has(extname(path)) || (await stat(path)).isDirectory(),
});

async function emit(config: string): Promise<void> {
  await promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), ['-p', join(ROOT, 'build', config)]);
}
