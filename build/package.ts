/**
 * Makes dist/ for `npm pack`: Node runs no TypeScript below node_modules. It holds what `src/cli/main.ts` reaches and
 * what is started as a worker, as JavaScript and in the same folders, and the scope engine with its types.
 */
import { execFile } from 'node:child_process';
import { constants, copyFile, glob, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
const [SRC, DIST] = [join(ROOT, 'src'), join(ROOT, 'dist')];
/** Pages refer to these files. */
const ASSETS = 'screens/**/*.{css,svg,js}';

await rm(DIST, { recursive: true, force: true });
await emit('tsconfig.service.json');
await emit('tsconfig.engine.json');
for await (const asset of glob(ASSETS, { cwd: SRC })) {
  await mkdir(join(DIST, dirname(asset)), { recursive: true });
  // A script of a page and a module of ours must not have one name: the one would replace the other.
  await copyFile(join(SRC, asset), join(DIST, asset), constants.COPYFILE_EXCL);
}

async function emit(config: string): Promise<void> {
  await promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), ['-p', join(ROOT, 'build', config)]);
}
