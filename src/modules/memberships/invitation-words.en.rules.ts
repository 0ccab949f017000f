/** The mail that invites to a group, in English. */
import { linkTo, note } from '../../core/mail-content.ts';
import type { Role } from '../organizations/role.rules.ts';
import type { InvitedTo } from './membership.rules.ts';

const ROLES: Readonly<Record<Role, string>> = { MEMBER: 'a member', ADMIN: 'an administrator', OWNER: 'an owner' };

export const INVITATION_EN = {
  roles: ROLES,
  mail: ({ groupKind, groupName, role }: InvitedTo, inviter: string, link: string, days: number) => ({
    subject: `Invitation to the ${groupKind} “${groupName}”`,
    parts: [
      linkTo(
        `“${inviter}” has invited you to join the ${groupKind} “${groupName}” as ${ROLES[role]}. To accept or decline, open this page:`,
        link,
        'See invitation',
      ),
      note(
        `You’ll need an account, which you can create there. The link works once, within ${days} days, and only until we send you a newer one. If you do nothing, you won’t join.`,
      ),
    ],
  }),
};
