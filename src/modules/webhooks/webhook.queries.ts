import type { OwnedId } from '../../core/id.ts';
import type { Page, PageRequest } from '../../core/page.ts';
import type { RowOf } from '../../database/columns.ts';
import { unnested } from '../../database/expressions.ts';
import { byKey, pageOrder, pagesByParent } from '../../database/keyset.ts';
import type { Selection } from '../../database/selection.ts';
import { type Em, rows, sql } from '../../database/sql.ts';
import type { OwnedTable } from '../levels/owned.queries.ts';
import { Webhook } from './webhook.entity.ts';
import type { WebhookDelivery } from './webhook-delivery.entity.ts';

export const WEBHOOKS: OwnedTable<typeof Webhook> = { entity: Webhook, kind: 'webhook', owner: 'userId' };

/** A page of the messages to each webhook, oldest first. */
export async function deliveryPages(
  em: Em,
  webhooks: readonly OwnedId[],
  request: PageRequest,
  selection: Selection<typeof WebhookDelivery>,
): Promise<Map<string, Page<RowOf<typeof WebhookDelivery>>>> {
  const { within, orderAndLimit } = byKey(sql`d.id`, request);
  const fetched = await rows(
    em,
    sql<RowOf<typeof WebhookDelivery>>`select page.*
        from ${unnested(webhooks)} as w(owner_id, id)
        cross join lateral (
          select ${selection.with('id', 'webhookId').from('d')} from webhook_deliveries d
          where d.user_id = w.owner_id and d.webhook_id = w.id and ${within}
          ${orderAndLimit}
        ) page
        order by page.id ${pageOrder(request)}`,
  );
  return pagesByParent(
    fetched,
    ({ webhookId }) => webhookId,
    webhooks.map(({ id }) => id),
    request,
  );
}
