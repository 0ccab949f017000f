import type { Role } from '../organizations/role.rules.ts';

/** How long the link of an invitation works. */
export const INVITATION_DAYS = 7;

/** Where the link leads; it takes `token`. */
export const INVITATION_PATH = '/auth/invitation';

/** What somebody is invited to. */
export interface InvitedTo {
  readonly groupKind: 'organization' | 'team';
  readonly groupName: string;
  readonly role: Role;
}

export const ROLES_IN_WORDS: Readonly<Record<Role, string>> = {
  MEMBER: 'a member',
  ADMIN: 'an administrator',
  OWNER: 'an owner',
};

/** The mail that carries the link: the same words whether or not the address has an account. */
export function invitationMail(
  { groupKind, groupName, role }: InvitedTo,
  inviter: string,
  link: string,
): { readonly subject: string; readonly text: string } {
  return {
    subject: `Invitation to the ${groupKind} "${groupName}"`,
    text: [
      `The user "${inviter}" invites you to the ${groupKind} "${groupName}" as ${ROLES_IN_WORDS[role]}. To accept or to decline, open this page:`,
      link,
      `You need an account for it, which you can create there. The link works once, for ${INVITATION_DAYS} days, and a later mail takes its place. If you do nothing, you join nothing.`,
    ].join('\n\n'),
  };
}
