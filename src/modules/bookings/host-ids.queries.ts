import { type RawBuilder, sql } from '../../database/sql.ts';

/** SQL: who hosts the booking of this alias, in their order. Most are hosted by their owner alone, for which null stands. */
export function hostIdsOf(alias: string): RawBuilder<readonly string[]> {
  return sql`coalesce(${sql.ref(`${alias}.host_ids`)}, array[${sql.ref(`${alias}.owner_id`)}])`;
}
