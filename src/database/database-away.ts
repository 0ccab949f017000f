import { GivenUp, giveUpAfter } from './deadline.ts';

/**
 * PostgreSQL answers with these when it cannot do its work at the moment, whatever the statement was. Nothing was done
 * then, and trying again may work. By SQLSTATE:
 *
 * 08     the connection
 * 25006  a standby, or a primary that a failover has made one; 25P03, 25P04: a transaction that took too long
 * 26000, 42P05  a prepared statement that a pooler has lost or mixed up: from then on, none is prepared
 * 28     the role or its password, which an operator is changing; 3D000: the database, likewise
 * 53     a full disk, no memory, too many connections
 * 55P03  a lock that was not given in time
 * 57     shut down, starting, in recovery, or cancelled by an operator
 * 58     the operating system under it
 *
 * Corrupted data (XX001, XX002) is different: it does not pass by itself, and an operator has to be told.
 */
const SQL_STATES = /^(?:08...|25006|25P03|25P04|26000|28...|42P05|3D000|53...|55P03|57...|58...)$/;
const NETWORK_CODES = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
/** A socket in the file system fails with these; elsewhere they are another matter. */
const SOCKET_CODES = new Set(['ENOENT', 'EACCES']);
const CLIENT_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client (?:has encountered a connection error|was closed)|Cannot use a pool after|driver has already been destroyed)/;

/** The server is not the one to write to, or not any more: nothing of the statement is done, and nothing of it is told. */
export class MovedAway extends Error {
  /** read_only_sql_transaction, as PostgreSQL itself would say. */
  readonly code = '25006';
}

/** Whether an error is that of a server which is not the one to write to. */
export function hasMovedAway(error: unknown): boolean {
  for (const cause of causesOf(error)) if ((cause as NodeJS.ErrnoException).code === '25006') return true;
  return false;
}

/** A change was sent, and the answer to it, or to its commit, was lost: nobody knows whether it was carried out. */
export class InDoubt extends Error {}

/** Whether a change may have been carried out, though it failed. */
export function isInDoubt(error: unknown): boolean {
  for (const cause of causesOf(error)) if (cause instanceof InDoubt) return true;
  return false;
}

/** Whether an error means that the database could not do its work, so that trying again may help. */
export function isDatabaseAway(error: unknown): boolean {
  for (const cause of causesOf(error)) {
    const { code = '', syscall } = cause as NodeJS.ErrnoException;
    if (SQL_STATES.test(code) || NETWORK_CODES.has(code)) return true;
    if (syscall === 'connect' && SOCKET_CODES.has(code)) return true;
    if (cause instanceof GivenUp || cause instanceof InDoubt || CLIENT_MESSAGES.test(cause.message)) return true;
    if (cause instanceof AggregateError && cause.errors.some(isDatabaseAway)) return true;
  }
  return false;
}

/**
 * Whether PostgreSQL ended the transaction for the sake of others: a deadlock (40P01), or a conflict of serializable ones
 * (40001). Nothing was done, and trying again works; but no two of our transactions should come into each other's way.
 */
export function gaveWayToOthers(error: unknown): boolean {
  for (const cause of causesOf(error)) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === '40P01' || code === '40001') return true;
  }
  return false;
}

/** How long an answer may wait for the database: a connection whose other end has vanished never fails by itself. */
const TIMEOUT_IN_MS = 10_000;

interface Timeout {
  readonly timeoutInMs?: number;
  /** The work changes something, whose commit may be under way when nobody waits for it any more. */
  readonly mayChange?: boolean;
}

/**
 * Waits for `work`, or throws after ten seconds an error that `isDatabaseAway` knows; the statements of the work end
 * with that.
 */
export function unlessDatabaseIsSilent<Result>(
  work: () => Promise<Result>,
  { timeoutInMs = TIMEOUT_IN_MS, mayChange = false }: Timeout = {},
): Promise<Result> {
  const message = 'The database has been silent for too long.';
  return giveUpAfter(timeoutInMs, work, () => (mayChange ? new InDoubt(message) : new GivenUp(message)));
}

const DEEPEST = 5;

/** An error and what has caused it, the error itself first. A thrown value that is no Error has none. */
export function* causesOf(error: unknown): Generator<Error> {
  for (let cause = error, depth = 0; cause instanceof Error && depth < DEEPEST; cause = cause.cause, depth += 1)
    yield cause;
}
