/**
 * Short reads, and short changes that share commits, have ways of their own to a PostgreSQL server beside its pool: the same
 * statements, with less between.
 */

import { type Entity, notifiesOfChanges, tableNameOf } from './columns.ts';
import { throwIfOver } from './deadline.ts';
import { hasStanding } from './on-behalf.ts';
import { type Compiled, type Em, rows, type Statement, sql } from './sql.ts';

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
  const lane = em.getTransactionContext() ? undefined : readLaneOf(em);
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

/**
 * A lane that a connection may have beside its pool: changes that wait at the same moment are carried out and committed
 * together.
 */
export interface WriteLane {
  /** `order`: what is changed; of several changes the least comes first, so that no two processes lock crosswise. */
  write<Row>(statement: Compiled<Row>, order: string): Promise<Row[]>;
  /** Whether it is worth a try. */
  readonly isOpen: boolean;
}

/** A change was not carried out, for whatever reason, and certainly not committed. */
export class NotCommitted extends Error {}

/**
 * `rows`, for one statement that changes a row by its key and is all there is to do. Outside of transactions it may share a
 * commit. What fails there, or met others that failed, is asked again in the ordinary way, and fails there by itself.
 * Not for a table that tells of its changes (users): in the process that makes one, it is connections of the pool that hear
 * of it with its commit.
 */
export async function write<Row>(em: Em, entity: Entity, statement: Statement<Row>, order: string): Promise<Row[]> {
  if (notifiesOfChanges(entity))
    throw new Error(`${tableNameOf(entity)} tells of its changes, and is changed by the pool.`);
  const lane = em.getTransactionContext() || hasStanding() ? undefined : writeLaneOf(em);
  if (!lane?.isOpen) return rows(em, statement);
  throwIfOver();
  try {
    return await lane.write(statement.compile(), order);
  } catch (error) {
    if (!(error instanceof NotCommitted)) throw error;
    return rows(em, statement);
  }
}

/**
 * Makes the end of a transaction wait for the disk, as one that has written does, and leaves nothing: a record in the log
 * that nobody reads. For work of which the time must not tell whether there was anything to do.
 */
export async function writeNothing(em: Em): Promise<void> {
  await rows(em, sql`select pg_logical_emit_message(true, 'gatehouse', '')`);
}

function readLaneOf(em: Em): ReadLane | undefined {
  return (em.getConnection() as { readonly lane?: ReadLane }).lane;
}

function writeLaneOf(em: Em): WriteLane | undefined {
  return (em.getConnection() as { readonly sharedCommits?: WriteLane }).sharedCommits;
}
