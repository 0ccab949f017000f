import { checkedFields, type PatchOf } from '../../core/fields.ts';
import { LATER } from '../../database/expressions.ts';
import { changed, type Em } from '../../database/sql.ts';
import { updateTable } from '../../database/statements.ts';
import { isAsSeen, type LastSeen } from '../../database/updates/if-unchanged.ts';
import { rethrowForMetadata, withMergedMetadata } from '../../database/updates/merged-keys.ts';
import { violatedConstraint } from '../../database/violated-constraint.ts';
import { slugTaken } from '../organizations/create-organization.ts';
import { GROUP_PROFILE_CODES } from '../organizations/group-profile.rules.ts';
import { Team } from './team.entity.ts';
import { TEAM_FIELDS, type TeamProfile } from './team.rules.ts';
import { isTeamInCharge, refuseTeamUpdate, type TeamTarget } from './team-in-charge.ts';

export const UPDATE_TEAM_CODES = [...GROUP_PROFILE_CODES, 'SLUG_TAKEN', 'NOT_FOUND', 'FORBIDDEN', 'CONFLICT'] as const;

const SLUG_CONSTRAINTS: readonly unknown[] = ['teams_slug_key', 'teams_organization_id_slug_key'];

type TeamPatch = PatchOf<TeamProfile> & { readonly ifUpdatedAt?: LastSeen };

/** Changes what the patch names. @throws Problem NOT_FOUND, FORBIDDEN, CONFLICT, SLUG_TAKEN, and every mistake of the patch at once */
export async function updateTeam(em: Em, target: TeamTarget, { ifUpdatedAt, ...patch }: TeamPatch): Promise<void> {
  const values = checkedFields<TeamProfile, PatchOf<TeamProfile>>(patch, TEAM_FIELDS);
  const count = await changed(
    em,
    updateTable(Team)
      .set({ ...withMergedMetadata(values), updatedAt: LATER })
      .where(isTeamInCharge(target))
      .where(isAsSeen(ifUpdatedAt)),
  ).catch((error: unknown) => {
    if (SLUG_CONSTRAINTS.includes(violatedConstraint(error))) throw slugTaken(values.slug ?? '', 'team');
    rethrowForMetadata(error);
  });
  if (count === 0) await refuseTeamUpdate(em, target, ifUpdatedAt);
}
