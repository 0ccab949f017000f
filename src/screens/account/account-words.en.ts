import { html } from 'hono/html';
import type { StoppedKind } from '../../oauth/stopped/stopped-thing.rules.ts';
import type { FormWords } from '../kit/problem-words.ts';

/** Mistakes are said in the words of their codes. */
const TEXTS: NonNullable<FormWords['texts']> = {};

/** Signing up, in and out, a forgotten password, and the links of mails about an account, in English. */
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
  revokesApps: 'End the access of all apps to my account',
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

/** The page of one's account, and the start page, in English. */
export const ACCOUNT_EN = {
  home: {
    title: 'Scheduling API',
    heading: 'Scheduling that apps can build on',
    what: 'Gatehouse manages event types, bookings, schedules and calendars, and opens them to other apps through one GraphQL API. You decide which app may see or change what, and you can change your mind at any time.',
    signUp: 'Create an account',
    yourBookings: 'Your bookings',
    share: 'Share your booking link',
    account: 'Your account',
    developers: 'For developers',
    development: (path: string) =>
      html`<a href="${path}">Development</a>: demo accounts, e-mails, and OAuth step by step.`,
    console: (path: string) =>
      html`<a href="${path}">Query console</a>: try operations and see which scopes they need.`,
    schema: (path: string, rest: string) =>
      html`<a href="${path}">The GraphQL schema</a> as a file, and the <a href="${rest}">REST paths</a>.`,
    clients: 'For clients',
    server: 'Authorization server',
    metadata: 'metadata',
    keys: 'keys',
  },
  title: 'Account',
  onThisPage: 'On this page',
  parts: {
    profile: 'Profile',
    times: 'Times and language',
    email: 'E-mail address',
    password: 'Password',
    sessions: 'Where you are signed in',
  },
  texts: TEXTS,
  done: {
    profile: 'Your profile was saved.',
    times: 'Your changes were saved.',
    verification: 'We’ve sent you the e-mail.',
    email: 'We’ve sent an e-mail to the new address. Open the link in it to confirm the change.',
    'email-cancel': 'Your e-mail address stays the same.',
    password: 'Your password was changed.',
    sessions: 'Signed out.',
  },
  fields: {
    name: 'Name',
    username: 'Username',
    bio: 'About you',
    avatarUrl: 'Picture',
    timeZone: 'Time zone',
    timeFormat: 'Time format',
    weekStart: 'Weeks start on',
    locale: 'Language',
    newEmail: 'New e-mail address',
    passwordForEmail: 'Your password',
    currentPassword: 'Current password',
  },
  profile: {
    what: 'This is what people who book with you see.',
    usernameHint: (base: string) =>
      `The end of your booking link, ${base}… If you change it, the old link leads to the new one for 90 days.`,
    bioHint: (most: number) => `Shown on your booking page. Up to ${most} characters.`,
    pictureHint:
      'The https address of a picture. Your booking pages load it from there, and apps show it next to your name.',
    save: 'Save profile',
  },
  times: {
    what: (path: string) =>
      html`This is how we show times to you. The hours when you can be booked have <a href="${path}">their own time zone</a>.`,
    clocks: [
      ['24', '14:30 (24 hours)'],
      ['12', '2:30 pm (12 hours)'],
    ] as readonly (readonly [value: string, says: string])[],
    languageHint: 'For pages and for e-mails about bookings.',
    save: 'Save',
  },
  email: {
    confirmed: 'Confirmed',
    notConfirmed:
      'Not confirmed yet. Open the link in the e-mail we sent you. Until then, no one gets e-mails on your behalf, and apps can’t identify you by this address.',
    sendAgain: 'Send the e-mail again',
    tooMany: 'The e-mail with the link couldn’t be sent yet, because this address has had too many.',
    notMailed: 'Not e-mailed yet',
    held: (subject: string, times: number) => (times === 1 ? `${subject}.` : `${subject} (${times} times).`),
    sentAt: 'We’ll try again at',
    notSent: 'It won’t be e-mailed.',
    pending: (email: string) =>
      html`It changes to <bdi>${email}</bdi> once you open the link in the e-mail we sent there. The link works for 24 hours; until then, nothing changes.`,
    keep: 'Keep my current address',
    whyPassword: 'So no one else can change it in your browser.',
    change: 'Change e-mail address',
  },
  password: {
    signOutOthers: 'Sign out of my other browsers',
    change: 'Change password',
  },
  sessions: {
    thisBrowser: 'This browser',
    browserOn: (browser: string, system: string) => `${browser} on ${system}`,
    unknownBrowser: 'Unknown browser',
    from: (address: string) => `From ${address}`,
    since: 'Signed in',
    lastSeen: 'Last active',
    endOne: 'Sign out there',
    endOthers: 'Sign out everywhere else',
  },
};

const KINDS: Readonly<Record<StoppedKind, string>> = {
  GROUP: 'Team or organization made in this account',
  GROUP_MEMBER: 'Person in a team or organization made in this account',
  MEMBERSHIP: 'Membership in a team or organization',
  INVITATION: 'Invitation sent by e-mail',
  WEBHOOK: 'Webhook',
  OAUTH_CLIENT: 'OAuth client',
  PRIVATE_LINK: 'Private link',
  ICS_FEED: 'Calendar read from an address',
  CALENDAR_ACCOUNT: 'Connected calendar account',
  CONFERENCING_APP: 'Connected app for video calls',
  VERIFIED_EMAIL: 'Verified e-mail address',
  VERIFIED_PHONE: 'Verified phone number',
  REDIRECT: 'Page shown after a booking',
  LOCATION: 'Link or number where you meet',
  EMBEDDING: 'Websites that may embed an event type',
  ABSENCE_REDIRECT: 'Colleague who stands in for you',
  PICTURE: 'Picture or logo',
  WORKFLOW: 'Workflow that sends messages',
  ROUTING_FORM: 'Routing form',
};

/** The page of what has stopped in an account, in English. */
export const STOPPED_EN = {
  title: 'What has stopped',
  what: (days: number) =>
    `All this was set up before you confirmed that your e-mail address is yours, so someone else may have done it. That’s why it has stopped: no one gets in through it, and nothing is sent to these addresses. Revive what is yours, one at a time. What you don’t revive is deleted after ${days} days.`,
  none: 'Nothing has stopped.',
  kinds: KINDS,
  leadsTo: 'Leads to',
  letsIn: 'Lets in',
  slug: 'Link name',
  deleted: 'Will be deleted on',
  revive: 'Revive',
  remove: 'Delete',
  about: (title: string) => ` ${title}`,
  done: { revived: 'It is back.', deleted: 'It was deleted.' },
  invitation: 'The link in the old e-mail no longer works. If you revive the invitation, send it again.',
  secret: {
    title: 'It is back, with a new secret',
    client:
      'The old secrets no longer work. Give the new one to your app. People whom the app acts for have to allow it again.',
    webhook: 'Messages are signed with the new secret from now on. Give it to your server.',
    secret: 'New secret',
    once: 'Copy the secret now. It is shown this once and cannot be looked up again.',
    onward: 'I have copied it',
  },
  notice: 'Some things in this account have stopped.',
  look: 'Look at them',
};
