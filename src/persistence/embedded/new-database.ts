import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, statfsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { syncFolder } from './durable-folder.ts';
import { unopened } from './embedded-failure.ts';

/** A segment of PostgreSQL's log has 16 MB; it needs one to begin, and the next one soon after. */
const LEAST_ROOM_IN_MB = 32;
/** disk_full */
const DISK_FULL = '53100';

/**
 * Makes an embedded database unless the folder holds one; by a thread, which is on its way when this returns, so that the
 * caller goes on meanwhile. The folder gets its name when it is complete: nothing is left of one whose process was killed
 * over it.
 */
export async function makeDatabaseIfNew(folder: string): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true });
  const lack = lackOfRoom(dirname(folder));
  if (lack !== undefined) throw Object.assign(new Error(lack), { code: DISK_FULL });
  const making = `${folder}.new`;
  rmSync(making, { recursive: true, force: true });
  if (existsSync(join(folder, 'PG_VERSION'))) return;
  const path = new URL(`./new-database.worker${extname(import.meta.url)}`, import.meta.url);
  try {
    const [code] = await once(new Worker(path, { workerData: making }), 'exit');
    if (code !== 0) throw new Error(`The thread that makes it has ended with ${code}.`);
    await rename(making, folder);
    // Or a loss of power could give back the name under which the next start removes it.
    syncFolder(dirname(folder));
  } catch (error) {
    throw unopened(folder, error);
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

/** Why a write would fail, or even bring the database down; undefined when there is room. */
export function lackOfRoom(folder: string): string | undefined {
  const { bavail, bsize } = statfsSync(folder);
  const megabytes = Math.floor((bavail * bsize) / 1024 / 1024);
  return megabytes >= LEAST_ROOM_IN_MB
    ? undefined
    : `The disk of ${folder} has ${megabytes} MB left; the embedded database needs ${LEAST_ROOM_IN_MB} MB. Make room on it.`;
}
