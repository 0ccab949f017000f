import { spawnSync } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import type { RunningService } from './process.ts';

const [UNSHARE, ...OPTIONS] = ['unshare', '--user', '--map-root-user', '--mount'] as const;

/** Whether this machine lets anybody mount a disk that is theirs alone. */
export const HAS_SMALL_DISKS = spawnSync(UNSHARE, [...OPTIONS, 'true']).status === 0;

/** Runs a command with a disk of so many megabytes at its DATA_DIR; the disk goes with the process. */
export function onDisk(megabytes: number): string[] {
  const mount = `mount -t tmpfs -o size=${megabytes}m tmpfs "$DATA_DIR" && exec "$0" "$@"`;
  return [UNSHARE, ...OPTIONS, 'sh', '-c', mount];
}

/** Writes a file into the data folder of a service until nothing more fits. @returns what makes room again */
export async function fillDisk({ child }: RunningService, folder: string): Promise<() => Promise<void>> {
  const path = `/proc/${child.pid}/root${folder}/filler`;
  await using file = await open(path, 'w');
  try {
    for (;;) await file.write(Buffer.alloc(64 * 1024, 1));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
  return () => rm(path);
}
