import { tableOf } from '../../database/columns.ts';
import { type RawBuilder, row, sql } from '../../database/sql.ts';
import { administersOrganization, type Group, manages, OR_ACCEPTS, ORGANIZATION } from '../organizations/group.ts';
import { type Role, rolesFrom, type Standing } from '../organizations/role.rules.ts';
import { Team, TeamMembership } from './team.entity.ts';

/**
 * SQL: the team `t`, the user `u` and, in an organization's team, the membership `om` that theirs will depend on. User and
 * membership are locked, so that neither goes away before the row that refers to them is written: what is deleted at this
 * moment is waited for, and is then not found.
 */
const withCandidate = (teamId: string, userId: string) => sql`
  with t as (select id, organization_id from teams where id = ${teamId}),
  u as (select id from users where id = ${userId} for key share),
  om as (
    select id from organization_memberships
    where organization_id = (select organization_id from t) and user_id = ${userId} and accepted for key share
  )`;

const FROM_CANDIDATE = sql`from t cross join u left join om on true where (t.organization_id is null or om.id is not null)`;

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

  async lockCandidate(em, teamId, userId) {
    await row(em, sql`${withCandidate(teamId, userId)} select 1 ${FROM_CANDIDATE}`);
  },

  // A team of an organization takes the organization's members only. They are invited like anybody, unless the
  // organization adds them: by joining it, members accept what its administrators decide about teams, save for members
  // who stand above the one who decides.
  async insertMembership(em, teamId, { id, userId, role, actorId }) {
    const actor = TEAM.standing(sql`t.id`, sql`${actorId}`);
    const isInvited = sql`not ${manages({ group: ORGANIZATION, groupId: sql`t.organization_id`, actorId }, sql`u.id`)}`;
    const inserted = await row(
      em,
      sql`${withCandidate(teamId, userId)}
          insert into team_memberships
            (id, team_id, user_id, organization_membership_id, role, accepted, invited_by_id, created_at)
          select ${id}, t.id, u.id, om.id, ${role}, not ${isInvited}, case when ${isInvited} then ${actorId}::uuid end, now()
          ${FROM_CANDIDATE} and ${actor} <> 'MEMBER'
          on conflict (team_id, user_id) do nothing returning id`,
    );
    return inserted !== undefined;
  },

  async insertInvited(em, teamId, { id, userId, role }) {
    const inserted = await row(
      em,
      sql`${withCandidate(teamId, userId)}
          insert into team_memberships as m (id, team_id, user_id, organization_membership_id, role, accepted, created_at)
          select ${id}, t.id, u.id, om.id, ${role}, true, now()
          ${FROM_CANDIDATE}
          on conflict (team_id, user_id) ${OR_ACCEPTS} returning m.id`,
    );
    return inserted !== undefined;
  },
};

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

/**
 * SQL: whether the booking page of the team `t` is open to a user, or to anybody (null). That of a private team is for its
 * members and the administrators of its organization; that of a private organization's teams for the organization's members.
 */
export function isOpenTo(viewerId: string | null): RawBuilder<boolean> {
  if (viewerId === null) return sql<boolean>`(not t.is_private and not exists (${privateOrganization()}))`;
  return sql<boolean>`((not t.is_private or ${teamRole(viewerId)} is not null)
    and not exists (${privateOrganization()} and not exists (
      select 1 from organization_memberships insider
      where insider.organization_id = closed.id and insider.user_id = ${viewerId} and insider.accepted)))`;
}

function privateOrganization(): RawBuilder<unknown> {
  return sql`select 1 from organizations closed where closed.id = t.organization_id and closed.is_private`;
}
