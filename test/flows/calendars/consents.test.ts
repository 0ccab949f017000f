import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { selectColumns } from '../../../src/database/columns.ts';
import { type Em, rows, sql } from '../../../src/database/sql.ts';
import {
  beginCalendarAccess,
  openCalendarProviders,
} from '../../../src/modules/calendars/connections/calendar-access.ts';
import { CalendarAccounts } from '../../../src/modules/calendars/connections/calendar-accounts.ts';
import { CalendarConnection } from '../../../src/modules/calendars/connections/calendar-connection.entity.ts';
import {
  ACCOUNT_COLUMNS,
  type StoredAccount,
} from '../../../src/modules/calendars/connections/calendar-connection.queries.ts';
import { Connections } from '../../../src/modules/connections/connections.ts';
import { NO_SERVERS, TEST_CREDENTIALS } from '../../support/calendar-accounts.ts';
import { GOOGLE_SCOPE, type GoogleCalendars } from '../../support/calendar-services.ts';
import type { GraphServer } from '../../support/graph-server.ts';
import { hasRadicale } from '../../support/radicale.ts';
import { beginConnecting, type CalendarWorld, type Host, openCalendarWorld } from './support/calendar-world.ts';

/** Servers may do these in place of an answer. */
const OF_BOTH: readonly (readonly [string, (response: ServerResponse) => unknown])[] = [
  ['HTML', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in</p>')],
  ['no answer', (response) => response.destroy()],
  ['a fault', (response) => response.writeHead(500).end('<secret-of-theirs>')],
  ['that it is too much', (response) => response.writeHead(429, { 'retry-after': '60' }).end()],
  [
    '50 MB',
    (response) => response.writeHead(207, { 'content-length': 50 * 1_048_576 }).end(Buffer.alloc(50 * 1_048_576, ' ')),
  ],
  ['a redirect inside', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  ['no consent to calendars', (response) => response.writeHead(403).end()],
];

const json = (response: ServerResponse, answer: object) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
const MISCHIEF = {
  GOOGLE: OF_BOTH,
  OFFICE365: [
    ...OF_BOTH,
    ['no calendars', (response) => json(response, { mail: 'ada@calendars.test', value: [] })],
    ['no name', (response) => json(response, { mail: '', userPrincipalName: null, value: [{ id: 'x' }] })],
    ['a name of three hundred letters', (response) => json(response, { mail: 'a'.repeat(300), value: [{ id: 'x' }] })],
    ['a name with what no text can hold', (response) => json(response, { mail: 'ada\u0000', value: [{ id: 'x' }] })],
    ['an id with what no text can hold', (response) => json(response, { mail: 'ada', value: [{ id: 'x\u0000' }] })],
  ],
} satisfies Record<string, typeof OF_BOTH>;

async function everythingIn(em: Em): Promise<string> {
  const tables = ['connections', 'calendar_connections', 'connection_requests', 'domain_events', 'audit_events'];
  const all = await Promise.all(
    tables.map((table) => rows(em.fork(), sql`select to_jsonb(t)::text from ${sql.table(table)} t`)),
  );
  return JSON.stringify(all);
}

describe.runIf(hasRadicale)('accounts that are connected by consent (skipped where Radicale is not installed)', () => {
  let world: CalendarWorld;
  beforeAll(async () => {
    world = await openCalendarWorld();
  });
  afterEach(() => world.forget());
  afterAll(() => world.close());

  describe.each(['GOOGLE', 'OFFICE365'] as const)('an account by consent, at %s', (provider) => {
    let server: GoogleCalendars | GraphServer;
    let host: Host;
    beforeEach(async () => {
      server = provider === 'GOOGLE' ? world.google : world.graph;
      host = await world.aHost();
      world.consents.account = host.account;
    });

    test('is not connected by somebody who gets hold of its link or of the way back, nor twice', async () => {
      const eve = await world.aHost();
      const [browser, other] = [await world.browserOf(host), await world.browserOf(eve)];
      const link = await beginConnecting(host, provider);
      expect((await other.browser.get(link)).status).toBe(403);
      const back = await browser.toProvider(link, world.consents);
      expect((await other.browser.get(back)).status).toBe(403);
      expect([await world.connected(host), await world.connected(eve)]).toEqual([[], []]);
      expect((await browser.browser.get(back)).status).toBe(303);
      expect((await browser.browser.get(back)).status).toBe(410);
      expect([await world.connected(host), await world.connected(eve)]).toMatchObject([
        [{ username: host.account, status: 'CONNECTED' }],
        [],
      ]);
    });

    test('keeps its tokens to itself, and has new ones when it is connected again', async () => {
      await world.connect(host, provider);
      const [before] = await world.connected(host);
      const tokens = new Set<string>();
      server.instead = ({ headers }) => {
        tokens.add(headers.authorization?.slice('Bearer '.length) ?? '');
        return false;
      };
      await world.connect(host, provider);
      expect(await world.connected(host)).toEqual([before]);
      const own = sql`select 1 from connections where user_id = ${host.userId}`;
      expect(await rows(world.em(), own)).toHaveLength(1);
      const everything = (await everythingIn(world.em())) + JSON.stringify(await world.connected(host));
      expect(tokens.size).toBe(1);
      for (const token of tokens) expect(everything).not.toContain(token);
    });

    test('has a token that is refused before its time renewed, and breaks when the consent is taken back', async () => {
      await world.connect(host, provider);
      let refusals = 0;
      server.instead = (_request, response) => {
        refusals += 1;
        if (refusals === 1) response.writeHead(401).end();
        return refusals === 1;
      };
      const asked = world.consents.tokenRequests;
      expect(await world.connected(host)).toMatchObject([{ status: 'CONNECTED' }]);
      expect([refusals > 1, world.consents.tokenRequests - asked]).toEqual([true, 1]);
      const other = await world.aHost();
      await world.connect(other, provider);
      await world.consents.revoke(other.account);
      expect(await world.connected(other)).toMatchObject([{ status: 'BROKEN' }]);
      await world.connect(other, provider);
      expect(await world.connected(other)).toMatchObject([{ status: 'CONNECTED' }]);
    });

    test.each(MISCHIEF[provider])(
      'is not connected where its server answers with %s, and the page says why',
      async (_what, act) => {
        server.instead = (_request, response) => {
          act(response);
          return true;
        };
        const browser = await world.browserOf(host);
        const back = await browser.toProvider(await beginConnecting(host, provider), world.consents);
        const answer = await browser.browser.get(back);
        expect([answer.status, await answer.text()]).toEqual([502, expect.not.stringContaining('secret-of-theirs')]);
        expect(await world.connected(host)).toEqual([]);
      },
    );

    test('asks for access to calendars that lasts, with a challenge', async () => {
      const answer = await (await world.browserOf(host)).browser.get(await beginConnecting(host, provider));
      const asked = Object.fromEntries(new URL(answer.headers.get('location') ?? '').searchParams);
      const wanted = {
        GOOGLE: { scope: GOOGLE_SCOPE, access_type: 'offline', prompt: 'consent' },
        OFFICE365: { scope: 'offline_access User.Read Calendars.ReadWrite' },
      };
      expect(asked).toMatchObject({ ...wanted[provider], response_type: 'code', code_challenge_method: 'S256' });
    });

    test('is nobody else’s, and cannot be used once the operator has taken the client away', async () => {
      const eve = await world.aHost();
      await world.connect(host, provider);
      await world.connect(eve, provider);
      const swapped = sql`update calendar_connections a set access_id = (
          select access_id from calendar_connections where user_id = ${host.userId})
        where a.user_id = ${eve.userId} returning id`;
      await expect(rows(world.em(), swapped)).rejects.toThrow(/foreign key/);
      const providers = {};
      const accounts = new CalendarAccounts({
        providers,
        caldav: NO_SERVERS,
        credentials: TEST_CREDENTIALS,
        connections: world.connections,
      });
      const columns = selectColumns(CalendarConnection, ACCOUNT_COLUMNS, 'a');
      const [stored] = await rows(
        world.em(),
        sql<StoredAccount>`select ${columns} from calendar_connections a where a.user_id = ${host.userId}`,
      );
      expect(stored && (await accounts.statusOf(world.em(), stored))).toBe('UNREACHABLE');
    });

    test('is begun where the operator has registered the service, and not by a provider that knows no OAuth', async () => {
      const { messages } = await host.page.host.change('calendarAccountConnect', { provider: 'APPLE' });
      expect(messages).toEqual([expect.stringContaining('appleCalendarAccountConnect')]);
      const { access } = openCalendarProviders(
        { appleCaldavUrl: world.radicale.url, clients: { GOOGLE: undefined, OFFICE365: undefined } },
        world.door,
      );
      const none = new Connections({
        publicUrl: 'http://localhost:4000',
        outbound: world.door,
        credentials: TEST_CREDENTIALS,
        providers: access,
      });
      const begun = { userId: host.userId, provider };
      expect(() => beginCalendarAccess(world.em(), begun, none)).toThrow(
        `${provider}_CLIENT_ID and ${provider}_CLIENT_SECRET`,
      );
    });
  });
});
