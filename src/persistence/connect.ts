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
    // Before the migrator, which would make a database that is not there: a typo would begin an empty service.
    if (!isEmbedded) await orm.em.getConnection().execute('select 1');
    await orm.migrator.up();
    return { orm, em: orm.em as unknown as Em, isEmbedded, close: () => close(orm, lock) };
  } catch (error) {
    await lock?.release();
    if (isDatabaseMissing(error)) throw missing(settings, error);
    throw isDatabaseAway(error) ? unreachable(settings, error) : error;
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
