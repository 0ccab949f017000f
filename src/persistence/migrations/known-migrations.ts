import type { Constructor, MikroORM } from '@mikro-orm/core';
import { type Migration, MigrationStorage, Migrator as OrmMigrator } from '@mikro-orm/migrations';
import { sha256Hex } from '../../core/secret.ts';
import type { Em } from '../../database/sql.ts';
import { InitialSchema, SQL } from './initial-schema.ts';

/**
 * In order. Until the first release there is one, made from the entities; from then on they only go forward. A database keeps
 * the names of those that it has had: with the hash in it, that of the first says which state of the entities made it.
 */
export const MIGRATIONS: { readonly name: string; readonly class: Constructor<Migration> }[] = [
  { name: `initial-schema-${sha256Hex(SQL).slice(0, 12)}`, class: InitialSchema },
];

/** The database has had a migration that is not among ours: another version of Gatehouse made it. */
export class ForeignSchema extends Error {}

/**
 * MikroORM's migrator passes over what a database has had beside the migrations that it is given. This one does not. Of
 * an extension with another name, MikroORM would load its own beside it.
 */
export class Migrator extends OrmMigrator {
  static override register(orm: MikroORM): void {
    orm.config.registerExtension('@mikro-orm/migrator', () => new Migrator(orm.em as unknown as Em));
  }

  protected override createStorage(): KnownMigrations {
    return new KnownMigrations(this.driver, this.options);
  }
}

/** Compares the migrations that a start reads in any case, in the transaction and under the lock of the migration itself. */
class KnownMigrations extends MigrationStorage {
  /** @throws ForeignSchema */
  override async executed(): Promise<string[]> {
    const had = await super.executed();
    const ours = MIGRATIONS.map(({ name }) => name);
    const foreign = had.filter((name) => !ours.includes(name));
    if (foreign.length === 0) return had;
    throw new ForeignSchema(`It has ${foreign.join(', ')}; this version has ${ours.join(', ')}.`);
  }
}
