/** The process: configuration → application → listen → drain when told to stop. `gatehouse start` and `npm start` run it. */
import { flushCompileCache } from 'node:module';
import process from 'node:process';
import { ConfigError, readConfig } from './config.ts';
import { start } from './start.ts';

try {
  await start(readConfig(process.env));
  // The next start finds what this one has compiled (cli/gatehouse.js).
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
