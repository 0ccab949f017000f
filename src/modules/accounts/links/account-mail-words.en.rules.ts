/** The mails about accounts, in English. */
import { linkTo, note } from '../../../core/mail-content.ts';

export const ACCOUNT_MAILS_EN = {
  verifyEmail: (username: string, link: string, hours: number) => ({
    subject: 'Confirm your e-mail address',
    parts: [
      linkTo(
        `Somebody, probably you, made the account "${username}" here with this address. To confirm that the address is yours, open this page and press its button:`,
        link,
        'Confirm the address',
      ),
      note(
        `The link works once, for ${hours} hours. If you made no such account, do nothing: it gets no further with your address.`,
      ),
    ],
  }),

  accountExists: (username: string, other: string, pages: { signIn: string; forgottenPassword: string }) => ({
    subject: 'You have an account already',
    parts: [
      `Somebody, perhaps you, gave this address to the account "${other}". You have an account with it already: "${username}".`,
      linkTo('To use yours, sign in:', pages.signIn, 'Sign in'),
      linkTo('If you have forgotten its password:', pages.forgottenPassword, 'Set a new password'),
      'You need not do anything: the other account cannot take your address.',
    ],
  }),

  confirmNewEmail: (username: string, link: string, hours: number) => ({
    subject: 'Confirm your new e-mail address',
    parts: [
      linkTo(
        `The account "${username}" is to get this address. To confirm that the address is yours, open this page and press its button:`,
        link,
        'Confirm the address',
      ),
      note(`The link works once, for ${hours} hours. If you did not ask for it, do nothing, and nothing changes.`),
    ],
  }),

  emailAboutToChange: (username: string, newEmail: string, settings: string) => ({
    subject: 'Your e-mail address is about to change',
    parts: [
      `Your account "${username}" is to get the address ${newEmail}. Nothing changes before the link is followed that was mailed there.`,
      linkTo(
        'If it was not you, somebody knows your password. Change it now, which also stops the change:',
        settings,
        'Change the password',
      ),
    ],
  }),

  emailChanged: (username: string, newEmail: string) => ({
    subject: 'Your e-mail address was changed',
    parts: [
      `Your account "${username}" has the address ${newEmail} from now on, and mails go there.`,
      'If it was not you, tell an administrator of this service at once: they can lock the intruder out.',
    ],
  }),

  resetPassword: (username: string, link: string, minutes: number) => ({
    subject: 'Set a new password',
    parts: [
      linkTo(`To set a new password for your account "${username}", open this page:`, link, 'Set a new password'),
      note(
        `The link works once, for ${minutes} minutes, and a later mail takes its place. If you did not ask for it, do nothing: your password stays as it is.`,
      ),
    ],
  }),

  passwordChanged: (username: string, pages: { forgottenPassword: string; apps: string }) => ({
    subject: 'Your password was changed',
    parts: [
      `The password of your account "${username}" was changed.`,
      linkTo(
        'If it was not you, set a new one by a link to this address:',
        pages.forgottenPassword,
        'Set a new password',
      ),
      linkTo('Then look at which apps have access:', pages.apps, 'See the apps'),
    ],
  }),
};
