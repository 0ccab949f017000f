import { type Em, type RawBuilder, sql } from '../../database/sql.ts';
import { type LastSeen, throwIfChanged } from '../../database/updates/if-unchanged.ts';
import { administersOrganization } from '../organizations/administers-organization.ts';
import { groupNotFound, ORGANIZATION, requireRole } from '../organizations/group.ts';
import { rolesFrom } from '../organizations/role.rules.ts';
import { Team } from './team.entity.ts';
import { TEAM, teamRole } from './team-role.ts';

/** A team that somebody wants to change: as its owner, or as an administrator of the organization that they name. */
export interface TeamTarget {
  readonly teamId: string;
  readonly actorId: string;
  readonly organizationId?: string | undefined;
}

/** SQL: whether `item` is that team, and the actor in charge of it. */
export function isTeamInCharge({ teamId, actorId, organizationId }: TeamTarget): RawBuilder<boolean> {
  if (organizationId === undefined) {
    return sql`item.id = ${teamId} and ${teamRole(actorId, 'item')} = any(${rolesFrom('OWNER')}::text[])`;
  }
  return sql`item.id = ${teamId} and item.organization_id = ${organizationId}
    and ${administersOrganization(actorId, sql`item.organization_id`)}`;
}

/** Why no team was changed. Only looked up afterwards: the statement itself has decided. */
export async function refuseTeam(em: Em, target: TeamTarget): Promise<never> {
  await requireTeamInCharge(em, target);
  throw groupNotFound(TEAM, target.teamId);
}

/** The same for an update that names what it has seen. @throws Problem NOT_FOUND, FORBIDDEN, CONFLICT */
export async function refuseTeamUpdate(em: Em, target: TeamTarget, lastSeen: LastSeen): Promise<never> {
  await requireTeamInCharge(em, target);
  const { teamId: id, organizationId } = target;
  await throwIfChanged(em, Team, organizationId === undefined ? { id } : { id, organizationId }, lastSeen);
  throw groupNotFound(TEAM, id);
}

async function requireTeamInCharge(em: Em, { teamId, actorId, organizationId }: TeamTarget): Promise<void> {
  if (organizationId === undefined) await requireRole(em, TEAM, teamId, actorId, 'OWNER');
  else await requireRole(em, ORGANIZATION, organizationId, actorId, 'ADMIN');
}
