import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { calendarEntryKinds } from '../../src/jobs/kinds/calendar-entries.job.ts';
import { connectCalendars } from '../../src/modules/calendars/connections/connect-calendars.ts';
import { book, eventTypeOf, newHosts, slotOn } from '../modules/bookings/support/booked-hosts.ts';
import { OPEN_TO_ALL, testCalendarAccounts } from '../support/calendar-accounts.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
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
  await vi.waitFor(() => expect(asked).toContain('https://answers.example/'), { timeout: 15_000, interval: 20 });
  expect(asked.filter((calendarId) => calendarId.includes('hangs'))).toHaveLength(4);
  hanging.resolve();
});
