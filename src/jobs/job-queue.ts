/**
 * The jobs, as statements on their table (job-schema.ts): what is put in, by the relay of events first of all, and what becomes of it.
 * Which are done next, claim-jobs.ts says.
 */
import { changed, type Em, type RawBuilder, row, rows, sql } from '../database/sql.ts';
import { type DomainEventType, JOBS_CHANNEL } from '../events/record-event.ts';

export interface NewJob {
  readonly queue: string;
  readonly data: object;
  /** Jobs with the same key are done one after the other, in the order in which they were put in. */
  readonly orderKey?: string;
  /** It is begun after so long; left out, at once. */
  readonly delayInSeconds?: number;
  /** The owner whose turn it takes; left out: that of the job from which it follows. */
  readonly owner?: string;
  /** Among the owner's, lines take turns: a receiver, say. Left out: that of its owner's other jobs. */
  readonly line?: string;
}

/** A job that this process is at. */
export interface ClaimedJob {
  readonly id: string;
  readonly queue: string;
  readonly data: unknown;
  /** This one counted in. */
  readonly attempts: number;
  /** The owner whose turn it takes, and the line among theirs. */
  readonly owner: string;
  readonly line: string;
}

const MAX_ERROR_LENGTH = 500;

/** SQL: the id of a new job. One sequence for all processes: the clocks of machines differ, and ids made of them would. */
export const NEW_JOB_ID = sql`lpad(to_hex(nextval('jobs.job_number')), 32, '0')::uuid`;

/** SQL: the number in an id, for people. */
export const JOB_NUMBER = sql`('x' || right(replace(id::text, '-', ''), 16))::bit(64)::bigint::text`;

/** The number of a job whose id is at hand. */
export function jobNumber({ id }: Pick<ClaimedJob, 'id'>): string {
  return String(BigInt(`0x${id.replaceAll('-', '')}`));
}

/** Notes which queues there are, so that those that are empty are counted, too. */
export async function prepareQueues(em: Em, queues: readonly string[]): Promise<void> {
  await changed(em, sql`insert into jobs.queue (queue) select unnest(${queues}::text[]) on conflict do nothing`);
}

/** Puts jobs in, in the transaction of the caller. Those that do not say whose turn they take share the turns of nobody. */
export async function enqueueJobs(em: Em, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length > 0)
    await rows(
      em,
      sql`with put as (${inserting(
        jobs.map((job) => ({ job })),
        sql`true`,
      )}) ${ANNOUNCE}`,
    );
}

/** A job that is done, and what follows from it. */
export interface DoneJob {
  readonly job: ClaimedJob;
  readonly next: readonly NewJob[];
}

/**
 * Crosses jobs off, lets the next one of each order go on, and puts in what follows, in one statement. All is left undone
 * for a job that another process has taken in the meantime.
 */
export async function finishJobs(em: Em, done: readonly DoneJob[]): Promise<void> {
  const next = done.flatMap(({ job, next: jobs }) =>
    jobs.map((following) => ({ job: { owner: job.owner, ...following }, after: job.id })),
  );
  const finished = sql`
    with gone as (delete from jobs.job j using ${these(done.map(({ job }) => job))} where ${STILL_CLAIMED}
                  returning j.id, j.queue, j.order_key),
    released as (${RELEASE_NEXT_OF_GONE})`;
  if (next.length === 0) return void (await changed(em, sql`${finished} select 1`));
  const put = inserting(next, sql`(job->>'after')::uuid in (select id from gone)`);
  await rows(em, sql`${finished}, put as (${put}) ${ANNOUNCE}`);
}

/** SQL: behind all that is new, so that what cannot be done, however much of it there is, holds up nobody. */
export const BEHIND_NEW = sql`priority = -1`;

/** SQL: that it waits. It keeps when it first could have been begun, which is its age. */
export const WAITING = sql`blocked = true, due_on = coalesce(due_on, j.start_after)`;

/** Tries it again after a pause. Those behind it in its order come back and wait on (claim-jobs.ts). */
export async function postponeJob(em: Em, job: ClaimedJob, pauseInSeconds: number, error: unknown): Promise<void> {
  await changed(
    em,
    sql`update jobs.job j set state = 'retry', heartbeat_on = null, output = ${outputOf(error)}::jsonb,
          start_after = now() + make_interval(secs => ${pauseInSeconds}::float8), ${BEHIND_NEW}, ${WAITING}
        from ${these([job])} where ${STILL_CLAIMED}`,
  );
}

/** Gives it up: it stays for an operator to see, and those behind it go on. */
export async function giveUpJob(em: Em, job: ClaimedJob, error: unknown): Promise<void> {
  await changed(
    em,
    sql`with gone as (
          update jobs.job j set state = 'given-up', given_up_on = now(), heartbeat_on = null, output = ${outputOf(error)}::jsonb
          from ${these([job])} where ${STILL_CLAIMED} returning j.id, j.queue, j.order_key
        ) ${RELEASE_NEXT_OF_GONE}`,
  );
}

/** Leaves jobs that were begun to the next process, at once. */
export async function handBackJobs(em: Em, jobs: readonly ClaimedJob[]): Promise<void> {
  if (jobs.length > 0) await changed(em, sql`${PUT_BACK} from ${these(jobs)} where ${STILL_CLAIMED}`);
}

/** For a database that no other process uses: jobs that are claimed belong to a process that is dead. */
export async function releaseAllClaims(em: Em): Promise<void> {
  await changed(em, sql`${PUT_BACK} where j.state = 'active'`);
}

/** SQL: the same attempt that was claimed. Each claim counts, so that one is never taken for the next. */
export const STILL_CLAIMED = sql`j.queue = these.queue and j.id = these.id and j.retry_count = these.retry_count
  and j.state = 'active'`;

/** SQL: claimed jobs as a table. */
export function these(jobs: readonly Pick<ClaimedJob, 'id' | 'queue' | 'attempts'>[]): RawBuilder<unknown> {
  return sql`unnest(${jobs.map(({ queue }) => queue)}::text[], ${jobs.map(({ id }) => id)}::uuid[],
    ${jobs.map(({ attempts }) => attempts - 1)}::int[]) as these(queue, id, retry_count)`;
}

/** SQL: a job that was begun and not ended, due as before; `started_on` stays, so that the next claim counts as another attempt. */
export const PUT_BACK = sql`update jobs.job j set state = 'retry', heartbeat_on = null`;

/** Lets what has waited for its time take its turn, at most `limit` of them. @returns how many */
export async function ripenJobs(em: Em, limit: number): Promise<number> {
  return changed(
    em,
    sql`with ripe as (
          select r.ctid from jobs.job r
          where r.state < 'active' and r.blocked and r.start_after <= now()
          order by r.start_after limit ${limit}::int for update skip locked
        )
        update jobs.job j set blocked = false
        -- They are locked, so their places stay; whenever the plan is made, it goes to these places.
        where j.ctid = any(array(select ctid from ripe))`,
  );
}

/**
 * SQL: whether `job` is of the same order as `other`, and not ended. Plans are made while the table is nearly empty, when to
 * PostgreSQL every index and every order of joins looks as good as another; a minute later there may be thousands of jobs. So
 * the queue is compared in a way that leaves one index for this, and `offset 0` leaves one order of joins.
 */
export function isOfOrder(job: string, other: string): RawBuilder<boolean> {
  const [mine, others] = [sql.ref(job), sql.ref(other)];
  return sql`${mine}.order_key = ${others}.order_key and ${mine}.queue || '' = ${others}.queue
    and ${mine}.state <= 'active'`;
}

/**
 * SQL: the one behind each that is `gone` may be waiting for it. If a claim is just about to let it wait, this waits for
 * that claim's commit.
 */
const RELEASE_NEXT_OF_GONE = sql`
  update jobs.job j set start_after = now(), blocked = false, due_on = coalesce(j.due_on, j.start_after)
  from (
    select gone.queue, next.id
    from gone cross join lateral (
      select behind.id from jobs.job behind
      where ${isOfOrder('behind', 'gone')} and behind.id > gone.id
      order by behind.id limit 1
    ) as next
    offset 0
  ) as first
  where j.queue = first.queue and j.id = first.id and j.state = 'created'`;

const ANNOUNCE = sql`select pg_notify(${JOBS_CHANNEL}, '')`;

function inserting(
  jobs: readonly { readonly job: NewJob; readonly after?: string }[],
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    insert into jobs.job (id, queue, order_key, owner, line, data, start_after, blocked)
    select ${NEW_JOB_ID}, queue, order_key, owner, line, data, now() + make_interval(secs => delay), delay > 0
    from (select job->'job'->>'queue' as queue, job->'job'->>'orderKey' as order_key, job->'job'->'data' as data,
            coalesce(job->'job'->>'owner', '') as owner, coalesce(job->'job'->>'line', '') as line,
            coalesce((job->'job'->>'delayInSeconds')::float8, 0) as delay
          from jsonb_array_elements(${JSON.stringify(jobs)}::jsonb) with ordinality as given(job, position)
          where ${condition} order by position) as next`;
}

function outputOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  // PostgreSQL takes no NUL, and the words may be another server's.
  return JSON.stringify({ message: message.replaceAll('\0', '').toWellFormed().slice(0, MAX_ERROR_LENGTH) });
}

/** A queue, and the events that become its jobs. */
export interface Subscription {
  readonly queue: string;
  readonly hears: readonly DomainEventType[];
  readonly goesFirst?: boolean;
}

/**
 * Makes of each of the oldest events one job for each subscriber, and deletes the event, in one statement: so each is
 * told once, also when the process dies in the middle. Events of one booking are told in their order, so one process
 * relays at a time. @returns how many events there were
 */
export async function relayEvents(em: Em, subscriptions: readonly Subscription[], limit: number): Promise<number> {
  const pairs = subscriptions.flatMap(({ queue, hears, goesFirst = false }) =>
    hears.map((type) => ({ queue, type, first: goesFirst })),
  );
  const waiting = new Set(pairs.filter(({ first }) => first).map(({ type }) => type));
  // Null: whatever the event tells of.
  const inApp = pairs.map(({ type, first }) => (waiting.has(type) ? first : null));
  const relayed = await row(
    em,
    sql<{ count: number }>`
      with turn as (select pg_try_advisory_xact_lock(hashtext('gatehouse: relay')) as is_mine),
      taken as (
        delete from domain_events where (owner_id, id) in (
          select e.owner_id, e.id from domain_events e where (select is_mine from turn)
          order by e.occurred_at, e.id limit ${limit}::int for update skip locked)
        returning *),
      told as (
        insert into jobs.job (id, queue, order_key, owner, data)
        select ${NEW_JOB_ID}, next.queue, next.thread, next.owner, next.data
        from (
          -- An account may make any number of groups, so what is about a booking is done in the turns of its first host.
          select subscriber.queue, coalesce(e.data->'booking'->'hostIds'->>0, e.owner_id::text) as owner,
            e.data->'booking'->>'thread' as thread, e.data || jsonb_build_object('id', e.id,
            'ownerId', e.owner_id, 'type', e.type, 'occurredAt', e.occurred_at) as data
          from taken e join unnest(${pairs.map(({ queue }) => queue)}::text[], ${pairs.map(({ type }) => type)}::text[],
              ${inApp}::boolean[]) as subscriber(queue, type, in_app)
            on subscriber.type = e.type and coalesce(subscriber.in_app = (e.data->'booking'->'meetsInApp' is not null), true)
          order by e.occurred_at, e.id
        ) as next
        returning 1)
      select (select count(*)::int from taken) as count,
        (select pg_notify(${JOBS_CHANNEL}, '') from told limit 1)::text as announced`,
  );
  return relayed?.count ?? 0;
}

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
