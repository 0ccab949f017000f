import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { paced } from './test/support/pace.ts';
import { pureTests } from './test/support/pure-tests.ts';
import { SHORT_LIVED } from './test/support/short-lived.ts';
import SlowestFirst from './test/support/slowest-first.ts';

// What Node has compiled is kept for the next process: a worker, or a service that a test starts.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

// This process makes one database, from which all others are copied.
setFlagsFromString(SHORT_LIVED);

const ALONE = 'test/**/*.alone.test.ts';
const isOnPostgres = Boolean(process.env['DATABASE_URL']);
/**
 * They go through all of a kind, and take minutes: they drive the pages, send each field whatever its type can hold, ask each path as
 * everybody, read what is shown and mailed, reach each limit, try each pattern with long texts, or weigh each cache. Whatever the
 * database, the same is refused before it, and the same said of the same answers. Other tests run the same statements on both.
 */
const SWEEPS = [
  'test/api/every-id.test.ts',
  'test/api/every-mutation.test.ts',
  'test/api/every-value.test.ts',
  'test/api/rest/every-path.test.ts',
  'test/browser/**/*.test.ts',
  'test/contract/field-visibility.test.ts',
  'test/contract/held-messages.test.ts',
  'test/contract/limits.test.ts',
  'test/contract/patterns.test.ts',
  'test/contract/unauthorized.test.ts',
  'test/core/cache-weights.test.ts',
  'test/http/every-form-value.test.ts',
  'test/http/every-parameter-value.test.ts',
  'test/http/session-values.test.ts',
  'test/jobs/mailed-words.test.ts',
];
const pure = (await pureTests()).filter((file) => !SWEEPS.includes(file));
/** Parts of one corpus, of which each database is asked half. */
const ASKED_ON_THE_OTHER = isOnPostgres
  ? 'test/fast-path/differential-[024].test.ts'
  : 'test/fast-path/differential-[135].test.ts';
/** They compare how many requests are served in a second, so nothing else runs meanwhile. */
const MEASURED = ['test/process/bad-days.test.ts'];
/** On PostgreSQL these wait for most of their time: for services that are without their database, and for grace to pass. */
const WAITING = [
  'test/concurrency/database-away.test.ts',
  'test/concurrency/locked-table.test.ts',
  'test/persistence/lost-connections.test.ts',
  'test/process/failover.test.ts',
  'test/process/notified-once.test.ts',
  'test/process/stopping.test.ts',
  'test/process/workers.test.ts',
];

// Most of what a test allocates is dropped with it: with room from the beginning, it is collected seldom.
const execArgv = ['--min-semi-space-size=64', '--max-semi-space-size=64'];
const EACH_FILE = 'test/support/each-file.ts';
const settings: TestProjectInlineConfiguration['test'] = {
  // Node runs tests and sources as it does in production: nothing is transformed.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  pool: 'forks',
  execArgv,
  setupFiles: [EACH_FILE],
  // A test that takes seconds is a mistake.
  testTimeout: paced(60_000),
  hookTimeout: paced(60_000),
  expect: { poll: { timeout: paced(5_000) } },
  // What was found is told whole: a random history is of no use in part.
  chaiConfig: { truncateThreshold: 0 },
};
/** By default each query is asked without a plan first, and with one then; the first takes minutes, and the other sends mutations, which have none. */
const WITH_PLANS =
  process.env['FAST_PATH'] === 'off' ? ['test/api/every-value.test.ts', 'test/api/every-mutation.test.ts'] : [];
const onDatabase = { globalSetup: ['test/support/global-setup.ts'] };
/** The files of a worker share its modules, and the embedded databases that it has opened. */
const shared = { ...settings, isolate: false, setupFiles: [EACH_FILE, 'test/support/cheap-hashes.ts'] };

export default defineConfig({
  // What took how long is remembered for each database: some files take long on one of them alone.
  cacheDir: join(import.meta.dirname, 'node_modules/.vite', isOnPostgres ? 'postgres' : 'embedded'),
  test: {
    reporters: ['default', './test/support/time-ahead.ts'],
    // Some wait for a process, a mail or a browser: one more keeps the cores busy. With two more, fifty who sign in at once
    // with full hashes wait longer than an operation may take.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SlowestFirst },
    projects: [
      // A process for each file, where everything is as it is in production: they change what all share, such as the
      // schema, or need hashes that take their time.
      { test: { ...settings, ...onDatabase, name: 'alone', include: [ALONE], execArgv: [...execArgv, SHORT_LIVED] } },
      {
        test: {
          ...shared,
          ...onDatabase,
          name: 'database',
          include: ['test/**/*.test.ts'],
          exclude: [
            ...configDefaults.exclude,
            ALONE,
            ASKED_ON_THE_OTHER,
            ...SWEEPS,
            ...(isOnPostgres ? [...pure, ...WAITING, ...MEASURED] : []),
          ],
        },
      },
      { test: { ...shared, ...onDatabase, name: 'sweeps', include: SWEEPS, exclude: WITH_PLANS } },
      // A project of their own, so that they can run beside the others.
      ...(isOnPostgres ? [{ test: { ...shared, ...onDatabase, name: 'waiting', include: WAITING } }] : []),
      ...(isOnPostgres
        ? [{ test: { ...shared, ...onDatabase, name: 'measured', include: MEASURED, sequence: { groupOrder: 1 } } }]
        : []),
      // They say the same on any database. On the embedded one they are run by the workers of the others.
      ...(isOnPostgres ? [{ test: { ...shared, name: 'pure', include: pure } }] : []),
    ],
  },
});
