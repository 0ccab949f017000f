/** Calendars elsewhere, in English. */
import { html } from 'hono/html';
import { pluralIn } from '../../core/language.ts';
import type { IcsProblem } from '../../modules/calendars/feeds/ics-event.ts';
import type { FormWords } from '../kit/problem-words.ts';

const plural = pluralIn('en');

const STATES = {
  CONNECTED: 'Connected.',
  BROKEN: 'We no longer have access. Connect it again below.',
  UNREACHABLE: 'Its server isn’t responding at the moment. We’ll keep trying.',
  PENDING: 'Its server hasn’t responded yet.',
};

const DONE = {
  choose: 'Your choice was saved.',
  connect: 'Account connected.',
  apple: 'Account connected.',
  caldav: 'Account connected.',
  reconnect:
    'Connected again. We’re reading the calendars of this account now and adding the bookings that are missing.',
  disconnect: 'Account disconnected. Its events no longer make you busy.',
  'add-feed': 'Calendar added. Its events make you busy.',
  'remove-feed': 'Calendar removed.',
  'read-now': 'We’ve asked your calendars. Below, you can see when each was last read.',
};

/** The words for mistakes that this page says better than all pages do. */
const MISTAKES: NonNullable<FormWords['texts']> = {
  HOST_NOT_ACCEPTED:
    'Your calendars are on another server than the one you entered, so we haven’t sent your password there. If you know this server, tick it, and enter the password again.',
  'WRONG_CREDENTIALS calendarAccountId':
    'The server still refuses your password. If you’ve changed it there, connect the account again below.',
  'INVALID_URL server':
    'We can’t use this server. Enter an address like https://cloud.example, a name like cloud.example, or your email address.',
  'PRIVATE_ADDRESS server':
    'This server isn’t on the public internet. If it should be used anyway, ask whoever runs this service to allow it.',
};

const PROBLEMS: Readonly<Record<IcsProblem, string>> = {
  START: 'we can’t read when it starts, so it doesn’t make you busy.',
  RULE: 'we can’t read how it repeats, so it doesn’t make you busy.',
  TOO_MANY: 'it repeats too often, so it doesn’t make you busy.',
  END: 'we can’t read when it ends, so only the day of an all-day event makes you busy.',
  DATES: 'we can’t read one of the dates that were added or left out; the others count.',
  INSTANCE: 'we can’t tell which date of a series it replaces, so both make you busy.',
};

export const CALENDAR_EN = {
  title: 'Your calendars',
  intro:
    'Tick the calendars that make you busy: no one can book you during their events. Choose one calendar to add your bookings to.',
  readNow: 'Read now',
  readNowHint:
    'We read your calendars every 15 minutes, more often while someone looks at your times, and before you’re booked.',
  readAt: (at: ReturnType<typeof html>) => html`Last read: ${at}`,
  unread: 'Not read yet.',
  writeTo: 'Add my bookings to',
  noCalendar: 'No calendar',
  save: 'Save',
  states: STATES,
  /** Its server has refused the password. */
  refused:
    'Its server refused your password, so we don’t send it anymore. If the password is right, try again. If you’ve changed it, connect the account again below.',
  tryAgain: 'Try again',
  tryAgainWith: (account: string) => `Try again: ${account}`,
  isEmpty: 'This account has no calendars.',
  busy: (name: string) => html`Events of <bdi>${name}</bdi> make me busy`,
  /** `why` is what the server has said, in English. */
  unreadable: (why: string) => `We can’t read it: ${why}`,
  unwritten: (since: ReturnType<typeof html>) =>
    html`We couldn’t add bookings to it (${since}). We’ll try again every hour.`,
  disconnect: (account: string) => html`Disconnect <bdi>${account}</bdi>`,
  connect: 'Connect an account',
  connectTo: (provider: string) => `Connect ${provider}`,
  otherServer: 'Connect another calendar (CalDAV)',
  fields: {
    username: 'Apple account',
    appPassword: 'App-specific password',
    server: 'Server or email address',
    caldavUsername: 'Username',
    caldavPassword: 'Password',
    acceptedHosts: 'Where your password may be sent',
    url: 'Address',
  },
  serverHint:
    'For example Nextcloud, Fastmail, mailbox.org, Synology or Radicale. With an email address, we look up the server.',
  caldavUsernameHint: 'If you leave this empty, we use the email address from above.',
  caldavPasswordHint:
    'Create an app password on that server if it has them; with two-factor authentication, no other password works. It’s stored encrypted.',
  acceptHost: (host: string) => html`Send my password to <bdi>${host}</bdi>`,
  appPasswordHint: 'Not your Apple password: create one for this at account.apple.com, under Sign-In and Security.',
  connectButton: 'Connect',
  feeds: 'Calendars by address',
  feedsIntro:
    'Add any calendar that has an address in iCal format (ICS). We read it every 15 minutes, and its events make you busy.',
  urlHint: 'Anyone with the address can read the calendar, so we store it encrypted and won’t show it again.',
  add: 'Add',
  events: (count: number) => plural(count, { one: '1 event', other: `${count} events` }),
  unreadFeed: (why: string) => `We couldn’t read it last time: ${why}`,
  unreadableEvents: (count: number) =>
    plural(count, { one: 'We couldn’t fully read 1 event', other: `We couldn’t fully read ${count} events` }),
  untitled: 'Untitled event',
  day: (date: Temporal.PlainDate) => date.toLocaleString('en', { dateStyle: 'medium' }),
  problems: PROBLEMS,
  remove: 'Remove',
  removeFeed: (address: string) => `Remove the calendar at ${address}`,
  question: {
    title: (account: string) => `Disconnect ${account}?`,
    explanation:
      'We’ll forget its password or tokens, its calendars and when they make you busy. Bookings we’ve added to it stay there.',
    button: 'Disconnect',
  },
  done: DONE,
  mistakes: MISTAKES,
};
