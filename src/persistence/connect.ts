import { MikroORM } from '@mikro-orm/core';
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
    await orm.migrator.up();
    return { orm, em: orm.em as unknown as Em, isEmbedded, close: () => close(orm, lock) };
  } catch (error) {
    await lock?.release();
    throw isDatabaseAway(error) ? unreachable(settings, error) : error;
  }
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
