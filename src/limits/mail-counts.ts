import { changed, type Em, rows, sql } from '../database/sql.ts';
import { sweepOf } from '../database/sweep.ts';
import { MailCount } from './mail-count.entity.ts';

const WINDOW_IN_SECONDS = 60 * 60;

/** How many mails of this hour count for one thing, and what has come to it since it was locked. */
export interface LockedCount {
  readonly mailsBefore: number;
  readonly refusedBefore: number;
  readonly secondsLeft: number;
  mails: number;
  refused: number;
}

/** Locks the counts until the transaction ends, in one order for everybody; an hour that is over begins anew. */
export async function lockCounts(em: Em, keys: readonly string[]): Promise<ReadonlyMap<string, LockedCount>> {
  const found = await rows(
    em,
    sql<{ key: string; mails: number; refused: number; secondsLeft: number }>`
      insert into mail_counts as known (key, mails, refused, ends_at)
      select key, 0, 0, now() + make_interval(secs => ${WINDOW_IN_SECONDS}) from unnest(${keys}::text[]) as wanted (key)
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
export async function saveCounts(em: Em, locked: ReadonlyMap<string, LockedCount>): Promise<void> {
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

/** Deletes counts whose hour is over. */
export const removeExpiredMailCounts = sweepOf(MailCount, 'endsAt');
