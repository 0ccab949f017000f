/** The words that all pages share, in English. */
import { html } from 'hono/html';
import { pluralIn } from '../../core/language.ts';
import type { ScopeAction, ScopeLevel } from '../../scopes/create-catalog.ts';
import type { Setting } from './paths.ts';

const plural = pluralIn('en');

/** The parts of the world that names of time zones begin with, where a language has others for them. */
const ZONES: Readonly<Record<string, string>> = {};

export const PAGE_EN = {
  skip: 'Skip to content',
  account: 'Account',
  signIn: 'Sign in',
  bookings: 'Bookings',
  developer: 'Developer',
  reviews: 'Reviews',
  signOut: 'Sign out',
  unconfirmed: (
    email: string,
    way: string,
  ) => html`Your e-mail address <bdi>${email}</bdi> isn’t confirmed yet. Open the link in the e-mail we sent
        you. Until then, people who book with you don’t get any e-mails. <a href="${way}">Confirm it</a>`,
  error: (title: string) => `Error: ${title}`,
  errorStatus: (status: number) => `Error ${status}`,
  nowhere: {
    title: 'Page not found',
    message: 'There’s nothing at this address. Check it, or go to the start page.',
  },
  startPage: 'Go to the start page',
  goBack: 'Go back',
  pleaseCheck: 'Please check the following',
  moreMistakes: 'There may be more mistakes.',
  optional: '(optional)',
  pages: 'Pages',
  backToStart: 'Back to the start',
  more: 'More',
  /** The button beside a text, its subject for readers who do not see that, and what it then says. */
  copy: { button: 'Copy', about: (what: string) => ` ${what}`, copied: 'Copied', selected: 'Selected: press Ctrl+C' },
  zones: ZONES,
  settingsTitle: 'Settings',
  settings: {
    account: ['Account', 'your profile, time zone, language, password and sessions'],
    eventTypes: ['Event types', 'what people can book with you'],
    hours: ['Hours', 'when you can be booked'],
    absences: ['Out of office', 'days when no one can book you'],
    calendars: ['Calendars', 'which ones make you busy, and where bookings go'],
    conferencing: ['Video calls', 'the apps you meet in'],
    teams: ['Teams', 'your teams, organizations and invitations'],
    apps: ['Apps with access', 'what each app may do, and how to end its access'],
    webhooks: ['Webhooks', 'notify your server about your bookings'],
    developer: ['Developer', 'your own apps, their scopes and secrets'],
  } as Readonly<Record<Setting, readonly [name: string, what: string]>>,
  hours: (count: number) => plural(count, { one: '1 hour', other: `${count} hours` }),
  minutes: (count: number) => plural(count, { one: '1 minute', other: `${count} minutes` }),
  videoCall: (app: string | null) => `Video call (${app})`,
};

/** The words for what apps may do, in English. */

/** The name of a resource of the catalogue in a list of what an app may see and change. */
const RESOURCES = {
  EVENT_TYPE: 'Event types',
  BOOKING: 'Bookings',
  SCHEDULE: 'Working hours and absences',
  APPS: 'Calendars and video apps',
  PROFILE: 'Profile',
  WEBHOOK: 'Webhooks',
  VERIFIED_RESOURCES: 'Verified e-mail addresses and phone numbers',
  MEMBERSHIP: 'Members',
  ROUTING_FORM: 'Routing forms',
  WORKFLOW: 'Workflows',
  // Where a level has more in it than the resource's name says: whole teams can be deleted, accounts made.
  'TEAM PROFILE': 'The teams themselves',
  'ORGANIZATION PROFILE': 'The teams themselves',
  'ORGANIZATION MEMBERSHIP': 'Members and their accounts',
};

/** The owners of the things: the reader, or users about whom somebody else reads. */
const GROUPS: Readonly<Record<'your' | 'their', Readonly<Record<ScopeLevel, string>>>> = {
  your: { USER: 'Your account', TEAM: 'Your teams', ORGANIZATION: 'Your organizations' },
  their: { USER: 'Their account', TEAM: 'Their teams', ORGANIZATION: 'Their organizations' },
};

const ACTIONS: Readonly<Record<ScopeAction, string>> = { READ: 'see', WRITE: 'change' };

export const SCOPE_EN = {
  resources: RESOURCES,
  groups: GROUPS,
  actions: ACTIONS,
  isNew: 'New',
};
