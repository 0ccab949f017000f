/** teams/ owns teams, of an organization or alone. What they share with organizations stands in organizations/. */
import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { metadataCheck } from '../../database/updates.ts';
import { User } from '../accounts/user.entity.ts';
import { Organization, OrganizationMembership } from '../organizations/organization.entity.ts';
import type { Role } from '../organizations/role.rules.ts';

/** People who are booked together: inside an organization, or stand-alone. Reference table. */
export const Team = defineEntity({
  name: 'Team',
  tableName: 'teams',
  // Two namespaces of slugs: one inside each organization, one of the stand-alone teams.
  uniques: [
    {
      name: 'teams_organization_id_slug_key',
      expression:
        'create unique index teams_organization_id_slug_key on teams (organization_id, slug) where organization_id is not null',
    },
    {
      name: 'teams_slug_key',
      expression: 'create unique index teams_slug_key on teams (slug) where organization_id is null',
    },
  ],
  // By it, an owner's id says that it is a team's (core/id.ts).
  checks: [{ name: 'teams_id_check', expression: 'get_byte(uuid_send(id), 15) % 2 = 1' }, metadataCheck('teams')],
  indexes: [{ name: 'teams_organization_id_id_idx', properties: ['organization', 'id'] }],
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade').nullable().index(false),
    slug: p.text(),
    name: p.text(),
    bio: p.text().nullable(),
    // Null in these five: as its organization has it (INHERITABLE_FIELDS).
    logoUrl: p.text().nullable(),
    brandColor: p.text().nullable(),
    timeZone: p.text().nullable(),
    weekStart: p.text().nullable(),
    hidesBranding: p.boolean().nullable(),
    isPrivate: p.boolean(),
    metadata: p.json<Record<string, string>>(),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
  },
});

/** The first columns of what belongs to a user or a team, of which one is null. The table has a check and an index for each. */
export function ownerColumns() {
  return {
    ownerId: p.uuid().primary(),
    id: p.uuid().primary(),
    user: () => p.manyToOne(User).deleteRule('cascade').nullable().index(false),
    team: () => p.manyToOne(Team).deleteRule('cascade').nullable().index(false),
  };
}

/** That one of them, and just one, is the owner. */
export function ownerCheck(table: string) {
  return {
    name: `${table}_owner_check`,
    expression: 'num_nonnulls(user_id, team_id) = 1 and owner_id = coalesce(user_id, team_id)',
  };
}

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
    // These serve the lists of one role, of members and of invitations, as those of organizations do.
    { name: 'team_memberships_role_idx', properties: ['role', 'team', 'id'] },
    {
      name: 'team_memberships_joined_idx',
      expression: 'create index team_memberships_joined_idx on team_memberships (team_id, id) where accepted',
    },
    {
      name: 'team_memberships_invited_idx',
      expression: 'create index team_memberships_invited_idx on team_memberships (team_id, id) where not accepted',
    },
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
