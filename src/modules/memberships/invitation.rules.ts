import { inLanguages } from '../../core/language.ts';
import type { MailContent } from '../../core/mail-content.ts';
import { INVITATION_DE } from './invitation-words.de.rules.ts';
import { INVITATION_EN } from './invitation-words.en.rules.ts';
import type { InvitedTo } from './membership.rules.ts';

/** How long the link of an invitation works. */
export const INVITATION_DAYS = 7;

/** Where the link leads; it takes `token`. */
export const INVITATION_PATH = '/auth/invitation';

/** The words of invitations, for a reader of this locale; `roles` are as in "as a member". */
export const invitationWords = inLanguages(INVITATION_EN, { de: INVITATION_DE });

/**
 * The mail that carries the link: the same words whether or not the address has an account. `locale` is the reader's.
 */
export function invitationMail(
  to: InvitedTo,
  { inviter, link, locale }: { readonly inviter: string; readonly link: string; readonly locale: string },
): MailContent {
  return { locale, ...invitationWords(locale).mail(to, inviter, link, INVITATION_DAYS) };
}
