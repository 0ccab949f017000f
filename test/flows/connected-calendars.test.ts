import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { calendarEntryKinds } from '../../src/jobs/calendar-entries.job.ts';
import { calendarReadingsKind } from '../../src/jobs/calendar-readings.job.ts';
import { beginCalendarAccess, openCalendarProviders } from '../../src/modules/calendars/connections/calendar-access.ts';
import { CalendarAccounts } from '../../src/modules/calendars/connections/calendar-accounts.ts';
import { CALLBACK_PATH, Connections } from '../../src/modules/connections/connections.ts';
import { type BookingPage, openBookingPage } from '../api/booking-pages.ts';
import { aRunner, letTimePass } from '../jobs/support/jobs.ts';
import { testDoor } from '../jobs/support/webhooks.ts';
import { AccountProvider } from '../support/account-provider.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { TEST_CREDENTIALS } from '../support/calendar-accounts.ts';
import { type CalendarService, compact, GoogleCalendars, overRadicale } from '../support/calendar-services.ts';
import { ConnectingBrowser } from '../support/connecting-browser.ts';
import { uuidOf } from '../support/ids.ts';
import { hasRadicale, PASSWORD, Radicale } from '../support/radicale.ts';

const HERE = 'http://localhost:4000';
/** Each test has an account of its own. */
const ACCOUNTS = Array.from({ length: 20 }, (_, n) => `ada-${n}@calendars.test`);
const LIST =
  '{ me { calendarConnections { nodes { id provider account status calendars { name primary selected destination } } } } }';

/** What a server may do in place of an answer. */
const MISCHIEF: readonly (readonly [string, (response: ServerResponse) => unknown])[] = [
  ['HTML', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in</p>')],
  ['no answer', () => undefined],
  ['a fault', (response) => response.writeHead(500).end('<secret-of-theirs>')],
  ['that it is too much', (response) => response.writeHead(429, { 'retry-after': '60' }).end()],
  [
    '50 MB',
    (response) => response.writeHead(207, { 'content-length': 50 * 1_048_576 }).end(Buffer.alloc(50 * 1_048_576, ' ')),
  ],
  ['a redirect inside', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  ['no consent to calendars', (response) => response.writeHead(403).end()],
];

const begin = async (page: BookingPage): Promise<string> =>
  (await page.host.change('calendarConnect', { provider: 'GOOGLE' }, 'authorizationUrl')).data.authorizationUrl;
const connected = async (page: BookingPage) => (await page.host.ask(LIST)).data.me.calendarConnections.nodes;

describe.runIf(hasRadicale)('calendars of accounts elsewhere (skipped where Radicale is not installed)', () => {
  const door = testDoor(2_000);
  let radicale: Radicale;
  let consents: AccountProvider;
  let google: GoogleCalendars;
  let api: TestApi;
  let connections: Connections;
  let calendarAccounts: CalendarAccounts;
  let services: Record<'APPLE' | 'GOOGLE', CalendarService>;
  const free = [...ACCOUNTS];

  beforeAll(async () => {
    [radicale, consents] = await Promise.all([
      Radicale.start(ACCOUNTS),
      AccountProvider.open(`${HERE}${CALLBACK_PATH}`),
    ]);
    google = await GoogleCalendars.start(radicale, consents);
    const clients = { GOOGLE: google.client };
    const { providers, access } = openCalendarProviders({ appleCaldavUrl: radicale.url, clients }, door);
    connections = new Connections({
      publicUrl: HERE,
      outbound: door,
      credentials: TEST_CREDENTIALS,
      providers: access,
    });
    calendarAccounts = new CalendarAccounts({ providers, credentials: TEST_CREDENTIALS, connections });
    api = await openTestApi({ calendarAccounts, connections });
    services = { APPLE: overRadicale(radicale), GOOGLE: overRadicale(radicale) };
  });
  afterAll(async () => {
    await Promise.all([api.close(), radicale.close(), google.close(), door.close()]);
    await consents.close();
  });

  const em = () => api.database.em.fork();
  const background = async (passed: 'AT_ONCE' | 'LATER' = 'AT_ONCE') => {
    if (passed === 'LATER') {
      await rows(em(), sql`update connected_calendars set next_read_at = now() - interval '1 second' returning id`);
      await letTimePass(api.database.em);
    }
    const { runner, logged } = aRunner(
      api.database.em,
      calendarReadingsKind({ calendarAccounts }),
      ...calendarEntryKinds({ calendarAccounts }),
    );
    await runner.settled();
    expect(logged).toEqual([]);
  };
  const anAccount = async () => {
    const account = free.pop() ?? '';
    await radicale.makeCalendar(account, 'Work');
    return account;
  };
  const connectBy = {
    APPLE: async ({ host }: BookingPage, account: string) => {
      const input = { username: account, appPassword: PASSWORD };
      expect((await host.change('appleCalendarConnect', input)).mistakes).toEqual([]);
    },
    GOOGLE: async (page: BookingPage, account: string) => {
      consents.account = account;
      const browser = await browserOf(page);
      expect(await browser.connect(await begin(page), consents)).toBe('/connect/done?name=Google+Calendar');
    },
  };
  const dump = async () => {
    const tables = ['connections', 'calendar_connections', 'connection_requests', 'domain_events', 'audit_events'];
    const all = await Promise.all(
      tables.map((table) => rows(em(), sql`select to_jsonb(t)::text from ${sql.table(table)} t`)),
    );
    return JSON.stringify(all);
  };
  const browserOf = ({ host }: BookingPage) =>
    ConnectingBrowser.signedIn({ em: em(), connections, publicUrl: HERE }, host.userId);

  describe.each(['APPLE', 'GOOGLE'] as const)('at %s', (provider) => {
    let service: CalendarService;
    let page: BookingPage;
    let account: string;
    beforeEach(async () => {
      service = services[provider];
      [page, account] = await Promise.all([openBookingPage(api), anAccount()]);
    });

    test('an event closes its slot and refuses its booking, until the account is disconnected', async () => {
      const [taken = '', next = ''] = await page.slots();
      await service.putEvent(account, 'dentist', taken, next);
      await connectBy[provider](page, account);
      const [{ id, ...shown }] = await connected(page);
      expect(shown).toEqual({
        provider,
        account,
        status: 'CONNECTED',
        calendars: [{ name: 'Work', primary: true, selected: true, destination: true }],
      });
      await background();
      expect(await page.slots()).not.toContain(taken);
      const refused = await api.nobody.change('bookingCreate', page.request(taken));
      expect(refused.mistakes).toEqual(['SLOT_TAKEN start']);
      expect((await page.host.change('calendarDisconnect', { calendarAccountId: id })).mistakes).toEqual([]);
      expect(await page.slots()).toContain(taken);
      expect(await connected(page)).toEqual([]);
      const kept = await rows(
        em(),
        sql`select 1 from connections where user_id = (
        select id from users where username = ${page.username})`,
      );
      expect(kept).toEqual([]);
    });

    test('bookings appear there, move and disappear; two at once are two', async () => {
      await connectBy[provider](page, account);
      const [first = '', second = '', third = ''] = await page.slots();
      const [uid] = await Promise.all([page.book(first), page.book(second)]);
      await background();
      expect(await service.startsOf(account)).toEqual([first, second].map(compact));
      const input = { uid, start: third };
      const moved = await page.host.change('bookingReschedule', input, 'booking { uid }');
      expect(moved.mistakes).toEqual([]);
      const now = moved.data.booking.uid;
      await background();
      expect(await service.startsOf(account)).toEqual([second, third].map(compact));
      // What is written there is read again, and does not stand in its own way.
      await background('LATER');
      expect(await page.slots(`, bookingUidToReschedule: "${now}"`)).toContain(third);
      const { me } = (await page.host.ask(`{ me { booking(uid: "${now}") { references { app } } } }`)).data;
      expect(me.booking.references).toEqual([{ app: `${provider.toLowerCase()}-calendar` }]);
      expect((await page.host.change('bookingCancel', { uid: now, reason: 'Ill' })).mistakes).toEqual([]);
      await background();
      expect(await service.startsOf(account)).toEqual([compact(second)]);
    });

    test('a server that is down keeps nobody from booking, and gets the entry when it is back', async () => {
      await connectBy[provider](page, account);
      const [start = ''] = await page.slots();
      await service.stop();
      await page.book(start);
      await background();
      await service.resume();
      expect(await service.startsOf(account)).toEqual([]);
      await background('LATER');
      expect(await service.startsOf(account)).toEqual([compact(start)]);
    });
  });

  describe('an account by consent', () => {
    let page: BookingPage;
    let account: string;
    beforeEach(async () => {
      google.instead = () => false;
      [page, account] = await Promise.all([openBookingPage(api), anAccount()]);
      consents.account = account;
    });

    test('is not connected by who gets hold of its link or of the way back, nor twice', async () => {
      const eve = await openBookingPage(api);
      const [browser, other] = [await browserOf(page), await browserOf(eve)];
      const link = await begin(page);
      expect((await other.browser.get(link)).status).toBe(403);
      const back = await browser.toProvider(link, consents);
      expect((await other.browser.get(back)).status).toBe(403);
      expect([await connected(page), await connected(eve)]).toEqual([[], []]);
      expect((await browser.browser.get(back)).status).toBe(303);
      expect((await browser.browser.get(back)).status).toBe(410);
      expect([await connected(page), await connected(eve)]).toMatchObject([[{ account, status: 'CONNECTED' }], []]);
    });

    test('keeps its tokens to itself, and has new ones when it is connected again', async () => {
      await connectBy.GOOGLE(page, account);
      const [before] = await connected(page);
      const tokens = new Set<string>();
      google.instead = ({ headers }) => {
        tokens.add(headers.authorization?.slice('Bearer '.length) ?? '');
        return false;
      };
      await connectBy.GOOGLE(page, account);
      expect(await connected(page)).toEqual([before]);
      const own = sql`select 1 from connections where user_id = ${uuidOf(page.host.userId)}`;
      expect(await rows(em(), own)).toHaveLength(1);
      const everything = (await dump()) + JSON.stringify((await page.host.ask(LIST)).data);
      expect(tokens.size).toBe(1);
      for (const token of tokens) expect(everything).not.toContain(token);
    });

    test('has a token that is refused before its time renewed, and breaks when the consent is taken back', async () => {
      await connectBy.GOOGLE(page, account);
      let refusals = 0;
      google.instead = (_request, response) => {
        refusals += 1;
        if (refusals === 1) response.writeHead(401).end();
        return refusals === 1;
      };
      const asked = consents.tokenRequests;
      expect(await connected(page)).toMatchObject([{ status: 'CONNECTED' }]);
      expect([refusals > 1, consents.tokenRequests - asked]).toEqual([true, 1]);
      const other = await openBookingPage(api);
      const theirs = await anAccount();
      await connectBy.GOOGLE(other, theirs);
      await consents.revoke(theirs);
      expect(await connected(other)).toMatchObject([{ status: 'BROKEN' }]);
      await connectBy.GOOGLE(other, theirs);
      expect(await connected(other)).toMatchObject([{ status: 'CONNECTED' }]);
    });

    test.each(MISCHIEF)(
      'is not connected where its server answers with %s, and the page says why',
      async (_what, act) => {
        google.instead = (_request, response) => {
          act(response);
          return true;
        };
        const browser = await browserOf(page);
        const back = await browser.toProvider(await begin(page), consents);
        const answer = await browser.browser.get(back);
        expect([answer.status, await answer.text()]).toEqual([502, expect.not.stringContaining('secret-of-theirs')]);
        expect(await connected(page)).toEqual([]);
      },
    );

    test('is begun where the operator has registered the service, and not by a provider that knows no OAuth', async () => {
      const tell = async (provider: string) => (await page.host.change('calendarConnect', { provider })).messages;
      expect(await tell('APPLE')).toEqual([expect.stringContaining('appleCalendarConnect')]);
      const { access } = openCalendarProviders({ appleCaldavUrl: radicale.url, clients: { GOOGLE: undefined } }, door);
      const none = new Connections({
        publicUrl: HERE,
        outbound: door,
        credentials: TEST_CREDENTIALS,
        providers: access,
      });
      const begun = { userId: uuidOf(page.host.userId), provider: 'GOOGLE' } as const;
      expect(() => beginCalendarAccess(em(), begun, none)).toThrow(/GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET/);
    });
  });
});
