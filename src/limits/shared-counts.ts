import { sha256Hex } from '../core/secret.ts';
import { unlessDatabaseIsSilent } from '../database/database-away.ts';
import { apartFromCaller } from '../database/deadline.ts';
import { type Em, rows, sql } from '../database/sql.ts';
import { sweepOf } from '../database/sweep.ts';
import { RequestCount } from './request-count.entity.ts';

export interface SharedCount {
  readonly requests: number;
  readonly millisecondsLeft: number;
}

/** Adds one process's counts to everybody's. @returns what everybody has counted, by the same keys */
export type ShareCounts = (counts: ReadonlyMap<string, number>) => Promise<ReadonlyMap<string, SharedCount>>;

const PATIENCE_IN_MS = 2_000;

/** Shares counts in PostgreSQL, many keys by one statement. A window that is over begins anew with its next request. */
export function shareInDatabase(em: Em, windowInSeconds: number): ShareCounts {
  const share: ShareCounts = async (counts) => {
    // Hashed, so that the table is no list of who called from where. In order, so that no two processes lock crosswise.
    const keys = new Map([...counts.keys()].map((key) => [sha256Hex(key), key] as const));
    const hashes = [...keys.keys()].toSorted();
    const requests = hashes.map((hash) => counts.get(keys.get(hash) ?? '') ?? 0);
    const found = await rows(
      em.fork(),
      sql<{ key: string; requests: number; left: number }>`
        insert into request_counts as known (key, requests, ends_at)
        select key, requests, now() + make_interval(secs => ${windowInSeconds})
        from unnest(${hashes}::text[], ${requests}::int[]) as counted (key, requests)
        order by key
        on conflict (key) do update set
          requests = case when known.ends_at <= now() then excluded.requests else known.requests + excluded.requests end,
          ends_at = case when known.ends_at <= now() then excluded.ends_at else known.ends_at end
        returning key, requests, ceil(extract(epoch from ends_at - now()) * 1000)::int as left`,
    );
    return new Map(
      found.map(({ key, requests: total, left }) => [
        keys.get(key) ?? key,
        { requests: total, millisecondsLeft: left },
      ]),
    );
  };
  // Requests of many callers wait for it, and can do without.
  return (counts) => apartFromCaller(() => unlessDatabaseIsSilent(() => share(counts), PATIENCE_IN_MS));
}

/** Deletes counts whose window is over. */
export const removeExpiredRequestCounts = sweepOf(RequestCount, 'endsAt');
