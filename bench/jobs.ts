/**
 * Jobs a second of one process, and how long others wait meanwhile, as more and more wait: jobs that do nothing, each of a
 * booking of its own, or all of one booking, or all of which have failed before. All the while others put in jobs.
 */
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { type Em, rows, sql } from '../src/database/sql.ts';
import { NEW_JOB_ID, prepareQueues } from '../src/jobs/job-queue.ts';
import { JobRunner } from '../src/jobs/job-runner.ts';
import { openFilled } from './filled.ts';
import { percentile } from './measure.ts';

const QUEUE = 'bench';
const SECONDS = 10;
const ADDED_EVERY_MS = 100;
const LEAST = 500;

interface Waiting {
  readonly count: number;
  /** SQL over `n`. */
  readonly thread: string;
  readonly state?: 'retry';
}

const OWN_THREADS = `'waiting ' || n`;
const CASES: Readonly<Record<string, Waiting>> = {
  nothing: { count: 0, thread: OWN_THREADS },
  '7,000 bookings': { count: 7_000, thread: OWN_THREADS },
  '100,000 bookings': { count: 100_000, thread: OWN_THREADS },
  '7,000 of one booking': { count: 7_000, thread: `'one'` },
  '100,000 to be tried again': { count: 100_000, thread: OWN_THREADS, state: 'retry' },
};

export async function benchJobs(serverUrl: string): Promise<void> {
  console.log(`\nJobs a second of one process (at least ${LEAST})\n`);
  console.log(
    '| waiting | jobs/s | CPU of the process, µs a job | new ones wait, p50 ms | p99 ms |\n|---|---|---|---|---|',
  );
  for (const [name, waiting] of Object.entries(CASES)) await withWaiting(serverUrl, name, waiting);
}

async function withWaiting(serverUrl: string, name: string, waiting: Waiting): Promise<void> {
  const { em, close } = await openFilled(serverUrl, 'jobs', async (inner) => {
    await prepareQueues(inner, [QUEUE]);
    await put(inner, waiting);
  });
  let done = 0;
  const waits: number[] = [];
  const run = async (_em: Em, data: unknown) => {
    const { at } = data as { readonly at: number };
    if (at > 0) waits.push(Date.now() - at);
    done += 1;
    return [];
  };
  const log = { warn: console.error, error: console.error };
  const runner = new JobRunner(em, [{ queue: QUEUE, hears: [], atOnce: 10, pausesInSeconds: [60], run }], log);
  await runner.start(async () => async () => undefined);
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  // Where nothing waits, so many come that there is always something to do.
  const added = waiting.count === 0 ? 400 : 10;
  for (let n = 0; performance.now() - began < SECONDS * 1_000; n += 1) {
    await put(em.fork(), { count: added, thread: `'added ${n} ' || n` }, Date.now());
    runner.look();
    await pause(ADDED_EVERY_MS);
  }
  const { user, system } = process.cpuUsage(cpu);
  const wait = waiting.count === 0 ? ['', ''] : [0.5, 0.99].map((share) => percentile(waits, share).toFixed(0));
  const rate = (done * 1_000) / (performance.now() - began);
  console.log(`| ${[name, rate.toFixed(0), ((user + system) / done).toFixed(0), ...wait].join(' | ')} |`);
  await runner.stop();
  await close();
}

/** As the relay puts them in, in one statement. */
async function put(em: Em, { count, thread, state }: Waiting, at = 0): Promise<void> {
  const given = state === 'retry' ? sql`'retry', -1` : sql`'created', 0`;
  await rows(
    em,
    sql`insert into jobs.job (id, queue, order_key, data, state, priority)
        select ${NEW_JOB_ID}, ${QUEUE}, ${sql.raw(thread)}, jsonb_build_object('at', ${at}::float8, 'pad', repeat('x', 600)),
          ${given}
        from generate_series(1, ${count}::int) n`,
  );
}
