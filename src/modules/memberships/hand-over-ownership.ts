import { publicId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { type Em, row, rows, sql } from '../../database/sql.ts';
import { requireVerifiedEmail } from '../accounts/require-verified-email.ts';
import { type Group, lockGroup, requireRole } from '../organizations/group.ts';
import { type MembershipTarget, membershipNotFound } from './lock-membership.ts';

export const HAND_OVER_OWNERSHIP_CODES = ['NOT_FOUND', 'FORBIDDEN', 'NOT_POSSIBLE', 'EMAIL_NOT_VERIFIED'] as const;

/**
 * Makes another member an owner and the actor, who is one, an administrator: one statement, so that there is no moment
 * without an owner. The group's lock does not keep members from leaving with its organization or with their account. @throws Problem NOT_FOUND, FORBIDDEN,
 * NOT_POSSIBLE, EMAIL_NOT_VERIFIED
 */
export async function handOverOwnership(em: Em, group: Group, target: MembershipTarget): Promise<void> {
  const { groupId, actorId, membershipId } = target;
  const { memberships, column } = group;
  await em.transactional(async (inner) => {
    await lockGroup(inner, group, groupId);
    await requireRole(inner, group, groupId, actorId, 'ADMIN');
    await requireVerifiedEmail(inner, actorId, 'Who owns a group lets others in');
    const updated = await rows(
      inner,
      sql<{ id: string }>`with mine as (
            select id from ${memberships}
            where ${column} = ${groupId} and user_id = ${actorId} and role = 'OWNER' and accepted
          ), theirs as (
            select their.id from ${memberships} their join users u on u.id = their.user_id
            where their.${column} = ${groupId} and their.id = ${membershipId} and their.user_id <> ${actorId}
              and their.accepted and u.suspended_at is null
          )
          update ${memberships} m set role = case when m.id = ${membershipId} then 'OWNER' else 'ADMIN' end,
            updated_at = greatest(now(), m.updated_at + interval '1 millisecond')
          where m.id in (select id from mine union all select id from theirs)
            and exists (select 1 from mine) and exists (select 1 from theirs)
          returning m.id`,
    );
    if (updated.length === 0) throw await whyNot(inner, group, target);
    // The update waits for a membership that is being deleted, and passes over it: the actor must stay what they are.
    if (!updated.some(({ id }) => id === membershipId)) throw membershipNotFound(group, membershipId);
  });
}

async function whyNot(em: Em, group: Group, { groupId, actorId, membershipId }: MembershipTarget): Promise<Problem> {
  const { kind, memberships, column } = group;
  const found = await row(
    em,
    sql<{ owns: boolean; isThere: boolean }>`select
      exists (select 1 from ${memberships} m where m.${column} = ${groupId} and m.user_id = ${actorId} and m.accepted
        and m.role = 'OWNER') as owns,
      exists (select 1 from ${memberships} m where m.${column} = ${groupId} and m.id = ${membershipId}) as "isThere"`,
  );
  if (!found?.owns) {
    return new Problem('FORBIDDEN', `Only an owner can hand over the ${kind}, and you’re not one.`, [`${kind}Id`]);
  }
  if (!found.isThere) return membershipNotFound(group, membershipId);
  const message = `${publicId('membership', membershipId)} is your own, was not accepted yet, or is of somebody who is suspended; name another member.`;
  return new Problem('NOT_POSSIBLE', message, ['membershipId']);
}
