import { idOf } from '../../core/id.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { groupNotFound, requireGroupId } from '../organizations/group.ts';
import { Team } from '../teams/team.entity.ts';
import { TEAM } from '../teams/team-role.ts';

/**
 * That a team is in an organization, where a mutation names both. A team never changes its organization, so this is looked at
 * before the mutation's own statement decides about everything else. Who cannot see the team is told no more than for any other.
 * @throws Problem NOT_FOUND
 */
export async function requireTeamOf(
  em: Em,
  { teamId: named, organizationId }: { readonly teamId: string; readonly organizationId: string },
  actorId: string,
): Promise<void> {
  const teamId = requireGroupId(TEAM, named);
  const organization = idOf('organization', organizationId);
  const found =
    organization !== undefined &&
    (await row(
      em,
      selectFrom(Team, { id: teamId, organizationId: organization })
        .where(sql<boolean>`${TEAM.standing(sql`item.id`, sql`${actorId}`)} is not null`)
        .select('id'),
    ));
  if (!found) throw groupNotFound(TEAM, teamId);
}
