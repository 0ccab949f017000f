import { type Em, rows, sql } from './sql.ts';

/**
 * Makes the end of a transaction wait for the disk, as one that has written does, and leaves nothing: a record in the log
 * that nobody reads. For work of which the time must not tell whether there was anything to do.
 */
export async function writeNothing(em: Em): Promise<void> {
  await rows(em, sql`select pg_logical_emit_message(true, 'gatehouse', '')`);
}
