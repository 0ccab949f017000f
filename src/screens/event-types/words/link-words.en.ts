/** Private links to event types, in English. */

import { html } from 'hono/html';
import { pluralIn } from '../../../core/language.ts';
import { MAX_USAGE_COUNT } from '../../../modules/event-types/private-links/private-link.rules.ts';
import type { Html } from '../../kit/layout.ts';

const plural = pluralIn('en');
const bookings = (count: number) => plural(count, { one: '1 booking', other: `${count} bookings` });

export const LINK_EN = {
  title: 'Private links',
  titleOf: (eventType: string) => `Private links to ${eventType}`,
  intro:
    'A private link leads to the booking page, also while the event type is hidden. Give it to those who may book.',
  none: 'There are no private links yet.',
  managed: 'This event type is not booked itself. Its hosts make links to their own.',
  what: 'the private link',
  used: (used: number, most: number | undefined) =>
    most === undefined ? `${bookings(used)} so far` : `${used} of ${bookings(most)}`,
  until: (time: Html) => html`until ${time}`,
  over: 'Over',
  end: 'End',
  endOf: (number: number) => `End private link ${number}`,
  add: 'Make a private link',
  fields: { maxUsageCount: 'For how many bookings', expiresAt: 'For how many days' },
  countHint: `1 to ${MAX_USAGE_COUNT}.`,
  daysHint: (most: number) =>
    `1 to ${most}. With days alone, it works for any number of bookings; with neither, for one.`,
  addButton: 'Make it',
  done: {
    added: 'The private link is made. Copy it from the list.',
    ended: 'The private link is ended.',
  },
  noNumber: (label: string) => `${label}: write a whole number, such as 5.`,
  noDays: (most: number) => `Write a number of days from 1 to ${most}.`,
};
