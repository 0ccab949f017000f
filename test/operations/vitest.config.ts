import { defineConfig } from 'vitest/config';
import { paced } from '../support/pace.ts';

/** `npm run check:operations`: what an operator fears, each with a ledger of what was acknowledged. It takes about half an hour. */
export default defineConfig({
  test: {
    root: 'test/operations',
    include: ['*.operations.ts'],
    setupFiles: ['../support/each-file.ts'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    // They measure what a service does while the machine does nothing else.
    maxWorkers: 1,
    testTimeout: paced(300_000),
    hookTimeout: paced(120_000),
    expect: { poll: { timeout: paced(60_000), interval: 100 } },
  },
});
