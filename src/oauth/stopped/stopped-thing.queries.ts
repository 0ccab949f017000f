import { mapped, type Page, type PageRequest } from '../../core/page.ts';
import { type RowOf, selectColumns } from '../../database/columns.ts';
import { byKey, pageOf } from '../../database/pages.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { type WithInstants, withInstants } from '../../database/temporal-types.ts';
import { StoppedThing } from './stopped-thing.entity.ts';

const SHOWN = ['id', 'kind', 'title', 'address', 'stoppedAt'] as const;
type Row = Pick<RowOf<typeof StoppedThing>, (typeof SHOWN)[number]>;

/** Something that has stopped, as its owner sees it. */
export type ShownThing = WithInstants<Row, 'stoppedAt'>;

/** Lists the things that have stopped in a user's account, in the order in which they did. */
export async function findStoppedThings(em: Em, userId: string, request: PageRequest): Promise<Page<ShownThing>> {
  const page = byKey(sql`id`, request);
  const found = await pageOf(
    em,
    request,
    sql<Row>`select ${selectColumns(StoppedThing, SHOWN, 's')} from stopped_things s
        where user_id = ${userId} and ${page.within} ${page.orderAndLimit}`,
  );
  return mapped(found, (one) => withInstants(one, ['stoppedAt']));
}

/** Whether any has, for a user who signs in. */
export async function hasStoppedThings(em: Em, userId: string): Promise<boolean> {
  return (await row(em, selectFrom(StoppedThing, { userId }).select('id').limit(1))) !== undefined;
}
