import { changed, type Em } from '../../database/sql.ts';
import { deleteFrom } from '../../database/statements.ts';
import { Team } from './team.entity.ts';
import { isTeamInCharge, refuseTeam, type TeamTarget } from './team-in-charge.ts';

export const DELETE_TEAM_CODES = ['NOT_FOUND', 'FORBIDDEN'] as const;

/** Deletes a team with its memberships and everything it owns. @throws Problem NOT_FOUND, FORBIDDEN */
export async function deleteTeam(em: Em, target: TeamTarget): Promise<void> {
  const count = await changed(em, deleteFrom(Team).where(isTeamInCharge(target)));
  if (count === 0) await refuseTeam(em, target);
}
