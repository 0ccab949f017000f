import process from 'node:process';
import { POSTGRES_PROGRAMS, PostgresCluster } from '../test/support/postgres-cluster.ts';

/** Room for all contestants at once, and for a million rows without a checkpoint every few seconds. */
const SETTINGS = ['max_connections=300', 'shared_buffers=1GB', 'max_wal_size=8GB', 'checkpoint_timeout=30min'];

/** Calls it with the PostgreSQL that DATABASE_URL names, or with one that is started for it. */
export async function withPostgres(run: (serverUrl: string) => Promise<void>): Promise<void> {
  const given = process.env['DATABASE_URL'];
  if (given !== undefined) return run(given);
  if (POSTGRES_PROGRAMS === undefined)
    throw new Error(
      'Benchmarks need PostgreSQL: set DATABASE_URL, or install it (Debian: apt-get install postgresql).',
    );
  const cluster = await PostgresCluster.start(SETTINGS);
  try {
    await run(cluster.url);
  } finally {
    await cluster.stop();
  }
}
