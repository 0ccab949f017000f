/** conferencing/ owns the apps in which users and teams meet: which they have connected, and where their bookings take place in them. */
import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { Connection } from '../connections/connection.entity.ts';
import { ownerCheck, ownerColumns } from '../teams/team.entity.ts';

/** An app that a user or a team has connected. Sharded by its owner. */
export const ConferencingApp = defineEntity({
  name: 'ConferencingApp',
  tableName: 'conferencing_apps',
  uniques: [
    { name: 'conferencing_apps_owner_id_app_key', properties: ['ownerId', 'app'] },
    {
      name: 'conferencing_apps_default_key',
      expression: 'create unique index conferencing_apps_default_key on conferencing_apps (owner_id) where is_default',
    },
  ],
  // This index serves the deletion of an owner.
  indexes: (['user_id', 'team_id'] as const).map((column) => ({
    name: `conferencing_apps_${column}_idx`,
    expression: `create index conferencing_apps_${column}_idx on conferencing_apps (${column}) where ${column} is not null`,
  })),
  checks: [ownerCheck('conferencing_apps')],
  properties: {
    ...ownerColumns(),
    /** Its slug. */
    app: p.text(),
    isDefault: p.boolean(),
    /** The connection opens the account of an app that is connected by OAuth. */
    connection: () =>
      p.manyToOne(Connection).joinColumns('owner_id', 'connection_id').deleteRule('cascade').nullable().index(false),
    connectionId: p.uuid().nullable(),
    /** When its owner was told that the account lets us in no more; null since it has worked. */
    notifiedAt: p.type(InstantType).nullable(),
    createdAt: p.type(InstantType),
  },
});
