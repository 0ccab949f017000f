import { idOf, newId, publicId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { shown } from '../../core/text.ts';
import { changed, type Em, row, sql } from '../../database/sql.ts';
import { requireVerifiedEmail } from '../accounts/require-verified-email.ts';
import { type FurnishMember, type Group, lockGroup, requireRole } from '../organizations/group.ts';
import type { Role } from '../organizations/role.rules.ts';
import { isGiven } from './answer-invitation.ts';
import { mistakesOfCreation } from './membership.rules.ts';

export const CREATE_MEMBERSHIP_CODES = ['NOT_FOUND', 'FORBIDDEN', 'ALREADY_MEMBER', 'EMAIL_NOT_VERIFIED'] as const;

export interface MembershipInput {
  readonly userId: string;
  readonly role: Role;
}

/**
 * Adds somebody to a group and returns the membership's id. It counts once they accept it; at once only where an
 * administrator of an organization adds one of its members to its team. @throws Problem NOT_FOUND, FORBIDDEN,
 * ALREADY_MEMBER, EMAIL_NOT_VERIFIED
 */
export async function createMembership(
  em: Em,
  group: Group,
  { groupId, actorId }: { readonly groupId: string; readonly actorId: string },
  { userId, role }: MembershipInput,
  furnish?: FurnishMember,
): Promise<string> {
  return em.transactional(async (inner) => {
    await lockGroup(inner, group, groupId);
    Problem.throwIfAny(mistakesOfCreation(await requireRole(inner, group, groupId, actorId, 'ADMIN'), role));
    await requireVerifiedEmail(inner, actorId, 'A membership lets somebody in');
    await group.lockCandidate?.(inner, groupId, userId);
    await forgetVoid(inner, group, groupId, userId);
    const id = newId();
    const added = { id, userId, role, actorId };
    if (await group.insertMembership(inner, groupId, added)) {
      await furnish?.(inner, groupId, userId);
      return id;
    }
    // In its organization, the actor may have lost their role at this moment.
    await requireRole(inner, group, groupId, actorId, 'ADMIN');
    if (!(await isMember(inner, group, groupId, userId))) throw nobody(publicId('user', userId));
    throw new Problem('ALREADY_MEMBER', `${publicId('user', userId)} is a member already, or is invited.`, ['userId']);
  });
}

/**
 * An invitation whose sender may not invite any more cannot be accepted: it makes room for another one. A membership that has
 * stopped (stop-things.ts) is nobody's invitation, and waits for its member.
 */
async function forgetVoid(em: Em, group: Group, groupId: string, userId: string): Promise<void> {
  await changed(
    em,
    sql`delete from ${group.memberships} m
        where m.${group.column} = ${groupId} and m.user_id = ${userId} and not m.accepted and m.invited_by_id is not null
          and not ${isGiven(group, sql`${groupId}`, 'm')}`,
  );
}

/** The user whom a caller wants to add. @throws Problem NOT_FOUND for a text that is not a user's id */
export function requirePersonId(named: string): string {
  const userId = idOf('user', named);
  if (userId === undefined) throw nobody(named);
  return userId;
}

function nobody(named: string): Problem {
  return new Problem('NOT_FOUND', `There is nobody ${shown(named)} who can be added.`, ['userId']);
}

async function isMember(em: Em, { memberships, column }: Group, groupId: string, userId: string): Promise<boolean> {
  const found = await row(em, sql`select 1 from ${memberships} where ${column} = ${groupId} and user_id = ${userId}`);
  return found !== undefined;
}
