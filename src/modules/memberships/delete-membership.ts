import { type Em, sql } from '../../database/sql.ts';
import type { Group } from '../organizations/group.ts';
import { declineAsInvited } from './answer-invitation.ts';
import { changeLocked, type MembershipTarget } from './lock-membership.ts';
import { mistakesOfDeletion } from './membership.rules.ts';

export const DELETE_MEMBERSHIP_CODES = ['NOT_FOUND', 'FORBIDDEN', 'LAST_OWNER'] as const;

/**
 * Removes somebody from a group, or lets oneself leave or decline. Who leaves an organization leaves its teams, too: the
 * database deletes those memberships with this one. @throws Problem NOT_FOUND, FORBIDDEN, LAST_OWNER
 */
export async function deleteMembership(em: Em, group: Group, target: MembershipTarget): Promise<void> {
  await em.transactional(async (inner) => {
    if (await declineAsInvited(inner, group, target)) return;
    await changeLocked(inner, group, target, {
      mistakesOf: mistakesOfDeletion,
      staysOwner: () => false,
      statement: () => sql`delete from ${group.memberships} m`,
    });
  });
}
