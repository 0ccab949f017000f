import { Problem } from '../../core/problem.ts';
import { type Em, type RawBuilder, row, sql } from '../../database/sql.ts';
import { type Group, requireRole } from './group.ts';
import { mayManage, ROLES, STANDINGS, type Standing } from './role.rules.ts';

/** The actor, as the administrator of a group. */
export interface GroupAdministrator {
  readonly group: Group;
  readonly groupId: string;
  readonly actorId: string;
}

/**
 * SQL: `mayManage` for the actor and somebody else. It belongs into the statement that makes the change: a
 * member who is promoted at this moment is out of reach, and an actor who is demoted reaches nobody any more.
 */
export function manages(
  {
    group,
    groupId,
    actorId,
  }: Pick<GroupAdministrator, 'group'> & {
    readonly groupId: RawBuilder<unknown>;
    readonly actorId: string | RawBuilder<unknown>;
  },
  userId: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`coalesce((
    select ${rank(sql`actor`)} >= greatest(${rank(sql`target`)}, ${ROLES.indexOf('ADMIN') + 1}::int)
    from (select ${group.standing(groupId, sql`${actorId}`)} as actor, ${group.standing(groupId, userId)} as target) who
  ), false)`;
}

/** SQL: whether the actor may give somebody a role (`mayManage`). */
export function mayGive(
  {
    group,
    groupId,
    actorId,
  }: Pick<GroupAdministrator, 'group'> & Readonly<Record<'groupId' | 'actorId', RawBuilder<unknown>>>,
  role: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const actor = rank(group.standing(groupId, actorId));
  return sql<boolean>`coalesce(${actor} >= greatest(${rank(role)}, ${ROLES.indexOf('ADMIN') + 1}::int), false)`;
}

/** SQL: whether a standing is that of nobody who administers the group: none, or a plain member's. */
export function isNoAdministrators(standing: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`coalesce(${standing}, 'MEMBER') = 'MEMBER'`;
}

/** SQL: whether somebody is a member of the group who has accepted, and whom the actor manages. */
export function managesMember(administrator: GroupAdministrator, userId: RawBuilder<unknown>): RawBuilder<boolean> {
  const groupId = sql`${administrator.groupId}`;
  return sql<boolean>`(${isMember(administrator, userId)} and ${manages({ ...administrator, groupId }, userId)})`;
}

/**
 * Says why an administrator may not change what is this user's; returns when that was not for the right. Only called after
 * the statement has decided. @throws Problem NOT_FOUND, FORBIDDEN; `notFound` for users who are no members
 */
export async function refuseMember(
  em: Em,
  administrator: GroupAdministrator,
  userId: string,
  notFound: Problem,
): Promise<void> {
  const { group, groupId, actorId } = administrator;
  const actor = await requireRole(em, group, groupId, actorId, 'ADMIN');
  const target = await row(
    em,
    sql<{ standing: Standing | null }>`
      select ${group.standing(sql`${groupId}`, sql`${userId}`)} as standing where ${isMember(administrator, sql`${userId}`)}`,
  );
  if (target?.standing == null) throw notFound;
  if (!mayManage(actor, target.standing)) throw standsAbove(group, notFound.mistakes[0].path ?? []);
}

export function standsAbove({ kind }: Pick<Group, 'kind'>, path: readonly string[]): Problem {
  const where = kind === 'team' ? 'the team or its organization' : 'the organization';
  const message = `Their role in ${where} stands above yours; ask them, or somebody whose role is as high.`;
  return new Problem('FORBIDDEN', message, path);
}

function isMember({ group, groupId }: GroupAdministrator, userId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from ${group.memberships} standing_m
    where standing_m.${group.column} = ${groupId} and standing_m.user_id = ${userId} and standing_m.accepted
  )`;
}

/** SQL: null for no standing; `greatest` ignores it. */
function rank(standing: RawBuilder<unknown>): RawBuilder<number | null> {
  return sql`array_position(${STANDINGS}::text[], ${standing})`;
}
