import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { endsWithFile } from './ends-with-file.ts';
import { freePort } from './process.ts';

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;

/** The folder of initdb and pg_ctl, which Debian keeps off the PATH; of several versions the oldest. Undefined: not there. */
export const POSTGRES_PROGRAMS: string | undefined = globSync('/usr/lib/postgresql/*/bin/initdb')
  .map((path) => dirname(path))
  .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))[0];

/** A PostgreSQL of a test's own, to which everything may happen. */
export class PostgresCluster {
  readonly url: string;
  readonly #folder: string;
  readonly #options: string;
  #hasEnded: () => void = () => undefined;
  #hasCrashed = false;
  #hasOwnDisk = false;

  private constructor(folder: string, port: number, settings: readonly string[]) {
    this.#folder = folder;
    const all = ['listen_addresses=127.0.0.1', `port=${port}`, "unix_socket_directories=''", ...settings];
    this.#options = all.map((setting) => `-c ${setting}`).join(' ');
    this.url = `postgres://gatehouse@127.0.0.1:${port}/postgres`;
  }

  /** `megabytes`: on a disk of its own of this size, which only root can mount */
  static async start(settings: readonly string[] = [], megabytes?: number): Promise<PostgresCluster> {
    const folder = await newFolder();
    if (megabytes !== undefined) await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
    if (megabytes !== undefined && isRoot) await giveToPostgres(folder);
    const cluster = new PostgresCluster(folder, await freePort(), settings);
    const options = ['--username=gatehouse', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'];
    await asPostgres('initdb', [`--pgdata=${cluster.#data}`, ...options]);
    await cluster.#control('start');
    cluster.#hasEnded = endsWithFile(() => cluster.#quit());
    cluster.#hasOwnDisk = megabytes !== undefined;
    return cluster;
  }

  /** Writes a file beside it until nothing more fits on its disk. @returns what makes room again, and has it start if it did not outlive that */
  async fillDisk(): Promise<() => Promise<void>> {
    const path = join(this.#folder, 'filler');
    await run('dd', ['if=/dev/zero', `of=${path}`, 'bs=64k']).catch(() => undefined);
    return async () => {
      await rm(path);
      const isUp = await this.operate(async () => true).catch(() => false);
      if (!isUp) await this.restartImmediately();
    };
  }

  /** A standby of this cluster, which has all that is committed here from now on before that is told. */
  async startStandby(): Promise<PostgresCluster> {
    const folder = await newFolder();
    const standby = new PostgresCluster(folder, await freePort(), []);
    const { port } = new URL(this.url);
    const from = ['--host=127.0.0.1', `--port=${port}`, '--username=gatehouse'];
    await asPostgres('pg_basebackup', [
      ...from,
      `--pgdata=${standby.#data}`,
      '--checkpoint=fast',
      '--write-recovery-conf',
    ]);
    await standby.#control('start');
    standby.#hasEnded = endsWithFile(() => standby.#quit());
    await this.operate(async (operator) => {
      await operator.query(`alter system set synchronous_standby_names = '*'`);
      await operator.query('select pg_reload_conf()');
    });
    return standby;
  }

  async promote(): Promise<void> {
    await this.#control('promote');
  }

  /** Does what a managed service does to a primary that is to be one no more: it stays up. */
  async becomeReadOnly(): Promise<void> {
    await this.operate(async (operator) => {
      await operator.query('alter system set default_transaction_read_only = on');
      await operator.query('select pg_reload_conf()');
    });
  }

  /** As after a crash: nothing is said to anybody, and the log is read again. */
  async restartImmediately(): Promise<void> {
    await this.#control('restart', '--mode=immediate');
  }

  /** As a machine that fails: nothing is said to anybody, and nobody listens any more. */
  async crash(): Promise<void> {
    this.#hasCrashed = true;
    await this.#control('stop', '--mode=immediate');
  }

  async stop(): Promise<void> {
    if (!this.#hasCrashed) await this.#control('stop', '--mode=immediate');
    this.#hasEnded();
    if (this.#hasOwnDisk) await run('umount', [this.#folder]);
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Every process of it stands still, as on a machine that swaps or is moved. */
  async freeze(): Promise<void> {
    await this.#signal('STOP');
  }

  async thaw(): Promise<void> {
    await this.#signal('CONT');
  }

  /** The ids of its processes now. */
  processes(): number[] {
    const postmaster = this.#postmaster;
    if (postmaster === undefined) return [];
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').split(' ');
    return [postmaster, ...children.filter(Boolean).map(Number)];
  }

  /** Works in an operator's own session. */
  async operate<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    const client = new Client({ connectionString: this.url, application_name: 'operator' });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  /** At once, also while this process ends. */
  #quit(): void {
    const postmaster = this.#postmaster;
    if (postmaster !== undefined) process.kill(postmaster, 'SIGQUIT');
  }

  get #postmaster(): number | undefined {
    const path = join(this.#data, 'postmaster.pid');
    return existsSync(path) ? Number.parseInt(readFileSync(path, 'utf8'), 10) : undefined;
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  /** The postmaster first, so that it makes no more of them meanwhile. */
  async #signal(signal: 'STOP' | 'CONT'): Promise<void> {
    const postmaster = this.#postmaster;
    if (postmaster === undefined) throw new Error('The server does not run.');
    process.kill(postmaster, `SIG${signal}`);
    const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(postmaster)]);
    // Some have ended meanwhile: the postmaster, awake again, has been told to cancel what they were at.
    await run('kill', ['-s', signal, ...stdout.split('\n').filter(Boolean)]).catch(() => undefined);
  }

  #control(command: string, ...options: string[]): Promise<unknown> {
    const where = [`--pgdata=${this.#data}`, `--log=${join(this.#folder, 'log')}`, `--options=${this.#options}`];
    return asPostgres('pg_ctl', [command, '--wait', '--silent', ...where, ...options]);
  }
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-cluster-'));
  if (isRoot) await giveToPostgres(folder);
  return folder;
}

async function giveToPostgres(folder: string): Promise<void> {
  await chown(folder, Number((await run('id', ['-u', 'postgres'])).stdout), 0);
}

/** PostgreSQL refuses to run as root. */
function asPostgres(program: string, options: readonly string[]): Promise<unknown> {
  const path = join(POSTGRES_PROGRAMS ?? '', program);
  return isRoot
    ? run('runuser', ['-u', 'postgres', '--', path, ...options], { cwd: '/' })
    : run(path, [...options], { cwd: '/' });
}
