import { isId, ownerOf } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { shown } from '../../core/text.ts';
import { type Em, type RawBuilder, row, sql } from '../../database/sql.ts';
import { violatedConstraint } from '../../database/violated-constraint.ts';
import { administersOrganization } from '../organizations/administers-organization.ts';
import { groupNotFound, ORGANIZATION, requireRole } from '../organizations/group.ts';
import { rolesFrom } from '../organizations/role.rules.ts';
import { manages, managesMember, refuseMember } from '../organizations/standing.ts';
import { scheduleNotFound } from '../schedules/hold-schedules.ts';
import { TEAM, teamRole } from '../teams/team-role.ts';

/** Whose event types a command changes, and by what right: the statement that changes them decides it. */
export interface EventTypeOwner {
  /** A user's or a team's id. */
  readonly ownerId: string;
  /** SQL: whether the caller may change what this owner offers. */
  readonly isInCharge: RawBuilder<boolean>;
  /** Why the caller may not; returns when they may. Only asked after the statement has decided. */
  readonly refuse: (em: Em) => Promise<void>;
  /** SQL: whether the caller may decide about this member of the team that owns them, as its host. */
  readonly reaches: Reach;
}

export type Reach = (userId: RawBuilder<unknown>) => RawBuilder<boolean>;

/** One's own. */
export function ownEventTypes(userId: string): EventTypeOwner {
  return { ownerId: userId, isInCharge: sql`true`, refuse: async () => undefined, reaches: () => sql`true` };
}

/** A team's, as its administrator. @throws Problem NOT_FOUND for what cannot be an id */
export function teamEventTypes(actorId: string, teamId: string): EventTypeOwner {
  if (!isId('team', teamId)) throw groupNotFound(TEAM, teamId);
  return {
    ownerId: teamId,
    isInCharge: sql`exists (
      select 1 from teams t where t.id = ${teamId} and ${teamRole(actorId)} = any(${rolesFrom('ADMIN')}::text[])
    )`,
    refuse: async (em) => void (await requireRole(em, TEAM, teamId, actorId, 'ADMIN')),
    reaches: reachInTeam(actorId, teamId),
  };
}

/**
 * Those of a team of an organization, or of a member who does not stand above the caller, as its administrator. `notFound`
 * is thrown when the owner is neither. @throws Problem NOT_FOUND for what cannot be an id
 */
export function organizationEventTypes(
  actorId: string,
  organizationId: string,
  ownerId: string,
  notFound: Problem,
): EventTypeOwner {
  if (!isId('organization', organizationId)) throw groupNotFound(ORGANIZATION, organizationId);
  if (!isId('team', ownerId) && !isId('user', ownerId)) throw notFound;
  const isOwner = isOwnerIn(sql`${organizationId}`, ownerId);
  if (isId('user', ownerId)) {
    const administrator = { group: ORGANIZATION, groupId: organizationId, actorId };
    return {
      ownerId,
      isInCharge: managesMember(administrator, sql`${ownerId}`),
      refuse: (em) => refuseMember(em, administrator, ownerId, notFound),
      reaches: () => sql`true`,
    };
  }
  return {
    ownerId,
    isInCharge: sql`${administersOrganization(actorId, sql`${organizationId}`)} and ${isOwner}`,
    async refuse(em) {
      await requireRole(em, ORGANIZATION, organizationId, actorId, 'ADMIN');
      if (!(await row(em, sql`select 1 where ${isOwner}`))) throw notFound;
    },
    reaches: reachInTeam(actorId, ownerId),
  };
}

function reachInTeam(actorId: string, teamId: string): Reach {
  return (userId) => manages({ group: TEAM, groupId: sql`${teamId}`, actorId }, userId);
}

/** SQL: whether an owner of event types is a team or a member of an organization. */
export function isOwnerIn(organizationId: RawBuilder<unknown>, ownerId: string): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (select 1 from teams t where t.id = ${ownerId} and t.organization_id = ${organizationId})
    or exists (
      select 1 from organization_memberships m
      where m.organization_id = ${organizationId} and m.user_id = ${ownerId} and m.accepted
    )
  )`;
}

/** The owner that an event type's id carries. @throws Problem NOT_FOUND for what cannot be an id */
export function requireOwnerOf(eventTypeId: string): string {
  const ownerId = ownerOf('eventType', eventTypeId);
  if (ownerId === undefined) throw eventTypeNotFound(eventTypeId);
  return ownerId;
}

/** The same answer for an event type that is not there and for somebody else's. */
export function eventTypeNotFound(eventTypeId: string): Problem {
  return new Problem('NOT_FOUND', `There is no event type ${shown(eventTypeId)} here.`, ['eventTypeId']);
}

/**
 * Only an owner's own schedule can be named; that it is there, the foreign key says.
 * @throws Problem NOT_FOUND
 */
export function requireOwnSchedule(ownerId: string, scheduleId: string | null | undefined): void {
  if (scheduleId != null && ownerOf('schedule', scheduleId) !== ownerId) throw scheduleNotFound(scheduleId);
}

/** What the foreign key says of a schedule that is not there, or was deleted at this very moment. @throws Problem NOT_FOUND */
export function rethrowForSchedule(error: unknown, scheduleId: string | null | undefined): void {
  const isForSchedule = violatedConstraint(error) === 'event_types_owner_id_schedule_id_foreign';
  if (isForSchedule && scheduleId != null) throw scheduleNotFound(scheduleId);
}
