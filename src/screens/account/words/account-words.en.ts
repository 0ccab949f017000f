/** The page of one's account, and the start page, in English. */
import { html } from 'hono/html';
import type { FormWords } from '../../kit/problem-words.ts';

const TEXTS: NonNullable<FormWords['texts']> = {};

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
