/** The links that are mailed to an address, and for how long after the request they work. */
export const LINK_MINUTES = { VERIFY_EMAIL: 24 * 60, CHANGE_EMAIL: 24 * 60, RESET_PASSWORD: 30 } as const;
export type LinkKind = keyof typeof LINK_MINUTES;
export const LINK_KINDS = Object.keys(LINK_MINUTES) as LinkKind[];

/** Where the pages are that mails lead to; each takes `token`. */
export const CONFIRM_EMAIL_PATH = '/auth/confirm-email';
export const NEW_PASSWORD_PATH = '/auth/new-password';
export const FORGOTTEN_PASSWORD_PATH = '/auth/forgotten-password';

export interface Account {
  readonly email: string;
  /** The only text of the account in a mail: it holds letters, digits and hyphens, so nobody writes to strangers by it. */
  readonly username: string;
}

export interface MailContent {
  readonly subject: string;
  readonly text: string;
}

const HOURS = LINK_MINUTES.VERIFY_EMAIL / 60;

/** Mails about accounts, in words. `publicUrl` is the base of the pages. */
export function accountMails(publicUrl: string) {
  const page = (path: string): string => publicUrl + path;
  const link = (path: string, token: string): string => `${page(path)}?token=${token}`;
  return {
    verifyEmail: ({ username }: Account, token: string): MailContent => ({
      subject: 'Confirm your e-mail address',
      text: paragraphs(
        `Somebody, probably you, made the account "${username}" here with this address. To confirm that the address is yours, open this page and press its button:`,
        link(CONFIRM_EMAIL_PATH, token),
        `The link works once, for ${HOURS} hours. If you made no such account, do nothing: it gets no further with your address.`,
      ),
    }),

    accountExists: ({ username }: Account, other: string): MailContent => ({
      subject: 'You have an account already',
      text: paragraphs(
        `Somebody, perhaps you, gave this address to the account "${other}". You have an account with it already: "${username}".`,
        `To use yours, sign in: ${page('/auth/login')}\nIf you have forgotten its password: ${page(FORGOTTEN_PASSWORD_PATH)}`,
        'You need not do anything: the other account cannot take your address.',
      ),
    }),

    confirmNewEmail: ({ username }: Account, token: string): MailContent => ({
      subject: 'Confirm your new e-mail address',
      text: paragraphs(
        `The account "${username}" is to get this address. To confirm that the address is yours, open this page and press its button:`,
        link(CONFIRM_EMAIL_PATH, token),
        `The link works once, for ${HOURS} hours. If you did not ask for it, do nothing, and nothing changes.`,
      ),
    }),

    emailAboutToChange: ({ username }: Account, newEmail: string): MailContent => ({
      subject: 'Your e-mail address is about to change',
      text: paragraphs(
        `Your account "${username}" is to get the address ${newEmail}. Nothing changes before the link is followed that was mailed there.`,
        `If it was not you, somebody knows your password. Change it now, which also stops the change: ${page('/settings/account')}`,
      ),
    }),

    emailChanged: ({ username }: Account, newEmail: string): MailContent => ({
      subject: 'Your e-mail address was changed',
      text: paragraphs(
        `Your account "${username}" has the address ${newEmail} from now on, and mails go there.`,
        'If it was not you, tell an administrator of this service at once: they can lock the intruder out.',
      ),
    }),

    resetPassword: ({ username }: Account, token: string): MailContent => ({
      subject: 'Set a new password',
      text: paragraphs(
        `To set a new password for your account "${username}", open this page:`,
        link(NEW_PASSWORD_PATH, token),
        `The link works once, for ${LINK_MINUTES.RESET_PASSWORD} minutes, and a later mail takes its place. If you did not ask for it, do nothing: your password stays as it is.`,
      ),
    }),

    passwordChanged: ({ username }: Account): MailContent => ({
      subject: 'Your password was changed',
      text: paragraphs(
        `The password of your account "${username}" was changed.`,
        `If it was not you, set a new one by a link to this address: ${page(FORGOTTEN_PASSWORD_PATH)}\nThen look at which apps have access: ${page('/settings/apps')}`,
      ),
    }),
  };
}

function paragraphs(...texts: readonly string[]): string {
  return texts.join('\n\n');
}
