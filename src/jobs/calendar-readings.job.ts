import type { CalendarAccounts } from '../modules/calendars/connections/calendar-accounts.ts';
import { type CalendarToRead, readCalendar } from '../modules/calendars/connections/read-calendar.ts';
import type { JobKind } from './job-kind.ts';

const QUEUE = 'calendar-readings';
/** What a calendar does wrong is noted with it; these are for a database that does not do what it should, and outlast it. */
const PAUSES_IN_SECONDS = [5, 30, 120, 600, 3_600, 6 * 3_600, 24 * 3_600, 24 * 3_600];

/** Selected calendars are read again and again: each by one job, which puts in the next one until it is selected no more. */
export function calendarReadingsKind({ calendarAccounts }: { readonly calendarAccounts: CalendarAccounts }): JobKind {
  return {
    queue: QUEUE,
    hears: ['CALENDAR_SELECTED'],
    atOnce: 8,
    pausesInSeconds: PAUSES_IN_SECONDS,
    run: async (em, data) => {
      const { ownerId, calendarId, readingId } = data as CalendarToRead;
      const calendar = { ownerId, calendarId, readingId };
      const delayInSeconds = await readCalendar(em, calendar, calendarAccounts);
      return delayInSeconds === undefined ? [] : [{ queue: QUEUE, data: calendar, delayInSeconds }];
    },
  };
}
