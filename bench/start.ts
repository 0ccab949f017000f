/**
 * Benchmarks. Figures of one run are compared with each other only: machines differ, and drift.
 *
 *     npm run bench                                       all of them
 *     npm run bench -- lists storage                      some
 *     npm run bench -- Q1 refresh                         some cases of the contest
 *     npm run bench -- Q1 Q3 gatehouse apollo --seconds 5 --rounds 3
 *     npm run bench -- Q1 Q3 --against ../before          these cases here and in another checkout
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { against, COMPARED } from './against.ts';
import { benchBookingStorm } from './booking-storm.ts';
import { benchBookings } from './bookings.ts';
import { CASES } from './contest/cases.ts';
import { contest } from './contest/contest.ts';
import { CONTESTANTS, ISSUERS } from './contest/contestants.ts';
import { GRANTS } from './contest/token-load.ts';
import { benchEnforcement } from './enforcement.ts';
import { benchJobs } from './jobs.ts';
import { benchLists } from './lists.ts';
import { benchOrganization } from './organization.ts';
import { withPostgres } from './own-postgres.ts';
import { benchPages } from './pages.ts';
import { benchScopeEngine } from './scope-engine.ts';
import { benchStartUp } from './start-up.ts';
import { benchStorage } from './storage.ts';

const BENCHMARKS: Readonly<Record<string, (serverUrl: string) => Promise<void> | void>> = {
  'scope-engine': benchScopeEngine,
  enforcement: benchEnforcement,
  lists: benchLists,
  bookings: benchBookings,
  organization: benchOrganization,
  storm: benchBookingStorm,
  jobs: benchJobs,
  storage: benchStorage,
  'start-up': benchStartUp,
  pages: benchPages,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    against: { type: 'string' },
    seconds: { type: 'string', default: '4' },
    flag: { type: 'string', multiple: true, default: [] },
  },
});
const names = {
  benchmarks: BENCHMARKS,
  cases: values.against === undefined ? { ...CASES, ...GRANTS } : COMPARED,
  contestants: { ...CONTESTANTS, ...ISSUERS },
};
const unknown = positionals.filter((name) => name !== 'contest' && !Object.values(names).some((some) => name in some));
if (unknown.length > 0) {
  const known = Object.entries(names).map(([kind, some]) => `  ${kind}: ${Object.keys(some).join(', ')}`);
  console.error(`There is no ${unknown.join(', ')}. There are contest, and\n${known.join('\n')}`);
  process.exit(1);
}

const benchmarks = positionals.filter((name) => name in BENCHMARKS);
const isAll = positionals.length === 0;
const cases = positionals.filter((name) => name in names.cases);
await withPostgres(async (serverUrl) => {
  if (values.against !== undefined) {
    await against(serverUrl, { folder: values.against, cases, starts: Number(values.rounds ?? 12) });
    return;
  }
  for (const [name, run] of Object.entries(BENCHMARKS)) {
    if (isAll || benchmarks.includes(name)) await run(serverUrl);
  }
  if (!isAll && benchmarks.length === positionals.length) return;
  await contest(serverUrl, {
    cases,
    names: positionals.filter((name) => name in names.contestants),
    rounds: Number(values.rounds ?? 5),
    seconds: Number(values.seconds),
    flags: values.flag,
  });
});
