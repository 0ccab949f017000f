/**
 * levels/ is the one place that knows the three levels at which a resource can exist: a user's own, a team's and an
 * organization's. It says who is reached through each, who may change what is theirs, and (resource.graphql.ts) makes the
 * lists, look-ups and mutations of a resource out of one declaration. It may import accounts, organizations and teams.
 */
import { idOf, isTeam } from '../../core/id.ts';
import type { Problem } from '../../core/problem.ts';
import { type Em, type RawBuilder, row, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import type { LastSeen } from '../../database/updates.ts';
import {
  administersOrganization,
  findStanding,
  type Group,
  type GroupAdministrator,
  groupNotFound,
  managesMember,
  ORGANIZATION,
  refuseMember,
  requireGroupId,
  requireRole,
  SCATTERED_IN,
} from '../organizations/group.ts';
import { rolesFrom } from '../organizations/role.rules.ts';
import { Team } from '../teams/team.entity.ts';
import { TEAM, teamRole } from '../teams/team-role.ts';

export type LevelName = 'user' | 'team' | 'organization';

/**
 * The possible owners of a resource: a person alone, a person or a team, or each level itself, above all a group, which
 * reaches no further.
 */
export type Belonging = 'PERSON' | 'OWNER' | 'GROUP';

/** Those reached through a group, as SQL: where they stand, which group it is, who they are, and under which condition. */
export interface Reached {
  readonly table: RawBuilder<unknown>;
  readonly groupId: RawBuilder<unknown>;
  readonly ownerId: RawBuilder<unknown>;
  readonly condition: RawBuilder<unknown>;
  /** Whether what is theirs carries the group's id (organization.entity.ts); left out where nothing does. */
  readonly isDenormalized?: RawBuilder<boolean>;
  /** Those among them whose things do not carry it yet. */
  readonly scattered?: Reached;
}

const TEAM_MEMBERS: Reached = membersOf(TEAM);
const ORGANIZATION_MEMBERS: Reached = {
  ...membersOf(ORGANIZATION),
  isDenormalized: sql<boolean>`reached.denormalized`,
  scattered: {
    ...membersOf(ORGANIZATION),
    groupId: SCATTERED_IN,
    condition: sql`reached.accepted and not reached.denormalized`,
  },
};
const ORGANIZATION_TEAMS: Reached = {
  table: sql`teams reached`,
  groupId: sql`reached.organization_id`,
  ownerId: sql`reached.id`,
  condition: sql`true`,
  isDenormalized: sql<boolean>`true`,
};

/** The people and teams whom each level reaches, beside the user or the group itself. */
export const REACH: Readonly<Record<LevelName, Readonly<Record<Belonging, readonly Reached[]>>>> = {
  user: { PERSON: [], OWNER: [], GROUP: [] },
  team: { PERSON: [TEAM_MEMBERS], OWNER: [], GROUP: [] },
  organization: {
    PERSON: [ORGANIZATION_MEMBERS],
    OWNER: [ORGANIZATION_TEAMS, ORGANIZATION_MEMBERS],
    GROUP: [],
  },
};

/** The owner whose things a command changes, and the right by which: the statement that changes them decides it. */
export interface Owner {
  /** A user's, a team's or an organization's id. */
  readonly ownerId: string;
  /** SQL: whether the caller may change what is this owner's. */
  readonly isInCharge: RawBuilder<boolean>;
  /** Says why nothing was changed. Only called after the statement has decided; returns when that was not for the right. */
  readonly refuse: (em: Em) => Promise<void>;
  /** The role as which the caller acts; undefined for one's own things. */
  readonly administrator?: GroupAdministrator;
  /** The last change that the caller of an update has seen, if they will not overwrite a later one. */
  readonly lastSeen?: LastSeen;
}

/** The actor who changes an owner's things: a group's administrator, or the user themselves. */
export function actorOf({ administrator, ownerId }: Owner): string {
  return administrator?.actorId ?? ownerId;
}

/**
 * Requires that the caller is in charge by now, for commands of several statements.
 * @throws Problem NOT_FOUND, FORBIDDEN
 */
export async function requireInCharge(em: Em, owner: Owner, notFound: Problem): Promise<void> {
  if (await row(em, sql`select 1 where ${owner.isInCharge}`)) return;
  await owner.refuse(em);
  throw notFound;
}

/** One's own. */
export function own(userId: string): Owner {
  return { ownerId: userId, isInCharge: sql`true`, refuse: async () => undefined };
}

/** The group as the owner of its own things, for its administrator. */
export function ownOfGroup(administrator: GroupAdministrator): Owner {
  const { groupId: ownerId } = administrator;
  return { ownerId, isInCharge: administers(administrator), refuse: refuseActor(administrator), administrator };
}

/** A team's own, as its administrator. */
export function ownOfTeam(actorId: string, teamId: string): Owner {
  return ownOfGroup({ group: TEAM, groupId: teamId, actorId });
}

/**
 * The team or the organization that has this id, whichever it is, as the owner of its own things. `notFound` is the
 * answer for actors who belong to neither.
 */
export function ownOfEitherGroup(actorId: string, groupId: string, notFound: Problem): Owner {
  const either = [TEAM, ORGANIZATION].map((group) => ({ group, groupId, actorId }));
  return {
    ownerId: groupId,
    isInCharge: sql<boolean>`(${sql.join(either.map(administers), sql` or `)})`,
    async refuse(em) {
      let belongs = false;
      for (const { group } of either) {
        if (!(await findStanding(em, group, groupId, actorId))) continue;
        belongs = true;
        await requireRole(em, group, groupId, actorId, 'ADMIN');
      }
      if (!belongs) throw notFound;
    },
  };
}

/**
 * Somebody's who is reached through a group: a person must not stand above the caller. `notFound` is thrown when they are
 * not reached.
 */
export function reachedOwner(
  administrator: GroupAdministrator,
  reach: readonly Reached[],
  ownerId: string,
  notFound: Problem,
): Owner {
  const { groupId } = administrator;
  if (!isTeam(ownerId)) {
    return {
      ownerId,
      isInCharge: managesMember(administrator, sql`${ownerId}`),
      refuse: (em) => refuseMember(em, administrator, ownerId, notFound),
      administrator,
    };
  }
  const isReached = isReachedBy(reach, sql`${groupId}`, sql`${ownerId}`);
  const refuse = refuseActor(administrator);
  return {
    ownerId,
    isInCharge: sql<boolean>`${administers(administrator)} and ${isReached}`,
    async refuse(em) {
      await refuse(em);
      if (!(await row(em, sql`select 1 where ${isReached}`))) throw notFound;
    },
    administrator,
  };
}

/** SQL: whether an owner is reached through a group. */
export function isReachedBy(
  reach: readonly Reached[],
  groupId: RawBuilder<unknown>,
  ownerId: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const ways = reach.map(
    (one) => sql`exists (
      select 1 from ${one.table} where ${one.groupId} = ${groupId} and ${one.ownerId} = ${ownerId} and ${one.condition}
    )`,
  );
  return sql<boolean>`(${sql.join(ways, sql` or `)})`;
}

/** SQL: whether the actor administers the group. */
export function administers({ group, groupId, actorId }: GroupAdministrator): RawBuilder<boolean> {
  if (group.kind === 'organization') return administersOrganization(actorId, sql`${groupId}`);
  return sql`exists (
    select 1 from teams t where t.id = ${groupId} and ${teamRole(actorId)} = any(${rolesFrom('ADMIN')}::text[])
  )`;
}

function refuseActor({ group, groupId, actorId }: GroupAdministrator): (em: Em) => Promise<void> {
  return async (em) => void (await requireRole(em, group, groupId, actorId, 'ADMIN'));
}

function membersOf({ memberships, column }: Group): Reached {
  return {
    table: sql`${memberships} reached`,
    groupId: sql`reached.${column}`,
    ownerId: sql`reached.user_id`,
    condition: sql`reached.accepted`,
  };
}

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
