import { dateTimeFormat, instantOf } from '../../../core/instant.ts';
import { inLanguages } from '../../../core/language.ts';
import type { MailContent } from '../../../core/mail-content.ts';
import { ACCOUNT_MAILS_DE } from './account-mail-words.de.rules.ts';
import { ACCOUNT_MAILS_EN } from './account-mail-words.en.rules.ts';

/** The links that are mailed to an address, and for how long after the request they work. */
export const LINK_MINUTES = { VERIFY_EMAIL: 24 * 60, CHANGE_EMAIL: 24 * 60, RESET_PASSWORD: 30 } as const;
export type LinkKind = keyof typeof LINK_MINUTES;
export const LINK_KINDS = Object.keys(LINK_MINUTES) as LinkKind[];

/** Where the pages are that mails lead to; each takes `token`. */
export const CONFIRM_EMAIL_PATH = '/auth/confirm-email';
export const NEW_PASSWORD_PATH = '/auth/new-password';
export const FORGOTTEN_PASSWORD_PATH = '/auth/forgotten-password';

/** A link to a new password, and what its reader knows the account by. */
export interface ResetLink {
  readonly username: string;
  readonly locale: string;
  /** When it was made, as the database writes it. */
  readonly createdAt: string;
  readonly token: string;
}

export interface Account {
  readonly email: string;
  /** The only text of the account in a mail: it holds letters, digits and hyphens, so nobody writes to strangers by it. */
  readonly username: string;
  /** BCP 47: the language of its mails. */
  readonly locale: string;
}

/** In UTC: nobody has said where the reader is. */
function dayOf(instant: string, locale: string): string {
  return dateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(instantOf(instant).epochMilliseconds);
}

const HOURS = LINK_MINUTES.VERIFY_EMAIL / 60;

const wordsFor = inLanguages(ACCOUNT_MAILS_EN, { de: ACCOUNT_MAILS_DE });

/** Mails about accounts, in the languages of their owners. `publicUrl` is the base of the pages. */
export function accountMails(publicUrl: string) {
  const page = (path: string): string => publicUrl + path;
  const link = (path: string, token: string): string => `${page(path)}?token=${token}`;
  const forgottenPassword = page(FORGOTTEN_PASSWORD_PATH);
  return {
    verifyEmail: ({ username, locale }: Account, token: string): MailContent => ({
      locale,
      ...wordsFor(locale).verifyEmail(username, link(CONFIRM_EMAIL_PATH, token), HOURS),
    }),

    accountExists: ({ username, locale }: Account, other: string): MailContent => ({
      locale,
      ...wordsFor(locale).accountExists(username, other, { signIn: page('/auth/login'), forgottenPassword }),
    }),

    confirmNewEmail: ({ username, locale }: Account, token: string): MailContent => ({
      locale,
      ...wordsFor(locale).confirmNewEmail(username, link(CONFIRM_EMAIL_PATH, token), HOURS),
    }),

    emailAboutToChange: ({ username, locale }: Account, newEmail: string): MailContent => ({
      locale,
      ...wordsFor(locale).emailAboutToChange(username, newEmail, page('/settings/account')),
    }),

    emailChanged: ({ username, locale }: Account, newEmail: string): MailContent => ({
      locale,
      ...wordsFor(locale).emailChanged(username, newEmail),
    }),

    /**
     * For several accounts, it is in the language of the first; `hasMore`: there are others, which have to be asked for
     * by name.
     */
    resetPassword: (email: string, links: readonly ResetLink[], hasMore: boolean): MailContent => {
      const [first, second] = links;
      const locale = first?.locale ?? 'en';
      const words = wordsFor(locale);
      const minutes = LINK_MINUTES.RESET_PASSWORD;
      if (first && !second && !hasMore)
        return { locale, ...words.resetPassword(first.username, link(NEW_PASSWORD_PATH, first.token), minutes) };
      const accounts = links.map(({ username, createdAt, token }) => ({
        username,
        made: dayOf(createdAt, locale),
        link: link(NEW_PASSWORD_PATH, token),
      }));
      const byName = `${forgottenPassword}?several=yes&email=${encodeURIComponent(email)}`;
      return { locale, ...words.resetPasswords(accounts, minutes, hasMore ? byName : undefined) };
    },

    passwordChanged: ({ username, locale }: Account): MailContent => ({
      locale,
      ...wordsFor(locale).passwordChanged(username, { forgottenPassword, apps: page('/settings/apps') }),
    }),
  };
}
