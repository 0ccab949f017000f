import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { User } from '../accounts/user.entity.ts';
import { Organization } from '../organizations/organization.entity.ts';
import type { Role } from '../organizations/role.rules.ts';
import { Team } from '../teams/team.entity.ts';

/**
 * An invitation to a team or an organization by mail, for somebody who is known by their address alone. A person who
 * accepts gets the membership of the same id: one row becomes the other.
 */
export const Invitation = defineEntity({
  name: 'Invitation',
  tableName: 'invitations',
  uniques: [
    { name: 'invitations_team_id_email_key', properties: ['team', 'email'] },
    { name: 'invitations_organization_id_email_key', properties: ['organization', 'email'] },
  ],
  indexes: [
    { name: 'invitations_team_id_id_idx', properties: ['team', 'id'] },
    { name: 'invitations_organization_id_id_idx', properties: ['organization', 'id'] },
    // These serve the list of one role.
    { name: 'invitations_role_team_id_id_idx', properties: ['role', 'team', 'id'] },
    { name: 'invitations_role_organization_id_id_idx', properties: ['role', 'organization', 'id'] },
    { name: 'invitations_email_idx', properties: ['email'] },
    { name: 'invitations_invited_by_id_idx', properties: ['invitedBy'] },
    { name: 'invitations_expires_at_idx', properties: ['expiresAt'] },
  ],
  checks: [{ name: 'invitations_group_check', expression: 'num_nonnulls(team_id, organization_id) = 1' }],
  properties: {
    id: p.uuid().primary(),
    team: () => p.manyToOne(Team).deleteRule('cascade').nullable().index(false),
    organization: () => p.manyToOne(Organization).deleteRule('cascade').nullable().index(false),
    /** In lower case. */
    email: p.text(),
    role: p.text().$type<Role>(),
    /** SHA-256 of the token in the link; the token itself is kept nowhere. */
    tokenHash: p.text().unique(),
    /** The user who has sent it last: it counts as long as they may give the role. */
    invitedBy: () => p.manyToOne(User).deleteRule('cascade').index(false),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
    expiresAt: p.type(InstantType),
  },
});
