import { Problem } from '../../core/problem.ts';
import { changed, type Em, sql } from '../../database/sql.ts';
import type { Group } from './group.ts';
import { holdMembership, type MembershipTarget, requireAnotherOwner } from './hold-membership.ts';
import { mistakesOfDeletion } from './membership.rules.ts';

/**
 * Removes somebody from a group, or lets oneself leave or decline. Whoever leaves an organization leaves its teams: the
 * database deletes those memberships with this one. @throws Problem NOT_FOUND, FORBIDDEN, LAST_OWNER
 */
export async function deleteMembership(em: Em, group: Group, target: MembershipTarget): Promise<void> {
  await em.transactional(async (inner) => {
    const held = await holdMembership(inner, group, target);
    Problem.throwIfAny(mistakesOfDeletion(held));
    await requireAnotherOwner(inner, group, target.groupId, held);
    await changed(inner, sql`delete from ${group.memberships} where id = ${held.id}`);
  });
}
