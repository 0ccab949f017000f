import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../../database/temporal-types.ts';
import { ownerColumns } from '../../teams/team.entity.ts';

/**
 * A slot that is kept for the holder of its uid (booking-key.rules.ts), until it expires or is booked. Hosts see and release it by its id. One that has ended is kept
 * for a while, since what its caller has held before decides what they may hold again (hold-limits.ts).
 */
export const SlotReservation = defineEntity({
  name: 'SlotReservation',
  tableName: 'slot_reservations',
  indexes: [
    { name: 'slot_reservations_expires_at_idx', properties: ['expiresAt'] },
    { name: 'slot_reservations_event_type_idx', properties: ['ownerId', 'eventTypeId', 'startsAt', 'id'] },
    {
      name: 'slot_reservations_callers_idx',
      expression: 'create index slot_reservations_callers_idx on slot_reservations using gin (callers)',
    },
    {
      name: 'slot_reservations_host_ids_idx',
      expression: 'create index slot_reservations_host_ids_idx on slot_reservations using gin (host_ids)',
    },
    {
      name: 'slot_reservations_user_id_idx',
      expression: 'create index slot_reservations_user_id_idx on slot_reservations (user_id) where user_id is not null',
    },
    {
      name: 'slot_reservations_team_id_idx',
      // In the order of the team's list.
      expression:
        'create index slot_reservations_team_id_idx on slot_reservations (team_id, starts_at, id) where team_id is not null',
    },
  ],
  properties: {
    ...ownerColumns(),
    eventTypeId: p.uuid(),
    startsAt: p.type(InstantType),
    endsAt: p.type(InstantType),
    hostIds: p.array().columnType('uuid[]'),
    /** The booking in which it keeps a seat; null when it keeps its hosts' time. */
    seatOfId: p.uuid().nullable(),
    /** The callers that it counts for: `SlotHolder.names`. */
    callers: p.array().columnType('text[]'),
    /** When its caller began to keep this time, by this reservation or by those before it. */
    heldSince: p.type(InstantType),
    expiresAt: p.type(InstantType),
    createdAt: p.type(InstantType),
  },
});
