import type { CalendarAccounts } from '../../modules/calendars/connections/calendar-accounts.ts';
import { type CalendarToRead, readCalendar } from '../../modules/calendars/connections/read-calendar.ts';
import type { JobKind } from '../job-kind.ts';
import type { NewJob } from '../job-queue.ts';
import { OwnerTurns } from './owner-turns.ts';

const QUEUE = 'calendar-readings';
/** What a calendar does wrong is noted with it; these are for a database that does not do what it should, and outlast it. */
const PAUSES_IN_SECONDS = [5, 30, 120, 600, 3_600, 6 * 3_600, 24 * 3_600, 24 * 3_600];

/** Of so many, a user whose calendars do not answer holds up a few. */
const AT_ONCE = 8;
const TURNS = { share: 2, waiting: 3, waitInMs: 500, awayInSeconds: 1 };

/** Selected calendars are read again and again: each by one job, which puts in the next one until it is selected no more. */
export function calendarReadingsKind({ calendarAccounts }: { readonly calendarAccounts: CalendarAccounts }): JobKind {
  const turns = new OwnerTurns(TURNS);
  return {
    queue: QUEUE,
    hears: ['CALENDAR_SELECTED'],
    atOnce: AT_ONCE,
    pausesInSeconds: PAUSES_IN_SECONDS,
    run: async (em, data) => {
      const { ownerId, calendarId, readingId } = data as CalendarToRead;
      const calendar = { ownerId, calendarId, readingId };
      const again = (seconds: number): readonly NewJob[] => [{ queue: QUEUE, data: calendar, delayInSeconds: seconds }];
      const read = async (): Promise<readonly NewJob[]> => {
        const seconds = await readCalendar(em, calendar, calendarAccounts);
        return seconds === undefined ? [] : again(seconds);
      };
      return turns.run(ownerId, read, again);
    },
  };
}
