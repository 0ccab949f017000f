import type { Configuration } from '@mikro-orm/core';
import {
  AbstractSqlDriver,
  BasePostgreSqlEntityManager,
  PostgreSqlConnection,
  PostgreSqlPlatform,
} from '@mikro-orm/postgresql';
import type { Pool, PoolConfig } from 'pg';
import type { ReadLane } from '../database/read.ts';
import type { WriteLane } from '../database/write.ts';
import { PipelinedReads } from './lines/pipelined-reads.ts';
import { SharedCommits } from './lines/shared-commits.ts';
import type { PoolState } from './pool-state.ts';
import { PooledDialect } from './postgres-dialect.ts';
import { ServerWatch } from './server-watch.ts';

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

  /** For short reads (database/read.ts). */
  get lane(): ReadLane | undefined {
    return this.#reads;
  }

  /** For changes of one statement (database/write.ts). */
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
