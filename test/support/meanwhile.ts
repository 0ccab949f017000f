import { type Em, row, sql } from '../../src/database/sql.ts';
import type { TestDatabase } from './database.ts';

/**
 * Begins something while the transaction of something else is still open. When that is waited for, it does the rest, if
 * there is any, and commits.
 */
export async function meanwhile<Result>(
  database: TestDatabase,
  open: (em: Em) => Promise<unknown>,
  begin: () => Promise<Result>,
  rest: (em: Em) => Promise<unknown> = async () => undefined,
): Promise<Result> {
  const { begun } = await database.em.fork().transactional(async (em) => {
    await open(em);
    const begun = begin();
    await untilSomebodyWaits(database);
    begun.catch(() => undefined);
    await rest(em);
    // In an object, because it would be awaited before the commit otherwise.
    return { begun };
  });
  return begun;
}

async function untilSomebodyWaits(database: TestDatabase): Promise<void> {
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  for (let found: unknown; found === undefined; ) found = await row(database.em.fork(), waiting);
}
