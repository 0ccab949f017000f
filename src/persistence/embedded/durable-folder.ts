import { closeSync, fsyncSync, openSync } from 'node:fs';
import { glob, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type InitOptions = Parameters<NodeFS['init']>[1];
type PostgresModule = PGlite['Module'];

/** Emscripten's file system has these, though PGlite's types do not say so. */
interface Stream {
  /** Node's file descriptor; a folder has none. */
  readonly nfd?: number;
  readonly node: object;
}
interface NodeFileSystem {
  readonly stream_ops: { fsync?(stream: Stream): number };
  realPath(node: object): string;
}
interface FileSystem {
  readonly filesystems: { readonly NODEFS: NodeFileSystem };
  readonly streams: readonly (Stream | null | undefined)[];
}

/** PGlite's own parameters, but without `-F`: it says that nothing need reach the disk. `fdatasync` does nothing in Emscripten. */
export function durableParameters(parameters: readonly string[]): string[] {
  return [...parameters.filter((parameter) => parameter !== '-F'), '-c', 'wal_sync_method=fsync'];
}

/**
 * A folder on disk, in which PostgreSQL's `fsync` is one: what was committed outlives a loss of power. In PGlite's own it
 * does nothing.
 */
export class DurableFolder extends NodeFS {
  override async init(pg: PGlite, options: InitOptions): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options);
    const preRun = [...((emscriptenOpts.preRun ?? []) as ((module: PostgresModule) => void)[]), syncForGood];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }
}

function syncForGood(module: PostgresModule): void {
  const { NODEFS } = fileSystemOf(module).filesystems;
  NODEFS.stream_ops.fsync = ({ nfd, node }) => {
    if (nfd !== undefined) fsyncSync(nfd);
    else syncFolder(NODEFS.realPath(node));
    return 0;
  };
}

/** A database that has crashed keeps its files open, and would for ever; it never writes to them again. */
export function closeFilesOf(pglite: PGlite): void {
  for (const stream of fileSystemOf(pglite.Module).streams) {
    if (stream?.nfd === undefined) continue;
    try {
      closeSync(stream.nfd);
    } catch {
      // It was closed in the crash.
    }
  }
}

function fileSystemOf(module: PostgresModule): FileSystem {
  return module.FS;
}

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
