/** Which jobs are done next. */
import { changed, type Em, type RawBuilder, row, rows, sql } from '../database/sql.ts';
import { BEHIND_NEW, type ClaimedJob, isOfOrder, PUT_BACK, STILL_CLAIMED, these } from './job-queue.ts';

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
 * SQL: how pg-boss takes the next ones of a queue; a test compares the two. It is said here, since loading pg-boss for this
 * one statement takes 20 MB.
 */
export function takingNext(queue: string, limit: number): RawBuilder<ClaimedJob> {
  const name = sql.lit(queue);
  return sql`
    with next as (
      select j.id from jobs.job_common j
      where j.name = ${name} and j.state < 'active' and not j.blocked and j.start_after <= jobs.job_now()
      order by j.priority desc, j.created_on
      limit ${limit}
      for update of j skip locked
    )
    update jobs.job_common j set state = 'active', started_on = jobs.job_now(), heartbeat_on = jobs.job_now(),
      retry_count = case when started_on is not null then retry_count + 1 else retry_count end
    from next where name = ${name} and j.id = next.id
    returning j.id, name as queue, data, retry_count + 1 as attempts`;
}

/**
 * Takes what is due, what is new before what has waited for another try, the oldest first, at most `limit` of a queue. They
 * are found without looking at what else waits; pg-boss's queues of strict order do look at all of it, at each claim. So the
 * order is held here: one that has others of its order before it, neither done nor given up, is put back to wait for them.
 * In one transaction with the claim: who ends the one before it waits for that, and lets it go on.
 */
export async function claimJobs(em: Em, queue: string, limit: number): Promise<Claim> {
  return em.transactional(async (inner) => {
    await rows(inner, BY_INDEX);
    const jobs = await rows(inner, takingNext(queue, limit));
    if (jobs.length === 0) return { jobs, isAnyPutBack: false };
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
    with late as (
      select mine.name, mine.id, first.start_after
      from unnest(${jobs.map(({ id }) => id)}::uuid[]) as claimed(id)
      cross join lateral (
        select m.name, m.id, m.singleton_key from jobs.job m where m.name = ${queue} and m.id = claimed.id offset 0
      ) as mine
      cross join lateral (
        select before.start_after from jobs.job before
        where ${isOfOrder('before', 'mine')} and before.id < mine.id
        order by before.id limit 1
      ) as first
      offset 0
    ), early as (
      update jobs.job j set heartbeat_on = null, start_after = greatest(late.start_after, now() + ${LONGEST_WAIT}),
        ${BEHIND_NEW},
        -- It was not begun, so this was no attempt.
        retry_count = greatest(j.retry_count - 1, 0), started_on = case when j.retry_count > 0 then j.started_on end,
        state = case when j.retry_count > 0 then 'retry' else 'created' end::jobs.job_state
      from late where j.name = late.name and j.id = late.id
      returning j.name, j.id, j.singleton_key
    ), behind as (
      select later.name, later.id
      from (select distinct on (singleton_key) name, singleton_key, id from early order by singleton_key, id desc) as last
      cross join lateral (
        select b.name, b.id from jobs.job b
        where ${isOfOrder('b', 'last')} and b.id > last.id and b.state < 'active' and b.start_after <= now()
        order by b.id limit ${MOST_BEHIND}::int for update skip locked
      ) as later
    ), waiting as (
      update jobs.job j set start_after = now() + ${LONGEST_WAIT}, ${BEHIND_NEW}
      from behind where j.name = behind.name and j.id = behind.id
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
  /** The queues in which something has fallen due by the clock. */
  readonly ripe: readonly string[];
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
export async function takePulse(
  em: Em,
  queues: readonly string[],
  own: readonly ClaimedJob[],
  clocks: readonly { readonly queue: string; readonly isDue: RawBuilder<boolean> }[] = [],
): Promise<Pulse> {
  const ripe = clocks.map(({ queue, isDue }) => sql`case when ${isDue} then ${queue}::text end`);
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
        array_remove(array[${sql.join(ripe)}]::text[], null) as ripe,
        (select coalesce(json_agg(queue.name), '[]') from unnest(${queues}::text[]) as queue(name) where ${HAS_DUE}) as due,
        (select coalesce(json_agg(json_build_object('id', j.id, 'queue', j.name, 'data', null,
           'attempts', j.retry_count + 1, 'heartbeat', j.heartbeat_on::text)), '[]')
         from jobs.job j
         where j.name = any(${queues}::text[]) and j.state = 'active' and (j.id, j.retry_count) not in (
           select these.id, these.retry_count from ${these(own)})) as others`,
  );
  return found ?? { hasEvents: false, ripe: [], due: [], others: [] };
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
