import { followBooking } from '../modules/bookings/calendar-entries/follow-booking.ts';
import {
  CALENDAR_ENTRY_EVENTS,
  type CalendarEntryEvent,
  type EntryToFollow,
  planCalendarEntries,
} from '../modules/bookings/calendar-entries/plan-calendar-entries.ts';
import type { CalendarAccounts } from '../modules/calendars/connections/calendar-accounts.ts';
import type { JobKind } from './job-kind.ts';
import type { NewJob } from './job-queue.ts';

const ENTRIES = 'calendar-entries';
/** Its own failures are waited out below; these are for a database that does not do what it should. */
const PAUSES_IN_SECONDS = [5, 30, 120];
/** Half a minute, then longer and longer, over two days: a calendar that was down or disconnected is back by then. */
const WAITS_IN_SECONDS = [30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 43_200];

export interface CalendarEntrySettings {
  readonly calendarAccounts: CalendarAccounts;
}

interface EntryData extends EntryToFollow {
  readonly failures: number;
}

/** Has calendars follow bookings: an event becomes a job for each host, which is done until the calendar follows. */
export function calendarEntryKinds({ calendarAccounts }: CalendarEntrySettings): readonly JobKind[] {
  return [
    {
      queue: 'calendar-events',
      hears: CALENDAR_ENTRY_EVENTS,
      atOnce: 4,
      pausesInSeconds: PAUSES_IN_SECONDS,
      run: async (em, data) => {
        const entries = await planCalendarEntries(em, data as CalendarEntryEvent);
        return entries.map((entry) => jobFor({ ...entry, failures: 0 }));
      },
    },
    {
      queue: ENTRIES,
      hears: [],
      atOnce: 20,
      pausesInSeconds: PAUSES_IN_SECONDS,
      run: async (em, data) => {
        const { failures, ...entry } = data as EntryData;
        const failure = await followBooking(em, entry, calendarAccounts);
        const wait = WAITS_IN_SECONDS[failures];
        if (!failure || wait === undefined) return [];
        const delayInSeconds = Math.max(wait, failure.retryInSeconds ?? 0);
        return [jobFor({ ...entry, failures: failures + 1 }, delayInSeconds)];
      },
    },
  ];
}

/** One at a time for a booking and a host. */
function jobFor(data: EntryData, delayInSeconds?: number): NewJob {
  const job = { queue: ENTRIES, data, orderKey: `${data.hostId} ${data.icsId}` };
  return delayInSeconds === undefined ? job : { ...job, delayInSeconds };
}
