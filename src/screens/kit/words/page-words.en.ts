/** What all pages have in common, in English. */
import { html } from 'hono/html';
import { pluralIn } from '../../../core/language.ts';

const plural = pluralIn('en');

export const PAGE_EN = {
  skip: 'Skip to content',
  account: 'Account',
  signIn: 'Sign in',
  bookings: 'Bookings',
  apps: 'Apps',
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
  pleaseCheck: 'Please check the following',
  optional: '(optional)',
  pages: 'Pages',
  backToStart: 'Back to the start',
  more: 'More',
  hours: (count: number) => plural(count, { one: '1 hour', other: `${count} hours` }),
  minutes: (count: number) => plural(count, { one: '1 minute', other: `${count} minutes` }),
  videoCall: (app: string | null) => `Video call (${app})`,
};
