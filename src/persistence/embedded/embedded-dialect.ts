import { AsyncLocalStorage } from 'node:async_hooks';
import type { PGlite } from '@electric-sql/pglite';
import type { Configuration } from '@mikro-orm/core';
import { PgliteConnection, PglitePlatform } from '@mikro-orm/pglite';
import { AbstractSqlDriver, BasePostgreSqlEntityManager } from '@mikro-orm/postgresql';
import {
  CompiledQuery,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  PGliteDialect,
  PostgresAdapter,
  type QueryResult,
} from 'kysely';
import { statementLimit, unlessAborted, withoutStatementLimit } from '../../database/deadline.ts';
import { EmbeddedDatabase, type EmbeddedOptions } from './embedded-database.ts';
import { crashed } from './embedded-failure.ts';
import { statementsOf } from './embedded-statements.ts';

/** MikroORM on PGlite, with a dialect that keeps transactions apart. */
export class EmbeddedDriver extends AbstractSqlDriver<EmbeddedConnection> {
  constructor(config: Configuration) {
    super(config, new PglitePlatform(), EmbeddedConnection, []);
  }

  override createEntityManager(useContext?: boolean): never {
    return new BasePostgreSqlEntityManager(this.config, this, this.metadata, useContext) as never;
  }
}

export class EmbeddedConnection extends PgliteConnection {
  #database: EmbeddedDatabase | undefined;

  override createKyselyDialect(options: EmbeddedOptions): EmbeddedDialect {
    this.#database = new EmbeddedDatabase(options);
    return new EmbeddedDialect(this.#database);
  }

  get database(): EmbeddedDatabase {
    if (!this.#database) throw new Error('The embedded database is not open.');
    return this.#database;
  }

  /** The PGlite instance itself, for dumps; statements go through the EntityManager. */
  override async getNativeClient(): Promise<PGlite> {
    await this.ensureConnection();
    return this.database.get();
  }

  override async transactional<T>(...[run, options]: Parameters<PgliteConnection['transactional']>): Promise<T> {
    const held = { isOpen: true };
    try {
      return (await super.transactional(
        (transaction) => heldTransaction.run(held, () => run(transaction)),
        options,
      )) as T;
    } finally {
      held.isOpen = false;
    }
  }
}

/** The transaction that the current flow of execution holds. It stays behind, closed, in work that was detached from it. */
export const heldTransaction = new AsyncLocalStorage<{ isOpen: boolean }>();

/**
 * PGlite is one connection, so this is a pool of one: each borrower waits for the one before.
 *
 * A caller who holds a transaction and then asks for a second connection would wait for itself, for ever. That is a bug of
 * ours (a statement sent past the transaction's own EntityManager), so it throws at once.
 */
export class EmbeddedDialect extends PGliteDialect {
  readonly #database: EmbeddedDatabase;

  constructor(database: EmbeddedDatabase) {
    super({ pglite: () => database.get() });
    this.#database = database;
  }

  /** The adapter does not declare "one connection only": Kysely would queue in front of the driver, where nothing can be refused. */
  override createAdapter(): DialectAdapter {
    return new PostgresAdapter();
  }

  override createDriver(): Driver {
    return new SingleConnectionDriver(this.#database);
  }
}

class SingleConnectionDriver implements Driver {
  readonly #database: EmbeddedDatabase;
  #released: Promise<void> = Promise.resolve();
  #release: () => void = () => undefined;

  constructor(database: EmbeddedDatabase) {
    this.#database = database;
  }

  async init(): Promise<void> {
    await this.#database.get();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (heldTransaction.getStore()?.isOpen) {
      throw new Error(
        'A statement was sent outside the open transaction. The embedded database has one connection, so it would wait for ever: use the EntityManager that the transaction was given.',
      );
    }
    const { signal } = statementLimit();
    signal?.throwIfAborted();
    const turn = Promise.withResolvers<void>();
    const before = this.#released;
    this.#released = turn.promise;
    try {
      await unlessAborted(before, signal);
      const connection = new EmbeddedSession(this.#database, await this.#database.get());
      this.#release = turn.resolve;
      return connection;
    } catch (error) {
      void before.then(turn.resolve);
      throw error;
    }
  }

  async releaseConnection(): Promise<void> {
    this.#release();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await connection.executeQuery(CompiledQuery.raw('begin'));
    } catch (error) {
      // Kysely gives back only what has begun.
      this.#release();
      throw error;
    }
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await finish(connection, 'commit');
  }

  /** Never fails, or Kysely would keep the one connection: what a rollback can fail of is a crash. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await finish(connection, 'rollback').catch(() => undefined);
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
    await this.#database.close();
  }
}

/** Ends a transaction, whether somebody still waits for it or not. */
function finish(connection: DatabaseConnection, command: 'commit' | 'rollback'): Promise<unknown> {
  return withoutStatementLimit(() => connection.executeQuery(CompiledQuery.raw(command)));
}

/**
 * A connection for one borrower. A transaction that was begun on a database that crashed does not go on with the one
 * that was opened after it.
 */
class EmbeddedSession implements DatabaseConnection {
  readonly #database: EmbeddedDatabase;
  readonly #pglite: PGlite;

  constructor(database: EmbeddedDatabase, pglite: PGlite) {
    this.#database = database;
    this.#pglite = pglite;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    statementLimit().signal?.throwIfAborted();
    if (!this.#database.isCurrent(this.#pglite)) throw crashed('The embedded database has crashed meanwhile.');
    try {
      const { rows, affectedRows } = await statementsOf(this.#pglite).run(sql, parameters);
      return { rows: rows as Row[], numAffectedRows: BigInt(affectedRows) };
    } catch (error) {
      throw this.#database.explain(this.#pglite, error);
    }
  }

  // oxlint-disable-next-line require-yield -- the interface wants a generator; PGlite has no cursor to feed one
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('The embedded database cannot stream rows; read them by pages.');
  }
}
