import type { PGlite } from '@electric-sql/pglite';
import type { Configuration } from '@mikro-orm/core';
import { PgliteConnection, PglitePlatform } from '@mikro-orm/pglite';
import { AbstractSqlDriver, BasePostgreSqlEntityManager } from '@mikro-orm/postgresql';
import { EmbeddedDatabase, type EmbeddedOptions } from './embedded-database.ts';
import { EmbeddedDialect, heldTransaction } from './embedded-dialect.ts';

/** MikroORM on PGlite, with a dialect that keeps transactions apart (see embedded-dialect.ts). */
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
