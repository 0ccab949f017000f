import { type Em, sql } from '../../database/sql.ts';
import type { Group } from '../organizations/group.ts';
import { declineAsInvited } from './answer-invitation.ts';
import { changeLocked, type MembershipTarget } from './lock-membership.ts';
import { mistakesOfDeletion } from './membership.rules.ts';

export const DELETE_MEMBERSHIP_CODES = ['NOT_FOUND', 'FORBIDDEN', 'LAST_OWNER'] as const;

/** A member whose membership ends. */
export interface Leaver {
  readonly group: Group;
  readonly groupId: string;
  readonly userId: string;
}

/**
 * A further end in the transaction of a membership's; modules further up own it. It is called while they are a member,
 * and returns the step for when they are not: nothing of that can be given to them any more.
 */
export type Settle<Result> = (em: Em, leaver: Leaver) => Promise<() => Promise<Result>>;

/**
 * Removes somebody from a group, or lets oneself leave or decline. A person who leaves an organization leaves its
 * teams, too: the database deletes those memberships with this one.
 * @returns what `settle` gives; undefined if they had not accepted yet
 * @throws Problem NOT_FOUND, FORBIDDEN, LAST_OWNER
 */
export async function deleteMembership<Result>(
  em: Em,
  group: Group,
  target: MembershipTarget,
  settle?: Settle<Result>,
): Promise<Result | undefined> {
  return em.transactional(async (inner) => {
    if (await declineAsInvited(inner, group, target)) return undefined;
    let afterwards: (() => Promise<Result>) | undefined;
    await changeLocked(inner, group, target, {
      mistakesOf: mistakesOfDeletion,
      staysOwner: () => false,
      async before({ userId, accepted }) {
        if (accepted) afterwards = await settle?.(inner, { group, groupId: target.groupId, userId });
      },
      statement: () => sql`delete from ${group.memberships} m`,
    });
    return afterwards?.();
  });
}
