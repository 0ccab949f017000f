import { type RawBuilder, sql } from './sql.ts';

/**
 * Looks many up by one statement: `wanted` is a table of the wanted keys, and each row that is found says which it is
 * for. A key that is wanted twice is found twice.
 */
export type ForEach<Row> = Row & { readonly foundFor: number };

/** SQL: for `from`: a row for each that is wanted, with these columns of ids. */
export function eachOf(columns: Readonly<Record<string, readonly string[]>>): RawBuilder<unknown> {
  // UUIDs need no quotes, and looking for what needs them takes longer than sending them.
  const lists = Object.values(columns).map((ids) => sql`${`{${ids.join()}}`}::uuid[]`);
  const names = sql.join([...Object.keys(columns), 'place'].map(sql.ref));
  return sql`unnest(${sql.join(lists)}) with ordinality as wanted(${names})`;
}

/** SQL: for `select`. */
export const FOUND_FOR = sql`wanted.place::int as "foundFor"`;

/** Puts the rows in the order in which they were asked for, with undefined in the place of a missing one. */
export function inPlace<Row>(found: readonly ForEach<Row>[], count: number): (Row | undefined)[] {
  const each = Array.from<Row | undefined>({ length: count });
  for (const row of found) each[row.foundFor - 1] = row;
  return each;
}

/** Puts rows in the order in which they were asked for, where each question may have found several. */
export function groupedInPlace<Row>(found: readonly ForEach<Row>[], count: number): Row[][] {
  const groups = Array.from({ length: count }, (): Row[] => []);
  for (const row of found) groups[row.foundFor - 1]?.push(row);
  return groups;
}
