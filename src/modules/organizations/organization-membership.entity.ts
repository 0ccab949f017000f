import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { User } from '../accounts/user.entity.ts';
import { Organization } from './organization.entity.ts';
import type { Role } from './role.rules.ts';

/** Who belongs to an organization, and as what. Reference table. */
export const OrganizationMembership = defineEntity({
  name: 'OrganizationMembership',
  tableName: 'organization_memberships',
  uniques: [{ name: 'organization_memberships_organization_id_user_id_key', properties: ['organization', 'user'] }],
  indexes: [
    { name: 'organization_memberships_organization_id_id_idx', properties: ['organization', 'id'] },
    // A user's organizations and their invitations, neither of which is searched for among the other.
    { name: 'organization_memberships_user_id_organization_id_idx', properties: ['user', 'accepted', 'organization'] },
    {
      name: 'organization_memberships_accepted_idx',
      expression:
        'create index organization_memberships_accepted_idx on organization_memberships (organization_id, user_id) where accepted',
    },
  ],
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade').index(false),
    user: () => p.manyToOne(User).deleteRule('cascade').index(false),
    role: p.text().$type<Role>(),
    accepted: p.boolean(),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType).defaultRaw('now()'),
  },
});
