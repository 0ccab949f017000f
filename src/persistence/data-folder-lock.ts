import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

export interface DataFolderLock {
  release(): Promise<void>;
}

/**
 * Keeps a second process off the embedded database, which would silently lose the writes of one of them. The lock is a
 * file with the holder's process id and start time; it is taken over only from a process that is gone.
 *
 * @throws Error naming the folder and the process that holds it
 */
export async function lockDataFolder(folder: string): Promise<DataFolderLock> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'lock');
  const mine = JSON.stringify(await holderOf(process.pid));
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (await createdExclusively(path, mine)) return { release: () => releaseIfMine(path, mine) };
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const holder = parseHolder(text);
    if (holder && (await isAlive(holder))) {
      throw new Error(
        `The data folder ${folder} is in use by process ${holder.pid}. Stop that process, or set DATA_DIR to another folder; several processes need PostgreSQL (DATABASE_URL).`,
      );
    }
    await releaseIfMine(path, text);
  }
  throw new Error(`The lock ${path} could not be taken: other processes keep taking it. Stop them and start again.`);
}

interface Holder {
  readonly pid: number;
  /** Clock ticks after boot, where the system tells: a process id alone may have been given to somebody else. */
  readonly startedAt: string | undefined;
}

async function createdExclusively(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function releaseIfMine(path: string, mine: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === mine) await rm(path, { force: true });
}

async function isAlive(holder: Holder): Promise<boolean> {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const now = await holderOf(holder.pid);
  return holder.startedAt === undefined || now.startedAt === undefined || holder.startedAt === now.startedAt;
}

async function holderOf(pid: number): Promise<Holder> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The second field, the command, may hold spaces and brackets: count from the last bracket. Field 22 is the start time.
  return { pid, startedAt: stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] };
}

function parseHolder(text: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const holder = value as Partial<Holder> | null;
    return typeof holder?.pid === 'number' && holder.pid > 0
      ? { pid: holder.pid, startedAt: holder.startedAt }
      : undefined;
  } catch {
    return undefined;
  }
}
