import { cutPage, type Page, type PageRequest } from '../core/page.ts';
import { type ForEach, groupedInPlace } from './each.ts';
import { type RawBuilder, sql } from './sql.ts';

/**
 * A page as SQL. All lists have one: `core/page.ts` reads what the caller asks for and cuts what was found, `graphql/connection.ts`
 * shows it, and between them stands `byKey`, or `byTime` (by-time.ts) for what is listed by a time.
 */
export interface SqlPage {
  /** For a `where`: the rows that the cursors leave. */
  readonly within: RawBuilder<boolean>;
  /** `order by …` */
  readonly order: RawBuilder<unknown>;
  /** The order and the `limit …`, of one row more than the page holds, which tells whether another page follows. */
  readonly orderAndLimit: RawBuilder<unknown>;
}

/** A page of a list in the order of these columns, which are unique in it: so a page costs the same wherever it starts. */
export function byKey(
  key: RawBuilder<unknown> | readonly RawBuilder<unknown>[],
  request: PageRequest,
  isDescending = false,
): SqlPage {
  const columns = [key].flat();
  return { within: withinPage(columns, request, isDescending), ...inOrder(columns, request, isDescending) };
}

/** The rows that the cursors leave, for a `where`. */
export function withinPage(
  key: readonly RawBuilder<unknown>[],
  { after, before }: PageRequest,
  isDescending = false,
): RawBuilder<boolean> {
  const columns = sql.join(key);
  const [lower, upper] = isDescending ? [before, after] : [after, before];
  return allOf([lower && sql`(${columns}) > (${sql.join(lower)})`, upper && sql`(${columns}) < (${sql.join(upper)})`]);
}

/** Both parts of a page that follow its `where`. */
export function inOrder(
  key: readonly RawBuilder<unknown>[],
  request: PageRequest,
  isDescending = false,
): Pick<SqlPage, 'order' | 'orderAndLimit'> {
  const direction = pageOrder(request, isDescending);
  const order = sql`order by ${sql.join(key.map((column) => sql`${column} ${direction}`))}`;
  return { order, orderAndLimit: sql`${order} limit ${pageLimit(request)}` };
}

/** `asc` or `desc`: a page that is read from the end is fetched backwards. */
export function pageOrder({ backward }: PageRequest, isDescending = false): RawBuilder<unknown> {
  return backward === isDescending ? sql`asc` : sql`desc`;
}

/** One row more than the page holds, which tells whether another page follows. */
export function pageLimit({ limit }: PageRequest): RawBuilder<unknown> {
  return sql`${limit + 1}::int`;
}

/** `true` for none. */
export function allOf(conditions: readonly (RawBuilder<unknown> | null | undefined)[]): RawBuilder<boolean> {
  const given = conditions.filter((condition) => condition != null);
  return given.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(given, sql` and `)}`;
}

/** One page a parent, from the rows that one statement fetched for all of them, each parent's in the order of its list. */
export function pagesByParent<Row>(
  fetched: readonly Row[],
  parentOf: (row: Row) => string,
  parents: readonly string[],
  request: PageRequest,
): Map<string, Page<Row>> {
  const byParent = Map.groupBy(fetched, parentOf);
  return new Map(parents.map((parent) => [parent, cutPage(byParent.get(parent) ?? [], request)]));
}

/** The same where each row says which parent it is for. With one parent alone, rows need not say so. */
export function pagesInPlace<Row extends object>(
  fetched: readonly ForEach<Row>[],
  parents: readonly string[],
  request: PageRequest,
): Map<string, Page<Row>> {
  const rows = parents.length === 1 ? [fetched] : groupedInPlace(fetched, parents.length);
  return new Map(parents.map((parent, index) => [parent, cutPage<Row>(rows[index] ?? [], request)]));
}
