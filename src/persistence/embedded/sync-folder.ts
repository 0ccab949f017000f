import { closeSync, fsyncSync, openSync } from 'node:fs';
import { glob, open } from 'node:fs/promises';
import { join } from 'node:path';

const SYNCED_AT_ONCE = 16;

/** The names in a folder, as they are now, outlive a loss of power. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** For a database that was just made: the files that it is made of were written without a word to the disk. */
export async function syncWholeFolder(folder: string): Promise<void> {
  const paths = await Array.fromAsync(glob('**', { cwd: folder }));
  const syncAll = async (): Promise<void> => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
      await using file = await open(join(folder, path), 'r');
      await file.sync();
    }
  };
  // The disk takes those together that come at once.
  await Promise.all(Array.from({ length: SYNCED_AT_ONCE }, syncAll));
}
