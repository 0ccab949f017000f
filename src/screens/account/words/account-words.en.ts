/** The page of one's account, and the start page, in English. */
import { html } from 'hono/html';
import type { FormWords } from '../../kit/mistakes.ts';

const TEXTS: NonNullable<FormWords['texts']> = {};

export const ACCOUNT_EN = {
  home: {
    title: 'Scheduling API',
    heading: 'Scheduling that apps can build on',
    what: 'Gatehouse keeps event types, bookings, schedules and calendars, and opens them to other apps through one GraphQL API. You decide which app may see or change what, and can change your mind.',
    signUp: 'Create an account',
    yourBookings: 'Your bookings',
    share: 'Share your booking link',
    account: 'Your account',
    developers: 'For developers',
    development: (path: string) =>
      html`<a href="${path}">Development</a>: demo accounts, mails, and OAuth step by step.`,
    console: (path: string) =>
      html`<a href="${path}">Query console</a>: try operations, and see which scopes they need.`,
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
    times: 'Saved. Times are shown to you like that from now on.',
    verification: 'The mail is on its way.',
    email: 'A mail is on its way to the new address. Follow its link, and the address is yours.',
    'email-cancel': 'Your address stays as it is.',
    password: 'Your password was changed.',
    sessions: 'The sessions were ended.',
  },
  fields: {
    name: 'Name',
    username: 'Username',
    bio: 'About you',
    avatarUrl: 'Picture',
    timeZone: 'Time zone',
    timeFormat: 'Clock',
    weekStart: 'Weeks begin on',
    locale: 'Language',
    newEmail: 'New e-mail address',
    passwordForEmail: 'Your password',
    currentPassword: 'Current password',
  },
  profile: {
    what: 'This is what people see who book you.',
    usernameHint: (base: string) =>
      `The end of your booking link, ${base}… The old link leads to the new one for 90 days.`,
    pictureHint: 'The https address of a picture. Apps show it beside your name.',
    save: 'Save the profile',
  },
  times: {
    what: (path: string) =>
      html`How times are shown to you. The hours in which you can be booked have <a href="${path}">a time zone of their own</a>.`,
    clocks: [
      ['24', '14:30 (24 hours)'],
      ['12', '2:30 pm (12 hours)'],
    ] as readonly (readonly [value: string, says: string])[],
    languageHint: 'Of pages, and of mails about bookings.',
    save: 'Save',
  },
  email: {
    confirmed: 'Confirmed',
    notConfirmed:
      'It is not confirmed yet. Open the link in the mail that we sent there. Until then nobody else gets mail in your name, and an app cannot know you by this address.',
    sendAgain: 'Send the mail again',
    pending: (email: string) =>
      html`It becomes <bdi>${email}</bdi> when the link in the mail that we sent there is followed, within 24 hours. Until then all stays as it is.`,
    keep: 'Keep the address as it is',
    whyPassword: 'So that nobody else changes it in your browser.',
    change: 'Change the address',
  },
  password: {
    signOutOthers: 'Sign out my other browsers',
    change: 'Change the password',
  },
  sessions: {
    thisBrowser: 'This browser',
    browserOn: (browser: string, system: string) => `${browser} on ${system}`,
    unknownBrowser: 'A browser that does not say what it is',
    from: (address: string) => `From ${address}`,
    since: 'Signed in',
    lastSeen: 'Last seen',
    endOne: 'Sign out there',
    endOthers: 'Sign out everywhere else',
  },
};
