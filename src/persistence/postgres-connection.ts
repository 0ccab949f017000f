import type { Socket } from 'node:net';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { PoolClient } from 'pg';
import { statementLimit } from '../database/deadline.ts';
import { type CancelTarget, cancelStatement } from './cancel-statement.ts';
import type { Congestion } from './congestion.ts';
import type { PoolState } from './pool-state.ts';

/** What `pg` has, and its types do not tell. */
type WireClient = PoolClient & CancelTarget & { readonly connection: { readonly stream: Socket } };

/** A server that has not ended a cancelled statement by then is taken for gone. */
const CANCEL_MILLISECONDS = 2_000;
/** read_only_sql_transaction */
const READ_ONLY = '25006';
const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** One connection of the pool. It ends each statement in its time, and a lost one gives its place back by itself. */
export class PostgresConnection implements DatabaseConnection {
  readonly #client: WireClient;
  readonly #congestion: Congestion;
  readonly #state: PoolState;
  #isHeld = false;
  #isBroken = false;

  constructor(client: PoolClient, congestion: Congestion, state: PoolState) {
    this.#client = client as WireClient;
    this.#congestion = congestion;
    this.#state = state;
    // Its holder may be waiting for somebody else, or never give it back: what is lost holds nobody up.
    client.once('end', () => this.release());
  }

  hold(): this {
    this.#isHeld = true;
    return this;
  }

  /** Does nothing for a connection that is not held any more. */
  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#client.release(this.#isBroken);
  }

  /** Closes it without a word, whatever it is at. */
  destroy(): void {
    this.#isBroken = true;
    this.#client.connection.stream.destroy();
  }

  /** One statement, within the limit of the current flow of execution. */
  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { signal, millisecondsEach } = statementLimit();
    signal?.throwIfAborted();
    let reason: Error | undefined;
    let cancelling: Promise<void> | undefined;
    const { promise: over, resolve: isOver } = Promise.withResolvers<void>();
    const end = (why: Error): void => {
      reason ??= why;
      cancelling ??= this.#cancel(over);
    };
    const leave = this.#congestion.enter(sql, end);
    const onAbort = (): void => end(signal?.reason);
    signal?.addEventListener('abort', onAbort);
    const timer =
      signal || millisecondsEach === Number.POSITIVE_INFINITY
        ? undefined
        : setTimeout(() => end(tooLong(millisecondsEach)), millisecondsEach);
    try {
      return await this.#send<Row>(sql, parameters);
    } catch (error) {
      this.#noticeFailure(error);
      throw reason ?? error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      leave();
      isOver();
      await cancelling;
    }
  }

  /** `commit` and `rollback` are never cancelled, since nobody would know what became of them; a server that is silent is left. */
  async finish(command: 'commit' | 'rollback', milliseconds: number): Promise<void> {
    const timer = setTimeout(() => this.destroy(), milliseconds);
    try {
      await this.#send(command, []);
    } finally {
      clearTimeout(timer);
    }
  }

  // oxlint-disable-next-line require-yield -- the interface wants a generator
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Rows are not streamed; read them by pages.');
  }

  #noticeFailure(error: unknown): void {
    this.#state.failed(error);
    // After a failover another server may be the one to write to: a new connection finds it.
    if ((error as { readonly code?: unknown }).code === READ_ONLY) this.#isBroken = true;
  }

  async #send<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    const { command, rowCount, rows } = await this.#client.query(sql, [...parameters]);
    return { rows: rows ?? [], ...(CHANGES.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) };
  }

  /**
   * Resolves when the request to cancel can hit no later statement. If the server takes neither the request nor an end of
   * the statement, the connection is closed.
   */
  async #cancel(over: Promise<void>): Promise<void> {
    const timer = setTimeout(() => this.destroy(), CANCEL_MILLISECONDS);
    await Promise.all([over, cancelStatement(this.#client, CANCEL_MILLISECONDS).catch(() => this.destroy())]);
    clearTimeout(timer);
  }
}

function tooLong(milliseconds: number): Error {
  const message = `A statement took more than ${milliseconds / 1000} seconds and was cancelled.`;
  return Object.assign(new Error(message), { code: '57014' });
}
