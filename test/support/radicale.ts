import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { killedWithFile } from './ends-with-file.ts';
import { freePort } from './process.ts';

const PROGRAM = '/usr/bin/radicale';

/** For `describe.runIf`: Debian's CalDAV server. CI installs it, so there nothing is skipped: a missing one fails. */
export const hasRadicale = existsSync(PROGRAM) || process.env['CI'] === 'true';

export const PASSWORD = 'app-password-of-tests';

/** A CalDAV server of a test's own, with accounts that have one password. */
export class Radicale {
  readonly url: string;
  readonly #port: number;
  readonly #folder: string;
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
    this.url = `http://127.0.0.1:${port}/`;
  }

  static async start(accounts: readonly string[]): Promise<Radicale> {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-radicale-'));
    const radicale = new Radicale(folder, await freePort());
    await writeFile(join(folder, 'users'), accounts.map((account) => `${account}:${PASSWORD}\n`).join(''));
    await radicale.resume();
    return radicale;
  }

  /** As after a stop: what is stored is there again. */
  async resume(): Promise<void> {
    const options = {
      'server-hosts': `127.0.0.1:${this.#port}`,
      'auth-type': 'htpasswd',
      'auth-htpasswd-filename': join(this.#folder, 'users'),
      'auth-htpasswd-encryption': 'plain',
      'auth-delay': '0',
      'storage-filesystem-folder': join(this.#folder, 'storage'),
      'logging-level': 'error',
    };
    const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
    this.#process = killedWithFile(spawn(PROGRAM, ['--config', '', ...args], { stdio: 'ignore' }));
    while (!(await this.#listens())) await pause(20);
  }

  async stop(): Promise<void> {
    const stopped = this.#process;
    if (!stopped || stopped.exitCode !== null || stopped.signalCode !== null) return;
    const ended = once(stopped, 'exit');
    stopped.kill('SIGKILL');
    await ended;
  }

  async close(): Promise<void> {
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Its users are read at each request. */
  async changePassword(account: string): Promise<{ readonly back: () => Promise<void> }> {
    const users = join(this.#folder, 'users');
    const before = await readFile(users, 'utf8');
    await writeFile(users, before.replace(`${account}:${PASSWORD}\n`, `${account}:another-password\n`));
    return { back: () => writeFile(users, before) };
  }

  /** As another client of the account's owner. */
  async request(method: string, account: string, path: string, body = ''): Promise<Response> {
    const authorization = `Basic ${Buffer.from(`${account}:${PASSWORD}`).toString('base64')}`;
    return fetch(new URL(path, this.url), { method, headers: { authorization, depth: '1' }, ...(body && { body }) });
  }

  /** @returns where it is */
  async makeCalendar(account: string, name: string): Promise<string> {
    const path = `${account}/${encodeURIComponent(name.toLowerCase())}/`;
    const made = await this.request('MKCALENDAR', account, path, mkcalendar(name));
    if (!made.ok) throw new Error(`Radicale made no calendar: ${made.status}`);
    return new URL(path, this.url).href;
  }

  async putEvent(account: string, calendar: string, uid: string, lines: readonly string[]): Promise<void> {
    const put = await this.request('PUT', account, `${calendar}${uid}.ics`, eventObject(uid, lines));
    if (!put.ok) throw new Error(`Radicale took no event: ${put.status}`);
  }

  /** All that a calendar holds, as one iCalendar object; lines are unfolded. */
  async contentOf(account: string, calendar: string): Promise<string> {
    const answer = await this.request('GET', account, calendar);
    return (await answer.text()).replace(/\r?\n[ \t]/g, '');
  }

  async #listens(): Promise<boolean> {
    if (this.#process?.exitCode != null) throw new Error(`Radicale ended with ${this.#process.exitCode}.`);
    const socket = connect(this.#port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return true;
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  }
}

/** A calendar object that holds one event. */
export function eventObject(uid: string, lines: readonly string[]): string {
  const stamped = [`UID:${uid}`, 'DTSTAMP:20261101T000000Z', ...lines];
  const object = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Tests//EN', 'BEGIN:VEVENT', ...stamped];
  return [...object, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
}

export function mkcalendar(name: string): string {
  return `<?xml version="1.0"?><C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop>
    <D:displayname>${name}</D:displayname></D:prop></D:set></C:mkcalendar>`;
}
