import { isStorable } from '../core/text.ts';
import { type RawBuilder, sql } from './sql.ts';

/** SQL: whether one of these has the text in it, without blanks at its ends, in any capitals. */
export function hasText(text: string, columns: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  if (!isStorable(text)) return sql<boolean>`false`;
  const wanted = text.trim();
  const found = columns.map((column) => sql`position(lower(${wanted}) in lower(${column})) > 0`);
  return sql<boolean>`(${sql.join(found, sql` or `)})`;
}
