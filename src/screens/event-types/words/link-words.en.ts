/** Private links to event types, in English. */

import { html } from 'hono/html';
import { pluralIn } from '../../../core/language.ts';
import { MAX_USAGE_COUNT } from '../../../modules/event-types/private-link.rules.ts';
import type { Html } from '../../kit/layout.ts';

const plural = pluralIn('en');
const bookings = (count: number) => plural(count, { one: '1 booking', other: `${count} bookings` });

export const LINK_EN = {
  title: 'Private links',
  titleOf: (eventType: string) => `Private links to ${eventType}`,
  intro:
    'A private link leads to the booking page, even while the event type is hidden. Share it with the people who may book.',
  none: 'There are no private links yet.',
  managed: 'People book the hosts’ copies of this event type. Each host creates links to their own.',
  what: 'the private link',
  used: (used: number, most: number | undefined) =>
    most === undefined ? `${bookings(used)} so far` : `${used} of ${bookings(most)}`,
  until: (time: Html) => html`until ${time}`,
  over: 'Expired',
  end: 'End',
  endOf: (number: number) => `End private link ${number}`,
  add: 'Create a private link',
  fields: { maxUsageCount: 'Number of bookings', expiresAt: 'Number of days' },
  countHint: `1 to ${MAX_USAGE_COUNT}.`,
  daysHint: (most: number) =>
    `1 to ${most}. With only days, it works for any number of bookings; with neither, for one.`,
  addButton: 'Create link',
  done: {
    added: 'Private link created. Copy it from the list.',
    ended: 'The private link no longer works.',
  },
  noNumber: (label: string) => `${label}: enter a whole number, such as 5.`,
  noDays: (most: number) => `Enter a number of days from 1 to ${most}.`,
};
