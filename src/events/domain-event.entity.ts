import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../database/temporal-types.ts';
import type { DomainEventType } from './record-event.ts';

/** The outbox: what has happened, in the transaction in which it did, until all subscribers were notified. */
export const DomainEvent = defineEntity({
  name: 'DomainEvent',
  tableName: 'domain_events',
  indexes: [{ name: 'domain_events_occurred_at_idx', properties: ['occurredAt', 'id'] }],
  properties: {
    /** A user's or a team's id: whose matter it is. */
    ownerId: p.uuid().primary(),
    id: p.uuid().primary(),
    type: p.text().$type<DomainEventType>(),
    data: p.json<Record<string, unknown>>(),
    /** Kept to the microsecond, so that an event is always later than the one that led to it. */
    occurredAt: p.type(InstantType).columnType('timestamptz(6)'),
  },
});
