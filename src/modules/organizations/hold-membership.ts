import { isId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { shown } from '../../core/text.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import { type Group, groupNotFound, requireRole } from './group.ts';
import type { Role } from './role.rules.ts';

/** Which membership somebody wants to change. */
export interface MembershipTarget {
  readonly groupId: string;
  readonly actorId: string;
  readonly membershipId: string;
}

/** A membership that is about to change, and what the actor may do in its group. */
export interface HeldMembership {
  readonly id: string;
  readonly role: Role;
  readonly accepted: boolean;
  readonly isOwn: boolean;
  readonly actorRole: Role | undefined;
}

/**
 * Makes the changes of a group's memberships wait for each other until the transaction ends: two owners who step down at
 * the same moment would each see the other and leave nobody. A statement of its own, so that what is read afterwards is
 * what the one before has left. @throws Problem NOT_FOUND
 */
export async function lockGroup(em: Em, group: Group, groupId: string): Promise<void> {
  // "no key": new event types and bookings refer to the group and need not wait.
  const found = isId(group.kind, groupId)
    ? await row(em, sql`select 1 from ${group.table} where id = ${groupId} for no key update`)
    : undefined;
  if (!found) throw groupNotFound(group, groupId);
}

/**
 * A membership under the group's lock: one's own, or anybody's for administrators.
 * @throws Problem NOT_FOUND, FORBIDDEN (the same for a member whether or not there is such a membership)
 */
export async function holdMembership(em: Em, group: Group, target: MembershipTarget): Promise<HeldMembership> {
  const { groupId, actorId, membershipId } = target;
  await lockGroup(em, group, groupId);
  const found = await findMembership(em, group, groupId, membershipId);
  const isOwn = found?.userId === actorId;
  const actorRole = isOwn
    ? await group.findRole(em, groupId, actorId)
    : await requireRole(em, group, groupId, actorId, 'ADMIN');
  if (found) return { id: found.id, role: found.role, accepted: found.accepted, isOwn, actorRole };
  const message = `There is no membership ${shown(membershipId)} in this ${group.kind}.`;
  throw new Problem('NOT_FOUND', message, ['membershipId']);
}

/**
 * Somebody who is suspended owns nothing that anybody could do: they do not count among those who remain. An administrator
 * may still suspend the last one. @throws Problem LAST_OWNER when nobody would own the group without this membership
 */
export async function requireAnotherOwner(em: Em, group: Group, groupId: string, held: HeldMembership): Promise<void> {
  if (held.role !== 'OWNER' || !held.accepted) return;
  const other = await row(
    em,
    sql`select 1 from ${group.memberships} m join users u on u.id = m.user_id
        where m.${group.column} = ${groupId} and m.role = 'OWNER' and m.accepted and m.id <> ${held.id}
          and u.suspended_at is null
        limit 1`,
  );
  if (other) return;
  const advice = `make somebody else an owner first${group.kind === 'team' ? ', or delete the team' : ''}`;
  const message = `This is the last owner of the ${group.kind}, those who are suspended aside; ${advice}.`;
  throw new Problem('LAST_OWNER', message, ['membershipId']);
}

async function findMembership(
  em: Em,
  { memberships, column }: Group,
  groupId: string,
  membershipId: string,
): Promise<{ id: string; userId: string; role: Role; accepted: boolean } | undefined> {
  if (!isId('membership', membershipId)) return undefined;
  return row(
    em,
    sql`select id, user_id as "userId", role, accepted from ${memberships}
        where id = ${membershipId} and ${column} = ${groupId}`,
  );
}
