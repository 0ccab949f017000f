import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { Webhook } from './webhook.entity.ts';
import type { Attempt, DeliveryStatus, WebhookTrigger } from './webhook.rules.ts';

/** A message to a webhook, with what became of it. Sharded by the owner, like the webhook. */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  uniques: [
    // A webhook gets one message of an event, however often its job is begun.
    { name: 'webhook_deliveries_event_key', properties: ['ownerId', 'webhookId', 'eventId'] },
  ],
  indexes: [
    { name: 'webhook_deliveries_list_idx', properties: ['ownerId', 'webhookId', 'id'] },
    { name: 'webhook_deliveries_created_at_idx', properties: ['createdAt'] },
    {
      // This index has the messages that are kept while a webhook pauses.
      name: 'webhook_deliveries_paused_idx',
      expression:
        "create index webhook_deliveries_paused_idx on webhook_deliveries (owner_id, webhook_id, id) where status = 'PAUSED'",
    },
    {
      // For operators.
      name: 'webhook_deliveries_given_up_idx',
      expression:
        "create index webhook_deliveries_given_up_idx on webhook_deliveries (created_at, id) where status = 'GIVEN_UP'",
    },
  ],
  properties: {
    ownerId: p.uuid().primary(),
    id: p.uuid().primary(),
    webhook: () => p.manyToOne(Webhook).joinColumns('owner_id', 'webhook_id').deleteRule('cascade').index(false),
    webhookId: p.uuid(),
    eventId: p.uuid(),
    /**
     * The thing that it is about, by which it is judged each time that it is sent: its owner, and its id. Null: a test,
     * about nothing.
     */
    aboutOwnerId: p.uuid().nullable(),
    aboutId: p.uuid().nullable(),
    trigger: p.text().$type<WebhookTrigger>(),
    /** The body, with all data; parts that may not be read are left out when it is sent. Empty: it was kept for too long. */
    payload: p.text(),
    status: p.text().$type<DeliveryStatus>(),
    /** The last ones; how many have failed since it was last to be delivered. */
    attempts: p.json<readonly Attempt[]>(),
    failures: p.integer().defaultRaw('0'),
    nextAttemptAt: p.type(InstantType).nullable(),
    createdAt: p.type(InstantType),
  },
});
