/** The mails about accounts, in English. */
import { linkTo, note } from '../../../core/mail-content.ts';

export const ACCOUNT_MAILS_EN = {
  verifyEmail: (username: string, link: string, hours: number) => ({
    subject: 'Confirm your e-mail address',
    parts: [
      linkTo(
        `Someone, probably you, created the account “${username}” with this address. To confirm that the address is yours, open this page and press the button:`,
        link,
        'Confirm address',
      ),
      note(
        `The link works once, within ${hours} hours. If you didn’t create this account, you don’t need to do anything: it can’t use your address.`,
      ),
    ],
  }),

  accountExists: (username: string, other: string, pages: { signIn: string; forgottenPassword: string }) => ({
    subject: 'You already have an account',
    parts: [
      `Someone, perhaps you, gave this address for the account “${other}”. You already have an account with it: “${username}”.`,
      linkTo('Sign in to your account:', pages.signIn, 'Sign in'),
      linkTo('If you forgot your password:', pages.forgottenPassword, 'Set a new password'),
      'You don’t need to do anything: the other account can’t take your address.',
    ],
  }),

  confirmNewEmail: (username: string, link: string, hours: number) => ({
    subject: 'Confirm your new e-mail address',
    parts: [
      linkTo(
        `Someone, probably you, asked to change the e-mail address of the account “${username}” to this one. To confirm that it’s yours, open this page and press the button:`,
        link,
        'Confirm address',
      ),
      note(
        `The link works once, within ${hours} hours. If you didn’t ask for this, you don’t need to do anything, and nothing will change.`,
      ),
    ],
  }),

  emailAboutToChange: (username: string, newEmail: string, settings: string) => ({
    subject: 'Your e-mail address is about to change',
    parts: [
      `Someone, probably you, asked to change the e-mail address of your account “${username}” to ${newEmail}. Nothing changes until the link that we e-mailed there is opened.`,
      linkTo(
        'If this wasn’t you, someone knows your password. Change it now, which also stops this change:',
        settings,
        'Change password',
      ),
    ],
  }),

  emailChanged: (username: string, newEmail: string) => ({
    subject: 'Your e-mail address was changed',
    parts: [
      `The e-mail address of your account “${username}” is now ${newEmail}, and we’ll send e-mails there.`,
      'If this wasn’t you, contact an administrator of this service right away: they can lock the other person out.',
    ],
  }),

  resetPassword: (username: string, link: string, minutes: number) => ({
    subject: 'Set a new password',
    parts: [
      linkTo(`To set a new password for your account “${username}”, open this page:`, link, 'Set a new password'),
      note(
        `The link works once, within ${minutes} minutes, and only until we send you a newer one. If you didn’t ask for it, you don’t need to do anything: your password stays the same.`,
      ),
    ],
  }),

  resetPasswords: (
    accounts: readonly { readonly username: string; readonly made: string; readonly link: string }[],
    minutes: number,
    byName: string | undefined,
  ) => ({
    subject: 'Set a new password',
    parts: [
      'There are several accounts with this address, and nobody has confirmed it yet. Choose the one that is yours: anyone may have made the others.',
      ...accounts.map(({ username, made, link }) =>
        linkTo(`“${username}”, made on ${made}:`, link, 'Set a new password'),
      ),
      ...(byName === undefined
        ? []
        : [linkTo('There are more. If yours isn’t here, ask for it by its username:', byName, 'Ask by username')]),
      note(
        `Each link works once, within ${minutes} minutes, and only until we send you a newer one. If you didn’t ask for this, you don’t need to do anything: the passwords stay the same.`,
      ),
    ],
  }),

  passwordChanged: (username: string, pages: { forgottenPassword: string; apps: string }) => ({
    subject: 'Your password was changed',
    parts: [
      `The password of your account “${username}” was changed.`,
      linkTo(
        'If this wasn’t you, set a new one with a link to this address:',
        pages.forgottenPassword,
        'Set a new password',
      ),
      linkTo('Then check which apps have access:', pages.apps, 'See apps'),
    ],
  }),
};
