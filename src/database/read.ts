/** Short reads, which have a way of their own to a PostgreSQL server: the same statements, with less between. */
import type { CompiledQuery } from 'kysely';
import { throwIfOver } from './deadline.ts';
import type { Selection } from './selection.ts';
import { type Em, rows, type Statement } from './sql.ts';
import { type SentRow, WireRow } from './wire/wire-row.ts';

/**
 * A lane that a connection may have beside its pool: it answers a statement within seconds, or rejects for whatever
 * reason.
 */
export interface ReadLane {
  read<Row>(statement: CompiledQuery<Row>): Promise<Row[]>;
  /** The same with rows that are decoded when they are asked (`WireRow`). */
  readRows<Row>(statement: CompiledQuery<Row>): Promise<Row[]>;
  /** Whether the statement is worth a try on the read lane. */
  readonly isOpen: boolean;
}

/**
 * `rows`, for a statement that reads a page or a row along an index and locks nothing. Outside of transactions it goes by
 * the read lane. What fails there (a lock, a lost connection, a mistake) is asked again in the ordinary way, and fails there.
 */
export function read<Row>(em: Em, statement: Statement<Row>): Promise<Row[]> {
  return readBy('read', em, statement);
}

/**
 * Reads rows that are shown and then forgotten, so that their columns may be read straight from the answer's bytes (`WireRow`).
 * `selection` is the one that the statement selects with `inArrays`.
 */
export async function readRows<Row>(
  em: Em,
  statement: Statement<Row>,
  { arrays }: Pick<Selection, 'arrays'> = NO_ARRAYS,
): Promise<SentRow<Row>[]> {
  // The ordinary way and the embedded database return plain objects, which may do no less.
  const found = (await readBy('readRows', em, statement)) as SentRow<Row>[];
  if (arrays.size === 0) return found;
  const shape = WireRow.shapeOf(found[0]);
  if (shape) shape.parts = arrays;
  else
    for (const row of found as Record<string, unknown>[])
      for (const [name, part] of arrays) row[name] = part.objectsOf(row[name]);
  return found;
}

const NO_ARRAYS = { arrays: new Map() };

async function readBy<Row>(how: 'read' | 'readRows', em: Em, statement: Statement<Row>): Promise<Row[]> {
  const lane = em.getTransactionContext() ? undefined : laneOf(em);
  if (!lane?.isOpen) return rows(em, statement);
  throwIfOver();
  try {
    return await lane[how](statement.compile());
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
