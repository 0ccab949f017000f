import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { User } from '../accounts/user.entity.ts';
import { Team } from '../teams/team.entity.ts';

/**
 * Something that can be booked with a user or a team. Sharded by its owner: every key starts with `owner_id`, and the
 * public id carries it, so that a look-up by id alone finds the shard.
 */
export const EventType = defineEntity({
  name: 'EventType',
  tableName: 'event_types',
  uniques: [{ name: 'event_types_owner_id_slug_key', properties: ['ownerId', 'slug'] }],
  // Lists need none: ids are made in the order of time, so the primary key is the order of an owner's list. These two
  // serve the deletion of an owner.
  indexes: [
    {
      name: 'event_types_user_id_idx',
      expression: 'create index event_types_user_id_idx on event_types (user_id) where user_id is not null',
    },
    {
      name: 'event_types_team_id_idx',
      expression: 'create index event_types_team_id_idx on event_types (team_id) where team_id is not null',
    },
  ],
  checks: [
    {
      name: 'event_types_owner_check',
      expression: 'num_nonnulls(user_id, team_id) = 1 and owner_id = coalesce(user_id, team_id)',
    },
  ],
  properties: {
    ownerId: p.text().primary(),
    id: p.text().primary(),
    user: () => p.manyToOne(User).deleteRule('cascade').nullable().index(false),
    team: () => p.manyToOne(Team).deleteRule('cascade').nullable().index(false),
    slug: p.text(),
    title: p.text(),
    description: p.text().nullable(),
    lengthInMinutes: p.integer(),
    hidden: p.boolean(),
    color: p.text().nullable(),
    metadata: p.json<Record<string, string>>(),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
  },
});
