import { checkedFields, type PatchOf } from '../../core/fields.ts';
import { newTeamId } from '../../core/id.ts';
import { changed, type Em, row, sql } from '../../database/sql.ts';
import { insertInto, selectFrom } from '../../database/statements.ts';
import { ownedBy, slugTaken } from '../organizations/create-organization.ts';
import { lockGroup, ORGANIZATION, requireRole } from '../organizations/group.ts';
import { GROUP_PROFILE_CODES } from '../organizations/group-profile.rules.ts';
import { OrganizationMembership } from '../organizations/organization-membership.entity.ts';
import { TEAM_FIELDS, type TeamProfile } from './team.rules.ts';
import { TeamMembership } from './team-membership.entity.ts';

export const CREATE_STAND_ALONE_TEAM_CODES = [...GROUP_PROFILE_CODES, 'SLUG_TAKEN'] as const;

export const CREATE_TEAM_CODES = [...GROUP_PROFILE_CODES, 'SLUG_TAKEN', 'NOT_FOUND', 'FORBIDDEN'] as const;

export type TeamInput = PatchOf<TeamProfile> & Pick<TeamProfile, 'slug' | 'name'>;

/**
 * Founds a team, owned by its founder, and returns its id: stand-alone, with the founder's time zone and week unless the
 * input says others, or in an organization by its administrator.
 * @throws Problem NOT_FOUND or FORBIDDEN for the organization; SLUG_TAKEN; every mistake of the input at once
 */
export async function createTeam(
  em: Em,
  founderId: string,
  input: TeamInput,
  organizationId: string | null = null,
): Promise<string> {
  const given = checkedFields<TeamProfile, TeamInput>(input, TEAM_FIELDS);
  const { slug, name, bio = null, logoUrl = null, brandColor = null, timeZone = null, weekStart = null } = given;
  const { hideBranding = null, isPrivate = false, metadata = {} } = given;
  const isAlone = organizationId === null;
  return em.transactional(async (inner) => {
    if (organizationId !== null) {
      // Under the lock: an administrator who is demoted at this moment is seen either before or after.
      await lockGroup(inner, ORGANIZATION, organizationId);
      await requireRole(inner, ORGANIZATION, organizationId, founderId, 'ADMIN');
    }
    const id = newTeamId();
    const created = await row(
      inner,
      sql`insert into teams (id, organization_id, slug, name, bio, logo_url, brand_color, time_zone, week_start,
            hide_branding, is_private, metadata, created_at, updated_at)
          select ${id}, ${organizationId}, ${slug}, ${name}, ${bio}, ${logoUrl}, ${brandColor},
            coalesce(${timeZone}, case when ${isAlone}::boolean then u.time_zone end),
            coalesce(${weekStart}, case when ${isAlone}::boolean then u.week_start end),
            ${hideBranding}, ${isPrivate}, ${JSON.stringify(metadata)}::jsonb, now(), now()
          from users u where u.id = ${founderId}
          on conflict do nothing returning id`,
    );
    if (!created) throw slugTaken(slug, 'team');
    await changed(
      inner,
      insertInto(TeamMembership).values({
        ...ownedBy(founderId),
        teamId: id,
        organizationMembershipId: membershipOf(organizationId, founderId),
      }),
    );
    return id;
  });
}

/** SQL: by which a team's founder is a member of its organization; null for a stand-alone team. */
function membershipOf(organizationId: string | null, userId: string) {
  if (organizationId === null) return null;
  return selectFrom(OrganizationMembership, { organizationId, userId }).select('id');
}
