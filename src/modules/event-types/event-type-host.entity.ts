import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { TeamMembership } from '../teams/team-membership.entity.ts';
import { EventType } from './event-type.entity.ts';

/** A member of a team who is booked with one of its event types, sharded by the team; goes with the membership. */
export const EventTypeHost = defineEntity({
  name: 'EventTypeHost',
  tableName: 'event_type_hosts',
  indexes: [{ name: 'event_type_hosts_membership_id_idx', properties: ['membership'] }],
  properties: {
    eventType: () => p.manyToOne(EventType).joinColumns('owner_id', 'event_type_id').deleteRule('cascade').index(false),
    ownerId: p.uuid().primary(),
    eventTypeId: p.uuid().primary(),
    userId: p.uuid().primary(),
    membership: () => p.manyToOne(TeamMembership).deleteRule('cascade').index(false),
    isMandatory: p.boolean(),
    priority: p.integer(),
    weight: p.integer(),
    /** They take turns with this part since then: since they became a host, or since it last changed. */
    turnsSince: p.type(InstantType).defaultRaw('now()'),
  },
});
