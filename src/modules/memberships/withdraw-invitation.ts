import { idOf, publicId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { NOW } from '../../database/expressions.ts';
import { type Em, row } from '../../database/sql.ts';
import { deleteFrom } from '../../database/statements.ts';
import { type Group, lockGroup, requireRole } from '../organizations/group.ts';
import { mayManage } from '../organizations/role.rules.ts';
import { invitationNotFound, invitationsOf } from './answer-invitation.ts';
import { Invitation } from './invitation.entity.ts';
import type { InvitingTo } from './invite.ts';

export const WITHDRAW_INVITATION_CODES = ['NOT_FOUND', 'FORBIDDEN'] as const;

/** Takes an invitation back: its link is dead. @throws Problem NOT_FOUND, FORBIDDEN (also where its role stands above the actor's) */
export async function withdrawInvitation(
  em: Em,
  { group, groupId, actorId }: InvitingTo,
  invitationId: string,
): Promise<void> {
  await em.transactional(async (inner) => {
    await lockGroup(inner, group, groupId);
    const standing = await requireRole(inner, group, groupId, actorId, 'ADMIN');
    const withdrawn = await row(
      inner,
      deleteFrom(Invitation, { id: invitationId, ...invitationsOf(group, groupId) })
        .where('expiresAt', '>', NOW)
        .returning('role'),
    );
    if (!withdrawn) throw invitationNotFound(group, publicId('invitation', invitationId));
    if (mayManage(standing, withdrawn.role)) return;
    throw new Problem('FORBIDDEN', 'You can’t withdraw an invitation to a higher role than yours.', ['invitationId']);
  });
}

/** The invitation that a caller names. @throws Problem NOT_FOUND for what cannot be the id of one */
export function requireInvitationId(group: Group, named: string): string {
  const id = idOf('invitation', named);
  if (id === undefined) throw invitationNotFound(group, named);
  return id;
}
