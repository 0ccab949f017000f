/** What all pages have in common, in English. */
import { html } from 'hono/html';
import { pluralIn } from '../../../core/language.ts';
import type { Setting } from '../settings.ts';

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
  ) => html`Your address <bdi>${email}</bdi> is not confirmed yet: open the link in the mail that we sent
        there. Until then people who book you get no mail. <a href="${way}">Confirm it</a>`,
  error: (title: string) => `Error: ${title}`,
  errorStatus: (status: number) => `Error ${status}`,
  nowhere: {
    title: 'Nothing here',
    message: 'There is nothing at this address; check it, or go on from the start page.',
  },
  startPage: 'Go to the start page',
  goBack: 'Go back',
  pleaseCheck: 'Please check the following',
  moreMistakes: (count: number) =>
    plural(count, { one: 'There is one more mistake.', other: `There are ${count} more mistakes.` }),
  manyMistakes: (count: number) => `There are at least ${count} more mistakes.`,
  optional: '(optional)',
  pages: 'Pages',
  backToStart: 'Back to the start',
  more: 'More',
  /** Beside a text: a button, what it is about for who does not see that, and what it then says. */
  copy: { button: 'Copy', about: (what: string) => ` ${what}`, copied: 'Copied', selected: 'Selected: press Ctrl+C' },
  zones: ZONES,
  settingsTitle: 'Settings',
  settings: {
    account: ['Account', 'your profile, time zone, language, password and sessions'],
    eventTypes: ['Event types', 'what people can book with you'],
    hours: ['Hours', 'when you can be booked'],
    absences: ['Days off', 'days on which nobody can book you'],
    calendars: ['Calendars', 'which make you busy, and where bookings are written'],
    conferencing: ['Video calls', 'the apps in which you meet'],
    teams: ['Teams', 'who is booked together, invitations, and organizations'],
    apps: ['Apps with access', 'what each may do, and how to end it'],
    webhooks: ['Webhooks', 'have your server told of what happens to your bookings'],
    developer: ['Developer', 'your own apps, their scopes and secrets'],
  } as Readonly<Record<Setting, readonly [name: string, what: string]>>,
  hours: (count: number) => plural(count, { one: '1 hour', other: `${count} hours` }),
  minutes: (count: number) => plural(count, { one: '1 minute', other: `${count} minutes` }),
  videoCall: (app: string | null) => `Video call (${app})`,
};
