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
];

/** JSON lines in production; in development a line that people read. */
export function createLog(level: string, isProduction: boolean): Log {
  const options = {
    level,
    base: null,
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
  };
  return isProduction ? pino(options) : pino(options, { write: (line) => process.stdout.write(readable(line)) });
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
