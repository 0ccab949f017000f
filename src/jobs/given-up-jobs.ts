import { changed, type Em, row, rows, sql } from '../database/sql.ts';
import { JOBS_CHANNEL } from '../events/record-event.ts';
import { GIVEN_UP, JOB_NUMBER, NEW_JOB_ID } from './job-queue.ts';

// All on pg-boss's table, by templates: see job-queue.ts.

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
  const isOpen = sql`name <> ${GIVEN_UP}`;
  // A job that fell due since somebody last looked is still called blocked.
  const isDue = sql`${isOpen} and state < 'active' and start_after <= now()`;
  return rows(
    em,
    sql<QueueCount>`
      with counted as (
        select coalesce(source_name, name) as queue, count(*) filter (where ${isOpen})::int as waiting,
          count(*) filter (where ${isOpen} and output is not null)::int as failing,
          count(*) filter (where not ${isOpen})::int as "givenUp",
          extract(epoch from now() - min(coalesce(due_on, start_after)) filter (where ${isDue}))::float8 as oldest
        from jobs.job where state < 'completed' group by 1)
      select queue, coalesce(waiting, 0) as waiting, coalesce(failing, 0) as failing, coalesce("givenUp", 0) as "givenUp",
        coalesce(oldest, 0) as "oldestInSeconds"
      from (select name as queue from jobs.queue where ${isOpen}) as known full join counted using (queue) order by queue`,
  );
}

/** The last ones first. */
export async function findGivenUpJobs(em: Em, limit: number): Promise<readonly GivenUpJob[]> {
  return rows(
    em,
    sql<GivenUpJob>`
      select ${JOB_NUMBER} as id, source_name as queue, source_retry_count + 1 as attempts,
        to_char(created_on at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "failedAt",
        coalesce(source_output->>'message', '') as error
      from jobs.job where name = ${GIVEN_UP} order by created_on desc, jobs.job.id desc limit ${limit}::int`,
  );
}

/** Has given-up jobs done again from the beginning, behind what waits in their order: one, or without a number all. @returns how many */
export async function retryGivenUpJobs(em: Em, number: string | undefined): Promise<number> {
  const retried = await row(
    em,
    sql<{ count: number }>`
      with again as (
        delete from jobs.job where name = ${GIVEN_UP} and (${number ?? null}::text is null or ${JOB_NUMBER} = ${number ?? null})
        returning id, source_name, data, singleton_key, group_id, group_tier),
      put as (
        insert into jobs.job (id, name, data, singleton_key, group_id, group_tier, policy)
        select ${NEW_JOB_ID}, source_name, data, singleton_key, group_id, group_tier, 'standard' from (select * from again order by id) as next
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
    sql`delete from jobs.job where name = ${GIVEN_UP} and id in (
          select id from jobs.job where name = ${GIVEN_UP} and keep_until < now()
          limit ${limit}::int for update skip locked)`,
  );
}
