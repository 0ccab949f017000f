/**
 * persistence/ opens the database: PostgreSQL by a pool of our own, or the embedded PGlite; its migrations, its demo
 * data. Nothing but the composition imports it.
 */
import { MikroORM } from '@mikro-orm/core';
import { isDatabaseAway } from '../database/database-away.ts';
import { withoutStatementLimit } from '../database/deadline.ts';
import { type Em, rows, sql } from '../database/sql.ts';
import { type DatabaseHealth, healthOfEmbedded, healthOfPostgres } from './database-health.ts';
import { type DatabaseSettings, type DataFolder, databaseFolder, openDataFolder } from './embedded/data-folder.ts';
import type { EmbeddedConnection } from './embedded/embedded-driver.ts';
import { ForeignSchema } from './migrations/known-migrations.ts';
import { ormOptions } from './orm-options.ts';
import { poolerAdvice } from './pooler.ts';
import { PooledPostgres } from './postgres-driver.ts';
import type { ServerWatch } from './server-watch.ts';

/** An open, migrated database. `em` is the global EntityManager: fork it for each request. */
export interface Database {
  readonly orm: MikroORM;
  readonly em: Em;
  /** True for PGlite: one connection and one process. */
  readonly isEmbedded: boolean;
  readonly health: DatabaseHealth;
  /** The embedded database has none: it does not move. */
  readonly watch: ServerWatch | undefined;
  /** Advises an operator who has put a pooler between; nothing without one. */
  advice(options: { readonly hasDirectUrl: boolean }): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** PGlite's, for tests. */
  readonly driverOptions?: object;
  /** Opened already. */
  readonly folder?: DataFolder | undefined;
}

/** Opens the database that the settings name and brings it to the newest schema. @throws Error with what to do */
export async function connect(settings: DatabaseSettings, options: ConnectOptions = {}): Promise<Database> {
  const isEmbedded = settings.databaseUrl === undefined;
  const { driverOptions = {}, folder = await openDataFolder(settings) } = options;
  let orm: MikroORM | undefined;
  try {
    orm = await MikroORM.init(await ormOptions(settings, driverOptions));
    await folder?.made;
    await migrate(orm, settings);
    return opened(orm, settings, folder);
  } catch (error) {
    // It is open and whole, and others may have it.
    if (error instanceof ForeignSchema) await orm?.close(true);
    await folder?.release();
    if (hasCode(error, '3D000')) throw missing(settings, error);
    if (hasCode(error, '55P03')) throw occupied(error);
    if (error instanceof ForeignSchema) throw madeByAnother(settings, error);
    throw !isEmbedded && isDatabaseAway(error) ? unreachable(settings, error) : error;
  }
}

function opened(orm: MikroORM, settings: DatabaseSettings, folder: DataFolder | undefined): Database {
  const em = orm.em as unknown as Em;
  const isEmbedded = settings.databaseUrl === undefined;
  const connection: unknown = orm.em.getDriver().getConnection();
  const watch = connection instanceof PooledPostgres ? connection.watch : undefined;
  return {
    orm,
    em,
    isEmbedded,
    health: healthOf(orm, em, settings),
    watch,
    advice: async ({ hasDirectUrl }) =>
      connection instanceof PooledPostgres && connection.state.isPooled ? poolerAdvice(em.fork(), hasDirectUrl) : [],
    close: () => close(orm, folder),
  };
}

const LONGEST_MIGRATION = '10min';

/**
 * One process at a time: several may start at once on a new database, and the first one brings it up to date. All within a
 * transaction, so that a process that dies, or loses its connection, leaves neither a lock behind nor half of a schema.
 */
async function migrate(orm: MikroORM, { databaseUrl }: DatabaseSettings): Promise<void> {
  if (databaseUrl === undefined) return void (await orm.migrator.up());
  const em = orm.em.fork() as unknown as Em;
  await withoutStatementLimit(() =>
    em.transactional(async (inner) => {
      await rows(
        inner,
        sql`select set_config(name, value, true) from (values
        ('statement_timeout', '0'), ('idle_in_transaction_session_timeout', '0'),
        ('lock_timeout', ${LONGEST_MIGRATION}::text)) as setting(name, value)`,
      );
      await rows(inner, sql`select pg_advisory_xact_lock(hashtext('gatehouse: migrate'))`);
      await orm.migrator.up({ transaction: inner.getTransactionContext() });
    }),
  );
}

function hasCode(error: unknown, sqlState: string): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === sqlState;
}

function occupied(cause: unknown): Error {
  const message = `Something has kept the database from being brought up to date for ${LONGEST_MIGRATION}: another process that does so, or a lock on a table. Look into pg_stat_activity, end it, and start again.`;
  return new Error(message, { cause });
}

function missing(settings: DatabaseSettings, cause: unknown): Error {
  return new Error(
    `There is no database "${nameOf(settings)}" on that PostgreSQL. Create it, or correct DATABASE_URL.`,
    { cause },
  );
}

/** A service on it would run until it asks for a column that is not there. */
function madeByAnother(settings: DatabaseSettings, cause: ForeignSchema): Error {
  const folder = databaseFolder(settings);
  const [database, begin] =
    folder === undefined
      ? [
          `The database "${nameOf(settings)}" at ${hostOf(settings)}`,
          'make an empty database and name it in DATABASE_URL',
        ]
      : [`The embedded database in ${folder}`, `move the folder ${settings.dataDir} away`];
  const message = `${database} was made by another version of Gatehouse, whose tables are different (${cause.message}) Start the version that made it. Or begin with a new one: ${begin}. Until the first release, databases are not brought up to date; releases will do so.`;
  return new Error(message, { cause });
}

function unreachable(settings: DatabaseSettings, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(
    `PostgreSQL at ${hostOf(settings)} cannot be reached (${reason}). Start it, or correct DATABASE_URL.`,
    {
      cause,
    },
  );
}

/** For the operator: which of the addresses, but not the password in it. */
function hostOf({ databaseUrl }: DatabaseSettings): string {
  return URL.parse(databaseUrl ?? '')?.host || 'its socket';
}

function nameOf({ databaseUrl }: DatabaseSettings): string {
  return URL.parse(databaseUrl ?? '')?.pathname.slice(1) ?? '';
}

function healthOf(orm: MikroORM, em: Em, { databaseUrl }: DatabaseSettings): DatabaseHealth {
  const connection: unknown = orm.em.getDriver().getConnection();
  if (databaseUrl === undefined) return healthOfEmbedded(em, () => (connection as EmbeddedConnection).database);
  if (connection instanceof PooledPostgres) return healthOfPostgres(em, () => connection.state, databaseUrl ?? '');
  throw new Error('A connection of an unknown kind was opened.');
}

async function close(orm: MikroORM, folder: DataFolder | undefined): Promise<void> {
  await orm.close(true);
  await folder?.release();
}
