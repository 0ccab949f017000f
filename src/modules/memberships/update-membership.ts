import { changes } from '../../database/changes.ts';
import { type Em, sql } from '../../database/sql.ts';
import { type LastSeen, throwIfNotAsSeen } from '../../database/updates/if-unchanged.ts';
import type { FurnishMember, Group } from '../organizations/group.ts';
import { changeLocked, type MembershipTarget } from './lock-membership.ts';
import { type MembershipPatch, mistakesOfUpdate } from './membership.rules.ts';

export const UPDATE_MEMBERSHIP_CODES = ['NOT_FOUND', 'FORBIDDEN', 'LAST_OWNER', 'BAD_INPUT'] as const;

/** Changes a role, or accepts one's own invitation. @throws Problem NOT_FOUND, FORBIDDEN, CONFLICT, BAD_INPUT, LAST_OWNER */
export async function updateMembership(
  em: Em,
  group: Group,
  target: MembershipTarget & { readonly lastSeen?: LastSeen },
  patch: MembershipPatch,
  furnish?: FurnishMember,
): Promise<void> {
  await em.transactional(async (inner) => {
    const locked = await changeLocked(inner, group, target, {
      mistakesOf: (membership) => {
        throwIfNotAsSeen(membership.updatedAt, target.lastSeen);
        return mistakesOfUpdate(membership, patch);
      },
      staysOwner: ({ role }) => (patch.role ?? role) === 'OWNER',
      statement: ({ role, accepted }) =>
        sql`update ${group.memberships} m set ${changes({ role: patch.role ?? role, accepted: patch.accepted ?? accepted })}`,
    });
    // Nobody accepts for somebody else: who accepts is who joins.
    if (patch.accepted && !locked.accepted) await furnish?.(inner, target.groupId, target.actorId);
  });
}
