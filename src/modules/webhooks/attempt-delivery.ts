import { type OwnedId, publicOwnedId } from '../../core/id.ts';
import { selectColumns } from '../../database/columns.ts';
import { changed, type Em, row, sql } from '../../database/sql.ts';
import { updateTable } from '../../database/statements.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import { isToBeTold, readable, type WebhookSettings } from './plan-deliveries.ts';
import {
  type Attempt,
  type DeliveryStatus,
  isTaken,
  MAX_ATTEMPTS_KEPT,
  PAUSES_IN_SECONDS,
  type ReadableData,
  TRIGGERS,
  type WebhookTrigger,
} from './webhook.rules.ts';
import { WebhookDelivery } from './webhook-delivery.entity.ts';
import { withoutDetails } from './webhook-payload.ts';
import { signedHeaders } from './webhook-secret.rules.ts';

export interface DeliverySettings extends WebhookSettings {
  readonly outbound: Outbound;
}

interface Message {
  readonly webhookId: string;
  readonly url: string;
  readonly payload: string;
  readonly failures: number;
  readonly salts: readonly string[];
  readonly isToBeTold: boolean;
  readonly trigger: WebhookTrigger;
  readonly readable: readonly ReadableData[];
  readonly sentAtInSeconds: number;
}

/**
 * Sends a message that waits to be delivered, and notes what came of it. If the process dies in between, it is sent again.
 * @returns after how many seconds it is to be tried again; undefined: no more
 */
export async function attemptDelivery(
  em: Em,
  delivery: OwnedId,
  { outbound, webhooksKey, isLetIn }: DeliverySettings,
): Promise<number | undefined> {
  const message = await row(
    em,
    sql<Message>`
      select ${selectColumns(WebhookDelivery, ['webhookId', 'payload', 'trigger'], 'd')}, w.url, d.failures,
        ${readable(isLetIn)} as readable,
        array[w.secret_salt] || case when w.previous_until > now() then array[w.previous_salt] else '{}' end as salts,
        ${isToBeTold(isLetIn)} as "isToBeTold", floor(extract(epoch from now()))::int as "sentAtInSeconds"
      from webhook_deliveries d
      join webhooks w on w.user_id = d.user_id and w.id = d.webhook_id
      join users u on u.id = d.user_id
      where d.user_id = ${delivery.ownerId} and d.id = ${delivery.id} and d.status = 'PENDING'`,
  );
  if (!message) return undefined;
  if (!message.isToBeTold) return note(em, delivery, 'GIVEN_UP', undefined, undefined);
  const webhook = { ownerId: delivery.ownerId, id: message.webhookId };
  const { payload, trigger, sentAtInSeconds } = message;
  // The address, or what its app may read, can have changed since the message was written.
  const body = message.readable.includes(TRIGGERS[trigger]) ? payload : withoutDetails(payload);
  const id = publicOwnedId('webhookDelivery', delivery);
  const headers = signedHeaders(webhooksKey, { webhook, salts: message.salts }, { id, sentAtInSeconds, body });
  const outcome = await outbound.call({ kind: 'WEBHOOK', method: 'POST', url: message.url, headers, body });
  if (isTaken(outcome)) return note(em, delivery, 'DELIVERED', outcome, undefined);
  const pause = PAUSES_IN_SECONDS[message.failures];
  // So that what failed together is not tried again together.
  const next = pause === undefined ? undefined : pause * (0.9 + 0.2 * Math.random());
  return note(em, delivery, next === undefined ? 'GIVEN_UP' : 'PENDING', outcome, next);
}

async function note(
  em: Em,
  { ownerId: userId, id }: OwnedId,
  status: DeliveryStatus,
  outcome: Omit<Attempt, 'endedAt'> | undefined,
  nextInSeconds: number | undefined,
): Promise<number | undefined> {
  const attempt = outcome
    ? sql`jsonb_build_array(${JSON.stringify(outcome)}::jsonb || jsonb_build_object('endedAt', now()))`
    : sql`'[]'::jsonb`;
  const last = sql`case when jsonb_array_length(attempts) < ${MAX_ATTEMPTS_KEPT}::int then attempts else attempts - 0 end`;
  await changed(
    em,
    updateTable(WebhookDelivery, { userId, id, status: 'PENDING' }).set({
      status,
      attempts: sql`(${last}) || ${attempt}`,
      failures: sql`failures + 1`,
      nextAttemptAt: sql`now() + make_interval(secs => ${nextInSeconds ?? null}::float8)`,
    }),
  );
  return nextInSeconds;
}
