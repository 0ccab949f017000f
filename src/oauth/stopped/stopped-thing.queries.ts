import { cutPage, type Page, type PageRequest } from '../../core/page.ts';
import type { RowOf } from '../../database/columns.ts';
import { byKey } from '../../database/pages.ts';
import { type Em, row, rows, sql } from '../../database/sql.ts';
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
  const found = await rows(
    em,
    selectFrom(StoppedThing, { userId }).where(page.within).select(SHOWN).modifyEnd(page.orderAndLimit),
  );
  return cutPage(
    found.map((one) => withInstants(one, ['stoppedAt'])),
    request,
  );
}

/** Whether any has, for a user who signs in. */
export async function hasStoppedThings(em: Em, userId: string): Promise<boolean> {
  return (await row(em, selectFrom(StoppedThing, { userId }).select('id').limit(1))) !== undefined;
}
