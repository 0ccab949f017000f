import { idOf } from '../../core/id.ts';
import { type Em, type RawBuilder, row, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { groupNotFound, requireGroupId } from '../organizations/group.ts';
import { Team } from '../teams/team.entity.ts';
import { TEAM } from '../teams/team-role.ts';

/**
 * Requires that a team is in an organization, where a mutation names both. A team never changes its organization, so
 * this is looked at before the mutation's own statement decides about everything else. A caller who neither sees the
 * team nor is invited to it is told no more than for any other.
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
        .where(sql<boolean>`(${TEAM.standing(sql`item.id`, sql`${actorId}`)} is not null or ${isInvited(actorId)})`)
        .select('id'),
    ));
  if (!found) throw groupNotFound(TEAM, teamId);
}

/** SQL: whether somebody is invited to the team `item`, by their id or by their address: they answer that at its paths. */
function isInvited(userId: string): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (select 1 from team_memberships m where m.team_id = item.id and m.user_id = ${userId})
    or exists (
      select 1 from users u join invitations i on i.email = u.email
      where u.id = ${userId} and u.email_verified_at is not null and i.team_id = item.id
    ))`;
}
