/** Short reads, which have a way of their own to a PostgreSQL server: the same statements, with less between. */
import { throwIfOver } from './deadline.ts';
import { type Compiled, type Em, rows, type Statement } from './sql.ts';

/**
 * A lane that a connection may have beside its pool: it answers a statement within seconds, or rejects for whatever
 * reason.
 */
export interface ReadLane {
  read<Row>(statement: Compiled<Row>): Promise<Row[]>;
  /** Whether the statement is worth a try on the read lane. */
  readonly isOpen: boolean;
}

/**
 * `rows`, for a statement that reads a page or a row along an index and locks nothing. Outside of transactions it goes by
 * the read lane. What fails there (a lock, a lost connection, a mistake) is asked again in the ordinary way, and fails there.
 */
export async function read<Row>(em: Em, statement: Statement<Row>): Promise<Row[]> {
  const lane = em.getTransactionContext() ? undefined : laneOf(em);
  if (!lane?.isOpen) return rows(em, statement);
  throwIfOver();
  try {
    return await lane.read(statement.compile());
  } catch {
    return rows(em, statement);
  }
}

/** The first row, or undefined. */
export async function readOne<Row>(em: Em, statement: Statement<Row>): Promise<Row | undefined> {
  const [first] = await read(em, statement);
  return first;
}

function laneOf(em: Em): ReadLane | undefined {
  return (em.getConnection() as { readonly lane?: ReadLane }).lane;
}
