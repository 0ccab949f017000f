import { DatabaseError } from 'pg';
import { InDoubt } from '../../database/database-away.ts';
import { NotCommitted, type WriteLane } from '../../database/lanes.ts';
import type { Compiled } from '../../database/sql.ts';
import { Lane, Line } from './line.ts';

const CONNECTIONS = 2;
/** The most changes that share a commit. */
const MOST_AT_ONCE = 50;
/**
 * With more changes than so many, half wait for the next commit: server and process then work at the same time, not in
 * turns.
 */
const FEW = 6;
/** With this many changes waiting, each waits shorter for a connection of the pool. */
const MOST_WAITING = 200;
/** With this many changes on their way, another connection is opened. */
const MANY = 4;

/** The SQLSTATEs of statements that have met nothing but their own mistake. */
const OWN_MISTAKES = /^(?:2[236]|42P05)/;

/** By SQLSTATE: the connection, a transaction that took too long, resources, shutdowns, the system, faults of the server's own. */
const MAY_END_CONNECTION = /^(?:$|08|25P0[34]|53|57P|58|XX)/;

interface Waiting {
  readonly statement: Compiled<unknown>;
  readonly order: string;
  readonly resolve: (rows: never[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Changes that wait at the same moment go to the server in one transaction and one round trip. Nobody waits for company: the
 * changes that are there when a connection is free are sent at once. If one of them fails, none is carried out, and each caller
 * is told that it was not committed. Where the connection was lost, nobody knows, and each caller is told that.
 */
export class SharedCommits extends Lane implements WriteLane {
  readonly #free: Line[] = [];
  protected readonly lines = new Set<Line>();
  readonly #waiting: Waiting[] = [];

  write<Row>(statement: Compiled<Row>, order: string): Promise<Row[]> {
    const { promise, resolve, reject } = Promise.withResolvers<Row[]>();
    if (this.lines.size === 0) this.#open();
    if (!this.#hasReady() || this.#waiting.length >= MOST_WAITING) {
      return Promise.reject(new NotCommitted('No line is ready, or too many wait for it.'));
    }
    this.#waiting.push({ statement, order, resolve, reject });
    // The changes of one turn go together.
    if (this.#waiting.length === 1) setImmediate(() => this.#begin());
    return promise;
  }

  #hasReady(): boolean {
    for (const { isReady } of this.lines) if (isReady) return true;
    return false;
  }

  /** Nobody waits for it: until it is ready, the pool is used. */
  #open(): void {
    const line = new Line(this.parts, {
      onPooled: this.giveUp,
      onReady: () => {
        this.#free.push(line);
        this.#begin();
      },
      onLost: () => {
        this.lines.delete(line);
        const at = this.#free.indexOf(line);
        if (at >= 0) this.#free.splice(at, 1);
        this.pause.afterLossOf(line);
        this.#sendAway();
      },
    });
    this.lines.add(line);
  }

  /** The changes that wait go by the pool, and so do those that come while it pauses. */
  #sendAway(): void {
    for (const { reject } of this.#waiting.splice(0))
      reject(new NotCommitted('The line is lost, or locks are in the way.'));
  }

  #begin(): void {
    for (let line = this.#free.pop(); line !== undefined; line = this.#free.pop()) {
      if (this.#waiting.length === 0) {
        this.#free.push(line);
        return;
      }
      const half = Math.ceil(this.#waiting.length / 2);
      void this.#carryOut(line, this.#waiting.splice(0, Math.min(Math.max(half, FEW), MOST_AT_ONCE)));
    }
    const isLong = this.#waiting.length >= MANY && this.lines.size < CONNECTIONS;
    if (isLong && [...this.lines].every(({ isReady }) => isReady)) this.#open();
  }

  async #carryOut(line: Line, batch: Waiting[]): Promise<void> {
    if (batch.length > 1) batch.sort((a, b) => (a.order < b.order ? -1 : 1));
    try {
      const answers = await line.sendTogether(batch.map(({ statement }) => statement));
      batch.forEach(({ resolve }, index) => resolve(answers[index] as never[]));
    } catch (error) {
      // A change that something else holds up holds up those that share its commit.
      if (!isOwnMistake(error)) {
        this.pause.begin();
        this.#sendAway();
      }
      // An error of the server means that it has rolled back. Where the connection was lost, nobody knows.
      const reason = isRefusedByServer(error)
        ? new NotCommitted('It was not committed.', { cause: error })
        : new InDoubt('The connection was lost before the server said whether this was committed.', { cause: error });
      for (const { reject } of batch) reject(reason);
    }
    if (this.lines.has(line)) this.#free.push(line);
    this.#begin();
  }
}

/**
 * Whether the server has refused and rolled back, and goes on. Not when it ends the connection with its error, or may: what
 * became of a commit is not said then. By SQLSTATE, since what it calls the severity is in its own language.
 */
export function isRefusedByServer(error: unknown): boolean {
  return error instanceof DatabaseError && !MAY_END_CONNECTION.test(error.code ?? '');
}

function isOwnMistake(error: unknown): boolean {
  return OWN_MISTAKES.test(String((error as { readonly code?: unknown }).code));
}
