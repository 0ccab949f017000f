/** The mail that invites to a group, in German. */
import { linkTo, note } from '../../core/mail-content.ts';
import type { INVITATION_EN } from './invitation-words.en.rules.ts';
import type { InvitedTo } from './membership.rules.ts';

const ROLES: typeof INVITATION_EN.roles = { MEMBER: 'Mitglied', ADMIN: 'Administrator', OWNER: 'Inhaber' };
const GROUPS: Readonly<Record<InvitedTo['groupKind'], string>> = { team: 'das Team', organization: 'die Organisation' };

export const INVITATION_DE: typeof INVITATION_EN = {
  roles: ROLES,
  mail: ({ groupKind, groupName, role }, inviter, link, days) => ({
    subject: `Einladung in ${GROUPS[groupKind]} „${groupName}“`,
    parts: [
      linkTo(
        `„${inviter}“ lädt Sie als ${ROLES[role]} in ${GROUPS[groupKind]} „${groupName}“ ein. Auf dieser Seite können Sie annehmen oder ablehnen:`,
        link,
        'Einladung ansehen',
      ),
      note(
        `Sie brauchen dafür ein Konto und können es dort anlegen. Der Link funktioniert einmal und ${days} Tage lang, aber nur, bis wir Ihnen einen neueren schicken. Wenn Sie nichts tun, treten Sie nicht bei.`,
      ),
    ],
  }),
};
