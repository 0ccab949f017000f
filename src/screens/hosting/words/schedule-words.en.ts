/** Schedules: when somebody can be booked, in English. */
import { html } from 'hono/html';
import { pluralIn } from '../../../core/language.ts';
import type { Html } from '../../kit/layout.ts';

const plural = pluralIn('en');

export const SCHEDULE_EN = {
  hours: {
    title: 'When you can be booked',
    ofDefault: (name: Html) => html`Your default schedule, ${name}. Events of <a href="/settings/calendars">your
      calendars</a> make you busy, too. <a href="/settings/event-types">Your event types</a> are booked in these hours, unless they have
      <a href="/settings/schedules">a schedule of their own</a>.`,
    ofOther: html`It counts for the <a href="/settings/event-types">event types</a> that name it. Events of
      <a href="/settings/calendars">your calendars</a> make you busy, too.`,
    name: 'Name',
    nameHint: 'People who book do not see it.',
    timeZone: 'Time zone',
    paint: 'Drag over the week to add hours, or over hours to remove them.',
    times: 'Write times as HH:MM; 24:00 is the end of the day. A day without times is free of bookings.',
    week: 'Hours of the week',
    dates: 'Other hours on some dates',
    datesHint:
      'A date with times replaces that day of the week; a date without times is a day off. Empty a date to remove it.',
    date: (number: number) => `Date ${number}`,
    from: (line: string) => `${line} from`,
    to: (line: string) => `${line} to`,
    save: 'Save',
    all: 'All schedules',
    makeDefault: 'Make it the default',
    remove: 'Delete this schedule …',
  },
  list: {
    title: 'Your schedules',
    intro: 'A schedule says when you can be booked: the hours of a week, and dates that differ.',
    isDefault: 'Default',
    uses: (count: number) => plural(count, { one: 'Used by 1 event type', other: `Used by ${count} event types` }),
    usesDefault: 'For all event types that name no other',
    unused: 'Not used by any event type',
    add: 'Add a schedule',
    addHint: 'It begins with Monday to Friday, 09:00 to 17:00. You change that next.',
    addButton: 'Add',
  },
  question: {
    title: (name: string) => `Delete ${name}?`,
    unused: 'No event type uses it.',
    isDefault: 'This is your default schedule, and there is always one. Make another schedule the default first.',
    inUse: 'These event types use it. Choose other hours for them first:',
    further: (count: number) => plural(count, { one: 'and one more', other: `and ${count} more` }),
    button: 'Delete',
  },
  none: {
    title: 'No schedule of yours',
    message: 'There is no schedule of yours at this address. It may have been deleted.',
    advice: 'Your schedules are at /settings/schedules.',
  },
  done: {
    saved: 'Saved.',
    added: 'Added. Say here when you can be booked, then choose it in an event type.',
    default: 'It is the default now.',
    deleted: 'The schedule is deleted.',
  },
};
