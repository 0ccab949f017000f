import { setTimeout as pause } from 'node:timers/promises';
import { CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely';
import { Connection, DatabaseError, type QueryResult as PgResult, type PoolClient } from 'pg';
import { inTime } from '../core/in-time.ts';
import { InDoubt, MovedAway } from '../database/database-away.ts';
import { statementLimit } from '../database/deadline.ts';
import { USER_CHANGES } from '../modules/accounts/user.entity.ts';
import type { Congestion } from './congestion.ts';
import { isRefusedByServer } from './lines/shared-commits.ts';
import type { PoolState } from './pool-state.ts';
import { isNotKept, type StatementNames } from './prepared-statements.ts';
import type { ServerWatch } from './server-watch.ts';

/** `pg` has these, though its types do not say so. */
type WireClient = PoolClient & CancelTarget;

/** How long a server has to end a cancelled statement before it is taken for gone. */
const CANCEL_MILLISECONDS = 2_000;
/** How long a server is asked whether it has ended the connection with an error, or goes on. */
const GOES_ON_MILLISECONDS = 1_000;
/** `pg` says this of a connection that is gone already. */
const NEVER_SENT = /not queryable/;
const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);
/** A statement that changes rows, or looks like it. */
const MAY_CHANGE = /\b(?:insert|update|delete|merge)\b/i;
/** Changes of the table whose changes processes hear of (the trigger `users_changes`), wherever a statement makes them. */
const CHANGES_USERS = /\b(?:update|delete\s+from|merge\s+into)\s+(?:only\s+)?"?users\b/i;

/** The connections of a pool share these. */
export interface PoolParts {
  readonly congestion: Congestion;
  readonly state: PoolState;
  readonly watch: ServerWatch;
  readonly names: StatementNames;
  /** Told which changes this process has made, before its caller is. */
  readonly onChange: (channel: string) => void;
}

/** One connection of the pool. It ends each statement in its time, and a lost one gives its place back by itself. */
export class PostgresConnection implements DatabaseConnection {
  readonly #client: WireClient;
  readonly #parts: PoolParts;
  /** A pooler stands between: each transaction may be another server connection's. */
  readonly #isPooled: boolean;
  #isHeld = false;
  #isBroken = false;
  #hasMoved = false;
  #isInTransaction = false;
  /** Whether the transaction has changed anything so far. */
  #mayHaveChanged = false;
  #hasChangedUsers = false;

  constructor(client: PoolClient, parts: PoolParts, isPooled: boolean) {
    this.#client = client as WireClient;
    this.#parts = parts;
    this.#isPooled = isPooled;
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

  /** The same because there is another server now: what the old one may still answer is told to nobody. */
  leave(): void {
    this.#hasMoved = true;
    this.destroy();
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  async begin(command: string): Promise<void> {
    await this.executeQuery(CompiledQuery.raw(command));
    this.#isInTransaction = true;
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
    const leave = this.#parts.congestion.enter(sql, end);
    const onAbort = (): void => end(signal?.reason);
    signal?.addEventListener('abort', onAbort);
    const timer =
      signal || millisecondsEach === Number.POSITIVE_INFINITY
        ? undefined
        : setTimeout(() => end(tooLong(millisecondsEach)), millisecondsEach);
    try {
      return await this.#carryOut<Row>(sql, parameters);
    } catch (error) {
      this.#parts.state.failed(error);
      this.#parts.watch.failed(error);
      throw error instanceof InDoubt ? error : (reason ?? error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      leave(reason !== undefined);
      isOver();
      await cancelling;
    }
  }

  /** `commit` and `rollback` are never cancelled, since nobody would know what became of them; a server that is silent is left. */
  async finish(command: 'commit' | 'rollback', milliseconds: number): Promise<void> {
    const timer = setTimeout(() => this.#leaveSilent(), milliseconds);
    try {
      await this.#send(command, []);
    } catch (error) {
      this.#parts.watch.failed(error);
      if (command === 'commit' && this.#mayHaveChanged && !(await this.#isRefused(error))) throw inDoubt(error);
      throw error;
    } finally {
      clearTimeout(timer);
      if (command === 'commit' && this.#hasChangedUsers) this.#parts.onChange(USER_CHANGES);
      this.#isInTransaction = false;
      this.#mayHaveChanged = false;
      this.#hasChangedUsers = false;
    }
  }

  // oxlint-disable-next-line require-yield -- the interface wants a generator
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Rows are not streamed; read them by pages.');
  }

  /** Outside of a transaction a statement is carried out with its answer, and in doubt without. */
  async #carryOut<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    const mayChange = MAY_CHANGE.test(sql);
    if (this.#isInTransaction) {
      this.#mayHaveChanged ||= mayChange;
      this.#hasChangedUsers ||= mayChange && CHANGES_USERS.test(sql);
      return this.#send<Row>(sql, parameters);
    }
    if (!mayChange) return this.#send<Row>(sql, parameters);
    try {
      return await this.#send<Row>(sql, parameters);
    } catch (error) {
      throw (await this.#isRefused(error)) ? error : inDoubt(error);
    } finally {
      if (CHANGES_USERS.test(sql)) this.#parts.onChange(USER_CHANGES);
    }
  }

  async #send<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    const { command, rowCount, rows } = await this.#sendByName(sql, [...parameters]);
    this.#parts.watch.answered();
    if (this.#hasMoved) throw new MovedAway('the database has moved to another server');
    return { rows: rows ?? [], ...(CHANGES.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) };
  }

  /**
   * Sends a statement by its name. One without parameters goes in one message, without any preparation. Where a pooler
   * may not keep names, no statement within a transaction has one, since that could not go on; elsewhere a statement
   * that fails for its name was not begun, and goes without.
   */
  async #sendByName(text: string, values: unknown[]): Promise<QueryAnswer> {
    const { names } = this.#parts;
    const isUnnamed = values.length === 0 || (this.#isPooled && this.#isInTransaction);
    const name = isUnnamed ? undefined : names.nameOf(text);
    if (name === undefined) return this.#client.query(text, values);
    try {
      return await this.#client.query({ name, text, values });
    } catch (error) {
      names.failed(text, error);
      if (this.#isInTransaction || !isNotKept(error)) throw error;
      return this.#client.query(text, values);
    }
  }

  /** Whether a change that failed was certainly not carried out: the server says so, and goes on. */
  async #isRefused(failure: unknown): Promise<boolean> {
    if (this.#hasMoved) return false;
    if (isRefusedByServer(failure) || NEVER_SENT.test((failure as Error).message)) return true;
    if (!(failure instanceof DatabaseError)) return failure instanceof MovedAway;
    const answered = this.#client.query('select').then(
      () => true,
      () => false,
    );
    return Promise.race([answered, pause(GOES_ON_MILLISECONDS, false, { ref: false })]);
  }

  /**
   * Resolves when the request to cancel can hit no later statement. If the server takes neither the request nor an end of
   * the statement, the connection is closed.
   */
  async #cancel(over: Promise<void>): Promise<void> {
    if (this.#parts.watch.isSilent) return this.destroy();
    const timer = setTimeout(() => this.#leaveSilent(), CANCEL_MILLISECONDS);
    await Promise.all([over, cancelStatement(this.#client, CANCEL_MILLISECONDS).catch(() => this.destroy())]);
    clearTimeout(timer);
  }

  #leaveSilent(): void {
    this.#parts.watch.fellSilent();
    this.destroy();
  }
}

type QueryAnswer = Pick<PgResult, 'command' | 'rowCount' | 'rows'>;

function inDoubt(cause: unknown): InDoubt {
  return new InDoubt('The database was lost before it said whether this was carried out.', { cause });
}

function tooLong(milliseconds: number): Error {
  const message = `A statement took more than ${milliseconds / 1000} seconds and was cancelled.`;
  return Object.assign(new Error(message), { code: '57014' });
}

/** The client of `pg` whose statement it is. */
interface CancelTarget {
  readonly host: string;
  readonly port: number;
  readonly ssl: boolean | object;
  readonly processID: number;
  readonly secretKey: number;
}

/** `pg` has these methods, though its types do not say so. */
type WireConnection = Connection & {
  connect(port: number, host: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
};

/**
 * Sends PostgreSQL's own request to cancel, over a connection of its own. It needs no place among the server's
 * connections, and a pooler between passes it on. @throws Error when it was not taken in time
 */
async function cancelStatement(target: CancelTarget, milliseconds: number): Promise<void> {
  const { host, port, ssl, processID, secretKey } = target;
  const connection = new Connection({ ssl }) as WireConnection;
  const { promise: closed, resolve, reject } = Promise.withResolvers<void>();
  const send = (): void => connection.cancel(processID, secretKey);
  connection.on('connect', () => (ssl ? connection.requestSsl() : send()));
  connection.on('sslconnect', send);
  connection.on('error', reject);
  // The server closes it once it has told the process at work.
  connection.on('end', () => resolve());
  connection.connect(port, host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : host);
  try {
    await inTime(closed, milliseconds, () => new Error('The request to cancel was not taken.'));
  } finally {
    connection.stream.destroy();
  }
}
