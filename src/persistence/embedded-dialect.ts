import { AsyncLocalStorage } from 'node:async_hooks';
import type { PGlite } from '@electric-sql/pglite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  PGliteDialect,
  PostgresAdapter,
  type QueryResult,
} from 'kysely';
import { statementLimit, unlessAborted } from '../database/deadline.ts';

/** The transaction that the current flow of execution holds. It stays behind, closed, in work that was detached from it. */
export const heldTransaction = new AsyncLocalStorage<{ isOpen: boolean }>();

/**
 * PGlite is one connection, so this is a pool of one: each borrower waits for the one before.
 *
 * Whoever holds a transaction and then asks for a second connection would wait for itself, for ever. That is a bug of
 * ours (a statement sent past the transaction's own EntityManager), so it throws at once.
 */
export class EmbeddedDialect extends PGliteDialect {
  readonly #open: () => Promise<PGlite>;

  constructor(open: () => Promise<PGlite>) {
    super({ pglite: open });
    this.#open = open;
  }

  /** This one does not say "one connection only": Kysely would queue in front of the driver, where nothing can be refused. */
  override createAdapter(): DialectAdapter {
    return new PostgresAdapter();
  }

  override createDriver(): Driver {
    return new SingleConnectionDriver(this.#open);
  }
}

class SingleConnectionDriver implements Driver {
  readonly #open: () => Promise<PGlite>;
  #connection: EmbeddedDatabaseConnection | undefined;
  #released: Promise<void> = Promise.resolve();
  #release: () => void = () => undefined;

  constructor(open: () => Promise<PGlite>) {
    this.#open = open;
  }

  async init(): Promise<void> {
    this.#connection = new EmbeddedDatabaseConnection(await this.#open());
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (heldTransaction.getStore()?.isOpen) {
      throw new Error(
        'A statement was sent outside the open transaction. The embedded database has one connection, so it would wait for ever: use the EntityManager that the transaction was given.',
      );
    }
    statementLimit().signal?.throwIfAborted();
    if (!this.#connection) throw new Error('The embedded database is not open.');
    const turn = Promise.withResolvers<void>();
    const before = this.#released;
    this.#released = turn.promise;
    try {
      await unlessAborted(before, statementLimit().signal);
    } catch (error) {
      void before.then(turn.resolve);
      throw error;
    }
    this.#release = turn.resolve;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#release();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async savepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`savepoint "${name}"`));
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`rollback to savepoint "${name}"`));
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`release savepoint "${name}"`));
  }

  async destroy(): Promise<void> {
    await this.#connection?.close();
    this.#connection = undefined;
  }
}

class EmbeddedDatabaseConnection implements DatabaseConnection {
  readonly #pglite: PGlite;

  constructor(pglite: PGlite) {
    this.#pglite = pglite;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    // Without parameters a text may hold several statements (a migration); the simple protocol runs them all.
    const result =
      query.parameters.length === 0
        ? (await this.#pglite.exec(query.sql)).at(-1)
        : await this.#pglite.query(query.sql, [...query.parameters]);
    return { rows: (result?.rows ?? []) as Row[], numAffectedRows: BigInt(result?.affectedRows ?? 0) };
  }

  // oxlint-disable-next-line require-yield -- the interface wants a generator; PGlite has no cursor to feed one
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('The embedded database cannot stream rows; read them by pages.');
  }

  async close(): Promise<void> {
    if (!this.#pglite.closed) await this.#pglite.close();
  }
}
