import type { MailContent } from '../../core/mail-content.ts';
import { sha256Hex } from '../../core/secret.ts';
import { type Em, rows, sql } from '../../database/sql.ts';
import { type AdmittedNotice, admitOrHold } from '../../limits/held-notices.ts';
import { type AccountNews, type MailLimit, ownAccount } from '../../limits/mail-limit.ts';
import { rolesFrom } from '../organizations/role.rules.ts';

export interface ResponsibleMailSettings {
  readonly publicUrl: string;
  readonly mailLimit: MailLimit;
}

/** A piece of news for those who are responsible for an owner. */
export interface ResponsibleNews {
  /** The id of the event. */
  readonly id: string;
  readonly ownerId: string;
  readonly news: AccountNews;
  readonly content: MailContent;
}

/** More administrators than these need not be told. */
const MAX_RECEIVERS = 20;

/** A mail to each who can do something about what an owner has: a user, or the owners and administrators of a group. Those that are one too many are held. */
export async function mailsToResponsible(
  em: Em,
  { id: eventId, ownerId, news, content }: ResponsibleNews,
  settings: ResponsibleMailSettings,
): Promise<readonly AdmittedNotice[]> {
  const receivers = await findResponsible(em, ownerId);
  const mails = receivers.map((receiver) => ({ ...receiver, content }));
  return mailsToEach(em, { id: eventId, news }, mails, settings);
}

/** Somebody who is told, and what they are. */
export interface NotifiedPerson {
  readonly name: string;
  readonly email: string;
  readonly content: MailContent;
}

/** A mail to each of these about an event. Those that are one too many are held. */
export async function mailsToEach(
  em: Em,
  { id: eventId, news }: Pick<ResponsibleNews, 'id' | 'news'>,
  receivers: readonly NotifiedPerson[],
  { publicUrl, mailLimit }: ResponsibleMailSettings,
): Promise<readonly AdmittedNotice[]> {
  const host = new URL(publicUrl).hostname;
  const notices = receivers.map(({ name, email, content }) => {
    const messageId = `<${eventId}.${sha256Hex(email.toLowerCase()).slice(0, 16)}@${host}>`;
    return { mail: { to: { name, address: email }, ...content, messageId }, counted: ownAccount(news) };
  });
  return admitOrHold(em, mailLimit, notices);
}

/** At verified addresses: another may be anybody's. */
function findResponsible(em: Em, ownerId: string): Promise<{ name: string; email: string }[]> {
  const roles = rolesFrom('ADMIN');
  return rows(
    em,
    sql<{ name: string; email: string }>`
      select u.name, u.email from users u
      where u.email_verified_at is not null and u.suspended_at is null and u.id in (
        select ${ownerId}::uuid
        union select m.user_id from team_memberships m where m.team_id = ${ownerId} and m.accepted and m.role = any(${roles}::text[])
        union select m.user_id from organization_memberships m
          where m.organization_id = ${ownerId} and m.accepted and m.role = any(${roles}::text[]))
      order by u.id limit ${MAX_RECEIVERS}::int`,
  );
}
