/** The process: configuration → application → listen → drain when told to stop. `gatehouse start` and `npm start` run it. */
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';

// Stripping types and compiling is most of a start; what was compiled once is kept beside the packages. Where that cannot
// be written, each start compiles anew.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/gatehouse'));
const { ConfigError, readConfig } = await import('./config.ts');
const { start } = await import('./start.ts');

try {
  await start(readConfig(process.env));
  flushCompileCache();
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : startError(error));
  process.exit(1);
}

function startError(error: unknown): string {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return process.env['LOG_LEVEL'] === 'debug'
    ? `Gatehouse could not start: ${stack}`
    : `Gatehouse could not start: ${message}`;
}
