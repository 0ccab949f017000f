/** Each process says that it lives, and finds what there is to do and which others are dead: it takes their jobs over. */
import { changed, type Em, type RawBuilder, row, sql } from '../database/sql.ts';
import { type ClaimedJob, PUT_BACK, STILL_CLAIMED, these } from './job-queue.ts';

/** A job that another process is at. */
export interface OthersJob extends Omit<ClaimedJob, 'owner' | 'line'> {
  /** When its process last said that it lives. */
  readonly heartbeat: string;
}

export interface Heartbeat {
  readonly hasEvents: boolean;
  /** Whether jobs have waited for a time that has come. */
  readonly hasRipeJobs: boolean;
  /** The queues in which something has fallen due by the clock. */
  readonly ripe: readonly string[];
  /** The queues that have something to do. */
  readonly due: readonly string[];
  readonly others: readonly OthersJob[];
}

/** SQL: one due job, in the order of the index. An `exists` might be turned into a join that reads all of them. */
const HAS_DUE = sql`(
  select true from jobs.job j
  where j.queue = queue.name and j.state < 'active' and not j.blocked and j.start_after <= now()
  order by j.owner limit 1)`;
const HAS_RIPE = sql<boolean>`coalesce((
  select true from jobs.job j where j.state < 'active' and j.blocked and j.start_after <= now()
  order by j.start_after limit 1), false)`;

/** Says that this process lives and is at its jobs, and finds out what there is to do, in one statement. */
export async function takeHeartbeat(
  em: Em,
  queues: readonly string[],
  own: readonly ClaimedJob[],
  clocks: readonly { readonly queue: string; readonly isDue: RawBuilder<boolean> }[] = [],
): Promise<Heartbeat> {
  const ripe = clocks.map(({ queue, isDue }) => sql`case when ${isDue} then ${queue}::text end`);
  // Short jobs need none, so that nothing is written for them; a process that ends one just now is not waited for.
  const beat = sql`
    update jobs.job set heartbeat_on = now() where (queue, id) in (
      select j.queue, j.id from jobs.job j, ${these(own)} where ${STILL_CLAIMED}
        and j.heartbeat_on < now() - interval '1 second' for update of j skip locked)`;
  const found = await row(
    em,
    sql<Heartbeat>`
      ${own.length === 0 ? sql`` : sql`with beat as (${beat})`}
      select exists (select from domain_events) as "hasEvents", ${HAS_RIPE} as "hasRipeJobs",
        array_remove(array[${sql.join(ripe)}]::text[], null) as ripe,
        (select coalesce(json_agg(queue.name), '[]') from unnest(${queues}::text[]) as queue(name) where ${HAS_DUE}) as due,
        (select coalesce(json_agg(json_build_object('id', j.id, 'queue', j.queue, 'data', null,
           'attempts', j.retry_count + 1, 'heartbeat', j.heartbeat_on::text)), '[]')
         from jobs.job j
         where j.queue = any(${queues}::text[]) and j.state = 'active' and (j.id, j.retry_count) not in (
           select these.id, these.retry_count from ${these(own)})) as others`,
  );
  return found ?? { hasEvents: false, hasRipeJobs: false, ripe: [], due: [], others: [] };
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

/** A process says every two seconds that it is at its jobs; silence for longer than this is death. */
const SILENCE_MS = 5_500;
/** A look that came later, or took longer, has seen nothing: the database or this process was away, and so others may have been. */
const LONGEST_GAP_MS = 4_500;
const LONGEST_LOOK_MS = 2_000;

/**
 * Finds the jobs whose process has died, by watching that it says nothing. It does not compare times of the database: after
 * a database was away, everybody's last word is old, and nobody is dead.
 */
export class AbandonedJobs {
  #seen = new Map<string, number>();
  #lookedAt = 0;

  /** Takes what a look found, by a clock in milliseconds that nobody sets. @returns those to take over */
  watch(others: readonly OthersJob[], beganAt: number, endedAt: number): OthersJob[] {
    const isBlind = beganAt - this.#lookedAt > LONGEST_GAP_MS || endedAt - beganAt > LONGEST_LOOK_MS;
    const before = isBlind ? new Map<string, number>() : this.#seen;
    this.#lookedAt = endedAt;
    this.#seen = new Map(others.map((job) => [wordOf(job), before.get(wordOf(job)) ?? endedAt]));
    return others.filter((job) => beganAt - (this.#seen.get(wordOf(job)) ?? endedAt) >= SILENCE_MS);
  }
}

function wordOf({ id, attempts, heartbeat }: OthersJob): string {
  return `${id} ${attempts} ${heartbeat}`;
}
