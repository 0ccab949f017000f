/** The table of jobs, as statements: what is put in, who takes what, and what becomes of it. */
import { changed, type Em, type RawBuilder, rows, sql } from '../database/sql.ts';
import { JOBS_CHANNEL } from '../events/record-event.ts';

export interface NewJob {
  readonly queue: string;
  readonly data: object;
  /** Jobs with the same key are done one after the other, in the order in which they were put in. */
  readonly orderKey?: string;
}

/** A job that this process is at. */
export interface ClaimedJob {
  readonly id: string;
  readonly queue: string;
  readonly data: unknown;
  /** This one counted in. */
  readonly attempts: number;
}

/** A queue, and how many jobs of it may be taken. */
export interface Room {
  readonly queue: string;
  readonly free: number;
}

/** A process that has not crossed its job off by then is taken for dead. */
export const CLAIM_SECONDS = 120;
const MAX_ERROR_LENGTH = 500;

/** Puts jobs in, in the transaction of the caller. */
export async function enqueueJobs(em: Em, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length > 0) await rows(em, sql`with put as (${inserting(jobs, sql`true`)}) ${ANNOUNCE}`);
}

/**
 * Takes what is due, the oldest first. A job waits behind those of its key that were put in before it and are neither
 * done nor given up: a retry of the first one would otherwise let the second one overtake it.
 */
export async function claimJobs(em: Em, room: readonly Room[]): Promise<ClaimedJob[]> {
  return rows(
    em,
    sql<ClaimedJob>`
      with due as materialized (
        select head.id from unnest(${room.map(({ queue }) => queue)}::text[], ${room.map(({ free }) => free)}::int[]) as room(queue, free)
        cross join lateral (
          select j.id from jobs j
          where j.queue = room.queue and j.failed_at is null and j.run_at <= now()
            and (j.claimed_until is null or j.claimed_until < now())
            and not exists (select from jobs earlier
                            where earlier.order_key = j.order_key and earlier.id < j.id and earlier.failed_at is null)
          order by j.run_at, j.id limit room.free for update skip locked
        ) as head
      )
      update jobs set attempts = attempts + 1, claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS}::int)
      from due where jobs.id = due.id
      returning jobs.id, jobs.queue, jobs.data, jobs.attempts`,
  );
}

/**
 * Crosses a job off and puts in what follows from it, in one statement. Both are left undone if somebody else has taken
 * the job meanwhile.
 */
export async function finishJob(em: Em, job: ClaimedJob, next: readonly NewJob[]): Promise<void> {
  const done = sql`delete from jobs where ${isStillClaimed(job)} returning 1`;
  if (next.length === 0) return void (await changed(em, done));
  const put = inserting(next, sql`exists (select from done)`);
  await rows(em, sql`with done as (${done}), put as (${put}) ${ANNOUNCE}`);
}

/** Tries it again after a pause. */
export async function postponeJob(em: Em, job: ClaimedJob, pauseInSeconds: number, error: unknown): Promise<void> {
  await changed(
    em,
    sql`update jobs set claimed_until = null, error = ${messageOf(error)},
          run_at = now() + make_interval(secs => ${pauseInSeconds}::float8)
        where ${isStillClaimed(job)}`,
  );
}

/** Gives it up: it stays for the operator to see, and those behind it go on. */
export async function giveUpJob(em: Em, job: ClaimedJob, error: unknown): Promise<void> {
  await changed(
    em,
    sql`update jobs set claimed_until = null, error = ${messageOf(error)}, failed_at = now()
        where ${isStillClaimed(job)}`,
  );
}

/** Leaves jobs that were begun to the next process, at once. */
export async function handBackJobs(em: Em, jobs: readonly ClaimedJob[]): Promise<void> {
  for (const job of jobs) await changed(em, sql`update jobs set claimed_until = null where ${isStillClaimed(job)}`);
}

/** For a database that no other process uses: whoever was at a job is dead. */
export async function releaseAllClaims(em: Em): Promise<void> {
  await changed(em, sql`update jobs set claimed_until = null where claimed_until is not null`);
}

/** Whoever takes a job counts its attempts up, so they tell one claim from the next. */
function isStillClaimed({ id, attempts }: ClaimedJob): RawBuilder<boolean> {
  return sql<boolean>`id = ${id}::bigint and attempts = ${attempts} and claimed_until is not null`;
}

const ANNOUNCE = sql`select pg_notify(${JOBS_CHANNEL}, '')`;

function inserting(jobs: readonly NewJob[], condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into jobs (queue, order_key, data, attempts, run_at, created_at)
    select job->>'queue', job->>'orderKey', job->'data', 0, now(), now()
    from jsonb_array_elements(${JSON.stringify(jobs)}::jsonb) with ordinality as next(job, position)
    where ${condition} order by position`;
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  // PostgreSQL takes no NUL, and the words may be another server's.
  return message.replaceAll('\0', '').slice(0, MAX_ERROR_LENGTH);
}
