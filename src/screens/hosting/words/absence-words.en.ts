/** Days off, in English. */
import { html } from 'hono/html';
import type { Html } from '../../kit/layout.ts';

export const ABSENCE_EN = {
  title: 'Out of office',
  intro: html`Nobody can book you in that time, whatever <a href="/settings/hours">your hours</a> say. Bookings that you
      have already stay.`,
  none: 'You have no absences. Add one below, and nobody can book you on those days.',
  days: (first: string, last: string) => `${first} to ${last}`,
  add: 'Add an absence',
  fields: { first: 'First day', last: 'Last day', reason: 'Reason', standIn: 'Who can be booked instead' },
  reasonHint: (most: number) => `People who book do not see it. At most ${most} characters.`,
  standInHint:
    'The username of somebody in a team or an organization of yours. On those days, your booking pages lead to theirs.',
  standIn: (colleague: Html) => html`${colleague} can be booked instead.`,
  noColleague: 'Nobody in your teams and organizations has that username.',
  addButton: 'Add',
  zone: (name: string) => html`Days in ${name} (<a href="/settings/account#timeZone">change</a>).`,
  removeButton: 'Remove',
  remove: (when: string) => `Remove the absence of ${when}`,
  done: { added: 'Added.', removed: 'The absence is removed.' },
  /** What was typed is quoted. */
  noDay: 'Choose a day.',
  noDate: (typed: string) => `${typed} is no day of the calendar; write it as 2027-01-31.`,
  inverted: 'The last day is before the first one.',
};
