import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';

const MEMORY = 'memory:';

export interface DatabaseSettings {
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
}

/** The folder of the embedded database, this process's alone. */
export interface DataFolder {
  /** Once there is a database in it. */
  readonly made: Promise<void>;
  release(): Promise<void>;
}

/** Undefined where no folder is used. @throws Error that names the folder, and the process that has it */
export async function openDataFolder(settings: DatabaseSettings): Promise<DataFolder | undefined> {
  const folder = databaseFolder(settings);
  if (folder === undefined) return undefined;
  // PGlite's files are loaded for an embedded database alone.
  const { makeDatabaseIfNew } = await import('./new-database.ts');
  const lock = await lockDataFolder(settings.dataDir);
  const made = makeDatabaseIfNew(folder);
  // Heard of by those who wait for it.
  made.catch(() => undefined);
  return { made, release: () => lock.release() };
}

/** Undefined for a database in memory, or on a server. */
export function databaseFolder({ databaseUrl, dataDir }: DatabaseSettings): string | undefined {
  return databaseUrl === undefined && dataDir !== MEMORY ? join(dataDir, 'database') : undefined;
}

export interface DataFolderLock {
  release(): Promise<void>;
}

/** An open file that nobody refers to would be closed when garbage is collected, and the lock gone with it. */
const HELD = new Set<DatabaseSync>();

/**
 * Keeps a second process off the embedded database, which would silently lose the writes of one of them.
 *
 * The operating system locks an open file, and unlocks it when the process that holds the lock ends, however it ends. So no
 * stale lock is left behind, and no process id is compared that may have been given to another process. Node has no such lock
 * of its own, but SQLite takes one for a transaction, on an empty file that is never written. A file beside it names the
 * holder, for people.
 *
 * @throws Error naming the folder and the process that holds it
 */
export async function lockDataFolder(folder: string): Promise<DataFolderLock> {
  await mkdir(folder, { recursive: true });
  const holder = join(folder, 'lock');
  const lock = new DatabaseSync(join(folder, 'lock.sqlite'), { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    throw isBusy(error) ? inUse(folder, await readFile(holder, 'utf8').catch(() => '')) : unusable(folder, error);
  }
  HELD.add(lock);
  // It says who it is as well as it can; on a full disk it cannot.
  await writeFile(holder, `${process.pid}\n`).catch(() => undefined);
  return {
    release: async () => {
      await rm(holder, { force: true });
      HELD.delete(lock);
      if (lock.isOpen) lock.close();
    },
  };
}

const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return (error as { errcode?: unknown }).errcode === SQLITE_BUSY;
}

function inUse(folder: string, holder: string): Error {
  const pid = /^\d+$/.test(holder.trim()) ? `process ${holder.trim()}` : 'another process';
  return new Error(
    `The data folder ${folder} is in use by ${pid}. Stop that process, or set DATA_DIR to another folder; several processes need PostgreSQL (DATABASE_URL).`,
  );
}

function unusable(folder: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const path = join(folder, 'lock.sqlite');
  return new Error(
    `${path} could not be locked (${reason}). Remove it if it is not Gatehouse's, or set DATA_DIR to a folder on a disk of this machine.`,
    {
      cause,
    },
  );
}
