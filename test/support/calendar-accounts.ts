import { CalendarAccounts } from '../../src/modules/calendars/connections/calendar-accounts.ts';
import type { CalendarProvider } from '../../src/modules/calendars/connections/calendar-provider.ts';
import { Credentials } from '../../src/outbound/credentials.ts';

/** Stands for a server elsewhere that lets everybody in, and whose accounts have the same two calendars. */
export const OPEN_TO_ALL: CalendarProvider = {
  check: async () => undefined,
  list: async () => [
    { externalId: 'https://calendars.example/home/', name: 'Home', isPrimary: true, isReadOnly: false },
    { externalId: 'https://calendars.example/holidays/', name: 'Holidays', isPrimary: false, isReadOnly: true },
  ],
  read: async () => ({ state: null, objects: [] }),
  write: async (_authorization, calendarId, { name }) => ({ externalId: `${calendarId}${name}.ics`, etag: null }),
  remove: async () => undefined,
};

export function testCalendarAccounts(provider: CalendarProvider = OPEN_TO_ALL): CalendarAccounts {
  return new CalendarAccounts({
    providers: { APPLE: provider },
    credentials: new Credentials(new Uint8Array(32).fill(3)),
  });
}
