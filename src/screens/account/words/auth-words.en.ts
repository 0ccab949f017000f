/** Signing up, in and out, a forgotten password, and the links of mails about an account, in English. */
import { html } from 'hono/html';
import type { FormWords } from '../../kit/problem-words.ts';

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
  passwordHint: 'At least 8 characters. A few words in a row work well.',
  revokeApps: 'End the access of all apps to my account',
  signedInAs: (name: string, email: string) =>
    html`You’re signed in as <strong><bdi>${name}</bdi></strong> (<bdi>${email}</bdi>).`,
  mailHint: (folder: string) =>
    html`This service doesn’t send e-mails yet (<code>SMTP_URL</code>): each one is saved as a file in <code>${folder}</code>.`,
  signIn: {
    title: 'Sign in',
    kept: 'You’ve been signed out. Sign in again: we’ve kept what you typed, except passwords.',
    lost: 'You’ve been signed out, so nothing was saved, and the form is too large for us to keep. Sign in in another tab, then go back to the form in this one and send it again.',
    already: (email: string, name: string, path: string) =>
      html`You’re signed in as <bdi>${email}</bdi>. <a href="${path}">Continue as <bdi>${name}</bdi></a>, or sign in as someone else:`,
    forgotten: 'Forgot your password?',
    newHere: (path: string) => html`New here? <a href="${path}">Create an account</a>`,
    demo: (email: string, password: string, path: string) =>
      html`This service runs with demo data. Sign in as <code>${email}</code> with the password <code>${password}</code>, or see <a href="${path}">all accounts</a>.`,
    newPasswordSet: 'Your new password is set. Sign in with it.',
  },
  goOn: {
    title: 'Continue where you left off',
    kept: 'You were signed out when you sent the form, so nothing was saved. What you typed is still here.',
    send: 'Send it now',
    leave: 'Discard it and reload the page',
  },
  signUp: {
    title: 'Create an account',
    usernameHint: 'Part of your booking link. Use letters from a to z, digits and hyphens.',
    button: 'Create account',
    signIn: (path: string) => html`Already have an account? <a href="${path}">Sign in</a>`,
  },
  signOut: {
    title: 'Sign out',
    question: 'Sign out?',
    what: (email: string) => html`You’re signed in as <bdi>${email}</bdi>. Apps you gave access to keep it.`,
    stay: 'Stay signed in',
    done: 'You’re signed out',
  },
  forgotten: {
    title: 'Forgot your password?',
    what: 'Enter your account’s e-mail address and we’ll send you a link to set a new password.',
    button: 'Send link',
  },
  linkSent: {
    title: 'Check your e-mail',
    what: (minutes: number) =>
      `If there’s an account with that address, we’ve sent it a link to set a new password. It works once, within ${minutes} minutes.`,
    nothingCame: (path: string) =>
      html`Didn’t get it? Check your spam folder and the address, or <a href="${path}">ask for another link</a>.`,
  },
  newPassword: {
    title: 'Set a new password',
    what: (username: string, email: string) =>
      html`For the account <strong>${username}</strong> (<bdi>${email}</bdi>). It will be signed out of in all browsers.`,
    button: 'Set password',
    linkOver: 'Ask for a new one under “Forgot your password?”.',
  },
  confirmEmail: {
    title: 'Confirm your e-mail address',
    heading: 'Is this your account?',
    what: (username: string, email: string) =>
      html`The account <strong>${username}</strong> was given the address <strong><bdi>${email}</bdi></strong>. Only confirm this if the account is yours: whoever uses it will act under your address.`,
    button: 'Confirm address',
    otherwise: 'If it isn’t yours, close this page. Nothing will happen.',
    linkOver:
      'Check in your account settings whether the address is confirmed. You can also ask for a new e-mail there.',
  },
  emailConfirmed: {
    title: 'Your address is confirmed',
    what: 'It’s now the e-mail address of your account.',
    share: 'Share your booking link',
    button: 'Go to your account',
  },
  emailTaken: {
    title: 'Another account has this address',
    what: 'Another account confirmed it in the meantime, so this one can’t use it. Nothing was changed.',
    signIn: 'Sign in to the other account',
    useAnother: 'Use another address for this one',
    forgotten: 'Forgot the password of the other account?',
  },
};
