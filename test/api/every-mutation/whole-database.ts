import { type RawBuilder, rows, sql } from '../../../src/database/sql.ts';
import type { TestDatabase } from '../../support/database.ts';

/** Found once: no mutation adds a table. */
const TABLES = new WeakMap<TestDatabase, Promise<readonly { name: string }[]>>();

/** Digests the whole database, table by table, without the counts of limits. */
export function everythingIn(database: TestDatabase): Promise<unknown> {
  return ofEachTable(database, sql`md5(coalesce(string_agg(t::text, '|' order by t::text), ''))`);
}

/**
 * Which versions its rows have, read without looking at a value. Each is numbered by the transaction that wrote it, and later
 * ones are larger: nothing that is written, even as it was, leaves both the count and the sum.
 */
export function versionsIn(database: TestDatabase): Promise<unknown> {
  return ofEachTable(database, sql`concat_ws(' ', count(*), sum(xmin::text::bigint))`);
}

async function ofEachTable(database: TestDatabase, digest: RawBuilder<unknown>): Promise<unknown> {
  const tables = await TABLES.getOrInsertComputed(database, tablesOf);
  const digests = tables.map(({ name }) => sql`select ${name} as name, ${digest} from ${sql.table(name)} t`);
  return rows(database.em.fork(), sql`${sql.join(digests, sql` union all `)}`);
}

function tablesOf({ em }: TestDatabase): Promise<readonly { name: string }[]> {
  return rows(
    em.fork(),
    sql<{ name: string }>`select table_name as name from information_schema.tables
        where table_schema = 'public' and table_name <> 'counters' order by 1`,
  );
}
