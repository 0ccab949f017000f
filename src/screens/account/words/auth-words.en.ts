/** Signing up, in and out, a forgotten password, and the links of mails about an account, in English. */
import { html } from 'hono/html';
import type { FormWords } from '../../kit/mistakes.ts';

const TEXTS: NonNullable<FormWords['texts']> = {};

export const AUTH_EN = {
  texts: TEXTS,
  fields: {
    name: 'Name',
    username: 'Username',
    email: 'E-mail address',
    password: 'Password',
    newPassword: 'New password',
    timeZone: 'Time zone',
  },
  passwordHint: 'At least 8 characters; a few words in a row make a good one.',
  revokeApps: 'End the access of all apps that I authorized',
  signedInAs: (name: string, email: string) =>
    html`You are signed in as <strong><bdi>${name}</bdi></strong> (<bdi>${email}</bdi>).`,
  mailHint: (folder: string) =>
    html`This service sends no mail yet (<code>SMTP_URL</code>): each is a file in <code>${folder}</code>.`,
  signIn: {
    title: 'Sign in',
    kept: 'You are signed out by now. Sign in again: what you typed is kept, but for passwords.',
    lost: 'You are signed out by now, so nothing was saved, and the form is too large to be kept here. Sign in in another tab, then go back to the form in this one and send it once more.',
    already: (email: string, name: string, path: string) =>
      html`You are signed in as <bdi>${email}</bdi>. <a href="${path}">Go on as <bdi>${name}</bdi></a>, or sign in as somebody else:`,
    forgotten: 'Forgotten your password?',
    newHere: (path: string) => html`New here? <a href="${path}">Create an account</a>`,
    demo: (email: string, password: string, path: string) =>
      html`This service runs with demo data. Sign in as <code>${email}</code> with the password <code>${password}</code>, or see <a href="${path}">all accounts</a>.`,
    newPasswordSet: 'Your new password is set: sign in with it.',
  },
  goOn: {
    title: 'Go on where you were',
    kept: 'You were signed out when you sent the form, so nothing was saved. What you typed is still here.',
    send: 'Send it now',
    leave: 'Leave it, and open the page anew',
  },
  signUp: {
    title: 'Create an account',
    usernameHint: 'Part of the address of your booking page: letters from a to z, digits and hyphens.',
    button: 'Create account',
    signIn: (path: string) => html`Have an account? <a href="${path}">Sign in</a>`,
  },
  signOut: {
    title: 'Sign out',
    question: 'Sign out?',
    what: (email: string) =>
      html`You are signed in as <bdi>${email}</bdi>. Apps that you authorized keep their access.`,
    stay: 'Stay signed in',
    done: 'You are signed out',
  },
  forgotten: {
    title: 'Forgotten password',
    what: 'We send a link to set a new one to the address of your account.',
    button: 'Send the link',
  },
  linkSent: {
    title: 'Look into your mailbox',
    what: (minutes: number) =>
      `If there is an account with that address, a link to set a new password is on its way there. It works once, for ${minutes} minutes.`,
    nothingCame: (path: string) =>
      html`Nothing came? Look among unwanted mail, and check the address: <a href="${path}">ask for another link</a>.`,
  },
  newPassword: {
    title: 'Set a new password',
    what: (username: string, email: string) =>
      html`For the account <strong>${username}</strong> (<bdi>${email}</bdi>). All browsers that are signed in to it will be signed out.`,
    button: 'Set the password',
    linkOver: 'Ask for another one on the page for forgotten passwords.',
  },
  confirmEmail: {
    title: 'Confirm an address',
    heading: 'Is this your account?',
    what: (username: string, email: string) =>
      html`The account <strong>${username}</strong> says that its address is <strong><bdi>${email}</bdi></strong>. Confirm it only if the account is yours: its owner will act under your address.`,
    button: 'Confirm the address',
    otherwise: 'If it is not yours, close this page: nothing happens.',
    linkOver: 'Look whether the address is confirmed on the page of your account; there you also ask for another mail.',
  },
  emailConfirmed: {
    title: 'Your address is confirmed',
    what: 'It is the one of your account from now on.',
    share: 'Share your booking link',
    button: 'Go to your account',
  },
  emailTaken: {
    title: 'Another account has this address',
    what: 'Another account has confirmed it meanwhile, so this one cannot have it. Nothing was changed.',
    signIn: 'Sign in to the other account',
    useAnother: 'Use another address for this one',
    forgotten: 'Forgotten the password of the other one?',
  },
};
