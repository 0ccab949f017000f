import { type Em, row, rows, sql } from '../database/sql.ts';
import { JOBS_CHANNEL } from '../events/record-event.ts';

/** What is in a queue. */
export interface QueueCount {
  readonly queue: string;
  /** To be done, or being done. */
  readonly waiting: number;
  /** Of these, those that have failed before. */
  readonly failing: number;
  readonly givenUp: number;
}

export interface GivenUpJob {
  readonly id: string;
  readonly queue: string;
  readonly attempts: number;
  /** RFC 3339 */
  readonly failedAt: string;
  readonly error: string;
}

export async function countJobs(em: Em): Promise<readonly QueueCount[]> {
  return rows(
    em,
    sql<QueueCount>`
      select queue, count(*) filter (where failed_at is null)::int as waiting,
        count(*) filter (where failed_at is null and error is not null)::int as failing,
        count(*) filter (where failed_at is not null)::int as "givenUp"
      from jobs group by queue order by queue`,
  );
}

/** The last ones first. */
export async function findGivenUpJobs(em: Em, limit: number): Promise<readonly GivenUpJob[]> {
  return rows(
    em,
    sql<GivenUpJob>`
      select id::text as id, queue, attempts, to_char(failed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "failedAt",
        coalesce(error, '') as error
      from jobs where failed_at is not null order by failed_at desc, jobs.id desc limit ${limit}::int`,
  );
}

/** Has given-up jobs done again from the beginning: one, or without an id all. @returns how many */
export async function retryGivenUpJobs(em: Em, id: string | undefined): Promise<number> {
  const retried = await row(
    em,
    sql<{ count: number }>`
      with retried as (
        update jobs set failed_at = null, attempts = 0, run_at = now()
        where failed_at is not null and (${id ?? null}::text is null or id::text = ${id ?? null})
        returning 1),
      announced as (select pg_notify(${JOBS_CHANNEL}, ''))
      select (select count(*)::int from retried) as count from announced`,
  );
  return retried?.count ?? 0;
}
