import { Problem } from '../../core/problem.ts';
import { changed, type Em, sql } from '../../database/sql.ts';
import type { FurnishMember, Group } from './group.ts';
import {
  isStillManaged,
  lockMembership,
  type MembershipTarget,
  membershipNotFound,
  requireAnotherOwner,
} from './lock-membership.ts';
import { type MembershipPatch, mistakesOfUpdate } from './membership.rules.ts';

export const UPDATE_MEMBERSHIP_CODES = ['NOT_FOUND', 'FORBIDDEN', 'LAST_OWNER', 'BAD_INPUT'] as const;

/** Changes a role, or accepts one's own invitation. @throws Problem NOT_FOUND, FORBIDDEN, BAD_INPUT, LAST_OWNER */
export async function updateMembership(
  em: Em,
  group: Group,
  target: MembershipTarget,
  patch: MembershipPatch,
  furnish?: FurnishMember,
): Promise<void> {
  await em.transactional(async (inner) => {
    const locked = await lockMembership(inner, group, target);
    Problem.throwIfAny(mistakesOfUpdate(locked, patch));
    const role = patch.role ?? locked.role;
    if (role !== 'OWNER') await requireAnotherOwner(inner, group, target.groupId, locked);
    const accepted = patch.accepted ?? locked.accepted;
    const count = await changed(
      inner,
      sql`update ${group.memberships} m set role = ${role}, accepted = ${accepted}
          where m.id = ${locked.id} and ${isStillManaged(group, target)}`,
    );
    if (count === 0) {
      Problem.throwIfAny(mistakesOfUpdate(await lockMembership(inner, group, target), patch));
      throw membershipNotFound(group, target.membershipId);
    }
    // Nobody accepts for somebody else: who accepts is who joins.
    if (accepted && !locked.accepted) await furnish?.(inner, target.groupId, target.actorId);
  });
}
