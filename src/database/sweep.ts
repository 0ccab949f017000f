import { columnOf } from './changes.ts';
import { type ColumnOf, type Entity, keyColumns, tableOf } from './columns.ts';
import { NOW } from './expressions.ts';
import { changed, type Em, type RawBuilder, sql } from './sql.ts';

/** Deletes at most so many rows that are over, and returns how many. */
export type Sweep = (em: Em, limit: number) => Promise<number>;

/**
 * Sweeps rows away whose time in `column`, which has an index, is past, the oldest first. Those that somebody is at work
 * on are left for the next time, and so are those that are not as `condition` says.
 */
export function sweepOf<E extends Entity>(
  entity: E,
  column: ColumnOf<E>,
  before: RawBuilder<unknown> = NOW,
  condition: RawBuilder<boolean> = sql`true`,
): Sweep {
  const time = sql.ref(columnOf(column));
  return (em, limit) => {
    const [table, key] = [tableOf(entity), keyColumns(entity)];
    return changed(
      em,
      sql`delete from ${table} where (${key}) in (
            select ${key} from ${table} where ${time} < ${before} and ${condition} order by ${time} limit ${limit}::int
            for update skip locked)`,
    );
  };
}
