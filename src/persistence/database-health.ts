import { Client } from 'pg';
import { inTime } from '../core/in-time.ts';
import { hasMovedAway } from '../database/database-away.ts';
import { GivenUp, giveUpAfter } from '../database/deadline.ts';
import { type Em, row, sql } from '../database/sql.ts';
import type { EmbeddedDatabase } from './embedded/embedded-database.ts';
import type { PoolState } from './pool-state.ts';

/** Answers load balancers and supervisors. Undefined is yes; otherwise the reason, in a few words. Never rejects. */
export interface DatabaseHealth {
  /** Whether requests can be served, writes included. */
  ready(): Promise<string | undefined>;
  /** Whether this process still works, or will by itself; if not, only another one helps. */
  live(): Promise<string | undefined>;
}

/** Probes give up after a few seconds; a database behind a broken network would not answer at all. */
const PROBE_MILLISECONDS = 2_000;
/** Longer than any statement and any commit may hold a place. */
const EXHAUSTED_MILLISECONDS = 45_000;

const SILENT = 'the database does not answer';
const FULL = 'the disk of the database is full';

export function healthOfPostgres(em: Em, pool: () => PoolState, databaseUrl: string): DatabaseHealth {
  return {
    ready: () => probe(() => readinessOf(em, pool())),
    live: async () => {
      if (pool().exhaustedFor() < EXHAUSTED_MILLISECONDS) return undefined;
      // The database may be back, with no request for a connection since.
      const isServed = (await probe(() => row(em.fork(), sql`select 1`).then(() => undefined))) === undefined;
      if (isServed || !(await answersOthers(databaseUrl))) return undefined;
      return 'the database answers, but every connection of this process is lost';
    },
  };
}

export function healthOfEmbedded(em: Em, database: () => EmbeddedDatabase): DatabaseHealth {
  return {
    ready: () =>
      probe(async () => {
        if ((await database().lackOfRoom()) !== undefined) return FULL;
        await row(em.fork(), sql`select 1`);
        return undefined;
      }),
    live: async () => (database().isLost ? 'the embedded database has crashed, and was in memory' : undefined),
  };
}

async function probe(ask: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await giveUpAfter(PROBE_MILLISECONDS, ask, () => new GivenUp(SILENT));
  } catch (error) {
    if (hasMovedAway(error)) return (error as Error).message;
    return (error as { readonly code?: unknown }).code === '53100' ? FULL : SILENT;
  }
}

async function readinessOf(em: Em, pool: PoolState): Promise<string | undefined> {
  const found = await row(
    em.fork(),
    sql<{ isReadOnly: boolean }>`select current_setting('transaction_read_only')::boolean as "isReadOnly"`,
  );
  if (found?.isReadOnly) return 'the database is read-only';
  if (pool.wasDiskFull) {
    await writeToDisk(em);
    pool.wasDiskFull = false;
  }
  return undefined;
}

/** Has the server write a file of a megabyte and delete it again, without a trace in tables or logs. */
async function writeToDisk(em: Em): Promise<void> {
  await em.fork().transactional(async (inner) => {
    await row(inner, sql`select set_config('work_mem', '64kB', true)`);
    await row(
      inner,
      sql`select count(*) from (select repeat('x', 500) || n from generate_series(1, 2000) as line(n) order by 1 offset 0) as lines`,
    );
  });
}

async function answersOthers(databaseUrl: string): Promise<boolean> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: PROBE_MILLISECONDS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await inTime(client.query('select 1'), PROBE_MILLISECONDS, () => new Error(SILENT));
    return true;
  } catch {
    return false;
  } finally {
    void client.end().catch(() => undefined);
  }
}
