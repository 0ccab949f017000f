import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { freePort } from './process.ts';

const PROGRAM = '/usr/sbin/pgbouncer';

/** For `describe.runIf`: Debian's package `pgbouncer`. */
export const HAS_PGBOUNCER = existsSync(PROGRAM);

/** A PgBouncer of a test's own in front of a PostgreSQL, in transaction mode, which keeps no prepared statements. */
export class PgBouncer {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(url: string, child: ChildProcess, folder: string) {
    this.url = url;
    this.#child = child;
    this.#folder = folder;
  }

  /** `ignored`: what clients say at their start and the pooler leaves out, where it would refuse them. */
  static async start(databaseUrl: string, ignored: readonly string[] = []): Promise<PgBouncer> {
    const { hostname, port, username, password, pathname } = new URL(databaseUrl);
    const [own, folder] = [await freePort(), await mkdtemp(join(tmpdir(), 'gatehouse-pgbouncer-'))];
    const server = `host=${hostname} port=${port || 5432} user=${username}${password ? ` password=${decodeURIComponent(password)}` : ''}`;
    const settings = join(folder, 'pgbouncer.ini');
    await writeFile(
      settings,
      `[databases]
* = ${server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 10
ignore_startup_parameters = ${['extra_float_digits', ...ignored].join()}
`,
    );
    await Promise.all([chmod(folder, 0o755), chmod(settings, 0o644)]);
    // It refuses to run as root.
    const [program = PROGRAM, ...options] =
      process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--', PROGRAM, settings] : [PROGRAM, settings];
    const child = spawn(program, options, { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' });
    let said = '';
    const { promise: isUp, resolve } = Promise.withResolvers<void>();
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('process up')) resolve();
    });
    const ended = once(child, 'close').then(() => Promise.reject(new Error(`PgBouncer ended: ${said}`)));
    ended.catch(() => undefined);
    await Promise.race([isUp, ended]);
    return new PgBouncer(`postgres://anybody@127.0.0.1:${own}${pathname}`, child, folder);
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'close');
    this.#child.kill('SIGTERM');
    await ended;
    await rm(this.#folder, { recursive: true, force: true });
  }
}
