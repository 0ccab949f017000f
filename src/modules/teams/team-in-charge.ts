import { type Em, type RawBuilder, row, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { type LastSeen, throwIfChanged } from '../../database/updates/if-unchanged.ts';
import { administersOrganization } from '../organizations/administers-organization.ts';
import { groupNotFound, ORGANIZATION, requireRole, sufficient } from '../organizations/group.ts';
import { rolesFrom } from '../organizations/role.rules.ts';
import { Team } from './team.entity.ts';
import { TEAM, teamRole } from './team-role.ts';

/** A team that somebody wants to change. */
export interface TeamTarget {
  readonly teamId: string;
  readonly actorId: string;
  /** The organization that they name: it has to be the team's. */
  readonly organizationId?: string | undefined;
  /** Whether they act as an administrator of that organization; otherwise, as an owner of the team. */
  readonly as?: 'ADMINISTRATOR' | undefined;
}

/** SQL: whether `item` is that team, and the actor in charge of it. */
export function isTeamInCharge(target: TeamTarget): RawBuilder<boolean> {
  const { actorId, as } = target;
  const isInCharge =
    as === 'ADMINISTRATOR'
      ? administersOrganization(actorId, sql`item.organization_id`)
      : sql<boolean>`${teamRole(actorId, 'item')} = any(${rolesFrom('OWNER')}::text[])`;
  return sql`${isNamed(target)} and ${isInCharge}`;
}

function isNamed({ teamId, organizationId }: TeamTarget): RawBuilder<boolean> {
  const isThere = organizationId === undefined ? sql`true` : sql`item.organization_id = ${organizationId}`;
  return sql`item.id = ${teamId} and ${isThere}`;
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

async function requireTeamInCharge(em: Em, target: TeamTarget): Promise<void> {
  const { teamId, actorId, organizationId, as } = target;
  if (as === 'ADMINISTRATOR' && organizationId !== undefined) {
    await requireRole(em, ORGANIZATION, organizationId, actorId, 'ADMIN');
    return;
  }
  // A team of another organization is not found, whatever the actor's role in it is.
  const found = await row(
    em,
    selectFrom(Team)
      .where(isNamed(target))
      .select(TEAM.standing(sql`item.id`, sql`${actorId}`).as('standing')),
  );
  sufficient(TEAM, teamId, found?.standing ?? undefined, 'OWNER');
}
