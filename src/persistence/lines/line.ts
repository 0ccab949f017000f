/**
 * lines/ holds connections to a PostgreSQL server beside the pool, on which statements follow each other without waiting for
 * answers: short reads on some, changes that share commits on others.
 */
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import { Client, type ClientConfig } from 'pg';
import { type DatabaseError, serialize } from 'pg-protocol';
import { MovedAway } from '../../database/database-away.ts';
import type { Compiled } from '../../database/sql.ts';
import { StatementNames } from '../prepared-statements.ts';
import type { ServerWatch } from '../server-watch.ts';
import { type Message, MessageReader, WireMessages } from '../wire-messages.ts';
import { GroupedStatement, SentNames, StatementGroup } from './statement-group.ts';

const SILENCE_MS = 4_000;

/**
 * Statements follow each other without waiting for answers, so none may hold up those behind it: one that meets a lock or
 * takes long is ended, and is the pool's business then. Whatever the parameters are, rows are found along the same index,
 * so a plan is made once a connection.
 *
 * Said as the connection is opened, and not by statements: a pooler between (PgBouncer) would leave those on a connection
 * that it hands to others. It refuses this, or leaves it out; then the pool alone is used.
 */
const LINE_SETTINGS = {
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  plan_cache_mode: 'force_generic_plan',
  statement_timeout: '2s',
  lock_timeout: '100ms',
};

/** The server has not heard of a statement's name. */
const UNKNOWN_NAME = '26000';
/** It has: of several that were sent ahead, the first could not be prepared, and a later one was. */
const KNOWN_NAME = '42P05';

/** By SQLSTATE: a statement was ended at a lock, or when its time was over. */
const HELD_UP = ['55P03', '57014'];

const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** After a failure the pool alone is used for a while; longer each time, where no connection comes about at all. */
class Pause {
  #until = 0;
  #milliseconds = PAUSE_MS;

  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  end(): void {
    this.#until = 0;
  }

  begin(milliseconds = PAUSE_MS): void {
    this.#milliseconds = milliseconds;
    this.#until = performance.now() + milliseconds;
  }

  afterLossOf({ hasAnswered }: Line): void {
    this.begin(hasAnswered ? PAUSE_MS : Math.min(2 * this.#milliseconds, LONGEST_PAUSE_MS));
  }
}

/** The lines of a lane share these. */
interface LineParts {
  readonly options: ClientConfig;
  readonly names: StatementNames;
  readonly watch: ServerWatch;
  /** They carry out no statement that looks like a change. */
  readonly isForReads?: boolean;
}

/** A line calls these when its state changes. */
interface LineEvents {
  readonly onReady?: () => void;
  readonly onLost: () => void;
  /** A pooler stands between: it keeps neither names nor settings, and none of these is of use. */
  readonly onPooled?: () => void;
  /** A statement has met a lock, or taken too long. */
  readonly onHeldUp?: (text: string) => void;
}

/** A statement that changes or locks rows, or looks like it. */
const MAY_CHANGE = /\b(?:insert|update|delete|merge|share)\b/i;

/**
 * One connection, and what waits for its answers. `pg` opens it: addresses, TLS, passwords. Once it is open, nothing is asked by
 * `pg` any more: messages are written and read here, by pg-protocol, but for rows, which stay as they came.
 */
export class Line {
  readonly #client: Client;
  readonly #names: StatementNames;
  readonly #parts: LineParts;
  readonly #onLost: () => void;
  readonly #onHeldUp: ((text: string) => void) | undefined;
  #watch: NodeJS.Timeout | undefined;
  #answers = 0;
  readonly #prepared = new Set<string>();
  readonly #sent = new SentNames();
  readonly #reader = new MessageReader();
  /** In the order in which the server answers them. */
  readonly #groups: StatementGroup[] = [];
  waiting = 0;
  hasAnswered = false;
  isReady = false;
  #isHeld = false;
  #hasMoved = false;

  constructor(parts: LineParts, { onReady, onLost, onPooled, onHeldUp }: LineEvents) {
    const { options, names, watch } = parts;
    const settings = Object.entries(LINE_SETTINGS).map(([name, value]) => `-c ${name}=${value}`);
    const all = [options.options, ...settings].filter(Boolean).join(' ');
    // The password is not enumerable on a pool's options, so a spread leaves it out.
    const { password } = options;
    this.#client = new Client({ ...options, ...(password !== undefined && { password }), options: all });
    this.#parts = parts;
    this.#names = names;
    this.#onHeldUp = onHeldUp;
    let isLost = false;
    this.#onLost = () => {
      if (isLost) return;
      isLost = true;
      clearInterval(this.#watch);
      onLost();
      const error = new Error('The connection was lost.');
      for (const group of this.#groups.splice(0)) group.fail(error, this.#sent);
    };
    // The callers who wait hear of it by their statements.
    this.#client.on('error', this.#onLost);
    this.#client.on('end', this.#onLost);
    const admit = async (): Promise<void> => {
      await this.#client.connect();
      this.#takeOver();
      const { pid } = await watch.admit(async (text) => (await this.sendTogether([CompiledQuery.raw(text)]))[0] ?? []);
      if (pid !== (this.#client as Client & { readonly processID: number }).processID) {
        onPooled?.();
        return this.#destroy();
      }
      this.isReady = true;
      onReady?.();
    };
    admit().catch(() => this.#destroy());
  }

  /** The server is not the one to write to any more: what it may still answer is told to nobody. */
  leave(): void {
    this.#hasMoved = true;
    this.#destroy();
  }

  /** The rows of a `Selection` are decoded when they are asked for. */
  async send<Row>(statement: Compiled<Row>): Promise<Row[]> {
    const [answered] = await this.#carryOut([statement], statement.parts !== undefined);
    return answered?.rows as Row[];
  }

  /** These in one transaction and one round trip, of which all is done or nothing. @returns the rows of each */
  async sendTogether(statements: readonly Compiled<unknown>[]): Promise<object[][]> {
    const answered = await this.#carryOut(statements, false);
    return answered.map(({ rows }) => rows);
  }

  async #carryOut(statements: readonly Compiled<unknown>[], isForBytes: boolean): Promise<readonly GroupedStatement[]> {
    this.#watch ??= this.#watchOver();
    this.waiting += statements.length;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    try {
      const group = statements.map((statement) => this.#grouped(statement, isForBytes));
      this.#send(
        new StatementGroup(group, ({ answered, error }) => {
          this.#learn(group, answered, error);
          if (error) reject(error);
          else resolve();
        }),
      );
      await promise;
      if (this.#hasMoved) throw new MovedAway('the database has moved to another server');
      return group;
    } finally {
      this.#answers += 1;
      this.waiting -= statements.length;
    }
  }

  #grouped({ sql: text, parameters, parts }: Compiled<unknown>, isForBytes: boolean): GroupedStatement {
    const name = this.#names.nameOf(text);
    const isPrepared = name !== undefined && this.#prepared.has(name);
    const shape = this.#names.shapes.get(text);
    if (shape === undefined && this.#parts.isForReads && MAY_CHANGE.test(text)) {
      throw new Error('A statement that changes or locks rows was sent as a read.');
    }
    return new GroupedStatement({ name, text, values: parameters, parts }, { shape, isPrepared, isForBytes });
  }

  #send(group: StatementGroup): void {
    const { stream } = this.#client.connection;
    if (stream.destroyed) return group.fail(new Error('The connection is lost.'), this.#sent);
    this.#holdForTurn(stream);
    this.#groups.push(group);
    group.send(stream, this.#sent);
  }

  /** From here on, `pg` hears nothing of the connection but its end. */
  #takeOver(): void {
    const { stream } = this.#client.connection;
    const messages = new WireMessages(
      (row) => this.#groups[0]?.current?.add(row),
      (bytes) => this.#reader.read(bytes, this.#take),
    );
    stream.removeAllListeners('data');
    stream.on('data', (chunk: Buffer) => messages.read(chunk));
  }

  readonly #take = (message: Message | DatabaseError): void => {
    if ('parameterName' in message) return this.#parts.watch.reported(message);
    if (this.#groups[0]?.take(message, this.#sent, this.#decoderOf)) this.#groups.shift();
  };

  readonly #decoderOf = (oid: number): ((text: string) => unknown) => this.#client.getTypeParser(oid);

  #learn(group: readonly GroupedStatement[], answered: number, error: Error | undefined): void {
    for (const { name, text, shape, isDescribed } of group.slice(0, answered)) {
      this.hasAnswered = true;
      if (name !== undefined) this.#prepared.add(name);
      if (!isDescribed) this.#names.shapes.set(text, shape);
    }
    if (error) this.#parts.watch.failed(error);
    const failed = error && group[answered];
    if (failed && HELD_UP.includes((error as DatabaseError).code ?? '')) this.#onHeldUp?.(failed.text);
    if (failed && !this.#isOwnDoing(failed.name, error)) this.#names.failed(failed.text, error);
  }

  /**
   * Sends everything of one turn of the event loop in one piece: each piece is a call of the system, here and on the
   * server.
   */
  #holdForTurn(stream: Duplex): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    stream.cork();
    setImmediate(() => {
      this.#isHeld = false;
      stream.uncork();
    });
  }

  /** Whether the line itself is why it failed: the statement that prepares its name was sent ahead, and a lock was in its way. */
  #isOwnDoing(name: string | undefined, error: unknown): boolean {
    const { code } = error as { code?: unknown };
    return code === KNOWN_NAME || (code === UNKNOWN_NAME && name !== undefined && !this.#prepared.has(name));
  }

  /** The server answers whatever waits before it hears of the end. */
  async close(): Promise<void> {
    clearInterval(this.#watch);
    const { stream } = this.#client.connection;
    if (this.isReady && !stream.destroyed) {
      const closed = new Promise((resolve) => stream.once('close', resolve));
      stream.write(serialize.end());
      await Promise.race([closed, pause(500, undefined, { ref: false })]);
    }
    this.#destroy();
  }

  /** A server that is silent while somebody waits is gone. */
  #watchOver(): NodeJS.Timeout {
    let seen = -1;
    return setInterval(() => {
      if (this.waiting > 0 && seen === this.#answers) {
        this.#parts.watch.fellSilent();
        this.#destroy();
      }
      seen = this.waiting > 0 ? this.#answers : -1;
    }, SILENCE_MS).unref();
  }

  #destroy(): void {
    this.#onLost();
    this.#client.connection.stream.destroy();
  }
}

/** The lines of one purpose: they know the same names of statements, and are left alone together for a while after a loss. */
export abstract class Lane {
  protected abstract readonly lines: Iterable<Line>;
  protected readonly parts: LineParts;
  protected readonly pause = new Pause();
  #isClosed = false;

  constructor(options: ClientConfig, watch: ServerWatch, isForReads = false) {
    this.parts = { options, watch, names: new StatementNames(), isForReads };
    watch.onMove(() => {
      const lines = [...this.lines];
      for (const line of lines) line.leave();
      this.pause.end();
    });
  }

  get isOpen(): boolean {
    return !this.#isClosed && this.parts.names.areKept && this.pause.isOver && !this.parts.watch.isSilent;
  }

  /** For good: the pool alone is used. */
  protected readonly giveUp = (): void => {
    this.#isClosed = true;
  };

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.lines].map((line) => line.close()));
  }
}
