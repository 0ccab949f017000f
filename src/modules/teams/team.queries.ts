import { isTeam } from '../../core/id.ts';
import type { Page, PageRequest } from '../../core/page.ts';
import { columnOf, type Part, type RowOf, type Selection } from '../../database/columns.ts';
import { byKey, type Narrowed, NOT_NARROWED, pageOf, pageOrder, pagesByParent } from '../../database/pages.ts';
import { type Em, type RawBuilder, row, rows, sql } from '../../database/sql.ts';
import type { Mail } from '../../mail/mailer.ts';
import { administersOrganization, ownGroups } from '../organizations/group.ts';
import { type GroupProfile, INHERITABLE, type InheritableField } from '../organizations/group-profile.rules.ts';
import { Organization } from '../organizations/organization.entity.ts';
import type { Role } from '../organizations/role.rules.ts';
import type { Team } from './team.entity.ts';
import { TEAM, teamRole } from './team-role.ts';

/**
 * A team, and what the caller may do in it: callers without a role in the team do not see it. It has its id and the
 * selected columns.
 */
export type TeamRow = RowOf<typeof Team> & { readonly role: Role };

type TeamSelection = Selection<typeof Team>;

/** A team by its id: one of another organization is not found. */
export interface TeamOfOrganization {
  readonly organizationId: string;
  readonly id: string;
}

/** The organization of a team, for what the team inherits; null of one that stands alone. */
export const INHERITED_FROM: Part<'inheritedFrom', typeof Organization, 'ONE'> = {
  name: 'inheritedFrom',
  holds: 'ONE',
  entity: Organization,
  from: (alias, of) =>
    of.jsonObject('o', sql`from organizations o where o.id = ${sql.ref(`${alias}.organization_id`)}`),
};

/** How the booking pages of a team look, and whether its mails and pages leave out our name. */
export interface Brand extends Pick<GroupProfile, 'logoUrl' | 'brandColor' | 'hidesBranding'> {
  /** Where this is true, the logo is the picture of a user. */
  readonly isPerson?: boolean;
}

/** SQL: for `select`, that of the team `t` in the organization `o`, if it is in one. */
export const BRAND = sql<Brand>`${inherited('logoUrl')} as "logoUrl", ${inherited('brandColor')} as "brandColor",
  ${inherited('hidesBranding')} as "hidesBranding"`;

/** The part of the brand that mails show. */
export type MailLook = Pick<Mail, 'isUnbranded' | 'color'>;

/** Those of the teams that the user can see, by their ids. */
export async function findTeams(
  em: Em,
  userId: string,
  teamIds: readonly string[],
  selection: TeamSelection,
): Promise<Map<string, TeamRow>> {
  const found = await rows<TeamRow>(
    em,
    sql`select * from (
          select ${selection.with('id').from('t')}, ${teamRole(userId)} as role from teams t where t.id = any(${teamIds}::uuid[])
        ) team
        where role is not null`,
  );
  return new Map(found.map((team) => [team.id, team]));
}

/** Those of these teams that the user can see, in their order. */
export async function findTeamsIn(
  em: Em,
  userId: string,
  wanted: readonly TeamOfOrganization[],
  selection: TeamSelection,
): Promise<(TeamRow | undefined)[]> {
  const ids = [...new Set(wanted.map(({ id }) => id))];
  const found = await findTeams(em, userId, ids, selection.with('organizationId'));
  return wanted.map(({ organizationId, id }) => {
    const team = found.get(id);
    return team?.organizationId === organizationId ? team : undefined;
  });
}

/** The teams `t` that the user is a member of. */
export async function listTeams(
  em: Em,
  userId: string,
  request: PageRequest,
  selection: TeamSelection,
  { condition }: Narrowed = NOT_NARROWED,
): Promise<Page<TeamRow>> {
  const { isOnPage, orderAndLimit } = ownGroups(TEAM, userId, request);
  return pageOf(
    em,
    request,
    sql<TeamRow>`select ${selection.with('id').from('t')}, ${teamRole(userId)} as role
        from team_memberships mine join teams t on t.id = mine.team_id
        where ${isOnPage} and ${condition}
        ${orderAndLimit}`,
  );
}

/** A page of each organization's teams `t`: all of them for its administrators, a member's own for a member. */
export async function teamPages(
  em: Em,
  userId: string,
  organizationIds: readonly string[],
  request: PageRequest,
  selection: TeamSelection,
  { condition }: Narrowed = NOT_NARROWED,
): Promise<Map<string, Page<TeamRow>>> {
  const { within, orderAndLimit } = byKey(sql`t.slug`, request);
  const columns = selection.with('id', 'organizationId', 'slug').from('t');
  const administers = administersOrganization(userId, sql`o.id`);
  // Two lists, one of which is empty: a member's few teams are not searched for among all of the organization's.
  return pagesByParent(
    em,
    request,
    sql<TeamRow>`select page.*
        from unnest(${organizationIds}::uuid[]) as o(id)
        cross join lateral (
          (
            select ${columns}, 'OWNER' as role from teams t
            where ${administers} and t.organization_id = o.id and ${condition} and ${within} ${orderAndLimit}
          ) union all (
            select ${columns}, mine.role from team_memberships mine join teams t on t.id = mine.team_id
            where not ${administers} and mine.user_id = ${userId} and mine.accepted and t.organization_id = o.id
              and ${condition} and ${within} ${orderAndLimit}
          )
        ) page
        order by page.slug ${pageOrder(request)}`,
    'organizationId',
    organizationIds,
  );
}

/** SQL: what holds for the team `t` in the organization `o`, if it is in one. */
export function inherited<Name extends InheritableField>(name: Name): RawBuilder<GroupProfile[Name]> {
  const column = columnOf(name);
  const [own, inheritedValue] = [sql.ref(`t.${column}`), sql.ref(`o.${column}`)];
  // An empty text of the team means none, for fields that there can be none of.
  if (INHERITABLE[name] === null) return sql`nullif(coalesce(${own}, ${inheritedValue}), '')`;
  return sql`coalesce(${own}, ${inheritedValue}, ${INHERITABLE[name]})`;
}

/** The brand of people on the pages of their bookings, which load nothing from elsewhere. */
const NO_BRAND: Brand = { logoUrl: null, brandColor: null, hidesBranding: false };

/** Finds the brand of the owner of event types. Users have none, nor has a team that is gone. */
export async function findBrand(em: Em, ownerId: string): Promise<Brand> {
  if (!isTeam(ownerId)) return NO_BRAND;
  const found = await row(
    em,
    sql<Brand>`select ${BRAND} from teams t left join organizations o on o.id = t.organization_id where t.id = ${ownerId}`,
  );
  return found ?? NO_BRAND;
}

export function lookOf({ hidesBranding, brandColor }: Brand): MailLook {
  return { isUnbranded: hidesBranding, ...(brandColor !== null && { color: brandColor }) };
}
