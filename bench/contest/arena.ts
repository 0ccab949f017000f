/** Prepares a contest: both databases, filled once and kept, the tokens, and the processes of the contestants. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { connect, type Database } from '../../src/persistence/connect.ts';
import { freePort } from '../../test/support/process.ts';
import { onServer, postgresSettings } from '../../test/support/settings.ts';
import { filling } from '../filled.ts';
import type { Contestant } from './contestants.ts';
import { fillGatehouse, GatehouseTokens, ISSUER, SECRET_KEY } from './gatehouse-rows.ts';
import { peerTokens } from './peer-tokens.ts';
import { USERS } from './rows.ts';

const PEERS = join(import.meta.dirname, '../peers');
const OURS = ['../../src/persistence/migrations/initial-schema.ts', 'gatehouse-rows.ts', 'rows.ts'];
const THEIRS = ['../peers/schema.sql', '../peers/tokens.sql', 'rows.ts'];
/** The tables in which loads leave rows behind. */
const GIVEN_OUT = {
  ours: 'oauth_interactions, oauth_codes, oauth_grants, oauth_revocations',
  peers: 'bench.oauth_refresh_tokens, bench.oauth_codes, bench.oidc_store, bench.lib_tokens, bench.lib_codes',
};

export interface Running {
  readonly name: string;
  readonly child: ChildProcess;
  readonly port: number;
}

interface Urls {
  readonly peers: string;
  readonly ours: string;
}

export class Arena {
  readonly folder = mkdtempSync(join(tmpdir(), 'gatehouse-contest-'));
  readonly #urls: Urls;
  readonly #running: Running[] = [];
  readonly #database: Database;
  readonly gatehouse: GatehouseTokens;
  readonly tokens: Readonly<
    Record<'gatehouse' | 'shared', { readonly tokens: readonly string[]; readonly weak: string }>
  >;
  readonly #postmaster: number;

  private constructor(
    urls: Urls,
    database: Database,
    gatehouse: GatehouseTokens,
    tokens: Arena['tokens'] & { readonly shared: { readonly key: string } },
    postmaster: number,
  ) {
    this.#urls = urls;
    this.#database = database;
    this.gatehouse = gatehouse;
    this.tokens = tokens;
    this.#postmaster = postmaster;
    this.write('key.json', tokens.shared.key);
  }

  static async open(serverUrl: string): Promise<Arena> {
    const peersUrl = postgresSettings(serverUrl, await kept(serverUrl, 'peers', THEIRS, fillPeers)).databaseUrl ?? '';
    const ours = postgresSettings(serverUrl, await kept(serverUrl, 'ours', OURS, fillOurs));
    const database = await connect(ours);
    const gatehouse = await GatehouseTokens.open(database.em.fork());
    const tokens = { gatehouse: await gatehouse.accessTokens(), shared: await peerTokens() };
    const [file] = await ask<{ file: string }>(serverUrl, `select pg_read_file('postmaster.pid', 0, 20) as file`);
    const urls = { peers: peersUrl, ours: ours.databaseUrl ?? '' };
    return new Arena(urls, database, gatehouse, tokens, Number.parseInt(file?.file ?? '', 10));
  }

  /** A file that peers and load read. @returns its path */
  write(name: string, content: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, content);
    return path;
  }

  async start(
    name: string,
    { script, env = {}, isGatehouse }: Contestant,
    flags: readonly string[] = [],
  ): Promise<Running> {
    const port = await freePort();
    const own = isGatehouse ? { SECRET_KEY, PUBLIC_URL: ISSUER, LOG_LEVEL: 'error', DATA_DIR: this.folder } : {};
    const child = spawn(process.execPath, [...flags, join(PEERS, script)], {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        DATABASE_URL: isGatehouse ? this.#urls.ours : this.#urls.peers,
        BENCH_STATE: this.folder,
        PORT: String(port),
        ...own,
        ...env,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const running = { name, child, port };
    this.#running.push(running);
    for (let tries = 0; tries < 600; tries += 1) {
      if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}.`);
      const isUp = await fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      );
      if (isUp) return running;
      await pause(100);
    }
    throw new Error(`${name} did not start within a minute.`);
  }

  /** CPU that a process with its children, and PostgreSQL, use meanwhile, in µs. */
  async cpuOf<Result>(
    { child }: Running,
    run: () => Promise<Result>,
  ): Promise<{ result: Result; server: number; postgres: number }> {
    const before = [ticksOf(child.pid), childTicks(this.#postmaster)] as const;
    const result = await run();
    const after = [ticksOf(child.pid), childTicks(this.#postmaster)] as const;
    // A backend that has ended meanwhile is left out, a new one counts from zero.
    const postgres = [...after[1]].reduce((sum, [pid, ticks]) => sum + ticks - (before[1].get(pid) ?? 0), 0);
    return { result, server: (after[0] - before[0]) * MICROSECONDS_A_TICK, postgres: postgres * MICROSECONDS_A_TICK };
  }

  residentMegabytes({ child }: Running): number {
    return (statOf(child.pid)?.resident ?? 0) / 2 ** 20;
  }

  async close(): Promise<void> {
    for (const { child } of this.#running) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill();
      await Promise.race([ended, pause(5_000)]);
      child.kill('SIGKILL');
    }
    await this.gatehouse.close();
    await this.#database.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/**
 * Filling takes a while, so a database stays, under the name of what it was filled by. Without the tokens of earlier runs,
 * unless another run is using it: accounts that have more and more grants take longer and longer. @returns its name
 */
async function kept(
  serverUrl: string,
  kind: keyof typeof GIVEN_OUT,
  sources: readonly string[],
  fill: (serverUrl: string, name: string) => Promise<void>,
): Promise<string> {
  const hash = createHash('sha256');
  for (const source of sources) hash.update(readFileSync(join(import.meta.dirname, source)));
  const name = `gatehouse_contest_${kind}_${hash.digest('hex').slice(0, 8)}`;
  const found = await ask(serverUrl, `select from pg_database where datname = '${name}'`);
  if (found.length > 0) {
    const users = `select from pg_stat_activity where datname = '${name}' and backend_type = 'client backend'`;
    if ((await ask(serverUrl, users)).length === 0)
      await onServer(postgresSettings(serverUrl, name).databaseUrl ?? '', `truncate ${GIVEN_OUT[kind]}`);
    return name;
  }
  console.log(`Filling ${name}`);
  const half = `${name}_half`;
  await onServer(serverUrl, `drop database if exists ${half} with (force)`);
  await onServer(serverUrl, `create database ${half}`);
  await fill(serverUrl, half);
  await onServer(postgresSettings(serverUrl, half).databaseUrl ?? '', 'vacuum analyze');
  await onServer(serverUrl, `alter database ${half} rename to ${name}`);
  return name;
}

async function fillPeers(serverUrl: string, name: string): Promise<void> {
  const url = postgresSettings(serverUrl, name).databaseUrl ?? '';
  const sql = ['schema.sql', 'tokens.sql'].map((file) => readFileSync(join(PEERS, file), 'utf8'));
  await onServer(url, `set bench.users = ${USERS}; ${sql.join('\n')}`);
}

async function fillOurs(serverUrl: string, name: string): Promise<void> {
  const database = await connect(postgresSettings(serverUrl, name));
  await filling(database.em.fork(), fillGatehouse);
  await database.close();
}

async function ask<Row>(url: string, statement: string): Promise<Row[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query(statement)).rows as Row[];
  } finally {
    await client.end();
  }
}

const MICROSECONDS_A_TICK = 10_000;
const PAGE_BYTES = 4_096;

function statOf(pid: number | string | undefined): { parent: number; ticks: number; resident: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const at = (index: number): number => Number(fields[index]);
    return { parent: at(1), ticks: at(11) + at(12), resident: at(21) * PAGE_BYTES };
  } catch {
    return undefined;
  }
}

function childTicks(parent: number | undefined): Map<string, number> {
  const ticks = new Map<string, number>();
  for (const pid of readdirSync('/proc')) {
    const stat = /^\d+$/.test(pid) ? statOf(pid) : undefined;
    if (stat?.parent === parent) ticks.set(pid, stat?.ticks ?? 0);
  }
  return ticks;
}

function ticksOf(pid: number | undefined): number {
  return [...childTicks(pid).values()].reduce((sum, ticks) => sum + ticks, statOf(pid)?.ticks ?? 0);
}
