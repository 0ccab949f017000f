/**
 * database/ is how everything above speaks to PostgreSQL: one tagged template, always parametrised, always through the
 * EntityManager that it is given, so that a statement is in that manager's transaction or in none.
 */
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type Compilable, type QueryResult, type RawBuilder, sql } from 'kysely';

export type Em = SqlEntityManager;
export { type RawBuilder, sql };

/** Of the template, or of the builder (`statements.ts`). */
export type Statement<Row> = RawBuilder<Row> | Compilable<Row>;

/** All rows of a statement, with instants as text. */
export async function rows<Row>(em: Em, statement: Statement<Row>): Promise<Row[]> {
  const result = await send(em, statement);
  return result.rows;
}

/** The first row, or undefined. */
export async function row<Row>(em: Em, statement: Statement<Row>): Promise<Row | undefined> {
  const [first] = await rows(em, statement);
  return first;
}

/** How many rows the statement changed. */
export async function changed(em: Em, statement: Statement<unknown>): Promise<number> {
  const result = await send(em, statement);
  return Number(result.numAffectedRows ?? 0n);
}

function send<Row>(em: Em, statement: Statement<Row>): Promise<QueryResult<Row>> {
  const database = em.getKysely();
  return 'isRawBuilder' in statement ? statement.execute(database) : database.executeQuery(statement);
}
