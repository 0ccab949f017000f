import { accessTo, type ProviderClient } from '../../src/modules/calendars/connections/calendar-access.ts';
import { CalendarAccounts } from '../../src/modules/calendars/connections/calendar-accounts.ts';
import { addressTyped } from '../../src/modules/calendars/connections/calendar-connection.rules.ts';
import type { CalendarProvider } from '../../src/modules/calendars/connections/calendar-provider.ts';
import { CaldavServers } from '../../src/modules/calendars/connections/servers/caldav.ts';
import { Connections } from '../../src/modules/connections/connections.ts';
import { Credentials } from '../../src/outbound/credentials.ts';
import { Outbound } from '../../src/outbound/outbound.ts';

/** Stands for a server elsewhere that lets everybody in, and whose accounts have the same two calendars. */
export const OPEN_TO_ALL: CalendarProvider = {
  check: async () => undefined,
  list: async () => ({
    account: 'ada@calendars.example',
    calendars: [
      { externalId: 'https://calendars.example/home/', name: 'Home', isPrimary: true, isReadOnly: false },
      { externalId: 'https://calendars.example/holidays/', name: 'Holidays', isPrimary: false, isReadOnly: true },
    ],
  }),
  read: async () => ({ state: null, objects: [] }),
  write: async (_authorization, calendarId, { icsId }) => ({ externalId: `${calendarId}${icsId}.ics`, etag: null }),
  find: async (_authorization, calendarId, icsId) => `${calendarId}${icsId}.ics`,
  remove: async () => undefined,
};

export const TEST_CREDENTIALS = new Credentials(new Uint8Array(32).fill(3));

const NO_DOOR = new Outbound({ allowsPrivate: false, userAgent: 'Gatehouse' });

/** Servers that users name, of which none inside can be asked. */
export const NO_SERVERS = new CaldavServers(NO_DOOR);

/** A client of Google that is registered nowhere: connections can be begun, and lead to nobody. */
const NOWHERE: ProviderClient = {
  clientId: 'gatehouse',
  clientSecret: 'a-secret-of-the-client',
  authorizationUrl: 'https://accounts.example/authorize',
  tokenUrl: 'https://accounts.example/token',
  apiUrl: 'https://calendars.example/',
};

/** As the service has them with such a client. */
export function testConnections(): Connections {
  return new Connections({
    publicUrl: 'https://gatehouse.test',
    outbound: NO_DOOR,
    credentials: TEST_CREDENTIALS,
    providers: [accessTo('GOOGLE', NOWHERE, OPEN_TO_ALL)],
  });
}

export function testCalendarAccounts(provider: CalendarProvider = OPEN_TO_ALL): CalendarAccounts {
  return new CalendarAccounts({
    providers: { APPLE: provider },
    caldav: {
      typedMistake: (path, typed) => NO_SERVERS.typedMistake(path, typed),
      find: async (typed) => [{ url: new URL(addressTyped(typed)).href, isDigest: false }],
      open: () => provider,
    },
    credentials: TEST_CREDENTIALS,
    connections: testConnections(),
  });
}
