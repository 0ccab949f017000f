/** limits/ counts what callers do, for all processes, so that guessing and flooding end early. */
import { sha256Hex } from '../core/secret.ts';
import { changed, type Em, rows, sql } from '../database/sql.ts';
import { deleteFrom } from '../database/statements.ts';
import { sweepOf } from '../database/sweep.ts';
import { Counter } from './counter.entity.ts';

const HOUR_IN_SECONDS = 60 * 60;

/** One of the things that something counts for. */
export interface Count<Limit extends string = string> {
  readonly limit: Limit;
  /** The key of the counter, from `counterKey`. */
  readonly key: string;
  readonly most: number;
  /** In how many seconds; an hour unless said otherwise. */
  readonly windowInSeconds?: number;
}

export interface Refusal<Limit extends string = string> {
  readonly limit: Limit;
  readonly secondsToWait: number;
}

/** A counter in its current window. */
export interface Counted {
  readonly counted: number;
  /** How much was refused because of it. */
  readonly refused: number;
  readonly millisecondsLeft: number;
}

/** The amount that is added to a counter, and how long its window lasts if it begins now. */
export interface Addition {
  readonly by: number;
  readonly windowInSeconds: number;
}

interface LockedCounter {
  readonly before: Counted;
  taken: number;
  refused: number;
}

/** The key of a counter: hashed, so that each is short whatever was typed, and the table is no list of people. */
export function counterKey(kind: string, ...subject: readonly string[]): string {
  return sha256Hex(JSON.stringify([kind, ...subject]));
}

/**
 * Counts things before they are done, such as guesses and messages, each by itself and in their order: one that is refused
 * counts for nothing. The counters are locked until all are decided, so what comes at the same moment does not slip through
 * together. `report` is told of a refusal, with its place: once for each counter and window, as whoever floods receivers
 * must not flood the log too. @returns for each why it is refused; undefined: it may be done
 */
export function admitCounted<Limit extends string>(
  em: Em,
  things: readonly (readonly Count<Limit>[])[],
  report?: (refusal: Refusal<Limit>, place: number) => void,
): Promise<readonly (Refusal<Limit> | undefined)[]> {
  return em.transactional(async (inner) => {
    const windows = things
      .flat()
      .map(({ key, windowInSeconds = HOUR_IN_SECONDS }) => [key, { by: 0, windowInSeconds }] as const);
    const found = await addCounts(inner, new Map(windows));
    const locked = new Map([...found].map(([key, before]) => [key, { before, taken: 0, refused: 0 }]));
    const refusals = things.map((counts, place) => {
      const full = take(locked, counts);
      if (!full) return undefined;
      const { count, counter } = full;
      const refusal = { limit: count.limit, secondsToWait: secondsIn(counter.before.millisecondsLeft) };
      if (counter.before.refused === 0 && counter.refused === 1) report?.(refusal, place);
      return refusal;
    });
    await saveCounts(inner, locked);
    return refusals;
  });
}

/** All or nothing: what is not done takes nothing of what is left to others. @returns what is full */
function take<Limit extends string>(locked: ReadonlyMap<string, LockedCounter>, counts: readonly Count<Limit>[]) {
  const pairs = counts.flatMap((count) => {
    const counter = locked.get(count.key);
    return counter ? [{ count, counter }] : [];
  });
  const full = pairs.find(({ count, counter }) => counter.before.counted + counter.taken >= count.most);
  if (full) full.counter.refused += 1;
  else for (const { counter } of pairs) counter.taken += 1;
  return full;
}

async function saveCounts(em: Em, locked: ReadonlyMap<string, LockedCounter>): Promise<void> {
  const counters = [...locked].filter(([, { taken, refused }]) => taken + refused > 0);
  if (counters.length === 0) return;
  await changed(
    em,
    sql`update counters c set counted = c.counted + new.taken, refused = c.refused + new.refused
        from unnest(${counters.map(([key]) => key)}::text[], ${counters.map(([, { taken }]) => taken)}::int[],
          ${counters.map(([, { refused }]) => refused)}::int[]) as new (key, taken, refused)
        where c.key = new.key`,
  );
}

/**
 * Adds to counters whatever they hold, by one statement, and so locks them until the transaction ends: in one order for
 * everybody, so that no two lock crosswise. A window that is over begins anew. @returns what everybody has counted, by key
 */
export async function addCounts(em: Em, additions: ReadonlyMap<string, Addition>): Promise<Map<string, Counted>> {
  const each = [...additions.values()];
  const found = await rows(
    em,
    sql<Counted & { readonly key: string }>`
      insert into counters as known (key, counted, refused, ends_at)
      select key, added, 0, now() + make_interval(secs => seconds)
      from unnest(${[...additions.keys()]}::text[], ${each.map(({ by }) => by)}::int[],
        ${each.map(({ windowInSeconds }) => windowInSeconds)}::int[]) as new (key, added, seconds)
      order by key
      on conflict (key) do update set
        counted = greatest(0, excluded.counted + case when known.ends_at <= now() then 0 else known.counted end),
        refused = case when known.ends_at <= now() then 0 else known.refused end,
        ends_at = case when known.ends_at <= now() then excluded.ends_at else known.ends_at end
      returning key, counted, refused, round(extract(epoch from ends_at - now()) * 1000)::int as "millisecondsLeft"`,
  );
  return new Map(found.map(({ key, ...counted }) => [key, counted]));
}

/** Forgets what was counted. */
export async function clearCounts(em: Em, keys: readonly string[]): Promise<void> {
  await changed(em, deleteFrom(Counter).where('key', 'in', keys));
}

/** The time to wait, for `Retry-After`. */
export function secondsIn(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}

/** Deletes counters whose window is over. */
export const removeExpiredCounters = sweepOf(Counter, 'endsAt');
