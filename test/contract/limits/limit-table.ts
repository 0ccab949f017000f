/** The tables of docs/limits.md, as a test reads them. */
import { readFile } from 'node:fs/promises';

/** One row: a limit as the page states it. */
export interface Limit {
  readonly id: string;
  /** The first number in the column "at most". */
  readonly amount: number;
  /** The window of "10 in 15 minutes" or "120 a minute"; undefined for a limit that is not counted over time. */
  readonly windowInSeconds: number | undefined;
  /** The answer to one more. */
  readonly status: number;
  readonly code: string | undefined;
}

const HEAD = /^\| limit \||^\|---/;
const ROW = /^\| `([\w-]+)` \| [^|]+ \| [^|]+ \| ([^|]+) \| ([^|]+) \| [^|]+ \|$/;
const AT_MOST = /^(\d+)(?: (?:an?|in (\d+)) (second|minute|hour|day)s?)?(?: .*)?$/;
/** No status where no answer can be given: the connection is closed. */
const ANSWER = /^(?:(\d{3})(?: `(\w+)`)?|closed)$/;
const SECONDS: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3_600, day: 86_400 };
const CLOSED = 0;

/** Every row of the tables. @throws Error for a row that cannot be read, or an id that stands there twice */
export async function readLimits(): Promise<readonly Limit[]> {
  const page = await readFile('docs/limits.md', 'utf8');
  const [, table = ''] = /^## Every limit\n(.*?)^## /ms.exec(page) ?? [];
  const rows = table.split('\n').filter((line) => line.startsWith('|') && !HEAD.test(line));
  const limits = rows.map(limitOf);
  const twice = limits.filter(({ id }, index) => limits.findIndex((other) => other.id === id) !== index);
  if (twice.length > 0) throw new Error(`docs/limits.md has two rows ${twice.map(({ id }) => id).join(', ')}.`);
  return limits;
}

function limitOf(line: string): Limit {
  const [, id = '', most = '', answer = ''] = ROW.exec(line) ?? [];
  const [, amount, times = '1', unit] = AT_MOST.exec(most) ?? [];
  const [isReadable, status, code] = ANSWER.exec(answer) ?? [];
  if (amount === undefined || isReadable === undefined) {
    throw new Error(`docs/limits.md has a row that the test cannot read: ${line}`);
  }
  const seconds = unit === undefined ? undefined : Number(times) * (SECONDS[unit] ?? Number.NaN);
  return { id, amount: Number(amount), windowInSeconds: seconds, status: Number(status ?? CLOSED), code };
}
