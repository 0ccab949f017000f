/** Which jobs are done next. */
import { CompiledQuery } from 'kysely';
import type { Db, PgBoss } from 'pg-boss';
import { changed, type Em, type RawBuilder, row, rows, sql } from '../database/sql.ts';
import { BEHIND_NEW, type ClaimedJob, PUT_BACK, prepareQueues, STILL_CLAIMED, these } from './job-queue.ts';
import { JOBS_SCHEMA } from './job-schema.ts';

/** Once a day is the rarest: nobody changes a queue. */
const QUEUES_READ_EVERY_SECONDS = 24 * 60 * 60;

/**
 * pg-boss over our EntityManager: no connection of its own, no polling (the runner is told when to look), no maintenance
 * (its passes would be most of the statements of an idle process) and no migrations (ours make its tables).
 */
export async function openBoss(em: Em, queues: readonly string[]): Promise<PgBoss> {
  // Loading it takes as long as a good part of a start; nobody waits for it here.
  const { PgBoss: Boss } = await import('pg-boss');
  await prepareQueues(em.fork(), queues);
  const boss = new Boss({
    db: { executeSql: (text, values) => through(em.fork()).executeSql(text, values) },
    schema: JOBS_SCHEMA,
    migrate: false,
    supervise: false,
    schedule: false,
    queueCacheIntervalSeconds: QUEUES_READ_EVERY_SECONDS,
  });
  // What fails says so to its caller; without a listener, it would end the process as well.
  boss.on('error', () => undefined);
  return boss.start();
}

/** Statements of pg-boss in the transaction of an EntityManager, if it is in one. */
function through(em: Em): Db {
  return {
    executeSql: async (text, values = []) => {
      const { rows: found } = await em.getKysely().executeQuery(CompiledQuery.raw(text, [...values]));
      return { rows: found };
    },
  };
}

/**
 * Thousands of jobs may have come since statistics were made of the table, and PostgreSQL would then read and sort all of
 * them to find the oldest. The index has them in that order.
 */
const BY_INDEX = sql`select ${sql.join(
  ['enable_sort', 'enable_bitmapscan', 'enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'].map(
    (way) => sql`set_config(${sql.lit(way)}, 'off', true)`,
  ),
)}`;

export interface Claim {
  readonly jobs: readonly ClaimedJob[];
  /** Behind those there may be others. */
  readonly isAnyPutBack: boolean;
}

/**
 * Takes what is due, what is new before what has waited for another try, the oldest first, at most `limit` of a queue. pg-boss finds them without looking at what else waits;
 * its queues of strict order do look at all of it, at each claim. So the order is held here: one that has others of its
 * order before it, neither done nor given up, is put back to wait for them. In one transaction with the claim: who ends the
 * one before it waits for that, and lets it go on.
 */
export async function claimJobs(boss: PgBoss, em: Em, queue: string, limit: number): Promise<Claim> {
  return em.transactional(async (inner) => {
    await rows(inner, BY_INDEX);
    const fetched = await boss.fetch<object>(queue, { batchSize: limit, db: through(inner) });
    if (fetched.length === 0) return { jobs: [], isAnyPutBack: false };
    const jobs = fetched.map(({ id, name, data, retryCount }) => ({ id, queue: name, data, attempts: retryCount + 1 }));
    const early = new Set((await rows(inner, puttingBackEarly(queue, jobs))).map(({ id }) => id));
    return { jobs: jobs.filter(({ id }) => !early.has(id)), isAnyPutBack: early.size > 0 };
  });
}

/** Until the first one of its order is tried again; if that is due, it is let go on when that ends, and this is for the worst. */
const LONGEST_WAIT = sql`interval '1 minute'`;

/** So many at once wait for the one before them without having been claimed first. */
const MOST_BEHIND = 1_000;

/**
 * What stands behind one that is early, and is due, waits with it: else thousands of one order would all be claimed and put
 * back, a few at a time, before anybody else's turn.
 */
function puttingBackEarly(queue: string, jobs: readonly ClaimedJob[]): RawBuilder<{ readonly id: string }> {
  return sql`
    with early as (
      update jobs.job j set heartbeat_on = null, start_after = greatest(first.start_after, now() + ${LONGEST_WAIT}),
        ${BEHIND_NEW},
        -- It was not begun, so this was no attempt.
        retry_count = greatest(j.retry_count - 1, 0), started_on = case when j.retry_count > 0 then j.started_on end,
        state = case when j.retry_count > 0 then 'retry' else 'created' end::jobs.job_state
      from jobs.job mine cross join lateral (
        select before.start_after from jobs.job before
        where before.name = mine.name and before.singleton_key = mine.singleton_key and before.id < mine.id
          and before.state < 'completed'
        order by before.id limit 1
      ) as first
      where mine.name = ${queue} and mine.id = any(${jobs.map(({ id }) => id)}::uuid[])
        and j.name = mine.name and j.id = mine.id
      returning j.id, j.singleton_key
    ), behind as (
      select later.id
      from (select distinct on (singleton_key) singleton_key, id from early order by singleton_key, id desc) as last
      cross join lateral (
        select b.id from jobs.job b
        where b.name = ${queue} and b.singleton_key = last.singleton_key and b.id > last.id
          and b.state < 'active' and b.start_after <= now()
        order by b.id limit ${MOST_BEHIND}::int for update skip locked
      ) as later
    ), waiting as (
      update jobs.job j set start_after = now() + ${LONGEST_WAIT}, ${BEHIND_NEW}
      from behind where j.name = ${queue} and j.id = behind.id
    )
    select id from early`;
}

/** A job that another process is at. */
export interface OthersJob extends ClaimedJob {
  /** When its process last said that it lives. */
  readonly heartbeat: string;
}

export interface Pulse {
  readonly hasEvents: boolean;
  /** The queues that have something to do. */
  readonly due: readonly string[];
  readonly others: readonly OthersJob[];
}

/** SQL: one due job, in the order of the index. An `exists` might be turned into a join that reads all of them. */
const HAS_DUE = sql`(
  select true from jobs.job j
  where j.name = queue.name and j.state < 'active' and not j.blocked and j.start_after <= now()
  order by j.priority desc, j.created_on limit 1)`;

/** Says that this process lives and is at its jobs, and finds out what there is to do, in one statement. */
export async function takePulse(em: Em, queues: readonly string[], own: readonly ClaimedJob[]): Promise<Pulse> {
  // Short jobs need none, so that nothing is written for them; who ends one just now is not waited for.
  const beat = sql`
    update jobs.job set heartbeat_on = now() where (name, id) in (
      select j.name, j.id from jobs.job j, ${these(own)} where ${STILL_CLAIMED}
        and j.heartbeat_on < now() - interval '1 second' for update of j skip locked)`;
  const found = await row(
    em,
    sql<Pulse>`
      ${own.length === 0 ? sql`` : sql`with beat as (${beat})`}
      select exists (select from domain_events) as "hasEvents",
        (select coalesce(json_agg(queue.name), '[]') from unnest(${queues}::text[]) as queue(name) where ${HAS_DUE}) as due,
        (select coalesce(json_agg(json_build_object('id', j.id, 'queue', j.name, 'data', null,
           'attempts', j.retry_count + 1, 'heartbeat', j.heartbeat_on::text)), '[]')
         from jobs.job j
         where j.name = any(${queues}::text[]) and j.state = 'active' and (j.id, j.retry_count) not in (
           select these.id, these.retry_count from ${these(own)})) as others`,
  );
  return found ?? { hasEvents: false, due: [], others: [] };
}

/** Makes the jobs of a dead process available again, unless it has given a sign of life in the meantime. */
export async function takeOverJobs(em: Em, jobs: readonly OthersJob[]): Promise<number> {
  if (jobs.length === 0) return 0;
  return changed(
    em,
    sql`${PUT_BACK} from ${these(jobs)}, unnest(${jobs.map(({ id }) => id)}::uuid[],
          ${jobs.map(({ heartbeat }) => heartbeat)}::text[]) as last(id, heartbeat)
        where ${STILL_CLAIMED} and last.id = j.id and j.heartbeat_on::text is not distinct from last.heartbeat`,
  );
}
