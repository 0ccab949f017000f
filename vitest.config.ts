import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // One process a file: a file's embedded database goes with it, and no state leaks to the next one.
    pool: 'forks',
    globalSetup: ['test/support/global-setup.ts'],
    // The default keeps a core free, which on two cores is half of them.
    maxWorkers: '100%',
    // For slow machines; a test that takes seconds on an ordinary one is a mistake.
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
