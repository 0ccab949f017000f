/**
 * webhooks/ notifies other people's servers of what has happened: which addresses there are, what each gets, and what became of every
 * message. It may import every module.
 */
import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { EventType } from '../event-types/event-type.entity.ts';
import { Organization } from '../organizations/organization.entity.ts';
import { ownerColumns } from '../teams/team.entity.ts';
import type { Attempt, DeliveryStatus, ReadableData, WebhookTrigger } from './webhook.rules.ts';

const OWNERS = ['user_id', 'team_id', 'organization_id'] as const;

/** For the deletion of an owner. */
function ownerIndex(column: (typeof OWNERS)[number]) {
  const name = `webhooks_${column}_idx`;
  return { name, expression: `create index ${name} on webhooks (${column}) where ${column} is not null` };
}

/**
 * An address that is notified of events: of a user's, of an organization's, or of one event type's of a user or a team. No row
 * holds its secret, which is derived (webhook.rules.ts).
 */
export const Webhook = defineEntity({
  name: 'Webhook',
  tableName: 'webhooks',
  uniques: [
    {
      // The index holds what it is notified about, so that it also finds the webhooks of an event.
      name: 'webhooks_url_key',
      expression: 'create unique index webhooks_url_key on webhooks (owner_id, coalesce(event_type_id, owner_id), url)',
    },
  ],
  indexes: [
    { name: 'webhooks_event_type_id_idx', properties: ['ownerId', 'eventType', 'id'] },
    {
      // The webhooks of users and organizations: in the primary key, which has the same order, those of event types
      // stand between them.
      name: 'webhooks_own_idx',
      expression: 'create index webhooks_own_idx on webhooks (owner_id, id) where event_type_id is null',
    },
    // Finds the webhooks that go on when a user is reinstated, and those that nobody answers for once they leave.
    { name: 'webhooks_set_by_id_idx', properties: ['setById'] },
    ...OWNERS.map(ownerIndex),
  ],
  checks: [
    {
      name: 'webhooks_owner_check',
      expression:
        'num_nonnulls(user_id, team_id, organization_id) = 1 and owner_id = coalesce(user_id, team_id, organization_id)',
    },
    {
      name: 'webhooks_event_type_check',
      expression: 'user_id is not null or (event_type_id is null) = (team_id is null)',
    },
  ],
  properties: {
    ...ownerColumns(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade').nullable().index(false),
    /** The event type that it is notified about; null: all that concerns its owner. */
    eventType: () =>
      p
        .manyToOne(EventType)
        .joinColumns('owner_id', 'event_type_id')
        .nullable()
        .deleteRule('cascade')
        .updateRule('no action')
        .index(false),
    url: p.text(),
    triggers: p.array().$type<WebhookTrigger[]>(),
    isActive: p.boolean(),
    /**
     * The user who has said where messages go, and answers for it: their right decides what it receives. Null: nobody
     * does, so it pauses.
     */
    setById: p.uuid().nullable(),
    /** The app that set it for them: the address gets nothing while that app has no access. Null: they set it themselves. */
    clientId: p.text().nullable(),
    /** The data that its setter could read then: messages about anything else say that it happened, and not what. */
    readable: p.array().$type<ReadableData[]>(),
    /** The salt that the secret is derived from beside the id: another one makes another secret. */
    secretSalt: p.uuid(),
    /** While the secret is changed: that of the one before, and until when it signs as well. */
    previousSalt: p.uuid().nullable(),
    previousUntil: p.type(InstantType).nullable(),
    /** Since then, in so many attempts, no message was taken; null and 0: the last attempt was well. */
    failingSince: p.type(InstantType).nullable(),
    failedAttempts: p.integer().defaultRaw('0'),
    /** Whether its receiver took long to take what it was last sent. */
    slow: p.boolean().defaultRaw('false'),
    /** When it was disabled for that, and why. */
    disabledAt: p.type(InstantType).nullable(),
    disabledReason: p.text().nullable(),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
  },
});

/** A message to a webhook, with what became of it. Sharded by the owner, like the webhook. */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  uniques: [
    // A webhook gets one message of an event, however often its job is begun.
    { name: 'webhook_deliveries_event_key', properties: ['ownerId', 'webhookId', 'eventId'] },
  ],
  indexes: [
    { name: 'webhook_deliveries_list_idx', properties: ['ownerId', 'webhookId', 'createdAt', 'id'] },
    // These serve the list of one status, and that of one trigger.
    { name: 'webhook_deliveries_status_idx', properties: ['ownerId', 'webhookId', 'status', 'createdAt', 'id'] },
    { name: 'webhook_deliveries_trigger_idx', properties: ['ownerId', 'webhookId', 'trigger', 'createdAt', 'id'] },
    { name: 'webhook_deliveries_created_at_idx', properties: ['createdAt'] },
    {
      // This index has the messages that are kept while a webhook pauses.
      name: 'webhook_deliveries_paused_idx',
      expression:
        "create index webhook_deliveries_paused_idx on webhook_deliveries (owner_id, webhook_id, id) where status = 'PAUSED'",
    },
    {
      // For operators.
      name: 'webhook_deliveries_failed_idx',
      expression:
        "create index webhook_deliveries_failed_idx on webhook_deliveries (created_at, id) where status = 'FAILED'",
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
