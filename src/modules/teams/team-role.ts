import { type RawBuilder, row, sql } from '../../database/sql.ts';
import { administersOrganization } from '../organizations/administers-organization.ts';
import type { Group } from '../organizations/group.ts';
import type { Role } from '../organizations/role.rules.ts';

/**
 * SQL: what a user may do in the team `t` of the statement around it; null for whoever cannot see it. The administrators
 * of an organization pass every check of its teams. Read in the statement that needs it: a role bites at once.
 */
export function teamRole(userId: string): RawBuilder<Role | null> {
  return sql<Role | null>`
    case
      when ${administersOrganization(userId, sql`t.organization_id`)} then 'OWNER'
      else (
        select tm.role from team_memberships tm
        where tm.team_id = t.id and tm.user_id = ${userId} and tm.accepted
      )
    end`;
}

export const TEAM: Group = {
  kind: 'team',
  table: sql`teams`,
  memberships: sql`team_memberships`,
  column: sql`team_id`,

  async findRole(em, teamId, userId) {
    const found = await row<{ role: Role | null }>(
      em,
      sql`select ${teamRole(userId)} as role from teams t where t.id = ${teamId}`,
    );
    return found?.role ?? undefined;
  },

  // A team of an organization takes the organization's members only, and they need not accept once more. The row hangs
  // on that membership: should it end at this moment, the foreign key decides which of the two came first.
  async insertMembership(em, teamId, { id, userId, role }) {
    const inserted = await row(
      em,
      sql`insert into team_memberships
            (id, team_id, user_id, organization_membership_id, role, accepted, created_at)
          select ${id}, t.id, u.id, om.id, ${role}, om.id is not null, now()
          from teams t
          join users u on u.id = ${userId}
          left join organization_memberships om
            on om.organization_id = t.organization_id and om.user_id = u.id and om.accepted
          where t.id = ${teamId} and (t.organization_id is null or om.id is not null)
          on conflict (team_id, user_id) do nothing returning id`,
    );
    return inserted !== undefined;
  },
};
