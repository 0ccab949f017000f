import { instantOf } from '../core/instant.ts';
import { cutPage, encodeCursor, noCursor, type Page, type PageRequest, type TimeRange } from '../core/page.ts';
import { type ForEach, groupedInPlace } from './each.ts';
import { type RawBuilder, sql } from './sql.ts';

/**
 * A page as SQL. All lists have one: `core/page.ts` reads what the caller asks for and cuts what was found, `graphql/connection.ts`
 * shows it, and between them stands `byKey`, or `byTime` for what is listed by a time.
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
  const direction = pageOrder(request, isDescending);
  const order = sql`order by ${sql.join(key.map((column) => sql`${column} ${direction}`))}`;
  return { order, orderAndLimit: sql`${order} limit ${pageLimit(request)}` };
}

/** `asc` or `desc`: a page that is read from the end is fetched backwards. */
export function pageOrder(request: PageRequest, isDescending = false): RawBuilder<unknown> {
  return isAscending(request, isDescending) ? sql`asc` : sql`desc`;
}

/** Whether a page is fetched in ascending order, of a list that is ascending or descending. */
export function isAscending({ backward }: PageRequest, isDescending: boolean): boolean {
  return backward === isDescending;
}

/** One row more than the page holds, which tells whether another page follows. */
export function pageLimit({ limit }: PageRequest): RawBuilder<unknown> {
  return sql`${limit + 1}::int`;
}

/** `true` for none. */
function allOf(conditions: readonly (RawBuilder<unknown> | null | undefined)[]): RawBuilder<boolean> {
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
