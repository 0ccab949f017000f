import { changed, type Em, sql } from '../../database/sql.ts';
import { isTeamInCharge, refuseTeam, type TeamTarget } from './team-in-charge.ts';

export const DELETE_TEAM_CODES = ['NOT_FOUND', 'FORBIDDEN'] as const;

/** Deletes a team with its memberships and everything it owns. @throws Problem NOT_FOUND, FORBIDDEN */
export async function deleteTeam(em: Em, target: TeamTarget): Promise<void> {
  const count = await changed(em, sql`delete from teams t where ${isTeamInCharge(target)}`);
  if (count === 0) await refuseTeam(em, target);
}
