import { type Logger, pino } from 'pino';

export type Log = Logger;

// Whatever is logged, these never are: a log is read by more people than a database.
const SECRETS = [
  'password',
  'secret',
  'token',
  'code',
  'authorization',
  'cookie',
  'access_token',
  'refresh_token',
  'client_secret',
  // The embedded database adds these to the error of a failed statement.
  'params',
];

/** An `errno`, an SQLSTATE or a code of Node: what failed, for the operator. A code that somebody was sent looks otherwise. */
const ERROR_CODE = /^(?:E[A-Z]+|ERR_[A-Z_]+|[0-9A-Z]{5})$/;

function censor(value: unknown, path: readonly unknown[]): unknown {
  // The code of a detail of the line, such as `err`, is meant; pino does not always say which.
  const isOfDetail = path.length === 2 && path[1] === 'code';
  return isOfDetail && typeof value === 'string' && ERROR_CODE.test(value) ? value : '[redacted]';
}

/**
 * An e-mail address in a line of JSON, whose escapes are no part of it. Others write lines too: a mail server's answer,
 * or the row in a database's error, holds people's addresses. Words without an `@` are found as well, and stay: each
 * character is read once, however long the line is.
 */
const WORD_OR_ESCAPE = /\\(?:u[\da-f]{4}|.)|[\w.!#$%&'*+/=?^`{|}~-]+(@(?:[\w-]+\.)+[a-z][\w-]+)?/gi;

function withoutAddresses(line: string): string {
  return line.replaceAll(WORD_OR_ESCAPE, (found, domain?: string) => (domain === undefined ? found : '[address]'));
}

/**
 * A log whose reader has gone (EPIPE), or whose disk is full, is lost; the service is not. Node would end a process for it.
 * Once a process.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/** JSON lines in production; in development a line that people read. Neither tells anybody's e-mail address. */
export function createLog(level: string, isProduction: boolean): Log {
  const options = {
    level,
    base: null,
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor },
  };
  if (!isProduction) return pino(options, { write: (line) => process.stdout.write(readable(withoutAddresses(line))) });
  const output = pino.destination(1);
  output.on('error', () => undefined);
  return pino(options, { write: (line) => output.write(withoutAddresses(line)) });
}

interface Line extends Readonly<Record<string, unknown>> {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly err?: { readonly stack?: string };
}

function readable(line: string): string {
  const { level, time, msg = '', err, ...rest } = JSON.parse(line) as Line;
  const name = pino.levels.labels[level] ?? String(level);
  const details = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : '';
  const at = new Date(time).toISOString().slice(11, 19);
  return `${at} ${name.padEnd(5)} ${msg}${details}${err?.stack ? `\n${err.stack}` : ''}\n`;
}
