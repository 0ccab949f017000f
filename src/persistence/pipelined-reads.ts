import type { CompiledQuery } from 'kysely';
import { Client, type ClientConfig } from 'pg';
import type { ReadLane } from '../database/read.ts';
import { StatementNames } from './prepared-statements.ts';

const CONNECTIONS = 3;
/** With so many statements on their way, another connection is opened. */
const MANY = 4;
/** With so many, a statement waits shorter for a connection of the pool. */
const MOST = 64;
/** After a failure the pool alone is used for so long; longer each time, where none comes about at all. */
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const SILENCE_MS = 4_000;

/**
 * Statements follow each other without waiting for answers, so none may hold up those behind it: one that meets a lock or
 * takes long is ended, and is the pool's business then. Whatever the parameters are, pages are read along the same index,
 * so a plan is made once a connection.
 *
 * Said as the connection is opened, and not by statements: a pooler between (PgBouncer) would leave those on a connection
 * that it hands to others, who could not write any more. It refuses this, and then the pool reads.
 */
const SETTINGS = {
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  plan_cache_mode: 'force_generic_plan',
  statement_timeout: '2s',
  lock_timeout: '100ms',
  default_transaction_read_only: 'on',
};

/** The server has not heard of a statement's name. */
const UNKNOWN_NAME = '26000';
/** It has: of several that were sent ahead, the first could not be prepared, and a later one was. */
const KNOWN_NAME = '42P05';

/** A few connections of a process on which reads are pipelined (PostgreSQL §55.2.4). They are opened when there is need. */
export class PipelinedReads implements ReadLane {
  readonly #options: ClientConfig;
  readonly #names = new StatementNames();
  readonly #lines: Line[] = [];
  #pausedUntil = 0;
  #pause = PAUSE_MS;
  #isClosed = false;

  constructor(options: ClientConfig) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return !this.#isClosed && this.#names.areKept && performance.now() >= this.#pausedUntil;
  }

  read<Row>(statement: CompiledQuery<Row>): Promise<Row[]> {
    const line = this.#shortest();
    if (!line) return Promise.reject(new Error('No line is ready, or all are long.'));
    return line.send<Row>(statement);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#lines.map((line) => line.close()));
  }

  #shortest(): Line | undefined {
    let shortest: Line | undefined;
    for (const line of this.#lines) if (line.isReady && line.waiting < (shortest?.waiting ?? MOST)) shortest = line;
    const isLong = !shortest || shortest.waiting >= MANY;
    if (isLong && this.#lines.length < CONNECTIONS && this.#lines.every(({ isReady }) => isReady)) this.#open();
    return shortest;
  }

  /** Nobody waits for it: until it is ready, the others do, or the pool. */
  #open(): void {
    const line = new Line(this.#options, this.#names, SETTINGS, {
      onLost: () => {
        this.#lines.splice(this.#lines.indexOf(line), 1);
        this.#pause = line.hasAnswered ? PAUSE_MS : Math.min(2 * this.#pause, LONGEST_PAUSE_MS);
        this.#pausedUntil = performance.now() + this.#pause;
      },
    });
    this.#lines.push(line);
  }
}

/** What becomes of a line. */
interface LineEvents {
  readonly onReady?: () => void;
  readonly onLost: () => void;
}

/** One connection, and what waits for its answers. */
export class Line {
  readonly #client: Client;
  readonly #names: StatementNames;
  readonly #onLost: () => void;
  #watch: NodeJS.Timeout | undefined;
  #answers = 0;
  readonly #prepared = new Set<string>();
  waiting = 0;
  hasAnswered = false;
  isReady = false;

  constructor(
    options: ClientConfig,
    names: StatementNames,
    said: Readonly<Record<string, string>>,
    { onReady, onLost }: LineEvents,
  ) {
    const settings = Object.entries(said).map(([name, value]) => `-c ${name}=${value}`);
    const all = [options.options, ...settings].filter(Boolean).join(' ');
    // A pool shows its password only to those who name it.
    const { password } = options;
    this.#client = new Client({
      ...options,
      ...(password !== undefined && { password }),
      options: all,
      pipeline: true,
    });
    this.#names = names;
    let isLost = false;
    this.#onLost = () => {
      if (isLost) return;
      isLost = true;
      clearInterval(this.#watch);
      onLost();
    };
    // Those who wait hear of it by their statements.
    this.#client.on('error', this.#onLost);
    this.#client.on('end', this.#onLost);
    this.#client.connect((error: Error | null) => {
      if (error) this.#destroy();
      else {
        this.isReady = true;
        onReady?.();
      }
    });
  }

  async send<Row>({ sql: text, parameters }: CompiledQuery<Row>): Promise<Row[]> {
    this.#watch ??= this.#watchOver();
    this.waiting += 1;
    const name = this.#names.nameOf(text);
    const values = [...parameters];
    try {
      const { rows } = await this.#client.query(name === undefined ? { text, values } : { name, text, values });
      this.hasAnswered = true;
      if (name !== undefined) this.#prepared.add(name);
      return rows as Row[];
    } catch (error) {
      if (!this.#isOwnDoing(name, error)) this.#names.failed(text, error);
      throw error;
    } finally {
      this.#answers += 1;
      this.waiting -= 1;
    }
  }

  /** What was sent ahead of it under its name could not be prepared: a lock was in the way. */
  #isOwnDoing(name: string | undefined, error: unknown): boolean {
    const { code } = error as { code?: unknown };
    return code === KNOWN_NAME || (code === UNKNOWN_NAME && name !== undefined && !this.#prepared.has(name));
  }

  async close(): Promise<void> {
    clearInterval(this.#watch);
    await Promise.race([this.#client.end(), new Promise((resolve) => setTimeout(resolve, 500).unref())]);
    this.#destroy();
  }

  /** A server that is silent while somebody waits is gone. */
  #watchOver(): NodeJS.Timeout {
    let seen = -1;
    return setInterval(() => {
      if (this.waiting > 0 && seen === this.#answers) this.#destroy();
      seen = this.waiting > 0 ? this.#answers : -1;
    }, SILENCE_MS).unref();
  }

  #destroy(): void {
    this.#onLost();
    (
      this.#client as unknown as { readonly connection: { readonly stream: { destroy(): void } } }
    ).connection.stream.destroy();
  }
}
