import { defineEntity, p } from '@mikro-orm/core';
import { InstantType, instantCheck } from '../../database/temporal-types.ts';
import { EventType } from './event-type.entity.ts';

/**
 * An address by which an event type is booked that the public lists hide. Its secret is kept as it is and not as a hash:
 * the owner may read the address at any time to pass it on, and it opens nothing but a booking form.
 */
export const PrivateLink = defineEntity({
  name: 'PrivateLink',
  tableName: 'private_links',
  checks: [instantCheck('private_links', 'expires_at')],
  indexes: [{ name: 'private_links_event_type_id_idx', properties: ['eventType', 'id'] }],
  properties: {
    eventType: () => p.manyToOne(EventType).joinColumns('owner_id', 'event_type_id').deleteRule('cascade').index(false),
    ownerId: p.uuid().primary(),
    id: p.uuid().primary(),
    secret: p.text(),
    expiresAt: p.type(InstantType).nullable(),
    maxUsageCount: p.integer().nullable(),
    usageCount: p.integer(),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
  },
});
