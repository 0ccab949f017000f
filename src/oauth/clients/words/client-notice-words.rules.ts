/** The mails to developers and administrators about OAuth clients. */
import { linkTo, type MailContent } from '../../../core/mail-content.ts';

export interface MailedClient {
  readonly clientId: string;
  /** The developer's name for it; null where no mail may say it. */
  readonly name: string | null;
}

/** Writes to its owner what happened to a client, in paragraphs; `page` is that of their clients. */
export function clientNotice(
  { clientId, name }: MailedClient,
  what: { readonly subject: string; readonly paragraphs: readonly string[] },
  page: string,
): MailContent {
  const heading = name === null ? `Your OAuth client ${clientId}:` : `Your OAuth client “${name}” (${clientId}):`;
  return {
    subject: `${name ?? 'Your OAuth client'}: ${what.subject}`,
    parts: [heading, ...what.paragraphs, linkTo('See your OAuth clients:', page)],
  };
}

/** Tells an administrator that a client waits for a review; `page` lists the reviews. */
export function submissionNotice({ clientId, name }: MailedClient, page: string): MailContent {
  const client = name === null ? clientId : `“${name}” (${clientId})`;
  return {
    subject: `${name ?? 'An OAuth client'} is waiting for review`,
    parts: [`The OAuth client ${client} was submitted.`, linkTo('See everything that is waiting for review:', page)],
  };
}
