import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { User } from '../accounts/user.entity.ts';
import { Organization } from './organization.entity.ts';
import type { Role } from './role.rules.ts';

/** The members of an organization, and their roles. Reference table. */
export const OrganizationMembership = defineEntity({
  name: 'OrganizationMembership',
  tableName: 'organization_memberships',
  uniques: [{ name: 'organization_memberships_organization_id_user_id_key', properties: ['organization', 'user'] }],
  indexes: [
    {
      name: 'organization_memberships_invited_by_id_idx',
      expression:
        'create index organization_memberships_invited_by_id_idx on organization_memberships (invited_by_id) where invited_by_id is not null',
    },
    { name: 'organization_memberships_organization_id_id_idx', properties: ['organization', 'id'] },
    // A user's organizations and their invitations, neither of which is searched for among the other.
    { name: 'organization_memberships_user_id_organization_id_idx', properties: ['user', 'accepted', 'organization'] },
    {
      name: 'organization_memberships_accepted_idx',
      expression:
        'create index organization_memberships_accepted_idx on organization_memberships (organization_id, user_id) where accepted',
    },
    // By an expression, so that the planner takes it and never the one above, however few members it believes a group to have.
    {
      name: 'organization_memberships_scattered_idx',
      expression:
        'create index organization_memberships_scattered_idx on organization_memberships ((case when accepted and not denormalized then organization_id end), user_id) where accepted and not denormalized',
    },
  ],
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade').index(false),
    user: () => p.manyToOne(User).deleteRule('cascade').index(false),
    role: p.text().$type<Role>(),
    accepted: p.boolean(),
    /**
     * The user who has invited them, as long as they have not accepted: it counts as long as that person may give the
     * role.
     */
    invitedBy: () => p.manyToOne(User).deleteRule('cascade').nullable().index(false),
    /**
     * Whether all that is the member's own carries the id of the organization, so that its lists find it along one index. What
     * is not denormalized is looked for member by member; denormalize.ts sets it.
     */
    denormalized: p.boolean().defaultRaw('false'),
    /** When they accepted; before that, of no meaning. */
    joinedAt: p.type(InstantType).defaultRaw('now()'),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType).defaultRaw('now()'),
  },
});
