import type { OwnedId } from '../../core/id.ts';
import type { Page, PageRequest } from '../../core/page.ts';
import { columnOf } from '../../database/changes.ts';
import { type ColumnOf, type Entity, type RowOf, tableOf } from '../../database/columns.ts';
import { unnested } from '../../database/expressions.ts';
import { byKey, pageOrder, pagesByParent } from '../../database/keyset.ts';
import type { Selection } from '../../database/selection.ts';
import { type Em, type RawBuilder, rows, sql } from '../../database/sql.ts';

/** A table of what hangs on something of an owner's; both have the owner's id in the column `owner_id`. */
export interface HangingTable<E extends Entity> {
  readonly entity: E;
  /** The column that names the parent of a row. */
  readonly parent: ColumnOf<E>;
}

/** A page of what hangs on each of these, oldest first. The condition is SQL over `item` and `parent` (`owner_id`, `id`). */
export async function pagesHangingOn<E extends Entity>(
  em: Em,
  { entity, parent }: HangingTable<E>,
  parents: readonly OwnedId[],
  request: PageRequest,
  selection: Selection<E>,
  condition: RawBuilder<boolean> = sql`true`,
): Promise<Map<string, Page<RowOf<E>>>> {
  const { within, orderAndLimit } = byKey(sql`item.id`, request);
  const fetched = await rows(
    em,
    sql<RowOf<E>>`select page.*
        from ${unnested(parents)} as parent(owner_id, id)
        cross join lateral (
          select ${selection.with('id' as ColumnOf<E>, parent).from('item')} from ${tableOf(entity)} item
          where item.owner_id = parent.owner_id and item.${sql.ref(columnOf(parent))} = parent.id and ${within}
            and ${condition}
          ${orderAndLimit}
        ) page
        order by page.id ${pageOrder(request)}`,
  );
  return pagesByParent(
    fetched,
    (row) => row[parent] as string,
    parents.map(({ id }) => id),
    request,
  );
}
