import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { MEGABYTE } from '../../src/core/caches.ts';
import { isOnPostgres } from '../support/database.ts';

const PROGRAM = new URL('./weigh-caches.ts', import.meta.url).pathname;
const run = promisify(execFile);

/** Tables that have grown, and what the last request has left. */
const MARGIN = 2 * MEGABYTE;

interface Weighed {
  readonly counted: number;
  readonly measured: number;
  readonly anonymous: number;
  readonly full: number;
  readonly fullCounted: number;
  readonly budget: number;
}

async function weigh(...what: readonly string[]): Promise<unknown> {
  // Code that is dropped meanwhile would count against what is kept.
  const { stdout } = await run(process.execPath, ['--expose-gc', '--no-flush-bytecode', PROGRAM, ...what]);
  return JSON.parse(stdout);
}

// It says the same on any database, and takes a minute.
describe.skipIf(isOnPostgres)('the weight that is counted is what the heap holds', async () => {
  test.each(isOnPostgres ? ['none'] : ((await weigh()) as string[]))('%s', async (cache) => {
    const { counted, measured, anonymous, full, fullCounted, budget } = (await weigh(cache)) as Weighed;
    expect(counted / measured).toBeGreaterThan(0.7);
    expect(counted / measured).toBeLessThan(1.5);
    expect(anonymous).toBeLessThanOrEqual(budget / 2);
    expect(fullCounted).toBeLessThanOrEqual(budget);
    expect(full).toBeLessThan(fullCounted / 0.7 + MARGIN);
  });
});
