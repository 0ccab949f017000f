import { setTimeout as pause } from 'node:timers/promises';
import { CompiledQuery, type DatabaseConnection, type Driver, PostgresDialect, type TransactionSettings } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { statementLimit, unlessAborted } from '../database/deadline.ts';
import { Congestion } from './congestion.ts';
import { PoolState } from './pool-state.ts';
import { PostgresConnection } from './postgres-connection.ts';

const RELIEVE_EVERY_MS = 250;
/** As long as a statement outside any request may take. */
const COMMIT_MILLISECONDS = 30_000;
const ROLLBACK_MILLISECONDS = 2_000;
const CLOSE_MILLISECONDS = 1_000;

/**
 * Kysely on the pool of `pg`, with a driver that loses no connection: Kysely's own keeps the place of one that breaks while
 * a transaction is begun or rolled back, cancels by a session that it has to open first, and waits without end to close.
 */
export class PooledDialect extends PostgresDialect {
  readonly #pool: Pool;
  readonly state = new PoolState();

  constructor(pool: Pool) {
    super({ pool });
    this.#pool = pool;
  }

  override createDriver(): Driver {
    return new PooledDriver(this.#pool, this.state);
  }
}

class PooledDriver implements Driver {
  readonly #pool: Pool;
  readonly #state: PoolState;
  readonly #congestion: Congestion;
  readonly #connections = new Map<PoolClient, PostgresConnection>();
  #relief: NodeJS.Timeout | undefined;

  constructor(pool: Pool, state: PoolState) {
    this.#pool = pool;
    this.#state = state;
    this.#congestion = new Congestion(pool.options.max);
    pool.on('connect', (client) =>
      this.#connections.set(client, new PostgresConnection(client, this.#congestion, state)),
    );
    pool.on('remove', (client) => this.#connections.delete(client));
  }

  async init(): Promise<void> {}

  /** @throws Error after the pool's `connectionTimeoutMillis`, or at the end of the flow's own time */
  async acquireConnection(): Promise<DatabaseConnection> {
    const { signal } = statementLimit();
    signal?.throwIfAborted();
    const acquired = this.#take();
    this.#relieveWhileSomebodyWaits();
    try {
      return await unlessAborted(acquired, signal);
    } catch (error) {
      // It may come yet, and nobody is there to take it.
      acquired.then((connection) => connection.release()).catch(() => undefined);
      throw error;
    }
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    asPooled(connection).release();
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const { isolationLevel, accessMode } = settings;
    const modes = [isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean).join(', ');
    try {
      await run(connection, modes ? `start transaction ${modes}` : 'begin');
    } catch (error) {
      // Kysely gives back only what has begun; and it may have, before it failed.
      asPooled(connection).destroy();
      throw error;
    }
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await asPooled(connection).finish('commit', COMMIT_MILLISECONDS);
  }

  /** Never fails: what cannot be rolled back is closed, which rolls it back. Kysely would keep the place of one that fails. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await asPooled(connection)
      .finish('rollback', ROLLBACK_MILLISECONDS)
      .catch(() => asPooled(connection).destroy());
  }

  async savepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await run(connection, `savepoint "${name}"`);
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await run(connection, `rollback to savepoint "${name}"`);
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await run(connection, `release savepoint "${name}"`);
  }

  /** What is still held after a moment is closed. */
  async destroy(): Promise<void> {
    clearInterval(this.#relief);
    const timer = setTimeout(() => {
      for (const connection of this.#connections.values()) connection.destroy();
    }, CLOSE_MILLISECONDS);
    // One that is just being opened is not known yet, and is closed by its own limit.
    await Promise.race([this.#pool.end(), pause(2 * CLOSE_MILLISECONDS, undefined, { ref: false })]);
    clearTimeout(timer);
  }

  async #take(): Promise<PostgresConnection> {
    try {
      const client = await this.#pool.connect();
      this.#state.served();
      return this.#connectionOf(client).hold();
    } catch (error) {
      this.#state.refused();
      throw error;
    }
  }

  #connectionOf(client: PoolClient): PostgresConnection {
    const connection = this.#connections.get(client);
    if (!connection) throw new Error('The pool has given out a connection that it had not told of.');
    return connection;
  }

  #relieveWhileSomebodyWaits(): void {
    if (this.#pool.waitingCount === 0) return;
    this.#relief ??= setInterval(() => {
      if (this.#pool.waitingCount > 0) return this.#congestion.relieve();
      clearInterval(this.#relief);
      this.#relief = undefined;
    }, RELIEVE_EVERY_MS).unref();
  }
}

function asPooled(connection: DatabaseConnection): PostgresConnection {
  if (connection instanceof PostgresConnection) return connection;
  throw new Error('A connection of another pool was handed in.');
}

async function run(connection: DatabaseConnection, sql: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(sql));
}
