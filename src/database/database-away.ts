import { inTime } from '../limits/in-time.ts';

// PostgreSQL: connection exceptions (08), shutdowns and too many connections (57P, 53300).
const SQL_STATES = /^(?:08...|57P0.|53300)$/;
const NETWORK_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN', 'ENOENT']);
const POOL_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether an error means that the database could not be reached, so that trying again may work. */
export function isDatabaseAway(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== undefined && (SQL_STATES.test(code) || NETWORK_CODES.has(code))) return true;
    if (POOL_MESSAGES.test(cause.message)) return true;
    if (cause instanceof AggregateError && cause.errors.some(isDatabaseAway)) return true;
  }
  return false;
}

/** So long may an answer wait for the database: a connection whose other end is gone without a word never fails by itself. */
const PATIENCE_IN_MS = 10_000;

/**
 * What `work` gives, or after ten seconds an error that `isDatabaseAway` knows. The work itself goes on waiting, on a
 * connection that nobody else gets: a driver's own time-out would hand that connection on in the middle of a transaction.
 */
export function unlessDatabaseIsSilent<Result>(work: Promise<Result>, patienceInMs = PATIENCE_IN_MS): Promise<Result> {
  return inTime(work, patienceInMs, () =>
    Object.assign(new Error('The database has been silent for too long.'), { code: 'ETIMEDOUT' }),
  );
}
