import { changed, type Em, rows, sql } from '../database/sql.ts';
import { sweepOf } from '../database/sweep.ts';
import { MailCount } from './mail-count.entity.ts';

const WINDOW_IN_SECONDS = 60 * 60;

/** How many messages of this hour, or other window, count for one thing, and what has come to it since it was locked. */
interface LockedCount {
  readonly mailsBefore: number;
  readonly refusedBefore: number;
  readonly secondsLeft: number;
  mails: number;
  refused: number;
}

/**
 * Locks the counts until the transaction ends, in one order for everybody; a window that is over begins anew. Windows are in
 * seconds, by the keys.
 */
async function lockCounts(em: Em, windows: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, LockedCount>> {
  const found = await rows(
    em,
    sql<{ key: string; mails: number; refused: number; secondsLeft: number }>`
      insert into mail_counts as known (key, mails, refused, ends_at)
      select key, 0, 0, now() + make_interval(secs => seconds)
      from unnest(${[...windows.keys()]}::text[], ${[...windows.values()]}::int[]) as wanted (key, seconds)
      order by key
      on conflict (key) do update set
        mails = case when known.ends_at <= now() then 0 else known.mails end,
        refused = case when known.ends_at <= now() then 0 else known.refused end,
        ends_at = case when known.ends_at <= now() then excluded.ends_at else known.ends_at end
      returning key, mails, refused, greatest(1, ceil(extract(epoch from ends_at - now())))::int as "secondsLeft"`,
  );
  return new Map(
    found.map(({ key, mails, refused, secondsLeft }) => [
      key,
      { mailsBefore: mails, refusedBefore: refused, secondsLeft, mails, refused },
    ]),
  );
}

/** Keeps what has changed since they were locked. */
async function saveCounts(em: Em, locked: ReadonlyMap<string, LockedCount>): Promise<void> {
  const counts = [...locked].filter(([, one]) => one.mails !== one.mailsBefore || one.refused !== one.refusedBefore);
  if (counts.length === 0) return;
  await changed(
    em,
    sql`update mail_counts c set mails = counted.mails, refused = counted.refused
        from unnest(${counts.map(([key]) => key)}::text[], ${counts.map(([, { mails }]) => mails)}::int[],
          ${counts.map(([, { refused }]) => refused)}::int[]) as counted (key, mails, refused)
        where c.key = counted.key`,
  );
}

/** One of the things that a message counts for. */
export interface Count<Limit extends string = string> {
  readonly limit: Limit;
  readonly key: string;
  readonly most: number;
  /** In how many seconds; an hour unless said otherwise. */
  readonly windowInSeconds?: number;
}

export interface Refusal<Limit extends string = string> {
  readonly limit: Limit;
  readonly secondsToWait: number;
}

/**
 * Counts messages before they are sent, each by itself and in their order: one that is refused counts for nothing. The
 * counts are locked until all are decided, so what is sent at the same moment does not slip through together. `report` is
 * told of a refusal, with the place of its message: once for each count and hour, as who floods receivers must not flood the
 * log too. @returns for each message why it is refused; undefined: it may be sent
 */
export function admitCounted<Limit extends string>(
  em: Em,
  messages: readonly (readonly Count<Limit>[])[],
  report: (refusal: Refusal<Limit>, place: number) => void,
): Promise<readonly (Refusal<Limit> | undefined)[]> {
  return em.transactional(async (inner) => {
    const windows = messages
      .flat()
      .map(({ key, windowInSeconds = WINDOW_IN_SECONDS }) => [key, windowInSeconds] as const);
    const locked = await lockCounts(inner, new Map(windows));
    const told = new Set<string>();
    const refusals = messages.map((counts, place) => {
      const full = take(locked, counts);
      if (!full) return undefined;
      const { limit, key } = full.count;
      const refusal = { limit, secondsToWait: full.found.secondsLeft };
      if (full.found.refusedBefore === 0 && !told.has(key)) report(refusal, place);
      told.add(key);
      return refusal;
    });
    await saveCounts(inner, locked);
    return refusals;
  });
}

/** All or nothing: a message that is not sent takes nothing of what is left to others. @returns what is full */
function take<Limit extends string>(locked: ReadonlyMap<string, LockedCount>, counts: readonly Count<Limit>[]) {
  const pairs = counts.flatMap((count) => {
    const found = locked.get(count.key);
    return found ? [{ count, found }] : [];
  });
  const full = pairs.find(({ count, found }) => found.mails >= count.most);
  if (full) full.found.refused += 1;
  else for (const { found } of pairs) found.mails += 1;
  return full;
}

/** Deletes counts whose hour is over. */
export const removeExpiredMailCounts = sweepOf(MailCount, 'endsAt');
