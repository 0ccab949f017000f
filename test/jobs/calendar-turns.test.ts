import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { calendarAccountKinds } from '../../src/jobs/kinds/calendar-accounts.job.ts';
import { calendarEntryKinds } from '../../src/jobs/kinds/calendar-entries.job.ts';
import { calendarReadingsKind } from '../../src/jobs/kinds/calendar-readings.job.ts';
import { MailLimit } from '../../src/limits/mail-limit.ts';
import { ServerTurns } from '../../src/limits/server-turns.ts';
import { CalendarAccounts } from '../../src/modules/calendars/connections/calendar-accounts.ts';
import { connectCalendars } from '../../src/modules/calendars/connections/calendar-connection.commands.ts';
import { CalendarFailure, type CalendarProvider } from '../../src/modules/calendars/connections/calendar-provider.ts';
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
import { aRunner, letTimePass, startRunner, storedJobs } from './support/jobs.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const em = () => database.em.fork();
const calendarOf = (userId: string) => `https://dav.example/${userId}/`;
const waiting = async () => (await storedJobs(database.em)).filter(({ queue }) => queue === 'calendar-entries').length;
/** Each has a booking that is to be written there. */
const bookEach = async (hosts: readonly string[], then: () => Promise<void> = async () => undefined) => {
  for (const userId of hosts) {
    await book(em(), eventTypeOf([userId]), slotOn(0, '09:00'));
    await then();
  }
};
const restOver = () => rows(em(), sql`update connected_calendars set resting_until = now() returning id`);
const TIMES = ['09:00', '10:00', '11:00', '12:00', '13:00', '14:00', '15:00', '16:00'];

test('a calendar that hangs takes a few places at once, and keeps nobody else’s from following', async () => {
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
  await vi.waitFor(() => expect(hanged()).toHaveLength(2), { timeout: paced(15_000), interval: 20 });
  hanging.resolve();
});

test('a provider that hangs for many users keeps nobody’s calendars elsewhere from being read, written and listed', async () => {
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
        sql`update jobs.job set start_after = now() where queue = 'calendar-accounts' and state < 'active'`,
      );
      expect(asked).toContain('list');
    },
    { timeout: paced(15_000), interval: 500 },
  );
  hanging.reject(new CalendarFailure('UNAVAILABLE', 'It hung.'));
});

describe('a server that wants to be left alone', () => {
  /** While it wants that, what it answers; and whose calendars it was asked to write. */
  let refusal: CalendarFailure | undefined;
  let asked: string[];
  const answering = async <Result>(calendarId: string, result: Promise<Result>): Promise<Result> => {
    asked.push(calendarId);
    if (refusal) throw refusal;
    return result;
  };
  const provider: CalendarProvider = {
    ...OPEN_TO_ALL,
    write: (...given) => answering(given[1], OPEN_TO_ALL.write(...given)),
    list: (...given) => answering('list', OPEN_TO_ALL.list(...given)),
    read: (...given) => answering('read', OPEN_TO_ALL.read(...given)),
  };
  const calendarAccounts = testCalendarAccounts(provider);
  beforeEach(async () => {
    [refusal, asked] = [undefined, []];
    await rows(em(), sql`delete from jobs.job`);
  });

  /** Each has an account at the same server. `server`: null, for one of all users of a provider. */
  async function twoHosts(server: string | null): Promise<readonly string[]> {
    const hosts = await newHosts(em(), 2);
    for (const userId of hosts) {
      const listed = [{ externalId: `https://dav.example/${userId}/`, name: 'W', isPrimary: true, isReadOnly: false }];
      const opened = async (id: string) => {
        const place = server === null ? {} : { place: { url: `https://${server}/`, isDigest: false, hosts: [server] } };
        const account = { username: 'ada', appPassword: 'x', ...place };
        return { credentials: await calendarAccounts.seal(account, { userId, id }), accessId: null };
      };
      const named = server === null ? ({ provider: 'APPLE' } as const) : ({ provider: 'CALDAV', server } as const);
      await connectCalendars(em(), { userId, ...named, account: 'ada', listed, opened });
    }
    return hosts;
  }
  const settle = async (servers: ServerTurns) => {
    const { runner } = aRunner(database.em, ...calendarEntryKinds({ calendarAccounts, servers }));
    await runner.settled();
  };

  test.each<[what: string, server: string | null, isOfServer: boolean, asks: number]>([
    ['503, at one of all users of a provider: of them all', null, true, 1],
    ['429, there: of the account alone', null, false, 2],
    ['503, at a host that a user named: of the host', 'dav.example', true, 1],
    ['429, there: of the host', 'dav.example', false, 1],
  ])('by %s is not written to meanwhile, and nothing that is due is lost', async (_what, server, isOfServer, asks) => {
    const hosts = await twoHosts(server);
    const calendars = hosts.map(calendarOf);
    refusal = new CalendarFailure('UNAVAILABLE', 'Too much.', { retryInSeconds: 600, isOfServer });
    const servers = new ServerTurns();
    // One after the other, as the second asks once the first has been told.
    await bookEach(hosts, () => settle(servers));
    await letTimePass(database.em);
    await settle(servers);
    expect([new Set(asked).size, asked.length, await waiting()]).toEqual([asks, asks, 2]);
    // Another process knows it of the calendars that have been told.
    const told = new Set(asked);
    refusal = undefined;
    asked.length = 0;
    await letTimePass(database.em);
    await settle(new ServerTurns());
    expect(asked.toSorted()).toEqual(calendars.filter((one) => !told.has(one)).toSorted());
    await restOver();
    await letTimePass(database.em);
    await settle(new ServerTurns());
    expect([asked.toSorted(), await waiting()]).toEqual([calendars.toSorted(), 0]);
  });

  test.each(['list', 'read'] as const)('as it has said to who wanted to %s is not written to', async (what) => {
    const hosts = await twoHosts('dav.example');
    const servers = new ServerTurns();
    refusal = new CalendarFailure('UNAVAILABLE', 'Too much.', { retryInSeconds: 600, isOfServer: true });
    const mails = { publicUrl: 'https://gatehouse.test', mailLimit: new MailLimit(undefined, console) };
    const kinds =
      what === 'list'
        ? calendarAccountKinds({ calendarAccounts, servers, ...mails })
        : [calendarReadingsKind({ calendarAccounts, servers })];
    const { runner } = aRunner(database.em, ...kinds);
    await runner.settled();
    await letTimePass(database.em);
    await runner.settled();
    expect(asked).toContain(what);
    asked.length = 0;
    await bookEach(hosts);
    await settle(servers);
    expect([asked, await waiting()]).toEqual([[], 2]);
  });
});

test('a calendar at whose user’s slots nobody looks is read every quarter of an hour, and not before', async () => {
  let times = 0;
  const calendarAccounts = testCalendarAccounts({
    ...OPEN_TO_ALL,
    read: async (...given) => {
      times += 1;
      return OPEN_TO_ALL.read(...given);
    },
  });
  await rows(em(), sql`delete from jobs.job`);
  const [userId = ''] = await newHosts(em(), 1);
  const listed = [{ externalId: 'https://dav.example/agenda/', name: 'Work', isPrimary: true, isReadOnly: false }];
  const opened = async (id: string) => ({
    credentials: await calendarAccounts.seal({ username: 'ada', appPassword: 'x' }, { userId, id }),
    accessId: null,
  });
  await connectCalendars(em(), { userId, provider: 'APPLE', account: 'ada', listed, opened });
  const { runner } = aRunner(database.em, calendarReadingsKind({ calendarAccounts }));
  /** In minutes: when the calendar is due, and when its only job is. */
  const due = () =>
    rows(
      em(),
      sql<{ calendar: number; job: number }>`
        select extract(epoch from c.next_read_at - now())::float8 / 60 as calendar, extract(epoch from j.start_after - now())::float8 / 60 as job
        from connected_calendars c, jobs.job j where c.user_id = ${userId} and j.queue = 'calendar-readings' and j.state < 'active'`,
    );
  for (let n = 1; n <= 3; n += 1) {
    await runner.settled();
    await runner.settled();
    const [{ calendar, job } = { calendar: 0, job: 0 }, ...others] = await due();
    expect([times, others]).toEqual([n, []]);
    expect(calendar).toBeGreaterThan(13);
    expect(calendar).toBeLessThan(17);
    expect(Math.abs(job - calendar)).toBeLessThan(0.5);
    // A job that comes too early does not ask, and comes back.
    await letTimePass(database.em);
    await runner.settled();
    expect([times, (await due()).length]).toEqual([n, 1]);
    await rows(
      em(),
      sql`update connected_calendars set next_read_at = now() - interval '1 second' where user_id = ${userId} returning id`,
    );
    await letTimePass(database.em);
  }
});
