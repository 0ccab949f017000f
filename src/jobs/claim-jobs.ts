/** Which jobs are done next. */
import { LRUCache } from 'lru-cache';
import { type Em, type RawBuilder, rows, sql } from '../database/sql.ts';
import { BEHIND_NEW, type ClaimedJob, isOfOrder, WAITING } from './job-queue.ts';

/**
 * Thousands of jobs may have come since statistics were made of the table, and PostgreSQL would then read and sort all of
 * them to find the oldest. The index has them in that order.
 */
export const BY_INDEX = sql`select ${sql.join(
  ['jit', 'enable_sort', 'enable_bitmapscan', 'enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'].map(
    (way) => sql`set_config(${sql.lit(way)}, 'off', true)`,
  ),
)}`;

/** The number of jobs of a queue that may be begun now, in all, of an owner, and of a line. */
export interface Room {
  /** The most jobs to claim: in all, of each owner, and of each of an owner's lines. */
  readonly limit: number;
  readonly ofOwner: number;
  readonly ofLine: number;
  /** Owners who may begin fewer, since some of theirs run. */
  readonly owners: ReadonlyMap<string, number>;
  /** The lines that may begin fewer: owner, line, how many. */
  readonly lines: readonly (readonly [owner: string, line: string, left: number])[];
}

/** The owner who had the last turn in a queue, and the line among theirs. Each process goes round by itself. */
export class Turns {
  #owner = '';
  readonly #lines = new LRUCache<string, string>({ max: 200 });

  get owner(): string {
    return this.#owner;
  }

  get lines(): readonly (readonly [owner: string, line: string])[] {
    return [...this.#lines.entries()];
  }

  note(taken: readonly TakenJob[]): void {
    const last = taken.reduce<TakenJob | undefined>((a, b) => (a && a.ownerTurn >= b.ownerTurn ? a : b), undefined);
    if (last) this.#owner = last.owner;
    for (const { owner, line } of taken.toSorted((a, b) => a.lineTurn - b.lineTurn))
      if (line !== '') this.#lines.set(owner, line);
  }
}

export interface Claim {
  readonly jobs: readonly ClaimedJob[];
  /** Whether there may be other jobs that could be begun. */
  readonly isMore: boolean;
}

type TakenJob = ClaimedJob & { readonly ownerTurn: number; readonly lineTurn: number };

/**
 * SQL: takes the next jobs of a queue, in turns: of each owner, one
 * after the other from the one after the last, of each of their lines likewise, what is new before what has waited for another try,
 * and what has been due for longest. From one owner, and from one line, the index is entered anew behind all that they have waiting,
 * so it costs the same for however many jobs; what nobody may begin now is neither changed nor looked at.
 */
export function takingNext(queue: string, room: Room, turns: Turns): RawBuilder<TakenJob> {
  const name = sql.lit(queue);
  const waiting = sql`j.queue = ${name} and j.state < 'active' and not j.blocked`;
  const nextOwner = (last: RawBuilder<unknown>) => sql`coalesce(
    (select j.owner from jobs.job j where ${waiting} and j.owner > ${last} order by j.owner limit 1),
    (select j.owner from jobs.job j where ${waiting} order by j.owner limit 1))`;
  const nextLine = (last: RawBuilder<unknown>) => sql`coalesce(
    (select j.line from jobs.job j where ${waiting} and j.owner = owners.owner and j.line > ${last}
      order by j.line limit 1),
    (select j.line from jobs.job j where ${waiting} and j.owner = owners.owner order by j.line limit 1))`;
  const { limit, ofOwner, ofLine, owners, lines } = room;
  // Those who run some may have to be passed over.
  const mostOwners = limit + owners.size + new Set(lines.map(([owner]) => owner)).size;
  return sql`
    with recursive around(owner, turn, first) as (
      select o.owner, 1, o.owner from (select ${nextOwner(sql`${turns.owner}::text`)} as owner) o where o.owner is not null
      union all
      select o.owner, around.turn + 1, around.first
      from around cross join lateral (select ${nextOwner(sql`around.owner`)} as owner) o
      where around.turn < ${mostOwners}::int and o.owner <> around.first
    ), full_lines(owner, line, available) as (
      select * from unnest(${lines.map(([owner]) => owner)}::text[], ${lines.map(([, line]) => line)}::text[],
        ${lines.map(([, , left]) => left)}::int[])
    ), owners as materialized (
      select around.owner, around.turn, coalesce(last.line, '') as last_line,
        least(coalesce(busy.available, ${ofOwner}::int), ${limit}::int) as available
      from around
      left join unnest(${[...owners.keys()]}::text[], ${[...owners.values()]}::int[]) as busy(owner, available) using (owner)
      left join unnest(${turns.lines.map(([owner]) => owner)}::text[], ${turns.lines.map(([, line]) => line)}::text[])
        as last(owner, line) using (owner)
      where coalesce(busy.available, ${ofOwner}::int) > 0
    ), next as (
      select found.id, found.place_in_table, owners.turn as owner_turn, found.line_turn
      from owners cross join lateral (
        with recursive lines(line, turn, first) as (
          select l.line, 1, l.line from (select ${nextLine(sql`owners.last_line`)} as line) l where l.line is not null
          union all
          select l.line, lines.turn + 1, lines.first
          from lines cross join lateral (select ${nextLine(sql`lines.line`)} as line) l
          where lines.turn < owners.available + (select count(*) from full_lines f where f.owner = owners.owner) and l.line <> lines.first
        )
        select due.id, due.place_in_table, due.place, lines.turn as line_turn
        from lines
        left join full_lines f on f.owner = owners.owner and f.line = lines.line
        cross join lateral (
          select locked.id, locked.ctid as place_in_table, row_number() over () as place from (
            select j.id, j.ctid from jobs.job j
            where ${waiting} and j.owner = owners.owner and j.line = lines.line and j.start_after <= now()
            order by j.priority desc, j.start_after, j.id
            limit least(coalesce(f.available, ${ofLine}::int), owners.available)
            for update of j skip locked
          ) as locked
        ) as due
        order by due.place, lines.turn limit owners.available
      ) as found
      order by row_number() over (partition by owners.owner order by found.place, found.line_turn), owners.turn
      limit ${limit}::int
    ), taken as (
      update jobs.job j set state = 'active', started_on = now(), heartbeat_on = now(),
        retry_count = case when started_on is not null then retry_count + 1 else retry_count end
      -- They are locked, so their places stay; whenever the plan is made, it goes to these places.
      where j.ctid = any(array(select place_in_table from next))
      returning j.id, j.queue, j.data, j.retry_count + 1 as attempts, j.owner, j.line
    )
    select taken.*, next.owner_turn as "ownerTurn", next.line_turn as "lineTurn" from taken join next on next.id = taken.id`;
}

/**
 * Takes what is due, in turns, as much as there is room for. It is found without looking at what else waits, so the order is held
 * afterwards: one that has others of its order before it, neither
 * done nor given up, is put back to wait for them. In one transaction with the claim: who ends the one before it waits for that, and
 * lets it go on.
 */
export async function claimJobs(em: Em, queue: string, room: Room, turns: Turns): Promise<Claim> {
  return em.transactional(async (inner) => {
    await rows(inner, BY_INDEX);
    const jobs = await rows(inner, takingNext(queue, room, turns));
    if (jobs.length === 0) return { jobs, isMore: false };
    turns.note(jobs);
    const early = new Set((await rows(inner, puttingBackEarly(queue, jobs))).map(({ id }) => id));
    return { jobs: jobs.filter(({ id }) => !early.has(id)), isMore: true };
  });
}

/** Until the first one of its order is tried again; if that is due, it is let go on when that ends, and this is for the worst. */
const LONGEST_WAIT = sql`interval '1 minute'`;

/** How many jobs at once wait for the one before them without having been claimed first. */
const MOST_BEHIND = 1_000;

/**
 * A due job behind one that is early waits with it: else thousands of one order would all be claimed and put back, a
 * few at a time, before anybody else's turn.
 */
function puttingBackEarly(queue: string, jobs: readonly ClaimedJob[]): RawBuilder<{ readonly id: string }> {
  return sql`
    with late as (
      select mine.queue, mine.id, first.start_after
      from unnest(${jobs.map(({ id }) => id)}::uuid[]) as claimed(id)
      cross join lateral (
        select m.queue, m.id, m.order_key from jobs.job m where m.queue = ${queue} and m.id = claimed.id offset 0
      ) as mine
      cross join lateral (
        select before.start_after from jobs.job before
        where ${isOfOrder('before', 'mine')} and before.id < mine.id
        order by before.id limit 1
      ) as first
      offset 0
    ), early as (
      update jobs.job j set heartbeat_on = null, start_after = greatest(late.start_after, now() + ${LONGEST_WAIT}),
        ${BEHIND_NEW}, ${WAITING},
        -- It was not begun, so this was no attempt.
        retry_count = greatest(j.retry_count - 1, 0), started_on = case when j.retry_count > 0 then j.started_on end,
        state = case when j.retry_count > 0 then 'retry' else 'created' end::jobs.job_state
      from late where j.queue = late.queue and j.id = late.id
      returning j.queue, j.id, j.order_key, j.start_after
    ), behind as (
      select later.queue, later.id, last.start_after
      from (select distinct on (order_key) queue, order_key, id, start_after from early order by order_key, id desc) as last
      cross join lateral (
        select b.queue, b.id from jobs.job b
        where ${isOfOrder('b', 'last')} and b.id > last.id and b.state < 'active' and b.start_after <= now()
        order by b.id limit ${MOST_BEHIND}::int for update skip locked
      ) as later
    ), waiting as (
      update jobs.job j set start_after = behind.start_after, ${BEHIND_NEW}, ${WAITING}
      from behind where j.queue = behind.queue and j.id = behind.id
    )
    select id from early`;
}
