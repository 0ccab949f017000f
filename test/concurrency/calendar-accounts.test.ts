/** Fifty act on one account of calendars at the same moment, by two processes, while its server answers. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Background } from '../../src/core/background.ts';
import { apartFromCaller } from '../../src/database/deadline.ts';
import { type Em, row, rows, sql } from '../../src/database/sql.ts';
import type { GuessLimit } from '../../src/limits/guess-limit.ts';
import { ServerTurns } from '../../src/limits/server-turns.ts';
import { CalendarAccounts } from '../../src/modules/calendars/connections/calendar-accounts.ts';
import {
  disconnectCalendars,
  selectCalendar,
  setDestinationCalendar,
} from '../../src/modules/calendars/connections/calendar-connection.commands.ts';
import { ACCOUNT_TRIES, connectCaldav } from '../../src/modules/calendars/connections/connect-caldav.ts';
import { askCalendar } from '../../src/modules/calendars/connections/read-calendar.ts';
import { refreshAccount } from '../../src/modules/calendars/connections/refresh-account.ts';
import { CaldavServers } from '../../src/modules/calendars/connections/servers/caldav.ts';
import { FreshCalendars } from '../../src/modules/calendars/fresh-calendars.ts';
import { connect, type Database } from '../../src/persistence/connect.ts';
import { newHosts, times } from '../modules/bookings/support/booked-hosts.ts';
import { calendar, event } from '../modules/calendars/feeds/support/ics.ts';
import { TEST_CREDENTIALS, testConnections } from '../support/calendar-accounts.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { TEST_FEEDS } from '../support/feeds.ts';
import { outcomeOf } from '../support/outcome.ts';
import { ownGuessLimit } from '../support/own-guess-limit.ts';
import { paced } from '../support/pace.ts';
import { randomFrom } from '../support/random-documents.ts';
import { postgresSettings } from '../support/settings.ts';

const PASSWORD = 'correct-horse-battery';
const CALLERS = 50;
const soonAt = Temporal.Now.instant().add({ hours: 48 }).round('hour').toString().replaceAll(/[-:]/g, '');
const MEETING = calendar('', event(`UID:x\nDTSTART:${soonAt}\nDURATION:PT30M`));

const OK = '<d:status>HTTP/1.1 200 OK</d:status>';
const said = (href: string, properties: string) =>
  `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${properties}</d:prop>${OK}</d:propstat></d:response>`;
const isCalendar = (name: string) =>
  `<d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:displayname>${name}</d:displayname>`;
const HOME =
  '<d:current-user-principal><d:href>/</d:href></d:current-user-principal><c:calendar-home-set><d:href>/</d:href></c:calendar-home-set>';

function count(outcomes: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const one of outcomes) counts[one] = (counts[one] ?? 0) + 1;
  return counts;
}

describe.runIf(isOnPostgres)('an account of calendars', () => {
  let database: TestDatabase;
  let processes: readonly Database[];
  let server: Server;
  let queries = 0;
  beforeAll(async () => {
    database = await openTestDatabase();
    const name = new URL(database.url ?? '').pathname.slice(1);
    processes = [database, await connect(postgresSettings(database.url ?? '', name))];
    const random = randomFrom(1);
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const question = await text(request);
      // So that answers come amid what others do.
      await pause(random() * 20);
      const isQuery = question.includes('calendar-data');
      if (isQuery) queries += 1;
      const content = isQuery
        ? said('/agenda/x.ics', `<d:getetag>"1"</d:getetag><c:calendar-data>${MEETING}</c:calendar-data>`)
        : `${said('/', HOME)}${said('/agenda/', isCalendar('Work'))}${said('/home/', isCalendar('Home'))}`;
      response
        .writeHead(207, { 'content-type': 'application/xml' })
        .end(`<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${content}</d:multistatus>`);
    };
    server = createServer((request, response) => void answer(request, response));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    await processes[1]?.close();
    await database.close();
  });

  const em = (n = 0): Em => (processes[n % 2] ?? database).em.fork();
  const accounts = new CalendarAccounts({
    providers: {},
    caldav: new CaldavServers(TEST_FEEDS.outbound),
    credentials: TEST_CREDENTIALS,
    connections: testConnections(),
  });
  const servers = [new ServerTurns(), new ServerTurns()];
  const turnsOf = (n: number) => (servers[n % 2] ?? new ServerTurns()).ofJobs;

  let userId: string;
  let tries: GuessLimit;
  beforeEach(async () => {
    tries = ownGuessLimit(ACCOUNT_TRIES, database);
    [userId = ''] = await newHosts(em(), 1);
    queries = 0;
  });
  const connects = (n: number) => {
    const { port } = server.address() as AddressInfo;
    const input = { server: `http://127.0.0.1:${port}/`, username: 'ada', appPassword: PASSWORD, acceptedHosts: [] };
    return connectCaldav(em(n), userId, input, { accounts, tries });
  };
  const calendars = () =>
    rows(
      em(),
      sql<{ id: string; selected: boolean; isDestination: boolean }>`
        select id, selected, is_destination as "isDestination" from connected_calendars where user_id = ${userId} order by name desc`,
    );
  /** All that is there of a user's calendars. */
  const left = () =>
    row(
      em(),
      sql<Record<'accounts' | 'calendars' | 'periods', number>>`
        select (select count(*)::int from calendar_connections where user_id = ${userId}) as accounts,
          (select count(*)::int from connected_calendars where user_id = ${userId}) as calendars,
          (select count(*)::int from busy_periods where user_id = ${userId}) as periods`,
    );

  test('connected by all is one, and those beyond the tries of its user are told so', async () => {
    const ids = new Set<string>();
    const outcomes = await Promise.all(times(CALLERS, (n) => outcomeOf(connects(n).then((id) => void ids.add(id)))));
    expect(count(outcomes)).toEqual({ done: 10, TOO_MANY_GUESSES: 40 });
    expect(ids.size).toBe(1);
    expect(await left()).toMatchObject({ accounts: 1, calendars: 2 });
    expect((await calendars()).filter(({ isDestination }) => isDestination)).toHaveLength(1);
  });

  /** Anything that is done with an account, but taking it away. */
  function acts(id: string, [work = '', home = '']: readonly string[]): ((n: number) => Promise<unknown>)[] {
    return [
      (n) => askCalendar(em(n), { ownerId: userId, id: work }, accounts, turnsOf(n), { trigger: 'WANTED' }),
      (n) => askCalendar(em(n), { ownerId: userId, id: home }, accounts, turnsOf(n), { trigger: 'DUE' }),
      (n) => refreshAccount(em(n), { ownerId: userId, calendarAccountId: id }, accounts, turnsOf(n)),
      (n) => selectCalendar(em(n), userId, home, n % 3 > 0),
      (n) => selectCalendar(em(n), userId, work, true),
      (n) => setDestinationCalendar(em(n), userId, n % 4 < 2 ? home : work),
    ];
  }

  test.each([1, 2, 3, 4])(
    'disconnected amid all else leaves nothing behind (seed %i)',
    async (seed) => {
      const random = randomFrom(seed);
      const id = await connects(0);
      const ids = (await calendars()).map((one) => one.id);
      const all = acts(id, ids);
      await all[0]?.(0);
      expect(await left()).toMatchObject({ periods: 1 });
      const outcomes = await Promise.all(
        times(CALLERS, async (n) => {
          await pause(random() * 60);
          if (n % 10 === 9) return outcomeOf(disconnectCalendars(em(n), userId, id));
          return outcomeOf((all[Math.floor(random() * all.length)] ?? pause)(n));
        }),
      );
      expect(Object.keys(count(outcomes)).toSorted()).toEqual(['NOT_FOUND', 'done']);
      expect(await left()).toEqual({ accounts: 0, calendars: 0, periods: 0 });
    },
    paced(20_000),
  );

  test('whose calendar is deselected amid all else makes nobody busy by it, nor is it read', async () => {
    const id = await connects(0);
    const [work = '', home = ''] = (await calendars()).map((one) => one.id);
    const all = acts(id, [work, home]);
    await Promise.all(times(CALLERS, async (n) => outcomeOf((all[n % 2 === 0 ? 0 : 4] ?? pause)(n))));
    const reading = times(CALLERS, async (n) => outcomeOf((all[0] ?? pause)(n)));
    await pause(15);
    await selectCalendar(em(1), userId, work, false);
    await Promise.all(reading);
    expect(await left()).toEqual({ accounts: 1, calendars: 2, periods: 0 });
    // Selected again, it is read, whatever was on its way.
    await selectCalendar(em(0), userId, work, true);
    await Promise.all(times(CALLERS, async (n) => outcomeOf((all[0] ?? pause)(n))));
    expect(await left()).toEqual({ accounts: 1, calendars: 2, periods: 1 });
  });

  test('has one destination of bookings, whoever changes it', async () => {
    await connects(0);
    const ids = (await calendars()).map((one) => one.id);
    const outcomes = await Promise.all(
      times(CALLERS, (n) => outcomeOf(setDestinationCalendar(em(n), userId, ids[Math.floor(n / 2) % 2] ?? null))),
    );
    expect(count(outcomes)).toEqual({ done: CALLERS });
    expect((await calendars()).filter(({ isDestination }) => isDestination)).toHaveLength(1);
  });

  test('is read once for all who want that now', async () => {
    await connects(0);
    const failures: unknown[] = [];
    const onError = (error: unknown): void => void failures.push(error);
    const background = new Background(onError, apartFromCaller);
    const fresh = processes.map((by, n) => {
      const hosts = (servers[n] ?? new ServerTurns()).ofVisitors;
      return new FreshCalendars({
        em: by.em,
        feeds: TEST_FEEDS,
        calendarAccounts: accounts,
        hosts,
        background,
        onError,
      });
    });
    await Promise.all(times(CALLERS, async (n) => fresh[n % 2]?.readNow(userId)));
    await background.settled();
    expect(failures).toEqual([]);
    expect(queries).toBe(1);
    expect(await left()).toMatchObject({ periods: 1 });
  });
});
