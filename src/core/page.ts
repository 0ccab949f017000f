import { type Mistake, Problem } from './problem.ts';
import { shownStart } from './text.ts';

/** The arguments by which a caller asks for a page of a list: Relay's four. */
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
}

/** From `from` up to, not including, `to`; either may be open. */
export interface TimeRange {
  readonly from?: Temporal.Instant | null | undefined;
  readonly to?: Temporal.Instant | null | undefined;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

export const DEFAULT_PAGE_SIZE = 25;
export const MAX_PAGE_SIZE = 100;

/** The content of a column of a list's key: cursors can be made up, and the database takes no other text for a UUID. */
export type KeyColumn = 'UUID' | 'TEXT' | 'TIME';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

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
  return {
    limit,
    backward,
    after: args.after == null ? undefined : decodeCursor(args.after, 'after', keyColumns),
    before: args.before == null ? undefined : decodeCursor(args.before, 'before', keyColumns),
  };
}

/** Checks the size of a page, which the argument of this name gives. */
export function pageSizeMistake(name: string, size: number): Mistake | undefined {
  if (size >= 1 && size <= MAX_PAGE_SIZE) return undefined;
  return { code: 'BAD_INPUT', message: `${name} is ${size}; give a number from 1 to ${MAX_PAGE_SIZE}.`, path: [name] };
}

/** Opaque to callers: the key's values, so that a page costs the same wherever it starts. */
export function encodeCursor(key: readonly string[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

function decodeCursor(cursor: string, argument: string, keyColumns: readonly KeyColumn[]): readonly string[] {
  const key = parseJson(Buffer.from(cursor.slice(0, 2_000), 'base64url').toString());
  const isKey =
    Array.isArray(key) &&
    key.length === keyColumns.length &&
    key.every((value, index): value is string => typeof value === 'string' && couldBe(keyColumns[index], value));
  if (isKey) return key;
  throw noCursor(cursor, argument);
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

/** Cuts the one row too many that a query fetched to learn whether more follow, and restores the list's order. */
export function cutPage<Row>(fetched: readonly Row[], request: PageRequest): Page<Row> {
  const hasMore = fetched.length > request.limit;
  const rows = fetched.slice(0, request.limit);
  return request.backward
    ? { rows: rows.toReversed(), hasPreviousPage: hasMore, hasNextPage: request.before !== undefined }
    : { rows, hasNextPage: hasMore, hasPreviousPage: request.after !== undefined };
}
