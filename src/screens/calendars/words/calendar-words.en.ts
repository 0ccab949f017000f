/** Calendars elsewhere, in English. */
import { html } from 'hono/html';
import { pluralIn } from '../../../core/language.ts';
import type { FormWords } from '../../kit/mistakes.ts';
import type { CalendarForm, ShownStatus } from '../calendar-forms.ts';

const plural = pluralIn('en');

const STATES: Readonly<Record<ShownStatus, string>> = {
  CONNECTED: 'Connected.',
  BROKEN: 'It does not let us in any more: connect it again below.',
  UNREACHABLE: 'Its server does not answer at the moment; we keep trying.',
  PENDING: 'Its server has not answered yet.',
};

const DONE: Readonly<Record<CalendarForm, string>> = {
  choose: 'Your choice is saved.',
  connect: 'The account is connected.',
  apple: 'The account is connected.',
  disconnect: 'The account is disconnected, and its events do not make you busy any more.',
  'add-feed': 'The calendar is added; its events make you busy.',
  'remove-feed': 'The calendar is removed.',
};

/** What is wrong, where it is said better than on all pages. */
const MISTAKES: NonNullable<FormWords['texts']> = {};

export const CALENDAR_EN = {
  title: 'Your calendars',
  intro: 'While an event of a ticked calendar lasts, nobody can book you. Your bookings are written to one calendar.',
  writeTo: 'Write my bookings to',
  noCalendar: 'No calendar',
  save: 'Save',
  states: STATES,
  isEmpty: 'This account has no calendars.',
  busy: (name: string) => html`Events of <bdi>${name}</bdi> make me busy`,
  /** `why` is what the server has said, in English. */
  unreadable: (why: string) => `It cannot be read: ${why}`,
  unwritten: (since: ReturnType<typeof html>) =>
    html`Bookings could not be written to it (${since}). We try again every hour.`,
  disconnect: (account: string) => html`Disconnect <bdi>${account}</bdi>`,
  connect: 'Connect an account',
  connectTo: (provider: string) => `Connect ${provider}`,
  fields: { username: 'Apple account', appPassword: 'App-specific password', url: 'Address' },
  appPasswordHint: 'Not your Apple password: make one for this at account.apple.com, under Sign-In and Security.',
  connectButton: 'Connect',
  feeds: 'Calendars by their address',
  feedsIntro:
    'Any calendar that has an address in iCal format (ICS). It is read every 15 minutes; its events make you busy.',
  urlHint: 'Everybody who has the address can read the calendar, so we keep it encrypted and do not show it again.',
  add: 'Add',
  events: (count: number) => plural(count, { one: '1 event', other: `${count} events` }),
  unreadFeed: (why: string) => `It could not be read the last time: ${why}`,
  remove: 'Remove',
  removeFeed: (address: string) => `Remove the calendar of ${address}`,
  question: {
    title: (account: string) => `Disconnect ${account}?`,
    explanation:
      'We forget its password or tokens, its calendars and when they make you busy. Bookings that were written to it stay there.',
    button: 'Disconnect',
  },
  done: DONE,
  mistakes: MISTAKES,
};
