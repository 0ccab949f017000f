import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { User } from '../accounts/user.entity.ts';
import { OrganizationMembership } from '../organizations/organization-membership.entity.ts';
import type { Role } from '../organizations/role.rules.ts';
import { Team } from './team.entity.ts';

/** The members of a team, and their roles. Reference table. */
export const TeamMembership = defineEntity({
  name: 'TeamMembership',
  tableName: 'team_memberships',
  uniques: [{ name: 'team_memberships_team_id_user_id_key', properties: ['team', 'user'] }],
  indexes: [
    {
      name: 'team_memberships_invited_by_id_idx',
      expression:
        'create index team_memberships_invited_by_id_idx on team_memberships (invited_by_id) where invited_by_id is not null',
    },
    { name: 'team_memberships_team_id_id_idx', properties: ['team', 'id'] },
    // A user's teams and their invitations, neither of which is searched for among the other.
    { name: 'team_memberships_user_id_team_id_idx', properties: ['user', 'accepted', 'team'] },
    {
      name: 'team_memberships_accepted_idx',
      expression: 'create index team_memberships_accepted_idx on team_memberships (team_id, user_id) where accepted',
    },
  ],
  properties: {
    id: p.uuid().primary(),
    team: () => p.manyToOne(Team).deleteRule('cascade').index(false),
    user: () => p.manyToOne(User).deleteRule('cascade').index(false),
    /** In an organization's team: the membership that this one depends on, and with which it is deleted. */
    organizationMembership: () =>
      p
        .manyToOne(OrganizationMembership)
        .deleteRule('cascade')
        .nullable()
        .index('team_memberships_organization_membership_id_idx'),
    role: p.text().$type<Role>(),
    accepted: p.boolean(),
    /**
     * The user who has invited them, as long as they have not accepted: it counts as long as that person may give the
     * role.
     */
    invitedBy: () => p.manyToOne(User).deleteRule('cascade').nullable().index(false),
    /** When they accepted; before that, of no meaning. */
    joinedAt: p.type(InstantType).defaultRaw('now()'),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType).defaultRaw('now()'),
  },
});
