import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { killedWithFile } from './ends-with-file.ts';
import { freePort } from './process.ts';
import { eventObject, mkcalendar } from './radicale.ts';

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

  /** As another client. */
  request(method: string, path: string, body = ''): Promise<Response> {
    return fetch(new URL(path, this.url), { method, ...(body && { body }) });
  }

  /** @returns where it is */
  async makeCalendar(name: string): Promise<string> {
    const path = `ada/calendars/${encodeURIComponent(name.toLowerCase())}/`;
    const made = await this.request('MKCALENDAR', path, mkcalendar(name));
    if (!made.ok) throw new Error(`Xandikos made no calendar: ${made.status}`);
    return new URL(path, this.url).href;
  }

  async putEvent(calendar: string, uid: string, lines: readonly string[]): Promise<void> {
    const put = await fetch(`${calendar}${uid}.ics`, {
      method: 'PUT',
      headers: { 'content-type': 'text/calendar; charset=utf-8' },
      body: eventObject(uid, lines),
    });
    if (!put.ok) throw new Error(`Xandikos took no event: ${put.status}`);
  }

  async #answers(): Promise<boolean> {
    if (this.#process.exitCode !== null) throw new Error(`Xandikos ended with ${this.#process.exitCode}.`);
    return fetch(this.url).then(
      () => true,
      () => false,
    );
  }
}
