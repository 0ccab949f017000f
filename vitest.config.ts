import { defineConfig } from 'vitest/config';

export default defineConfig({
  // graphql ships twice, and a schema built by the one copy is refused by the other. Everything takes the one that Node
  // takes in production; left alone, Vite would give our own files the other.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    // One process a file: a file's embedded database goes with it, and no state leaks to the next one.
    pool: 'forks',
    globalSetup: ['test/support/global-setup.ts'],
    // The default keeps a core free, which on two cores is half of them.
    maxWorkers: '100%',
    // For slow machines; a test that takes seconds on an ordinary one is a mistake.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
