import { Problem } from '../../core/problem.ts';
import { changed, type Em, sql } from '../../database/sql.ts';
import type { FurnishMember, Group } from './group.ts';
import { holdMembership, type MembershipTarget, requireAnotherOwner } from './hold-membership.ts';
import { type MembershipPatch, mistakesOfUpdate } from './membership.rules.ts';

/** Changes a role, or accepts one's own invitation. @throws Problem NOT_FOUND, FORBIDDEN, BAD_INPUT, LAST_OWNER */
export async function updateMembership(
  em: Em,
  group: Group,
  target: MembershipTarget,
  patch: MembershipPatch,
  furnish?: FurnishMember,
): Promise<void> {
  await em.transactional(async (inner) => {
    const held = await holdMembership(inner, group, target);
    Problem.throwIfAny(mistakesOfUpdate(held, patch));
    const role = patch.role ?? held.role;
    if (role !== 'OWNER') await requireAnotherOwner(inner, group, target.groupId, held);
    const accepted = patch.accepted ?? held.accepted;
    await changed(
      inner,
      sql`update ${group.memberships} set role = ${role}, accepted = ${accepted} where id = ${held.id}`,
    );
    // Nobody accepts for somebody else: who accepts is who joins.
    if (accepted && !held.accepted) await furnish?.(inner, target.groupId, target.actorId);
  });
}
