/**
 * occupancy/ owns the time that hosts have given away. Its exclusion constraint decides every race for a time. It may
 * import no other room.
 */
import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../../database/temporal-types.ts';
import { User } from '../../accounts/user.entity.ts';
import { Team } from '../../teams/team.entity.ts';

/**
 * The time that a host has given away, buffers included: to bookings, pending ones too, and to reservations until they
 * expire. No two rows of a host overlap; the database refuses it. Written by take-time.ts alone.
 */
export const OccupiedTime = defineEntity({
  name: 'OccupiedTime',
  tableName: 'occupied_times',
  indexes: [
    {
      name: 'occupied_times_expires_at_idx',
      expression:
        'create index occupied_times_expires_at_idx on occupied_times (expires_at) where expires_at is not null',
    },
    {
      name: 'occupied_times_team_id_idx',
      expression: 'create index occupied_times_team_id_idx on occupied_times (team_id) where team_id is not null',
    },
  ],
  checks: [{ name: 'occupied_times_no_overlap', expression: 'exclude using gist (host_id with =, during with &&)' }],
  properties: {
    host: () => p.manyToOne(User).fieldNames('host_id').primary().deleteRule('cascade').index(false),
    /** The booking's id, or the reservation's. */
    holderId: p.uuid().primary(),
    during: p.string().columnType('tstzrange'),
    team: () => p.manyToOne(Team).deleteRule('cascade').nullable().index(false),
    /** Null for a booking. */
    expiresAt: p.type(InstantType).nullable(),
  },
});
