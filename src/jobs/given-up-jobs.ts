import { changed, type Em, row, rows, sql } from '../database/sql.ts';
import { JOBS_CHANNEL } from '../events/record-event.ts';
import { JOB_NUMBER, NEW_JOB_ID } from './job-queue.ts';

/** The jobs of a queue, counted. */
export interface QueueCount {
  readonly queue: string;
  /** The jobs that wait to be done, or are being done. */
  readonly waiting: number;
  /** The waiting jobs that have failed before. */
  readonly failing: number;
  readonly givenUp: number;
  /** For how long the oldest job that is due has been due, the time of its earlier attempts included; 0 where nothing is due. */
  readonly oldestInSeconds: number;
}

export interface GivenUpJob {
  /** Its number, which it has had from the beginning. */
  readonly id: string;
  readonly queue: string;
  readonly attempts: number;
  /** RFC 3339 */
  readonly failedAt: string;
  readonly error: string;
}

/** Counts the jobs of all queues that there are, also of those that are empty. */
export async function countJobs(em: Em): Promise<readonly QueueCount[]> {
  // A job that fell due since somebody last looked is still called blocked.
  return rows(
    em,
    sql<QueueCount>`
      select queue, count(*) filter (where state <= 'active')::int as waiting,
        count(*) filter (where state <= 'active' and output is not null)::int as failing,
        count(*) filter (where state = 'given-up')::int as "givenUp",
        coalesce(extract(epoch from now() - min(coalesce(due_on, start_after))
          filter (where state < 'active' and start_after <= now())), 0)::float8 as "oldestInSeconds"
      from jobs.queue full join jobs.job using (queue) group by queue order by queue`,
  );
}

/** The last ones first. */
export async function findGivenUpJobs(em: Em, limit: number): Promise<readonly GivenUpJob[]> {
  return rows(
    em,
    sql<GivenUpJob>`
      select ${JOB_NUMBER} as id, queue, retry_count + 1 as attempts,
        to_char(given_up_on at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "failedAt", coalesce(output->>'message', '') as error
      from jobs.job where state = 'given-up' order by given_up_on desc, jobs.job.id desc limit ${limit}::int`,
  );
}

/** Has given-up jobs done again from the beginning, behind what waits in their order: one, or without a number all. @returns how many */
export async function retryGivenUpJobs(em: Em, number: string | undefined): Promise<number> {
  const retried = await row(
    em,
    sql<{ count: number }>`
      with again as (
        delete from jobs.job where state = 'given-up' and (${number ?? null}::text is null or ${JOB_NUMBER} = ${number ?? null})
        returning id, queue, data, order_key, owner, line),
      put as (
        insert into jobs.job (id, queue, data, order_key, owner, line)
        select ${NEW_JOB_ID}, queue, data, order_key, owner, line from (select * from again order by id) as next
        returning 1),
      announced as (select pg_notify(${JOBS_CHANNEL}, ''))
      select (select count(*)::int from put) as count from announced`,
  );
  return retried?.count ?? 0;
}

/** Sweeps away jobs that were given up long ago, at most `limit` of them. @returns how many */
export async function removeGivenUpJobs(em: Em, limit: number): Promise<number> {
  return changed(
    em,
    sql`delete from jobs.job where (queue, id) in (
          select queue, id from jobs.job where state = 'given-up' and given_up_on < now() - interval '30 days'
          order by given_up_on limit ${limit}::int for update skip locked)`,
  );
}
