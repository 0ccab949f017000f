/**
 * webhooks/ tells servers of others what has happened: which addresses there are, what each is told, and what became of every
 * message. It may import every module.
 */
import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { User } from '../accounts/user.entity.ts';
import type { ReadableData, WebhookTrigger } from './webhook.rules.ts';

/** An address that is told of events. No row holds its secret, which is derived (webhook-secret.rules.ts). */
export const Webhook = defineEntity({
  name: 'Webhook',
  tableName: 'webhooks',
  uniques: [{ name: 'webhooks_user_id_url_key', properties: ['user', 'url'] }],
  properties: {
    user: () => p.manyToOne(User).fieldNames('user_id').primary().deleteRule('cascade').index(false),
    id: p.uuid().primary(),
    url: p.text(),
    triggers: p.array().$type<WebhookTrigger[]>(),
    active: p.boolean(),
    /** The app that has said where messages go: without access to the user it is told nothing. Null: the user themselves. */
    clientId: p.text().nullable(),
    /** What whoever has said so may read: messages about anything else tell that it happened, and not what. */
    readable: p.array().$type<ReadableData[]>(),
    /** What the secret is derived from beside the id: another one makes another secret. */
    secretSalt: p.uuid(),
    /** While the secret is changed: that of the one before, and until when it signs as well. */
    previousSalt: p.uuid().nullable(),
    previousUntil: p.type(InstantType).nullable(),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
  },
});
