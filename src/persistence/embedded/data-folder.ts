import { join } from 'node:path';
import { lockDataFolder } from './data-folder-lock.ts';
import { makeDatabaseIfNew } from './new-database.ts';

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
