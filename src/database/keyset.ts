import { cutPage, type Page, type PageRequest } from '../core/page.ts';
import { type RawBuilder, sql } from './sql.ts';

/** The bounds of a page, for a `where`: the columns of `key` are unique in their list, so a page costs the same wherever it starts. */
export function withinPage(
  key: RawBuilder<unknown> | readonly RawBuilder<unknown>[],
  { after, before }: PageRequest,
): RawBuilder<boolean> {
  const columns = sql.join([key].flat());
  const bounds = [
    ...(after ? [sql`(${columns}) > (${sql.join(after)})`] : []),
    ...(before ? [sql`(${columns}) < (${sql.join(before)})`] : []),
  ];
  return bounds.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(bounds, sql` and `)}`;
}

/** `asc` or `desc`: a page that is read from the end is fetched backwards. */
export function pageOrder({ backward }: PageRequest): RawBuilder<unknown> {
  return backward ? sql`desc` : sql`asc`;
}

/** One row more than the page holds, which tells whether another page follows. */
export function pageLimit({ limit }: PageRequest): RawBuilder<unknown> {
  return sql`${limit + 1}::int`;
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
