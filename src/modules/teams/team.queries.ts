import { isId } from '../../core/id.ts';
import { cutPage, type Page, type PageRequest } from '../../core/page.ts';
import { pageLimit, pageOrder, pagesByParent, withinPage } from '../../database/keyset.ts';
import { type Em, rows, sql } from '../../database/sql.ts';
import type { WeekDay } from '../accounts/account.rules.ts';
import { administersOrganization } from '../organizations/administers-organization.ts';
import type { Role } from '../organizations/role.rules.ts';
import { teamRole } from './team-role.ts';

/** A team, and what the caller may do in it: whoever has no role there is not shown the team. */
export interface TeamRow {
  readonly id: string;
  readonly organizationId: string | null;
  readonly slug: string;
  readonly name: string;
  readonly bio: string | null;
  readonly logoUrl: string | null;
  readonly timeZone: string;
  readonly weekStart: WeekDay;
  readonly hideBranding: boolean;
  readonly isPrivate: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  /** RFC 3339, as the database writes it */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly role: Role;
}

const COLUMNS = sql`t.id, t.organization_id as "organizationId", t.slug, t.name, t.bio, t.logo_url as "logoUrl",
  t.time_zone as "timeZone", t.week_start as "weekStart", t.hide_branding as "hideBranding",
  t.is_private as "isPrivate", t.metadata, t.created_at as "createdAt", t.updated_at as "updatedAt"`;

/** Those of the teams that the user can see, by their ids. */
export async function findTeams(em: Em, userId: string, teamIds: readonly string[]): Promise<Map<string, TeamRow>> {
  const ids = teamIds.filter((id) => isId('team', id));
  if (ids.length === 0) return new Map();
  const found = await rows<TeamRow>(
    em,
    sql`select * from (
          select ${COLUMNS}, ${teamRole(userId)} as role from teams t where t.id = any(${ids}::text[])
        ) team
        where role is not null`,
  );
  return new Map(found.map((team) => [team.id, team]));
}

/** A team that the user can see, by the organizations it may belong to: one of another organization is not found. */
export async function findTeamIn(
  em: Em,
  userId: string,
  organizationIds: readonly string[],
  teamId: string,
): Promise<Map<string, TeamRow>> {
  const team = (await findTeams(em, userId, [teamId])).get(teamId);
  const isThere = team?.organizationId != null && organizationIds.includes(team.organizationId);
  return new Map(isThere && team.organizationId ? [[team.organizationId, team]] : []);
}

/** The teams that the user is a member of. */
export async function listTeams(em: Em, userId: string, request: PageRequest): Promise<Page<TeamRow>> {
  const key = sql`mine.team_id`;
  const fetched = await rows<TeamRow>(
    em,
    sql`select ${COLUMNS}, ${teamRole(userId)} as role
        from team_memberships mine join teams t on t.id = mine.team_id
        where mine.user_id = ${userId} and mine.accepted and ${withinPage(key, request)}
        order by ${key} ${pageOrder(request)} limit ${pageLimit(request)}`,
  );
  return cutPage(fetched, request);
}

/** A page of each organization's teams: all of them for its administrators, a member's own for a member. */
export async function teamPages(
  em: Em,
  userId: string,
  organizationIds: readonly string[],
  request: PageRequest,
): Promise<Map<string, Page<TeamRow>>> {
  const key = sql`t.slug`;
  const page = sql`order by ${key} ${pageOrder(request)} limit ${pageLimit(request)}`;
  const administers = administersOrganization(userId, sql`o.id`);
  // Two lists, one of which is empty: a member's few teams are not searched for among all of the organization's.
  const fetched = await rows<TeamRow>(
    em,
    sql`select page.*
        from unnest(${organizationIds}::text[]) as o(id)
        cross join lateral (
          (
            select ${COLUMNS}, 'OWNER' as role from teams t
            where ${administers} and t.organization_id = o.id and ${withinPage(key, request)} ${page}
          ) union all (
            select ${COLUMNS}, mine.role from team_memberships mine join teams t on t.id = mine.team_id
            where not ${administers} and mine.user_id = ${userId} and mine.accepted and t.organization_id = o.id
              and ${withinPage(key, request)} ${page}
          )
        ) page
        order by page.slug ${pageOrder(request)}`,
  );
  return pagesByParent(fetched, ({ organizationId }) => organizationId ?? '', organizationIds, request);
}
