import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/core/id.ts';
import { rows, sql } from '../../src/database/sql.ts';
import type { GuessLimit } from '../../src/limits/guess-limit.ts';
import { CalendarFailure, type CalendarProvider } from '../../src/modules/calendars/connections/calendar-provider.ts';
import { ACCOUNT_TRIES, connectAppleCalendar } from '../../src/modules/calendars/connections/connect-caldav.ts';
import { CalDav } from '../../src/modules/calendars/connections/servers/caldav.ts';
import { testDoor } from '../jobs/support/webhooks.ts';
import { newHosts } from '../modules/bookings/support/booked-hosts.ts';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { OPEN_TO_ALL, testCalendarAccounts } from '../support/calendar-accounts.ts';
import { outcomeOf } from '../support/outcome.ts';
import { ownGuessLimit } from '../support/own-guess-limit.ts';
import { hasRadicale, PASSWORD, Radicale } from '../support/radicale.ts';

const SHOWN =
  'calendarAccountId calendarAccount { id provider username status calendars { id name isPrimary isReadOnly isSelected isDestination lastReadAt } }';
const LIST = `{ me { destinationCalendar { name } calendarAccounts { nodes { id username status calendars { id name isSelected } } } } }`;
const door = testDoor(2_000);
/** Where the account's server is just now. */
let provider: CalDav;
const accounts = testCalendarAccounts({
  check: (...given) => provider.check(...given),
  list: (...given) => provider.list(...given),
  read: (...given) => provider.read(...given),
  write: (...given) => provider.write(...given),
  find: (...given) => provider.find(...given),
  remove: (...given) => provider.remove(...given),
});
let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({ calendarAccounts: accounts });
});
afterAll(() => Promise.all([api.close(), door.close()]));

const em = () => api.database.em.fork();
const NOBODY = newId();
const account = (credentials: string) =>
  ({
    userId: NOBODY,
    id: NOBODY,
    provider: 'APPLE',
    server: null,
    credentials,
    accessId: null,
    refusedAt: null,
  }) as const;
const connect = (who: TestCaller, username: string, appPassword = PASSWORD) =>
  who.change('appleCalendarAccountConnect', { username, appPassword }, SHOWN);
const connected = async (who: TestCaller, username: string) => {
  const { data, mistakes } = await connect(who, username);
  expect(mistakes).toEqual([]);
  return data.calendarAccount;
};

describe.runIf(hasRadicale)('calendars of an account by CalDAV (skipped where Radicale is not installed)', () => {
  let radicale: Radicale;
  beforeAll(async () => {
    radicale = await Radicale.start(['ada@icloud.test', 'ada@second.test', 'empty@icloud.test']);
    for (const name of ['Work', 'Family']) await radicale.makeCalendar('ada@icloud.test', name);
    await radicale.makeCalendar('ada@second.test', 'Second');
    provider = new CalDav(radicale.url, door.fetchOf('CALDAV'));
  });
  afterAll(() => radicale.close());

  test('are connected, listed, chosen among, and disconnected', async () => {
    const ada = await api.newUser('ada-first');
    const { id, calendars, ...rest } = await connected(ada, 'ada@icloud.test');
    expect(rest).toEqual({ provider: 'APPLE', username: 'ada@icloud.test', status: 'CONNECTED' });
    expect(calendars.map((one: { name: string }) => one.name).toSorted()).toEqual(['Family', 'Work']);
    // Only the primary one is selected, and it is where bookings go.
    expect(calendars).toMatchObject([
      { isPrimary: true, isSelected: true, isReadOnly: false, lastReadAt: null },
      { isPrimary: false, isSelected: false, isReadOnly: false },
    ]);
    const [primary, other] = calendars;
    expect((await ada.ask(LIST)).data.me.destinationCalendar).toEqual({ name: primary.name });

    const CHANGED = 'calendarId calendar { id isSelected }';
    const added = await ada.change('selectedCalendarAdd', { calendarId: other.id }, CHANGED);
    expect(added.data.calendar).toEqual({ id: other.id, isSelected: true });
    const removed = await ada.change('selectedCalendarRemove', { calendarId: primary.id }, CHANGED);
    expect(removed.data.calendar).toEqual({ id: primary.id, isSelected: false });
    const moved = await ada.change('destinationCalendarSet', { calendarId: other.id }, 'calendar { name }');
    expect(moved.data.calendar).toEqual({ name: other.name });
    expect((await ada.ask(LIST)).data.me.destinationCalendar).toEqual({ name: other.name });

    // Connected again, it is the same connection, and what was chosen stays.
    const again = await connected(ada, 'ada@icloud.test');
    const chosen = again.calendars.map((one: { name: string; isSelected: boolean }) => [one.name, one.isSelected]);
    expect([again.id, chosen]).toEqual([
      id,
      [
        [primary.name, false],
        [other.name, true],
      ],
    ]);

    // Where the destination goes, the next account's takes its place.
    await connected(ada, 'ada@second.test');
    expect((await ada.change('calendarAccountDisconnect', { calendarAccountId: id })).mistakes).toEqual([]);
    const { me } = (await ada.ask(LIST)).data;
    expect([me.destinationCalendar, me.calendarAccounts.nodes.length]).toEqual([{ name: 'Second' }, 1]);
    await ada.change('destinationCalendarSet', {}, 'calendar { name }');
    expect((await ada.ask(LIST)).data.me.destinationCalendar).toBeNull();
  });

  test('are nobody else’s: not shown, not chosen, not disconnected; the same account may be theirs as well', async () => {
    const [ada, eve] = [await api.newUser('ada-owner'), await api.newUser('eve')];
    const { id, calendars } = await connected(ada, 'ada@icloud.test');
    const [{ id: calendarId }] = calendars;
    for (const [name, input, mistake] of [
      ['calendarAccountDisconnect', { calendarAccountId: id }, 'NOT_FOUND calendarAccountId'],
      ['selectedCalendarAdd', { calendarId }, 'NOT_FOUND calendarId'],
      ['selectedCalendarRemove', { calendarId }, 'NOT_FOUND calendarId'],
      ['destinationCalendarSet', { calendarId }, 'NOT_FOUND calendarId'],
    ] as const)
      expect((await eve.change(name, input)).mistakes).toEqual([mistake]);
    expect((await eve.ask(LIST)).data.me).toEqual({ destinationCalendar: null, calendarAccounts: { nodes: [] } });
    const own = await connected(eve, 'ada@icloud.test');
    expect(own.id).not.toBe(id);
    await eve.change('calendarAccountDisconnect', { calendarAccountId: own.id });
    expect((await ada.ask(LIST)).data.me.calendarAccounts.nodes).toMatchObject([{ id, status: 'CONNECTED' }]);
  });

  test('are refused with a wrong password or without calendars, and then nothing is stored', async () => {
    const ada = await api.newUser('ada-refused');
    const wrong = await connect(ada, 'ada@icloud.test', 'wrong');
    expect(wrong.mistakes).toEqual(['WRONG_CREDENTIALS appPassword']);
    expect((await connect(ada, 'empty@icloud.test')).mistakes).toEqual(['NO_CALENDARS']);
    expect((await connect(ada, ' ', 'x\u0000')).mistakes).toEqual(['REQUIRED username', 'INVALID_TEXT appPassword']);
    expect((await ada.ask(LIST)).data.me.calendarAccounts.nodes).toEqual([]);
  });

  test('keep their password to themselves: no answer, no row and no event has it', async () => {
    const ada = await api.newUser('ada-secret');
    const answer = await connect(ada, 'ada@icloud.test');
    const dump = await rows(
      em(),
      sql`select to_jsonb(c)::text from calendar_connections c union all select to_jsonb(c)::text from connected_calendars c
        union all select to_jsonb(e)::text from domain_events e union all select to_jsonb(a)::text from audit_events a`,
    );
    const everything = JSON.stringify([answer, await ada.ask(LIST), dump]);
    for (const coded of ['utf8', 'base64', 'base64url', 'hex'] as const)
      expect(everything).not.toContain(Buffer.from(PASSWORD).toString(coded).slice(0, -3));
  });

  test('show what has become of the account: its password changed, its server gone', async () => {
    const ada = await api.newUser('ada-status');
    await connected(ada, 'ada@icloud.test');
    const sealed = async (appPassword: string) =>
      account(await accounts.seal({ username: 'ada@icloud.test', appPassword }, account('')));
    await radicale.stop();
    expect(await accounts.statusOf(em(), await sealed(PASSWORD))).toBe('UNREACHABLE');
    // Asked a moment ago: that is good for some seconds, so that a document cannot ask a server a hundred times.
    expect((await ada.ask(LIST)).data.me.calendarAccounts.nodes).toMatchObject([{ status: 'CONNECTED' }]);
    await radicale.resume();
    expect(await accounts.statusOf(em(), await sealed(PASSWORD))).toBe('CONNECTED');
    expect(await accounts.statusOf(em(), await sealed('revoked'))).toBe('BROKEN');
    // Sealed for another row.
    expect(await accounts.statusOf(em(), { ...(await sealed(PASSWORD)), id: newId() })).toBe('BROKEN');
  });
});

describe('tries of passwords', () => {
  const REFUSES: CalendarProvider = {
    ...OPEN_TO_ALL,
    list: async (authorization) => {
      if (Buffer.from(authorization.slice(6), 'base64').toString().endsWith(':right'))
        return OPEN_TO_ALL.list(authorization);
      asked += 1;
      throw new CalendarFailure('REFUSED', 'No.');
    },
  };
  let asked = 0;
  let tries: GuessLimit;
  beforeEach(() => {
    asked = 0;
    tries = ownGuessLimit(ACCOUNT_TRIES, { em: em() });
  });
  const aTry = async (userId: string, username: string, appPassword = 'wrong') => {
    const settings = { accounts: testCalendarAccounts(REFUSES), tries };
    return outcomeOf(connectAppleCalendar(em(), userId, { username, appPassword }, settings));
  };

  test('are counted for the account there too, in whatever spelling, before its server is asked', async () => {
    const [first = '', second = ''] = await newHosts(em(), 2);
    for (let n = 0; n < 10; n += 1) expect(await aTry(first, 'grace@icloud.com')).toBe('WRONG_CREDENTIALS');
    for (const username of ['grace@icloud.com', 'Grace@ICLOUD.com', 'grace@me.com', 'grace+x@icloud.com'])
      expect(await aTry(second, username, 'right')).toBe('TOO_MANY_GUESSES');
    expect(asked).toBe(10);
    expect(await aTry(second, 'ben@icloud.com')).toBe('WRONG_CREDENTIALS');
    expect(await aTry(second, 'ben@icloud.com', 'right')).toBe('done');
  });

  test('of an account begin anew once a password was right; those of a user do not', async () => {
    const [first = '', second = '', third = ''] = await newHosts(em(), 3);
    for (let n = 0; n < 6; n += 1) expect(await aTry(first, 'ada@icloud.com')).toBe('WRONG_CREDENTIALS');
    expect(await aTry(second, 'ada@icloud.com', 'right')).toBe('done');
    for (let n = 0; n < 6; n += 1) expect(await aTry(third, 'ada@icloud.com')).toBe('WRONG_CREDENTIALS');
    for (let n = 0; n < 4; n += 1) expect(await aTry(first, `other-${n}@icloud.com`)).toBe('WRONG_CREDENTIALS');
    expect(await aTry(first, 'last@icloud.com', 'right')).toBe('TOO_MANY_GUESSES');
  });
});

describe('a server that is no CalDAV server', () => {
  test.each([
    ['is gone', 'NOT_REACHABLE', undefined],
    ['is slow', 'NOT_REACHABLE', () => undefined],
    [
      'says something else',
      'NOT_CALDAV',
      (answer: (status: number, body: string, type?: string) => void) => answer(200, 'hello'),
    ],
    ['fails', 'NOT_REACHABLE', (answer: (status: number, body: string) => void) => answer(503, '')],
    [
      'leads to another host',
      'NOT_REACHABLE',
      (answer: (status: number, body: string, type?: string) => void) =>
        answer(
          207,
          `<?xml version="1.0"?><multistatus xmlns="DAV:"><response><href>/</href><propstat><prop><current-user-principal>
             <href>https://thief.example/</href></current-user-principal></prop><status>HTTP/1.1 200 OK</status></propstat></response></multistatus>`,
          'application/xml',
        ),
    ],
  ] as const)('%s: the user is told %s, and nothing is stored', async (_what, code, behave) => {
    const server = createServer((_request, response) => {
      const answer = (status: number, body: string, type = 'text/plain') =>
        void response.writeHead(status, { 'content-type': type }).end(body);
      behave?.(answer);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    if (!behave) await new Promise((resolve) => server.close(resolve));
    provider = new CalDav(url, door.fetchOf('CALDAV', { timeoutInMs: 300 }));
    try {
      const { mistakes } = await connect(api.as('ada'), 'ada@icloud.test');
      expect(mistakes).toEqual([code]);
      expect((await api.as('ada').ask(LIST)).data.me.calendarAccounts.nodes).toEqual([]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
