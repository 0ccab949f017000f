import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lockDataFolder } from '../../src/persistence/embedded/data-folder.ts';
import { isOnPostgres } from '../support/database.ts';
import { temporaryFolder } from '../support/process.ts';

const TAKER = `
  import { lockDataFolder } from '${join(import.meta.dirname, '../../src/persistence/embedded/data-folder.ts')}';
  process.on('message', async (folder) => {
    if (folder === 'die') return process.kill(process.pid, 'SIGKILL');
    try { await lockDataFolder(folder); await new Promise(setImmediate); gc(); process.send('taken'); } catch (error) { process.send(error.message); }
  });
  process.send('ready');`;

/** A process that takes the lock of the folder that it is told, and keeps it until it dies, though it keeps nothing that stands for it. */
class Taker {
  readonly child: ChildProcess;
  constructor() {
    this.child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '--eval', TAKER], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  }

  async hear(): Promise<string> {
    const [message] = await once(this.child, 'message');
    return String(message);
  }

  take(folder: string): Promise<string> {
    const answer = this.hear();
    this.child.send(folder);
    return answer;
  }

  async die(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.send('die');
    await exit;
  }
}

async function takers(count: number): Promise<Taker[]> {
  const started = Array.from({ length: count }, () => new Taker());
  await Promise.all(started.map((taker) => taker.hear()));
  return started;
}

// It says the same on both databases: the embedded one alone has a folder, and no database is opened here.
describe.skipIf(isOnPostgres)('the lock of the data folder', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('goes to one of many processes that take it from a dead one at once: sixty times', async () => {
    const rivals = await takers(6);
    for (let round = 0; round < 60; round += 1) {
      const here = join(folder, String(round));
      const [dead] = await takers(1);
      expect(await dead?.take(here)).toBe('taken');
      await dead?.die();
      const answers = await Promise.all(rivals.map((rival) => rival.take(here)));
      expect(answers.filter((answer) => answer === 'taken')).toHaveLength(1);
      for (const answer of answers) expect(answer).toMatch(/^taken$|is in use by/);
    }
    await Promise.all(rivals.map((rival) => rival.die()));
  });

  test('is refused with the name of its holder, and free again after it', async () => {
    const here = join(folder, 'named');
    const lock = await lockDataFolder(here);
    await expect(lockDataFolder(here)).rejects.toThrow(
      `${here} is in use by process ${process.pid}. Stop that process`,
    );
    expect(await readFile(join(here, 'lock'), 'utf8')).toBe(`${process.pid}\n`);
    await lock.release();
    await (await lockDataFolder(here)).release();
  });

  test('names nobody when the name cannot be read, and is held all the same', async () => {
    const here = join(folder, 'garbled');
    const lock = await lockDataFolder(here);
    await writeFile(join(here, 'lock'), 'garbled');
    await expect(lockDataFolder(here)).rejects.toThrow(`${here} is in use by another process.`);
    await lock.release();
  });
});
