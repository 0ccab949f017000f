import { textOf } from '../../src/core/mail-content.ts';
import { type Em, row, sql } from '../../src/database/sql.ts';
import { MailLimit } from '../../src/limits/mail-limit.ts';
import { INVITATION_PATH } from '../../src/modules/memberships/invitation.rules.ts';
import { type InvitationMail, invite } from '../../src/modules/memberships/invite.ts';
import { TEAM } from '../../src/modules/teams/team-role.ts';

/** Invites an address to a team by its slug, in its owner's name. @returns the path in the mail */
export async function invitationTo(em: Em, slug: string, email: string): Promise<string> {
  const found = await row(
    em,
    sql<{ groupId: string; actorId: string }>`
      select t.id as "groupId", m.user_id as "actorId" from teams t join team_memberships m on m.team_id = t.id
      where t.slug = ${slug} and m.role = 'OWNER' limit 1`,
  );
  if (!found) throw new Error(`Nobody owns a team ${slug}.`);
  let path = '';
  const mails = {
    mailLimit: new MailLimit(undefined, console),
    enqueue: async (_em: Em, { mail }: InvitationMail): Promise<void> =>
      void (path = /\/auth\/invitation\S+/.exec(textOf(mail))?.[0] ?? ''),
    publicUrl: '',
  };
  await invite(em, mails, { group: TEAM, ...found }, { email, role: 'MEMBER' });
  if (!path.startsWith(INVITATION_PATH)) throw new Error('The mail holds no link.');
  return path;
}
