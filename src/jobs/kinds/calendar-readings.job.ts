import type { CalendarAccounts } from '../../modules/calendars/connections/calendar-accounts.ts';
import { askCalendar, type CalendarToRead, readCalendar } from '../../modules/calendars/connections/read-calendar.ts';
import type { JobKind } from '../job-kind.ts';
import { type AskedServers, readAgain } from './read-again.ts';

/** Selected calendars are read again and again, until they are selected no more. */
export function calendarReadingsKind({
  calendarAccounts,
  servers,
}: AskedServers & { readonly calendarAccounts: CalendarAccounts }): JobKind {
  return readAgain<CalendarToRead>({
    servers,
    queue: 'calendar-readings',
    hears: ['CALENDAR_SELECTED'],
    sourceIn: (data) => {
      const { ownerId, calendarId, readingId } = data as CalendarToRead;
      return { ownerId, calendarId, readingId };
    },
    read: (em, calendar, hosts) => readCalendar(em, calendar, calendarAccounts, hosts),
    looksAt: ['CALENDAR_LOOKED_AT'],
    readOnce: (em, { ownerId, calendarId: id }, hosts) =>
      askCalendar(em, { ownerId, id }, calendarAccounts, hosts, { trigger: 'LOOKED_AT' }),
  });
}
