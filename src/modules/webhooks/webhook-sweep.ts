import { ago } from '../../database/expressions.ts';
import { changed, type Em, sql } from '../../database/sql.ts';
import { DAYS_KEPT } from './webhook.rules.ts';

/** Messages are kept for so long; what was kept for a webhook that paused was not sent by then, and is told of for as long again. */
export function removeOldDeliveries(em: Em, limit: number): Promise<number> {
  const isOver = sql`created_at < case when status in ('PAUSED', 'EXPIRED') then ${ago(2 * DAYS_KEPT, 'days')} else ${ago(DAYS_KEPT, 'days')} end`;
  return changed(
    em,
    sql`delete from webhook_deliveries where (owner_id, id) in (
          select owner_id, id from webhook_deliveries where created_at < ${ago(DAYS_KEPT, 'days')} and ${isOver}
          order by created_at limit ${limit}::int for update skip locked)`,
  );
}
