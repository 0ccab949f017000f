import { setTimeout as pause } from 'node:timers/promises';
import type { Configuration } from '@mikro-orm/core';
import {
  AbstractSqlDriver,
  BasePostgreSqlEntityManager,
  PostgreSqlConnection,
  PostgreSqlPlatform,
} from '@mikro-orm/postgresql';
import { CompiledQuery, type DatabaseConnection, type Driver, PostgresDialect, type TransactionSettings } from 'kysely';
import type { Pool, PoolClient, PoolConfig } from 'pg';
import { inTime } from '../core/in-time.ts';
import { GivenUp, statementLimit, unlessAborted } from '../database/deadline.ts';
import type { ReadLane, WriteLane } from '../database/lanes.ts';
import { Congestion } from './congestion.ts';
import { PipelinedReads } from './lines/pipelined-reads.ts';
import { SharedCommits } from './lines/shared-commits.ts';
import { PoolState } from './pool-state.ts';
import { type PoolParts, PostgresConnection } from './postgres-connection.ts';
import { StatementNames } from './prepared-statements.ts';
import { asking, ServerWatch } from './server-watch.ts';

/** MikroORM on PostgreSQL, with a dialect that loses no connection (see postgres-dialect.ts). */
export class PostgresDriver extends AbstractSqlDriver<PooledPostgres> {
  constructor(config: Configuration) {
    super(config, new PostgreSqlPlatform(), PooledPostgres, ['kysely', 'pg']);
  }

  override createEntityManager(useContext?: boolean): never {
    return new BasePostgreSqlEntityManager(this.config, this, this.metadata, useContext) as never;
  }
}

export class PooledPostgres extends PostgreSqlConnection {
  #pool: Pool | undefined;
  #dialect: PooledDialect | undefined;
  #reads: PipelinedReads | undefined;
  #commits: SharedCommits | undefined;
  readonly #listeners: ((channel: string) => void)[] = [];
  /** Whether all connections of this process lead to the server to write to. */
  readonly watch = new ServerWatch();

  override createKyselyDialect(options: PoolConfig): PooledDialect {
    const onPoolCreated = (pool: Pool): void => void (this.#pool = pool);
    super.createKyselyDialect({ ...options, onPoolCreated } as PoolConfig);
    if (!this.#pool) throw new Error('MikroORM has made no pool.');
    this.#dialect = new PooledDialect(this.#pool, this.watch, (channel) =>
      this.#listeners.forEach((hear) => hear(channel)),
    );
    this.#reads = new PipelinedReads(this.#pool.options, this.watch, true);
    this.#commits = new SharedCommits(this.#pool.options, this.watch);
    return this.#dialect;
  }

  /** For short reads (database/lanes.ts). */
  get lane(): ReadLane | undefined {
    return this.#reads;
  }

  /** For changes of one statement (database/lanes.ts). */
  get sharedCommits(): WriteLane | undefined {
    return this.#commits;
  }

  /** Hears of the changes that this process makes itself, before these are told to be made. */
  onOwnChange(hear: (channel: string) => void): void {
    this.#listeners.push(hear);
  }

  override async close(force?: boolean): Promise<void> {
    await Promise.all([this.#reads?.close(), this.#commits?.close()]);
    await super.close(force);
  }

  get state(): PoolState {
    if (!this.#dialect) throw new Error('The pool is not open.');
    return this.#dialect.state;
  }
}

const RELIEVE_EVERY_MS = 250;
const KNOCK_EVERY_MS = 2_000;
/** As long as a statement outside any request may take. */
const COMMIT_MILLISECONDS = 30_000;
const ROLLBACK_MILLISECONDS = 2_000;
const CLOSE_MILLISECONDS = 1_000;
/** How long a server that has taken a connection may take to say which one it is. */
const ADMISSION_MILLISECONDS = 5_000;
/** `pg` and its pool say this of a server that takes no connection in time, but not of a pool that has none to give. */
const NOT_TAKEN = /^(?:timeout expired|Connection terminated due to connection timeout)$/;

/**
 * Said once a connection, in one message; not to a pooler, which would leave it on a connection that it hands to others
 * (connect.ts says then what the role needs).
 *
 * Compiling a statement and starting workers for it take longer than any of ours does; PostgreSQL, which cannot foresee how
 * little of a recursive or lateral part is read, would often do both.
 *
 * Each statement is cancelled from here in its time. The limits of the server are for what a process leaves behind that is
 * frozen or gone: it would hold its locks for ever. The last one is not known on every system, so nothing follows it.
 */
const SETTINGS = `set jit = off; set max_parallel_workers_per_gather = 0; set statement_timeout = '40s';
  set idle_in_transaction_session_timeout = '40s'; set client_connection_check_interval = '2s'`;

/**
 * Kysely on the pool of `pg`, with a driver that loses no connection: Kysely's own keeps the place of one that breaks while
 * a transaction is begun or rolled back, cancels by a session that it has to open first, and waits without end to close.
 */
class PooledDialect extends PostgresDialect {
  readonly #pool: Pool;
  readonly #onChange: (channel: string) => void;
  readonly state = new PoolState();
  readonly watch: ServerWatch;

  /** `onChange` is told which changes this process makes, before its caller is. */
  constructor(pool: Pool, watch: ServerWatch, onChange: (channel: string) => void) {
    super({ pool });
    this.#pool = pool;
    this.watch = watch;
    this.#onChange = onChange;
  }

  override createDriver(): Driver {
    const { state, watch } = this;
    const congestion = new Congestion(this.#pool.options.max);
    const names = new StatementNames();
    return new PooledDriver(this.#pool, { congestion, state, watch, names, onChange: this.#onChange });
  }
}

class PooledDriver implements Driver {
  readonly #pool: Pool;
  readonly #parts: PoolParts;
  readonly #connections = new Map<PoolClient, PostgresConnection>();
  #relief: NodeJS.Timeout | undefined;
  #knocking: Promise<void> | undefined;

  constructor(pool: Pool, parts: PoolParts) {
    this.#pool = pool;
    this.#parts = parts;
    // It waits for the promise, which its types do not tell.
    pool.options.onConnect = (client) => this.#admit(client as PoolClient) as never;
    pool.on('remove', (client) => this.#connections.delete(client));
    parts.watch.onMove(() => {
      for (const connection of this.#connections.values()) connection.leave();
    });
  }

  /** Before the pool gives it to anybody. @throws MovedAway */
  async #admit(client: PoolClient): Promise<void> {
    const { watch } = this.#parts;
    watch.listenTo(client);
    try {
      const { pid } = await inTime(watch.admit(asking(client)), ADMISSION_MILLISECONDS, unknownServer);
      const isPooled = pid !== (client as WireClient).processID;
      this.#connections.set(client, new PostgresConnection(client, this.#parts, isPooled));
      // A lost connection is told of by the next statement.
      this.#parts.state.isPooled = isPooled;
      if (!isPooled) client.query(SETTINGS).catch(() => undefined);
    } catch (error) {
      client.connection.stream.destroy();
      throw error;
    }
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
      await asPooled(connection).begin(modes ? `start transaction ${modes}` : 'begin');
    } catch (error) {
      // Kysely gives back only a connection whose transaction has begun; this one may have begun before it failed.
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

  /** Closes the pool; a connection that is still held after a moment is closed, too. */
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
    const { watch } = this.#parts;
    try {
      if (watch.isSilent) await this.#knock();
      for (;;) {
        const client = await this.#pool.connect();
        const connection = this.#connectionOf(client).hold();
        this.#parts.state.served();
        if (!connection.isBroken) return connection;
        // It was closed a moment ago, and the pool has not noticed.
        connection.release();
      }
    } catch (error) {
      this.#parts.state.refused();
      if (error instanceof SilentServer || NOT_TAKEN.test((error as Error).message)) watch.fellSilent();
      throw error;
    }
  }

  /**
   * One of all who wait tries whether a server that was silent takes a connection, and the others wait for what becomes of
   * it. What a network has lost on the way is never answered, so after a while another one tries.
   */
  #knock(): Promise<void> {
    if (this.#knocking) return this.#knocking;
    const knocking = this.#pool.connect().then((client) => client.release());
    const over = (): void => {
      if (this.#knocking === knocking) this.#knocking = undefined;
    };
    this.#knocking = knocking;
    knocking.then(over, over);
    setTimeout(over, KNOCK_EVERY_MS).unref();
    return knocking;
  }

  #connectionOf(client: PoolClient): PostgresConnection {
    const connection = this.#connections.get(client);
    if (!connection) throw new Error('The pool has given out a connection that it had not told of.');
    return connection;
  }

  #relieveWhileSomebodyWaits(): void {
    if (this.#pool.waitingCount === 0) return;
    this.#relief ??= setInterval(() => {
      if (this.#pool.waitingCount > 0) return this.#parts.congestion.relieve();
      clearInterval(this.#relief);
      this.#relief = undefined;
    }, RELIEVE_EVERY_MS).unref();
  }
}

/** `pg` has this, though its types do not say so. */
type WireClient = PoolClient & { readonly processID: number };

class SilentServer extends GivenUp {}

function unknownServer(): Error {
  return new SilentServer('The database does not say which server it is.');
}

function asPooled(connection: DatabaseConnection): PostgresConnection {
  if (connection instanceof PostgresConnection) return connection;
  throw new Error('A connection of another pool was handed in.');
}

async function run(connection: DatabaseConnection, sql: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(sql));
}
