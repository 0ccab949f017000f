import { Problem } from '../../core/problem.ts';
import { changed, type Em, sql } from '../../database/sql.ts';
import type { Group } from './group.ts';
import {
  isStillManaged,
  lockMembership,
  type MembershipTarget,
  membershipNotFound,
  requireAnotherOwner,
} from './lock-membership.ts';
import { mistakesOfDeletion } from './membership.rules.ts';

export const DELETE_MEMBERSHIP_CODES = ['NOT_FOUND', 'FORBIDDEN', 'LAST_OWNER'] as const;

/**
 * Removes somebody from a group, or lets oneself leave or decline. Who leaves an organization leaves its teams, too: the
 * database deletes those memberships with this one. @throws Problem NOT_FOUND, FORBIDDEN, LAST_OWNER
 */
export async function deleteMembership(em: Em, group: Group, target: MembershipTarget): Promise<void> {
  await em.transactional(async (inner) => {
    const locked = await lockMembership(inner, group, target);
    Problem.throwIfAny(mistakesOfDeletion(locked));
    await requireAnotherOwner(inner, group, target.groupId, locked);
    const isManaged = isStillManaged(group, target);
    const count = await changed(
      inner,
      sql`delete from ${group.memberships} m where m.id = ${locked.id} and ${isManaged}`,
    );
    if (count > 0) return;
    Problem.throwIfAny(mistakesOfDeletion(await lockMembership(inner, group, target)));
    throw membershipNotFound(group, target.membershipId);
  });
}
