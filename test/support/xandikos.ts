import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { killedWithFile } from './ends-with-file.ts';
import { freePort } from './process.ts';

const PROGRAM = '/usr/bin/xandikos';

/** For `describe.runIf`: another CalDAV server of Debian's. CI installs it where it can be had, and says so where it cannot. */
export const hasXandikos = existsSync(PROGRAM);

/** Xandikos, a CalDAV server that keeps calendars in Git, and lets everybody in as one user, who has one calendar. */
export class Xandikos {
  readonly url: string;
  readonly #folder: string;
  readonly #process: ChildProcess;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.url = `http://localhost:${port}/`;
    const args = ['--defaults', '--current-user-principal', '/ada/', '-d', folder, '-l', 'localhost', '-p', `${port}`];
    this.#process = killedWithFile(spawn(PROGRAM, args, { stdio: 'ignore' }));
  }

  static async start(): Promise<Xandikos> {
    const started = new Xandikos(await mkdtemp(join(tmpdir(), 'gatehouse-xandikos-')), await freePort());
    while (!(await started.#answers())) await pause(50);
    return started;
  }

  async close(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #answers(): Promise<boolean> {
    if (this.#process.exitCode !== null) throw new Error(`Xandikos ended with ${this.#process.exitCode}.`);
    return fetch(this.url).then(
      () => true,
      () => false,
    );
  }
}
