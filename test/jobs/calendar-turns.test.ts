import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { calendarAccountKinds } from '../../src/jobs/kinds/calendar-accounts.job.ts';
import { calendarEntryKinds } from '../../src/jobs/kinds/calendar-entries.job.ts';
import { calendarReadingsKind } from '../../src/jobs/kinds/calendar-readings.job.ts';
import { MailLimit } from '../../src/limits/mail-limit.ts';
import { CalendarAccounts } from '../../src/modules/calendars/connections/calendar-accounts.ts';
import { CalendarFailure } from '../../src/modules/calendars/connections/calendar-provider.ts';
import { connectCalendars } from '../../src/modules/calendars/connections/connect-calendars.ts';
import { book, eventTypeOf, newHosts, slotOn } from '../modules/bookings/support/booked-hosts.ts';
import {
  NO_SERVERS,
  OPEN_TO_ALL,
  TEST_CREDENTIALS,
  testCalendarAccounts,
  testConnections,
} from '../support/calendar-accounts.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { paced } from '../support/pace.ts';
import { startRunner } from './support/jobs.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const TIMES = ['09:00', '10:00', '11:00', '12:00', '13:00', '14:00', '15:00', '16:00'];

test('a calendar that hangs takes a few places at once, and keeps nobody else’s from following', async () => {
  const em = () => database.em.fork();
  const [asked, hanging]: [string[], PromiseWithResolvers<void>] = [[], Promise.withResolvers()];
  const calendarAccounts = testCalendarAccounts({
    ...OPEN_TO_ALL,
    write: async (...given) => {
      const [, calendarId] = given;
      asked.push(calendarId);
      if (calendarId.includes('hangs')) await hanging.promise;
      return OPEN_TO_ALL.write(...given);
    },
  });
  const [slow = '', quick = ''] = await newHosts(em(), 2);
  for (const [userId, place] of [
    [slow, 'hangs'],
    [quick, 'answers'],
  ] as const) {
    const listed = [{ externalId: `https://${place}.example/`, name: 'Work', isPrimary: true, isReadOnly: false }];
    const opened = async (id: string) => {
      const account = { username: 'ada', appPassword: 'x' };
      return { credentials: await calendarAccounts.seal(account, { userId, id }), accessId: null };
    };
    await connectCalendars(em(), { userId, provider: 'APPLE', account: 'ada', listed, opened });
  }
  for (const day of [0, 1, 2]) for (const time of TIMES) await book(em(), eventTypeOf([slow]), slotOn(day, time));
  await book(em(), eventTypeOf([quick]), slotOn(0, '09:00'));
  await startRunner(database, ...calendarEntryKinds({ calendarAccounts }));
  await vi.waitFor(() => expect(asked).toContain('https://answers.example/'), { timeout: paced(15_000), interval: 20 });
  const hanged = () => asked.filter((calendarId) => calendarId.includes('hangs'));
  await vi.waitFor(() => expect(hanged()).toHaveLength(4), { timeout: paced(15_000), interval: 20 });
  hanging.resolve();
});

test('a provider that hangs for many users keeps nobody’s calendars elsewhere from being read, written and listed', async () => {
  const em = () => database.em.fork();
  const hanging = Promise.withResolvers<never>();
  hanging.promise.catch(() => undefined);
  const asked: string[] = [];
  const calendarAccounts = new CalendarAccounts({
    caldav: NO_SERVERS,
    providers: {
      APPLE: { ...OPEN_TO_ALL, read: () => hanging.promise, list: () => hanging.promise, write: () => hanging.promise },
      GOOGLE: {
        ...OPEN_TO_ALL,
        read: async (...given) => {
          asked.push('read');
          return OPEN_TO_ALL.read(...given);
        },
        write: async (...given) => {
          asked.push('write');
          return OPEN_TO_ALL.write(...given);
        },
        list: async (...given) => {
          asked.push('list');
          return OPEN_TO_ALL.list(...given);
        },
      },
    },
    credentials: TEST_CREDENTIALS,
    connections: testConnections(),
  });
  await rows(em(), sql`delete from jobs.job`);
  const owners = await newHosts(em(), 31);
  for (const [n, userId] of owners.entries()) {
    const listed = [{ externalId: 'work', name: 'Work', isPrimary: true, isReadOnly: false }];
    const opened = async (id: string) => {
      const account = { username: 'ada', appPassword: 'x' };
      return { credentials: await calendarAccounts.seal(account, { userId, id }), accessId: null };
    };
    const provider = n === 30 ? 'GOOGLE' : 'APPLE';
    await connectCalendars(em(), { userId, provider, account: 'ada', listed, opened });
  }
  for (const userId of owners) await book(em(), eventTypeOf([userId]), slotOn(0, '09:00'));
  const mails = { publicUrl: 'https://gatehouse.test', mailLimit: new MailLimit(undefined, console) };
  await startRunner(
    database,
    calendarReadingsKind({ calendarAccounts }),
    ...calendarEntryKinds({ calendarAccounts }),
    ...calendarAccountKinds({ calendarAccounts, ...mails }),
  );
  await vi.waitFor(() => expect(asked.toSorted()).toEqual(['read', 'write']), { timeout: paced(15_000), interval: 20 });
  // An hour later.
  await vi.waitFor(
    async () => {
      await rows(
        em(),
        sql`update jobs.job set start_after = now() where name = 'calendar-accounts' and state < 'active'`,
      );
      expect(asked).toContain('list');
    },
    { timeout: paced(15_000), interval: 500 },
  );
  hanging.reject(new CalendarFailure('UNAVAILABLE', 'It hung.'));
});
