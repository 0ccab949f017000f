import { createHash } from 'node:crypto';
import { type Mistake, Problem } from './problem.ts';
import { shownStart } from './text.ts';

/**
 * The arguments by which a caller asks for a page of a list: Relay's four. The others that a field has are passed with them, such
 * as a filter: a cursor holds to those that it was made with.
 */
export interface PageArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
}

/** A checked request: up to `limit` rows after or before a key, in the list's one total order. */
export interface PageRequest {
  readonly limit: number;
  readonly backward: boolean;
  /** Exclusive bounds: the values of the list's key columns, as text. */
  readonly after: readonly string[] | undefined;
  readonly before: readonly string[] | undefined;
  /** Whether a list is to be counted: its page then has no rows, and says how many it would have. */
  readonly isCount?: true;
}

/** From `from` up to, not including, `to`; either may be open. */
export interface TimeRange {
  readonly from?: Temporal.Instant | null | undefined;
  readonly to?: Temporal.Instant | null | undefined;
}

/** Says what is wrong with a range that nothing can lie in, behind its name. */
export function rangeMistake({ from, to }: TimeRange): string | undefined {
  if (!from || !to || Temporal.Instant.compare(from, to) < 0) return undefined;
  return `ends at ${to.toString()}, which is not after ${from.toString()}; choose a later end.`;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  /** How many entries the list has, up to one more than are counted; of a request that counts, and of no other. */
  readonly count?: number;
}

/** An empty page. */
export const NO_PAGE: Page<never> = { rows: [], hasNextPage: false, hasPreviousPage: false, count: 0 };

/** Lists are counted up to here, so that a count costs the same however long a list is. */
export const MOST_COUNTED = 1_000;

/** Asks how many entries a list has, which its own statement tells: so a list is counted by the conditions by which it is read. */
export const COUNT: PageRequest = {
  limit: MOST_COUNTED,
  backward: false,
  after: undefined,
  before: undefined,
  isCount: true,
};

export const DEFAULT_PAGE_SIZE = 25;
export const MAX_PAGE_SIZE = 100;

/** The content of a column of a list's key: cursors can be made up, and the database takes no other text for a UUID. */
export type KeyColumn = 'UUID' | 'TEXT' | 'TIME';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Which list cursors are of: a digest for each argument that was given beside those of the page. */
export type CursorMarks = Readonly<Record<string, string>>;

const NO_MARKS: CursorMarks = {};
const OF_PAGES: ReadonlySet<string> = new Set(['first', 'after', 'last', 'before']);

/** Marks the arguments that narrow or sort a list. What is left out and what is null are the same. */
export function cursorMarks(given: PageArguments): CursorMarks {
  const further = Object.keys(given).filter((name) => !OF_PAGES.has(name));
  if (further.length === 0) return NO_MARKS;
  const values = given as Readonly<Record<string, unknown>>;
  const narrowing = further.filter((name) => !isNothing(values[name]));
  return Object.fromEntries(narrowing.map((name) => [name, digestOf(values[name])]));
}

function isNothing(value: unknown): boolean {
  return value == null || (isInput(value) && Object.values(value).every(isNothing));
}

/** Whether a value has fields, and is no list and no instant. */
function isInput(value: unknown): value is object {
  return typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, canonical)).digest('base64url').slice(0, 8);
}

/** Orders the fields of objects, and leaves out what is null. */
function canonical(_: string, value: unknown): unknown {
  if (!isInput(value)) return value;
  const given = Object.entries(value).filter(([, one]) => !isNothing(one));
  return Object.fromEntries(given.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Checks the arguments of a list that has these key columns; byTime.ts reads its times. @throws Problem BAD_INPUT */
export function pageRequest(args: PageArguments, keyColumns: readonly KeyColumn[] = ['UUID']): PageRequest {
  const { first, last } = args;
  if (first != null && last != null) {
    const what = `first is ${first} and last is ${last}`;
    throw new Problem('BAD_INPUT', `${what}; give one of the two: a page is read in one direction.`, ['first']);
  }
  const backward = last != null;
  const limit = last ?? first ?? DEFAULT_PAGE_SIZE;
  const mistake = pageSizeMistake(backward ? 'last' : 'first', limit);
  if (mistake) Problem.throwIfAny([mistake]);
  return { limit, backward, after: keyIn(args, 'after', keyColumns), before: keyIn(args, 'before', keyColumns) };
}

function keyIn(
  args: PageArguments,
  argument: 'after' | 'before',
  keyColumns: readonly KeyColumn[],
): readonly string[] | undefined {
  const cursor = args[argument];
  return cursor == null ? undefined : decodeCursor(cursor, argument, keyColumns, cursorMarks(args));
}

/** Checks the size of a page, which the argument of this name gives. */
export function pageSizeMistake(name: string, size: number): Mistake | undefined {
  if (size >= 1 && size <= MAX_PAGE_SIZE) return undefined;
  return { code: 'BAD_INPUT', message: `${name} is ${size}; give a number from 1 to ${MAX_PAGE_SIZE}.`, path: [name] };
}

/**
 * Opaque to callers: the key's values, so that a page costs the same wherever it starts, and the marks of what the list was
 * narrowed and sorted by, if it was.
 */
export function encodeCursor(key: readonly string[], marks: CursorMarks = NO_MARKS): string {
  const isMarked = Object.keys(marks).length > 0;
  return Buffer.from(JSON.stringify(isMarked ? [marks, ...key] : key)).toString('base64url');
}

function decodeCursor(
  cursor: string,
  argument: string,
  keyColumns: readonly KeyColumn[],
  marks: CursorMarks,
): readonly string[] {
  const decoded = parseJson(Buffer.from(cursor.slice(0, 2_000), 'base64url').toString());
  if (!Array.isArray(decoded)) throw noCursor(cursor, argument);
  const isMarked = typeof decoded[0] === 'object' && decoded[0] !== null;
  const key: readonly unknown[] = isMarked ? decoded.slice(1) : decoded;
  if (!isKey(key, keyColumns)) throw noCursor(cursor, argument);
  const made = isMarked ? (decoded[0] as CursorMarks) : NO_MARKS;
  const differing = Object.keys({ ...made, ...marks }).filter((name) => made[name] !== marks[name]);
  if (differing.length === 0) return key;
  const names = differing.filter((name) => /^\w{1,40}$/.test(name)).join(' and ');
  const what = `${argument} is ${shownStart(cursor)}, a cursor that was made with another ${names}`;
  throw new Problem('BAD_INPUT', `${what}; send it with what it was made with, or begin without it.`, [argument]);
}

function isKey(key: readonly unknown[], keyColumns: readonly KeyColumn[]): key is readonly string[] {
  return (
    key.length === keyColumns.length &&
    key.every((value, index) => typeof value === 'string' && couldBe(keyColumns[index], value))
  );
}

/** The problem of a text that was sent as a cursor and is none of the list that it was sent for. */
export function noCursor(cursor: string, argument: string): Problem {
  const what = `${argument} is ${shownStart(cursor)}, which is not a cursor of this list`;
  return new Problem('BAD_INPUT', `${what}; use one that its pageInfo or an edge gave you, as it was.`, [argument]);
}

function couldBe(column: KeyColumn | undefined, value: string): boolean {
  return column === 'UUID' ? UUID.test(value) : !value.includes('\0');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A page with something else for each of its rows. */
export function mapped<From, To>(page: Page<From>, to: (row: From) => To): Page<To> {
  return { ...page, rows: page.rows.map(to) };
}

/** Cuts the one row too many that a query fetched to learn whether more follow, and restores the list's order. */
export function cutPage<Row>(fetched: readonly Row[], request: PageRequest): Page<Row> {
  const hasMore = fetched.length > request.limit;
  const rows = fetched.slice(0, request.limit);
  return request.backward
    ? { rows: rows.toReversed(), hasPreviousPage: hasMore, hasNextPage: request.before !== undefined }
    : { rows, hasNextPage: hasMore, hasPreviousPage: request.after !== undefined };
}
