/** Lists messages that were given up, and sends them again, for operators. */
import type { OwnedId } from '../../core/id.ts';
import { selectColumnsAs } from '../../database/columns.ts';
import { type Em, row, rows, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { announcing } from '../../events/record-event.ts';
import type { Attempt, WebhookTrigger } from './webhook.rules.ts';
import { WebhookDelivery } from './webhook-delivery.entity.ts';

const COUNT = sql<number>`count(*)::int`;

export interface GivenUpDelivery extends OwnedId {
  readonly trigger: WebhookTrigger;
  /** RFC 3339 */
  readonly createdAt: string;
  readonly url: string;
  /** Null: it was never tried, as its webhook was to be notified no more. */
  readonly last: Attempt | null;
}

/** The deliveries that were given up last come first. */
export function findGivenUpDeliveries(em: Em, limit: number): Promise<GivenUpDelivery[]> {
  return rows(
    em,
    sql<GivenUpDelivery>`
      select ${selectColumnsAs(WebhookDelivery, { ownerId: 'ownerId', id: 'id', trigger: 'trigger', createdAt: 'createdAt' }, 'd')},
        w.url, d.attempts->-1 as last
      from webhook_deliveries d join webhooks w on w.owner_id = d.owner_id and w.id = d.webhook_id
      where d.status = 'GIVEN_UP' order by d.created_at desc, d.id desc limit ${limit}::int`,
  );
}

export async function countGivenUpDeliveries(em: Em): Promise<number> {
  const counted = await row(em, selectFrom(WebhookDelivery, { status: 'GIVEN_UP' }).select(COUNT.as('count')));
  return counted?.count ?? 0;
}

/** Has messages that were given up sent once more, one or without an id all, of webhooks that are active. @returns how many */
export async function retryGivenUpDeliveries(em: Em, delivery: OwnedId | undefined): Promise<number> {
  const isWanted = delivery ? sql`d.owner_id = ${delivery.ownerId} and d.id = ${delivery.id}` : sql`true`;
  const retried = await row(
    em,
    sql<{ count: number }>`
      with again as (
        update webhook_deliveries d set status = 'PENDING', failures = 0, next_attempt_at = now()
        from webhooks w
        where d.status = 'GIVEN_UP' and ${isWanted} and w.owner_id = d.owner_id and w.id = d.webhook_id and w.active
        returning d.owner_id, d.id, d.webhook_id),
      recorded as (
        insert into domain_events (owner_id, id, type, data, occurred_at)
        select owner_id, id, 'WEBHOOK_DELIVERY_WANTED', jsonb_build_object('webhookId', webhook_id, 'deliveryId', id), clock_timestamp()
        from again),
      announced as (${announcing()})
      select (select count(*)::int from again) as count from announced`,
  );
  return retried?.count ?? 0;
}
