/** The mail that invites to a group, in English. */
import { linkTo, note } from '../../core/mail-content.ts';
import type { Role } from '../organizations/role.rules.ts';
import type { InvitedTo } from './invited-to.rules.ts';

const ROLES: Readonly<Record<Role, string>> = { MEMBER: 'a member', ADMIN: 'an administrator', OWNER: 'an owner' };

export const INVITATION_EN = {
  roles: ROLES,
  mail: ({ groupKind, groupName, role }: InvitedTo, inviter: string, link: string, days: number) => ({
    subject: `Invitation to the ${groupKind} "${groupName}"`,
    parts: [
      linkTo(
        `The user "${inviter}" invites you to the ${groupKind} "${groupName}" as ${ROLES[role]}. To accept or to decline, open this page:`,
        link,
        'See the invitation',
      ),
      note(
        `You need an account for it, which you can create there. The link works once, for ${days} days, and a later mail takes its place. If you do nothing, you join nothing.`,
      ),
    ],
  }),
};
