import { MikroORM } from '@mikro-orm/core';
import { Client } from 'pg';
import { isDatabaseAway } from '../database/database-away.ts';
import type { Em } from '../database/sql.ts';
import { type DataFolderLock, lockDataFolder } from './data-folder-lock.ts';
import { type DatabaseSettings, isInMemory, ormOptions } from './orm-options.ts';

/** An open, migrated database. `em` is the global EntityManager: fork it for each request. */
export interface Database {
  readonly orm: MikroORM;
  readonly em: Em;
  /** True for PGlite: one connection and one process. */
  readonly isEmbedded: boolean;
  close(): Promise<void>;
}

/** Opens the database that the settings name and brings it to the newest schema. @throws Error with what to do */
export async function connect(settings: DatabaseSettings, driverOptions: object = {}): Promise<Database> {
  const isEmbedded = settings.databaseUrl === undefined;
  const lock = isEmbedded && !isInMemory(settings) ? await lockDataFolder(settings.dataDir) : undefined;
  try {
    const orm = await MikroORM.init(ormOptions(settings, driverOptions));
    await migrate(orm, settings);
    return { orm, em: orm.em as unknown as Em, isEmbedded, close: () => close(orm, lock) };
  } catch (error) {
    await lock?.release();
    if (isDatabaseMissing(error)) throw missing(settings, error);
    throw isDatabaseAway(error) ? unreachable(settings, error) : error;
  }
}

/** One process at a time: several may start at once on a new database, and the first one brings it up to date. */
async function migrate(orm: MikroORM, { databaseUrl }: DatabaseSettings): Promise<void> {
  if (databaseUrl === undefined) return void (await orm.migrator.up());
  // A connection of its own: the lock lasts as long as the session. Without it the migrator would also make a database
  // that is not there, so that a typo began an empty service.
  const turn = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  await turn.connect();
  try {
    await turn.query("select pg_advisory_lock(hashtext('gatehouse: migrate'))");
    await orm.migrator.up();
  } finally {
    await turn.end();
  }
}

function isDatabaseMissing(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === '3D000';
}

function missing({ databaseUrl }: DatabaseSettings, cause: unknown): Error {
  const name = URL.parse(databaseUrl ?? '')?.pathname.slice(1) ?? '';
  return new Error(`There is no database "${name}" on that PostgreSQL. Create it, or correct DATABASE_URL.`, { cause });
}

/** For the operator: which of the addresses, but not the password in it. */
function unreachable({ databaseUrl }: DatabaseSettings, cause: unknown): Error {
  const host = URL.parse(databaseUrl ?? '')?.host || 'its socket';
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(`PostgreSQL at ${host} cannot be reached (${reason}). Start it, or correct DATABASE_URL.`, {
    cause,
  });
}

async function close(orm: MikroORM, lock: DataFolderLock | undefined): Promise<void> {
  await orm.close(true);
  await lock?.release();
}
