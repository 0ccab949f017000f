import { Problem } from '../../core/problem.ts';
import { changes } from '../../database/changes.ts';
import { NOW } from '../../database/expressions.ts';
import { type Em, sql } from '../../database/sql.ts';
import { type LastSeen, throwIfNotAsSeen } from '../../database/updates/if-unchanged.ts';
import { requireVerifiedEmail } from '../accounts/require-verified-email.ts';
import type { FurnishMember, Group } from '../organizations/group.ts';
import { acceptAsInvited, forgetInvitations, isGiven } from './answer-invitation.ts';
import { changeLocked, type MembershipTarget } from './lock-membership.ts';
import { type MembershipPatch, mistakesOfUpdate } from './membership.rules.ts';

export const UPDATE_MEMBERSHIP_CODES = [
  'NOT_FOUND',
  'FORBIDDEN',
  'LAST_OWNER',
  'BAD_INPUT',
  'ALREADY_MEMBER',
  'NOT_IN_ORGANIZATION',
  'EMAIL_NOT_VERIFIED',
] as const;

/**
 * Changes a role, or accepts one's own invitation: the membership that waits, or the one that an invitation to one's
 * address becomes. Either counts as long as the inviter may still invite so; then it is NOT_FOUND.
 * @throws Problem NOT_FOUND, FORBIDDEN, CONFLICT, BAD_INPUT, LAST_OWNER, ALREADY_MEMBER, NOT_IN_ORGANIZATION,
 * EMAIL_NOT_VERIFIED
 */
export async function updateMembership(
  em: Em,
  group: Group,
  target: MembershipTarget & { readonly lastSeen?: LastSeen },
  patch: MembershipPatch,
  furnish?: FurnishMember,
): Promise<void> {
  await em.transactional(async (inner) => {
    if (patch.accepted && (await acceptAsInvited(inner, group, target, furnish))) return refuseRole(patch);
    const locked = await changeLocked(inner, group, target, {
      before: async ({ role, accepted }) => {
        const letsIn = (patch.accepted && !accepted) || (patch.role ?? role) !== role;
        if (letsIn) await requireVerifiedEmail(inner, target.actorId, 'A membership lets somebody in');
      },
      mistakesOf: (membership) => {
        throwIfNotAsSeen(membership.updatedAt, target.lastSeen);
        return mistakesOfUpdate(membership, patch);
      },
      staysOwner: ({ role }) => (patch.role ?? role) === 'OWNER',
      statement: (locked) => {
        const [role, accepted] = [patch.role ?? locked.role, patch.accepted ?? locked.accepted];
        const joinedAt = accepted && !locked.accepted ? NOW : undefined;
        // An actor who gives an invitation another role is its inviter from then on; one who repeats the role that it
        // has need not be able to give it.
        const invitedById = accepted ? null : role === locked.role ? undefined : target.actorId;
        return sql`update ${group.memberships} m set ${changes({ role, accepted, invitedById, joinedAt })}`;
      },
      ...(patch.accepted && {
        condition: sql<boolean>`(m.accepted or ${isGiven(group, sql`${target.groupId}`, 'm')})`,
      }),
    });
    // Nobody accepts for somebody else, so the actor is the one who joins.
    if (!patch.accepted || locked.accepted) return;
    await forgetInvitations(inner, group, target.groupId, target.actorId);
    await furnish?.(inner, target.groupId, target.actorId);
  });
}

/** Nobody chooses their role on the way in. @throws Problem FORBIDDEN, which undoes the acceptance */
function refuseRole({ role }: MembershipPatch): void {
  if (role === undefined) return;
  throw new Problem('FORBIDDEN', 'The invitation says what your role is; leave it out.', ['role']);
}
