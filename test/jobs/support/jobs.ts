import { onTestFinished } from 'vitest';
import { type Em, row, rows, sql } from '../../../src/database/sql.ts';
import { type Claim, claimJobs, Turns } from '../../../src/jobs/claim-jobs.ts';
import type { JobKind } from '../../../src/jobs/job-kind.ts';
import { releaseAllClaims } from '../../../src/jobs/job-queue.ts';
import { JobRunner } from '../../../src/jobs/job-runner.ts';
import { listenOn } from '../../oauth/support/test-server.ts';
import type { TestDatabase } from '../../support/database.ts';

/** A kind that keeps the numbers that it was given, in their order. */
export function counting(changes: Partial<JobKind> = {}): JobKind & { readonly done: number[] } {
  const done: number[] = [];
  return {
    queue: 'counting',
    hears: [],
    atOnce: 4,
    pausesInSeconds: [0, 0],
    run: async (_em, data) => {
      done.push(numberOf(data));
      return [];
    },
    ...changes,
    done,
  };
}

export function numberOf(data: unknown): number {
  return (data as { n: number }).n;
}

export interface TestRunner {
  readonly runner: JobRunner;
  /** The lines that were logged, as level and message. */
  readonly logged: readonly (readonly [string, string])[];
}

/** Not started: `settled` does what is due. It is stopped when the test is over. */
export function aRunner(em: Em, ...kinds: readonly JobKind[]): TestRunner {
  const logged: (readonly [string, string])[] = [];
  const log = {
    warn: (_detail: object, message: string) => void logged.push(['warn', message]),
    error: (_detail: object, message: string) => void logged.push(['error', message]),
  };
  const runner = new JobRunner(em, kinds, log);
  onTestFinished(() => runner.stop());
  return { runner, logged };
}

/** Listening, as in the service. */
export async function startRunner(database: TestDatabase, ...kinds: readonly JobKind[]): Promise<TestRunner> {
  const started = aRunner(database.em, ...kinds);
  await started.runner.start(listenOn(database));
  return started;
}

export interface StoredJob {
  readonly queue: string;
  readonly attempts: number;
  readonly error: string | null;
  readonly isGivenUp: boolean;
  readonly isClaimed: boolean;
}

export function storedJobs(em: Em): Promise<StoredJob[]> {
  return rows(
    em.fork(),
    sql<StoredJob>`select queue, retry_count + case when state = 'created' then 0 else 1 end as attempts,
      output->>'message' as error, state = 'given-up' as "isGivenUp",
      state = 'active' as "isClaimed" from jobs.job order by id`,
  );
}

export async function countEvents(em: Em): Promise<number> {
  const found = await row(em.fork(), sql<{ count: number }>`select count(*)::int as count from domain_events`);
  return found?.count ?? -1;
}

/** Time passes for the jobs of a database: pauses are over, and the jobs of processes that died are free. */
export async function letTimePass(em: Em): Promise<void> {
  await rows(em.fork(), sql`update jobs.job set start_after = now() - interval '1 second' where state < 'active'`);
  await releaseAllClaims(em.fork());
}

/** As a process that has nothing else to do takes jobs. */
export function claimSome(em: Em, queue: string, limit: number, turns = new Turns()): Promise<Claim> {
  return claimJobs(em, queue, { limit, ofOwner: limit, ofLine: limit, owners: new Map(), lines: [] }, turns);
}
