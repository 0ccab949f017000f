import { execFile } from 'node:child_process';
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from './process.ts';

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;

/** A PostgreSQL of a test's own, to which everything may happen. */
export class PostgresCluster {
  readonly url: string;
  readonly #programs: string;
  readonly #folder: string;
  readonly #options: string;

  private constructor(programs: string, folder: string, port: number) {
    this.#programs = programs;
    this.#folder = folder;
    this.#options = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories='' -c max_connections=100`;
    this.url = `postgres://gatehouse@127.0.0.1:${port}/postgres`;
  }

  /** `folder` must be empty; left out, it is a temporary one. */
  static async start(folder?: string): Promise<PostgresCluster> {
    const { stdout } = await run('sh', ['-c', 'ls -d /usr/lib/postgresql/*/bin | sort -V | head -n 1']);
    const home = folder ?? (await mkdtemp(join(tmpdir(), 'gatehouse-cluster-')));
    if (isRoot) await chown(home, Number((await run('id', ['-u', 'postgres'])).stdout), 0);
    const cluster = new PostgresCluster(stdout.trim(), home, await freePort());
    await cluster.#asPostgres('initdb', [
      `--pgdata=${cluster.#data}`,
      '--username=gatehouse',
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
    ]);
    await cluster.#control('start');
    return cluster;
  }

  /** As after a crash: nothing is said to anybody, and the log is read again. */
  async restartImmediately(): Promise<void> {
    await this.#control('restart', '--mode=immediate');
  }

  /** Stops it, and what it still has open. */
  async stop(): Promise<void> {
    await this.#control('stop', '--mode=immediate').catch(() => undefined);
    await rm(this.#folder, { recursive: true, force: true });
  }

  async crash(): Promise<void> {
    await this.#control('stop', '--mode=immediate');
  }

  async startAgain(): Promise<void> {
    await this.#control('start');
  }

  /** Every process of it, as a machine that swaps or is moved. */
  async freeze(): Promise<void> {
    await this.#signal('STOP');
  }

  async thaw(): Promise<void> {
    await this.#signal('CONT');
  }

  /** What an operator's own session does. */
  async operate<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    const client = new Client({ connectionString: this.url, application_name: 'operator' });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  async #signal(signal: 'STOP' | 'CONT'): Promise<void> {
    const [postmaster = ''] = (await readFile(join(this.#data, 'postmaster.pid'), 'utf8')).split('\n');
    const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', postmaster]);
    const children = stdout.split('\n').map(Number).filter(Boolean);
    for (const pid of [Number(postmaster), ...children]) {
      try {
        process.kill(pid, `SIG${signal}`);
      } catch {
        // A backend that has ended meanwhile.
      }
    }
  }

  #control(command: string, ...options: string[]): Promise<unknown> {
    return this.#asPostgres('pg_ctl', [
      command,
      '--wait',
      '--silent',
      `--pgdata=${this.#data}`,
      `--log=${join(this.#folder, 'log')}`,
      `--options=${this.#options}`,
      ...options,
    ]);
  }

  /** PostgreSQL refuses to run as root. */
  #asPostgres(program: string, options: readonly string[]): Promise<unknown> {
    const path = join(this.#programs, program);
    const command = [path, ...options] as const;
    const [file, ...rest] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command;
    return run(file ?? '', rest, { cwd: '/' });
  }
}
