/** Schedules: when somebody can be booked, in English. */
import { html } from 'hono/html';
import { pluralIn } from '../../../core/language.ts';
import type { Html } from '../../kit/layout.ts';

const plural = pluralIn('en');

export const SCHEDULE_EN = {
  hours: {
    title: 'When you can be booked',
    ofDefault: (
      name: Html,
    ) => html`This is your default schedule, ${name}. <a href="/settings/event-types">Your event types</a> use it unless you choose
      <a href="/settings/schedules">another schedule</a> for them. Events in <a href="/settings/calendars">your calendars</a> also make
      you busy.`,
    ofOther: html`This schedule applies to the <a href="/settings/event-types">event types</a> you choose it for. Events in
      <a href="/settings/calendars">your calendars</a> also make you busy.`,
    name: 'Name',
    nameHint: 'People who book with you don’t see it.',
    timeZone: 'Time zone',
    paint: 'Drag across the week to add hours, or across hours to remove them.',
    times: 'Write times as HH:MM; 24:00 is the end of the day. Leave a day empty if you can’t be booked.',
    week: 'Weekly hours',
    dates: 'Different hours on some dates',
    datesHint:
      'The times of a date replace the hours of that weekday. Without times, you can’t be booked on that date. Clear a date to remove it.',
    date: (number: number) => `Date ${number}`,
    from: (line: string) => `${line} from`,
    to: (line: string) => `${line} to`,
    save: 'Save',
    all: 'All schedules',
    makeDefault: 'Make default',
    remove: 'Delete this schedule …',
  },
  list: {
    title: 'Your schedules',
    intro: 'A schedule says when you can be booked: your weekly hours, and dates with different hours.',
    isDefault: 'Default',
    uses: (count: number) => plural(count, { one: 'Used by 1 event type', other: `Used by ${count} event types` }),
    usesDefault: 'For all event types without a schedule of their own',
    unused: 'Not used by any event type',
    add: 'Add a schedule',
    addHint: 'It starts with Monday to Friday, 09:00 to 17:00. You can change that next.',
    addButton: 'Add',
  },
  question: {
    title: (name: string) => `Delete ${name}?`,
    unused: 'No event type uses this schedule.',
    isDefault: 'This is your default schedule, and you always need one. Make another schedule the default first.',
    inUse: 'These event types use this schedule. Choose another one for them first:',
    further: (count: number) => plural(count, { one: 'and one more', other: `and ${count} more` }),
    button: 'Delete',
  },
  none: {
    title: 'Schedule not found',
    message: 'You have no schedule at this address. It may have been deleted.',
    advice: 'Your schedules are at /settings/schedules.',
  },
  done: {
    saved: 'Saved.',
    added: 'Schedule added. Set your hours here, then choose it for an event type.',
    default: 'This is now your default schedule.',
    deleted: 'Schedule deleted.',
  },
};
