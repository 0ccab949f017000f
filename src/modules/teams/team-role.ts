import { tableOf } from '../../database/columns.ts';
import { type RawBuilder, row, sql } from '../../database/sql.ts';
import { administersOrganization } from '../organizations/administers-organization.ts';
import { type Group, OR_ACCEPTS, ORGANIZATION } from '../organizations/group.ts';
import { type Role, rolesFrom, type Standing } from '../organizations/role.rules.ts';
import { manages } from '../organizations/standing.ts';
import { Team } from './team.entity.ts';
import { TeamMembership } from './team-membership.entity.ts';

/**
 * SQL: what a user may do in a team that stands under `alias` in the statement around it; null for users who cannot see it. The administrators
 * of an organization pass every check of its teams. Read in the statement that needs it: a change of role takes effect at once.
 */
export function teamRole(userId: string, alias = 't'): RawBuilder<Role | null> {
  const team = sql.ref(alias);
  return sql<Role | null>`
    case
      when ${administersOrganization(userId, sql`${team}.organization_id`)} then 'OWNER'
      else (
        select tm.role from team_memberships tm
        where tm.team_id = ${team}.id and tm.user_id = ${userId} and tm.accepted
      )
    end`;
}

export const TEAM: Group = {
  kind: 'team',
  table: tableOf(Team),
  memberships: tableOf(TeamMembership),
  column: sql`team_id`,

  standing: (teamId, userId) => sql<Standing | null>`(
    select coalesce(
      (
        select 'ORGANIZATION_' || standing_om.role from organization_memberships standing_om
        where standing_om.organization_id = standing_team.organization_id and standing_om.user_id = ${userId}
          and standing_om.accepted and standing_om.role = any(${rolesFrom('ADMIN')}::text[])
      ),
      (
        select standing_tm.role from team_memberships standing_tm
        where standing_tm.team_id = standing_team.id and standing_tm.user_id = ${userId} and standing_tm.accepted
      )
    )
    from teams standing_team where standing_team.id = ${teamId}
  )`,

  // A team of an organization takes the organization's members only. They are invited like anybody, unless the
  // organization adds them: by joining it, members accept what its administrators decide about teams, save for members
  // who stand above the one who decides. The row depends on that membership: should it end at this moment, the
  // foreign key decides which of the two came first.
  async insertMembership(em, teamId, { id, userId, role, actorId }) {
    const actor = TEAM.standing(sql`t.id`, sql`${actorId}`);
    const isInvited = sql`not ${manages({ group: ORGANIZATION, groupId: sql`t.organization_id`, actorId }, sql`u.id`)}`;
    const inserted = await row(
      em,
      sql`insert into team_memberships
            (id, team_id, user_id, organization_membership_id, role, accepted, invited_by_id, created_at)
          select ${id}, t.id, u.id, om.id, ${role}, not ${isInvited}, case when ${isInvited} then ${actorId}::uuid end, now()
          from teams t
          join users u on u.id = ${userId}
          left join organization_memberships om
            on om.organization_id = t.organization_id and om.user_id = u.id and om.accepted
          where t.id = ${teamId} and (t.organization_id is null or om.id is not null) and ${actor} <> 'MEMBER'
          on conflict (team_id, user_id) do nothing returning id`,
    );
    return inserted !== undefined;
  },

  async insertInvited(em, teamId, { id, userId, role }) {
    const inserted = await row(
      em,
      sql`insert into team_memberships as m (id, team_id, user_id, organization_membership_id, role, accepted, created_at)
          select ${id}, t.id, u.id, om.id, ${role}, true, now()
          from teams t
          join users u on u.id = ${userId}
          left join organization_memberships om
            on om.organization_id = t.organization_id and om.user_id = u.id and om.accepted
          where t.id = ${teamId} and (t.organization_id is null or om.id is not null)
          on conflict (team_id, user_id) ${OR_ACCEPTS} returning m.id`,
    );
    return inserted !== undefined;
  },
};
