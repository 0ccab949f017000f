import { NO_ID } from '../../core/id.ts';
import { ServerTurns } from '../../limits/server-turns.ts';
import { BOOKING_CHANGES, type BookingChange } from '../../modules/bookings/booking.queries.ts';
import { followBooking } from '../../modules/bookings/calendar-entries/follow-booking.ts';
import {
  type EntryToFollow,
  missEntry,
  planCalendarEntries,
  waitingEntries,
} from '../../modules/bookings/calendar-entries/missed-entries.ts';
import type { CalendarAccounts } from '../../modules/calendars/connections/calendar-accounts.ts';
import { DATABASE_PAUSES_IN_SECONDS, type JobKind } from '../job-kind.ts';
import type { NewJob } from '../job-queue.ts';
import type { AskedServers } from './read-again.ts';
import { Persistence } from './until-done.ts';

/** Half a minute, then longer and longer, over two days: a calendar that was down or disconnected is back by then. */
const WAITS_IN_SECONDS = [30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 43_200];

/** How many jobs run at once. A host whose calendar does not answer holds up a few of them, and so does a server that answers nobody. */
const AT_ONCE = 24;
const OF_A_HOST = 4;

const QUEUE = 'calendar-entries';
const CATCH_UP = 'calendar-catch-up';
/** One job puts in so many entries of a host whose calendar is written again; each next job goes on after them. */
const CAUGHT_UP_AT_ONCE = 200;
const orderKeyOf = ({ hostId, icsId }: EntryToFollow): string => `${hostId} ${icsId}`;

/** One attempt more at an entry that was given up. */
export function onceMore(entry: EntryToFollow): NewJob {
  return {
    queue: QUEUE,
    data: { ...entry, failures: WAITS_IN_SECONDS.length },
    orderKey: orderKeyOf(entry),
    owner: entry.hostId,
  };
}

export interface CalendarEntrySettings extends AskedServers {
  readonly calendarAccounts: CalendarAccounts;
}

/** The rest of a user's entries, from one on; or those of an event that has become a job. */
interface CatchUp {
  readonly ownerId: string;
  readonly after?: string;
}

/** Has calendars follow bookings: an event becomes a job for each host, which is done until the calendar follows. */
export function calendarEntryKinds({
  calendarAccounts,
  servers = new ServerTurns(),
}: CalendarEntrySettings): readonly JobKind[] {
  const entries = new Persistence<EntryToFollow>({
    queue: QUEUE,
    atOnce: AT_ONCE,
    ofOwner: OF_A_HOST,
    waitsInSeconds: WAITS_IN_SECONDS,
    orderKeyOf,
    ownerOf: ({ hostId }) => hostId,
    attempt: async (em, entry) => {
      const failure = await followBooking(em, entry, calendarAccounts, servers.ofJobs);
      if (!failure) return { kind: 'DONE' };
      if ('inSeconds' in failure) return { kind: 'BUSY', inSeconds: failure.inSeconds };
      return { kind: 'FAILED', notBeforeSeconds: failure.retryInSeconds ?? 0 };
    },
    giveUp: missEntry,
  });
  return [
    {
      queue: 'calendar-events',
      hears: BOOKING_CHANGES,
      atOnce: 4,
      pausesInSeconds: DATABASE_PAUSES_IN_SECONDS,
      run: async (em, data) => {
        const planned = await planCalendarEntries(em, data as BookingChange);
        return planned.map((entry) => entries.job(entry));
      },
    },
    entries.kind,
    {
      queue: CATCH_UP,
      hears: ['USER_REINSTATED', 'USER_VERIFIED', 'CALENDAR_ACCOUNT_CONNECTED', 'CALENDAR_ACCOUNT_RECONNECTED'],
      atOnce: 1,
      pausesInSeconds: DATABASE_PAUSES_IN_SECONDS,
      run: async (em, data) => {
        const { ownerId, after = NO_ID } = data as CatchUp;
        const waiting = await waitingEntries(em, ownerId, after, CAUGHT_UP_AT_ONCE);
        const last = waiting.length === CAUGHT_UP_AT_ONCE ? waiting.at(-1) : undefined;
        const next = last ? [{ queue: CATCH_UP, data: { ownerId, after: last.icsId } satisfies CatchUp }] : [];
        return [...waiting.map((entry) => entries.job(entry)), ...next];
      },
    },
  ];
}
