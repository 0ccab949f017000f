import { instantOf } from '../core/instant.ts';
import { cutPage, encodeCursor, NO_PAGE, noCursor, type Page, type PageRequest, type TimeRange } from '../core/page.ts';
import { type ForEach, groupedInPlace } from './each.ts';
import { type Em, type RawBuilder, row, rows, sql } from './sql.ts';

/**
 * A page as SQL. All lists have one: `core/page.ts` reads what the caller asks for and cuts what was found, `graphql/connection.ts`
 * shows it, and between them stands `byKey`, or `byTime` for what is listed by a time. `pageOf`, `pagesByParent` and `pagesInPlace`
 * send the statement, or have the database count what it would find.
 */
interface SqlPage {
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
  const order = orderBy(key, request, isDescending);
  return { order, orderAndLimit: sql`${order} limit ${pageLimit(request)}` };
}

/** `order by …`, of a page that is found. */
export function orderBy(
  key: readonly RawBuilder<unknown>[],
  request: PageRequest,
  isDescending = false,
): RawBuilder<unknown> {
  const direction = pageOrder(request, isDescending);
  return sql`order by ${sql.join(key.map((column) => sql`${column} ${direction}`))}`;
}

/** `asc` or `desc`: a page that is read from the end is fetched backwards. */
export function pageOrder(request: PageRequest, isDescending = false): RawBuilder<unknown> {
  return isAscending(request, isDescending) ? ASCENDING : DESCENDING;
}

const ASCENDING = sql`asc`;
const DESCENDING = sql`desc`;

/** Whether a page is fetched in ascending order, of a list that is ascending or descending. */
export function isAscending({ backward }: PageRequest, isDescending: boolean): boolean {
  return backward === isDescending;
}

/** One row more than the page holds, which tells whether another page follows. */
export function pageLimit({ limit }: PageRequest): RawBuilder<unknown> {
  return sql`${limit + 1}::int`;
}

/** The parts of a filter, as a list is read by them. A list says which it reads beside the condition, and is given no other. */
export interface Narrowed<ByApart extends Apart = never, ByTime extends TimeRange = never> {
  /** The condition on a row. */
  readonly condition: RawBuilder<boolean>;
  /** A row has one of these: along an index, the rows of each are in the order of the list. */
  readonly apart?: ByApart | undefined;
  /** The bounds of the time that the list is sorted by. */
  readonly period?: ByTime | undefined;
}

/** The values that a column has, or a few rows that are found by others, and what a row of the list has of one of them. */
export type Apart =
  | { readonly column: RawBuilder<unknown>; readonly values: readonly unknown[] }
  | { readonly found: RawBuilder<unknown>; readonly has: RawBuilder<boolean> };

const TRUE = sql<boolean>`true`;

export const NOT_NARROWED: Narrowed = { condition: TRUE };

/**
 * SQL: a page of the rows of which what narrows a list holds. Where a column has to have one of some values, it is put together
 * from a page for each: a walk along all rows passes over those of other values, and a sort reads all that match.
 * `page` makes a page of the rows of which a condition holds, of which `key` are the columns that it is sorted by.
 */
export function narrowedPage(
  { condition, apart }: Narrowed<Apart>,
  page: (condition: RawBuilder<boolean>) => RawBuilder<unknown>,
  key: readonly RawBuilder<unknown>[],
  request: PageRequest,
): RawBuilder<unknown> {
  if (!apart) return page(condition);
  const { orderAndLimit } = inOrder(key, request);
  if ('found' in apart) {
    const one = page(sql<boolean>`${apart.has} and ${condition}`);
    return sql`select together.* from ${apart.found} cross join lateral (${one}) together ${orderAndLimit}`;
  }
  const [first, ...others] = [...new Set(apart.values)].map((value) =>
    // An index of the rows that have or lack something is taken where the statement says which.
    page(
      sql<boolean>`${apart.column} = ${typeof value === 'boolean' ? sql.raw(String(value)) : value} and ${condition}`,
    ),
  );
  if (!first) return page(sql<boolean>`false`);
  if (others.length === 0) return first;
  const parts = [first, ...others].map((part) => sql`(${part})`);
  return sql`select * from (${sql.join(parts, sql` union all `)}) together ${orderAndLimit}`;
}

/** `true` for none. */
function allOf(conditions: readonly (RawBuilder<unknown> | null | undefined)[]): RawBuilder<boolean> {
  const given = conditions.filter((condition) => condition != null);
  return given.length === 0 ? TRUE : sql.join(given, sql` and `);
}

/** Fetches rows: `rows`, or `read` for what goes along an index. */
type Fetch = <Row>(em: Em, statement: RawBuilder<Row>) => Promise<readonly Row[]>;

/** A page, from the rows of one statement in the order of the list. */
export async function pageOf<Row>(
  em: Em,
  request: PageRequest,
  statement: RawBuilder<Row>,
  fetch: Fetch = rows,
): Promise<Page<Row>> {
  if (!request.isCount) return cutPage(await fetch(em, statement), request);
  const counted = await row(em, sql<Counted>`select count(*)::int as count from (${statement}) counted`);
  return { ...NO_PAGE, count: counted?.count ?? 0 };
}

/**
 * One page a parent, from one statement for all of them, each parent's rows in the order of its list: `parent` is the column of
 * the statement that tells whose a row is.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- its values are the keys of the map
export async function pagesByParent<Row extends object, Column extends keyof Row & string>(
  em: Em,
  request: PageRequest,
  statement: RawBuilder<Row>,
  parent: Column,
  parents: readonly string[],
  fetch: Fetch = rows,
): Promise<Map<string, Page<Row>>> {
  if (request.isCount) {
    const counts = await countsBy(em, statement, parent);
    return new Map(parents.map((id) => [id, { ...NO_PAGE, count: counts.get(id) ?? 0 }]));
  }
  const byParent = Map.groupBy(await fetch(em, statement), (row) => row[parent]);
  return new Map(parents.map((id) => [id, cutPage(byParent.get(id as Row[Column]) ?? [], request)]));
}

/** The same where each row says which parent it is for. With one parent alone, rows need not say so. */
export async function pagesInPlace<Row extends object>(
  em: Em,
  request: PageRequest,
  statement: RawBuilder<ForEach<Row>>,
  parents: readonly string[],
  fetch: Fetch = rows,
): Promise<Map<string, Page<Row>>> {
  const [first = ''] = parents;
  if (parents.length === 1) return new Map([[first, await pageOf<Row>(em, request, statement, fetch)]]);
  if (request.isCount) {
    const counts = await countsBy(em, statement, 'foundFor');
    return new Map(parents.map((id, index) => [id, { ...NO_PAGE, count: counts.get(index + 1) ?? 0 }]));
  }
  const grouped = groupedInPlace<Row>(await fetch(em, statement), parents.length);
  return new Map(parents.map((id, index) => [id, cutPage<Row>(grouped[index] ?? [], request)]));
}

interface Counted {
  readonly count: number;
}

/** How many rows a statement has, by the values of a column. */
async function countsBy(em: Em, statement: RawBuilder<unknown>, column: string): Promise<ReadonlyMap<unknown, number>> {
  const found = await rows(
    em,
    sql<Counted & { value: unknown }>`
      select ${sql.ref(column)} as value, count(*)::int as count from (${statement}) counted group by 1`,
  );
  return new Map(found.map(({ value, count }) => [value, count]));
}

const TIMESTAMP = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d(?::\d\d)?)$/;
const FOUR_DIGIT_YEAR = /^[1-9]\d{3}-/;

export interface TimePage extends SqlPage {
  /** The times between which the page lies, the later one included where it is that of a cursor. */
  readonly between: TimeRange;
}

/**
 * A page of a list that is ordered by a time and, within it, by a unique id: a request with two key columns. It differs from
 * `byKey` in two things: a list may be narrowed to a range of its time, which then is one bound together with the cursor's;
 * and a cursor's time can be made up, so it is read before PostgreSQL sees it. @throws Problem BAD_INPUT for a cursor that such a list has not given out
 */
export function byTime(
  order: 'NEWEST_FIRST' | 'OLDEST_FIRST',
  time: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  request: PageRequest,
  { from, to }: TimeRange = {},
): TimePage {
  const isNewestFirst = order === 'NEWEST_FIRST';
  const after = cursorIn(request.after, 'after');
  const before = cursorIn(request.before, 'before');
  const [earliest, latest] = isNewestFirst ? [before, after] : [after, before];
  // One bound on either side: of two, PostgreSQL starts at any, and reads what lies between them for nothing.
  const start =
    earliest && (!from || Temporal.Instant.compare(from, earliest.time) <= 0)
      ? sql`(${time}, ${id}) > (${earliest.text}::timestamptz, ${earliest.id})`
      : from && sql`${time} >= ${from.toString()}::timestamptz`;
  const end =
    latest && (!to || Temporal.Instant.compare(latest.time, to) < 0)
      ? sql`(${time}, ${id}) < (${latest.text}::timestamptz, ${latest.id})`
      : to && sql`${time} < ${to.toString()}::timestamptz`;
  return {
    within: allOf([start, end]),
    between: { from: latestOf(from, earliest?.time), to: earliestOf(to, latest?.time) },
    ...inOrder([time, id], request, isNewestFirst),
  };
}

type Instant = Temporal.Instant | null | undefined;

function latestOf(a: Instant, b: Instant): Instant {
  return a && b ? (Temporal.Instant.compare(a, b) > 0 ? a : b) : (a ?? b);
}

function earliestOf(a: Instant, b: Instant): Instant {
  return a && b ? (Temporal.Instant.compare(a, b) < 0 ? a : b) : (a ?? b);
}

interface Cursor {
  readonly time: Temporal.Instant;
  readonly text: string;
  readonly id: string;
}

/** Cursors can be made up, and PostgreSQL's complaint about a text that is no time would look like a fault of ours. */
function cursorIn(key: readonly string[] | undefined, argument: string): Cursor | undefined {
  if (key === undefined) return undefined;
  const [given = '', id = ''] = key;
  const time = TIMESTAMP.test(given) ? validInstant(given) : undefined;
  // In UTC: PostgreSQL takes neither every offset nor every year that Temporal takes.
  const text = time?.toString() ?? '';
  if (time && FOUR_DIGIT_YEAR.test(text)) return { time, text, id };
  throw noCursor(encodeCursor(key), argument);
}

function validInstant(text: string): Temporal.Instant | undefined {
  try {
    return instantOf(text);
  } catch {
    return undefined;
  }
}
