import { rows, sql } from '../../../src/database/sql.ts';
import type { TestDatabase } from '../../support/database.ts';

/** Found once: no mutation adds a table. */
const TABLES = new WeakMap<TestDatabase, Promise<readonly { name: string }[]>>();

/** What a database holds, table by table, but for counts of guesses and requests. */
export async function everythingIn(database: TestDatabase): Promise<unknown> {
  const em = database.em.fork();
  const tables = await TABLES.getOrInsertComputed(database, tablesOf);
  const digests = tables.map(
    ({ name }) =>
      sql`select ${name} as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from ${sql.table(name)} t`,
  );
  return rows(em, sql`${sql.join(digests, sql` union all `)}`);
}

function tablesOf({ em }: TestDatabase): Promise<readonly { name: string }[]> {
  return rows(
    em.fork(),
    sql<{ name: string }>`select table_name as name from information_schema.tables
        where table_schema = 'public' and table_name not in ('guess_counts', 'request_counts') order by 1`,
  );
}
