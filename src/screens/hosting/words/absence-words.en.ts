/** Days off, in English. */
import { html } from 'hono/html';
import type { Html } from '../../kit/layout.ts';

export const ABSENCE_EN = {
  title: 'Out of office',
  intro: html`When you’re out of office, no one can book you, even during <a href="/settings/hours">your hours</a>. Bookings
      you already have stay.`,
  none: 'You have no days out of office. Add some below, and no one can book you on those days.',
  days: (first: string, last: string) => `${first} to ${last}`,
  add: 'Add days out of office',
  fields: { first: 'First day', last: 'Last day', reason: 'Reason', standIn: 'Who can be booked instead' },
  reasonHint: (most: number) => `People who book with you don’t see it. Up to ${most} characters.`,
  standInHint:
    'The username of someone in your team or organization. On those days, your booking pages lead to theirs.',
  standIn: (colleague: Html) => html`${colleague} can be booked instead.`,
  noColleague: 'No one in your teams and organizations has that username.',
  addButton: 'Add',
  zone: (name: string) => html`Days in ${name} (<a href="/settings/account#timeZone">change</a>).`,
  removeButton: 'Remove',
  remove: (when: string) => `Remove out of office: ${when}`,
  done: { added: 'Added.', removed: 'Removed.' },
  /** Messages about dates quote the text that was typed. */
  noDay: 'Choose a day.',
  noDate: (typed: string) => `${typed} isn’t a valid date. Write it like 2027-01-31.`,
  inverted: 'The last day can’t be before the first day.',
};
