import process from 'node:process';
import { withoutStatementLimit } from '../src/database/deadline.ts';
import { type Em, rows, sql } from '../src/database/sql.ts';
import { connect } from '../src/persistence/connect.ts';
import { onServer, postgresSettings } from '../test/support/settings.ts';

/** A migrated database of a benchmark's own, with what was filled in. */
export interface Filled<What> {
  readonly em: Em;
  readonly what: What;
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Makes and fills a database on the server. */
export async function openFilled<What>(
  serverUrl: string,
  suffix: string,
  fill: (em: Em) => Promise<What>,
): Promise<Filled<What>> {
  const name = `gatehouse_bench_${process.pid}_${suffix}`;
  await onServer(serverUrl, `create database ${name}`);
  const settings = postgresSettings(serverUrl, name);
  const url = settings.databaseUrl ?? '';
  const database = await connect(settings);
  const em = database.em.fork();
  const what = await filling(em, fill);
  // Index-only scans need to know which pages everybody sees.
  await onServer(url, 'vacuum analyze');
  return {
    em,
    what,
    url,
    close: async () => {
      await database.close();
      await onServer(serverUrl, `drop database ${name} with (force)`);
    },
  };
}

/** In a transaction that may take as long as it takes and checks no foreign keys. */
export function filling<What>(em: Em, fill: (em: Em) => Promise<What>): Promise<What> {
  return withoutStatementLimit(() =>
    em.transactional(async (inner) => {
      await rows(inner, sql`set local statement_timeout = 0`);
      // Otherwise most of the time would go into looking up, row by row, what was made a moment before.
      await rows(inner, sql`set local session_replication_role = replica`);
      return fill(inner);
    }),
  );
}
