import { isStorable } from '../core/text.ts';
import { type RawBuilder, sql } from './sql.ts';

/** SQL: whether one of these has the text in it, however either is typed. */
export function hasText(text: string, columns: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  if (!isStorable(text)) return sql<boolean>`false`;
  const found = columns.map((column) => sql`position(lower(${text}) in lower(${column})) > 0`);
  return sql<boolean>`(${sql.join(found, sql` or `)})`;
}
