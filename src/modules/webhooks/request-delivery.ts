import { newId, type OwnedId, publicOwnedId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { databaseNow } from '../../database/database-clock.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { recordEvent } from '../../events/record-event.ts';
import { notFoundHere } from '../levels/not-found-here.ts';
import { Webhook } from './webhook.entity.ts';
import type { WebhookTrigger } from './webhook.rules.ts';
import { WebhookDelivery } from './webhook-delivery.entity.ts';
import { testPayload } from './webhook-payload.ts';
import { subjectOf } from './webhook-secret.rules.ts';

export const REQUEST_DELIVERY_CODES = ['NOT_FOUND', 'NOT_POSSIBLE'] as const;

/** Has a message delivered once more, which was delivered or given up. @throws Problem NOT_FOUND, NOT_POSSIBLE */
export async function retryDelivery(em: Em, { ownerId: userId, id }: OwnedId): Promise<void> {
  await em.transactional(async (inner) => {
    const retried = await row(
      inner,
      sql<{ webhook: string }>`
        update webhook_deliveries d set status = 'PENDING', failures = 0, next_attempt_at = now()
        from webhooks w
        where d.user_id = ${userId} and d.id = ${id} and d.status <> 'PENDING'
          and w.user_id = d.user_id and w.id = d.webhook_id and w.active
        returning d.webhook_id as webhook`,
    );
    if (!retried) return refuseRetry(inner, { ownerId: userId, id });
    await recordWanted(inner, userId, retried.webhook, id);
  });
}

/** Sends a message that tells of nothing, so that a receiver can be tried. @returns its id. @throws Problem NOT_FOUND, NOT_POSSIBLE */
export async function testWebhook(
  em: Em,
  webhook: OwnedId,
  trigger: WebhookTrigger,
  webhooksKey: Uint8Array,
): Promise<string> {
  const { ownerId: userId, id: webhookId } = webhook;
  const id = newId();
  await em.transactional(async (inner) => {
    const subject = subjectOf(webhooksKey, webhook, id);
    const envelope = { id: publicOwnedId('webhookDelivery', { ownerId: userId, id }), subject };
    const payload = testPayload(trigger, envelope, await databaseNow(inner));
    const written = await row(
      inner,
      sql`insert into webhook_deliveries
            (user_id, id, webhook_id, event_id, trigger, payload, status, attempts, next_attempt_at, created_at)
          select w.user_id, ${id}::uuid, w.id, ${newId()}::uuid, ${trigger}::text, ${payload}::text, 'PENDING', '[]', now(), now()
          from webhooks w where w.user_id = ${userId} and w.id = ${webhookId} and w.active
          returning id`,
    );
    if (!written) return refuseTest(inner, webhook);
    await recordWanted(inner, userId, webhookId, id);
  });
  return id;
}

function recordWanted(em: Em, userId: string, webhookId: string, deliveryId: string): Promise<void> {
  return recordEvent(em, userId, { type: 'WEBHOOK_DELIVERY_WANTED', webhookId, deliveryId });
}

async function refuseRetry(em: Em, delivery: OwnedId): Promise<never> {
  const { ownerId: userId, id } = delivery;
  const found = await row(em, selectFrom(WebhookDelivery, { userId, id }).select('status'));
  if (!found) throw notFoundHere('webhookDelivery', delivery);
  if (found.status !== 'PENDING') throw notActive('webhookDeliveryId');
  const message = 'The message is to be delivered still: look at its nextAttemptAt.';
  throw new Problem('NOT_POSSIBLE', message, ['webhookDeliveryId']);
}

async function refuseTest(em: Em, webhook: OwnedId): Promise<never> {
  const { ownerId: userId, id } = webhook;
  if (!(await row(em, selectFrom(Webhook, { userId, id }).select('id')))) throw notFoundHere('webhook', webhook);
  throw notActive('webhookId');
}

function notActive(path: string): Problem {
  return new Problem('NOT_POSSIBLE', 'The webhook is not active, and is told nothing; make it active first.', [path]);
}
