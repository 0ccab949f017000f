/**
 * database/ is how everything above speaks to PostgreSQL: one tagged template, always parametrised, always through the
 * EntityManager that it is given, so that a statement is in that manager's transaction or in none.
 */
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

export type Em = SqlEntityManager;
export { type RawBuilder, sql };

/** All rows of a statement, with columns as the database names them and instants as text. */
export async function rows<Row>(em: Em, statement: RawBuilder<Row>): Promise<Row[]> {
  const result = await statement.execute(em.getKysely());
  return result.rows;
}

/** The first row, or undefined. */
export async function row<Row>(em: Em, statement: RawBuilder<Row>): Promise<Row | undefined> {
  const [first] = await rows(em, statement);
  return first;
}

/** How many rows the statement changed. */
export async function changed(em: Em, statement: RawBuilder<unknown>): Promise<number> {
  const result = await statement.execute(em.getKysely());
  return Number(result.numAffectedRows ?? 0n);
}
