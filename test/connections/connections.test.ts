import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { newTeamId, type OwnedId } from '../../src/core/id.ts';
import { Problem } from '../../src/core/problem.ts';
import type { Report } from '../../src/database/failure.ts';
import { changed, row, rows, sql } from '../../src/database/sql.ts';
import { BrokenConnection } from '../../src/modules/connections/access-tokens.ts';
import {
  CALLBACK_PATH,
  Connections,
  removeExpiredConnectionRequests,
} from '../../src/modules/connections/connections.ts';
import type { EndedConnection } from '../../src/modules/connections/end-connection.ts';
import type { Provider } from '../../src/modules/connections/provider.ts';
import { openTokens } from '../../src/modules/connections/stored-tokens.ts';
import { type Owner, own, ownOfTeam } from '../../src/modules/levels/reach.ts';
import { Credentials } from '../../src/outbound/credentials.ts';
import { Outbound } from '../../src/outbound/outbound.ts';
import { OutboundFailure } from '../../src/outbound/outcome.ts';
import { askToSignIn } from '../../src/screens/account/sign-in.ts';
import { connectRoutes } from '../../src/screens/connect/connect.ts';
import { Visitors } from '../../src/screens/kit/visitors.ts';
import { anAccount } from '../modules/accounts/an-account.ts';
import { Browser } from '../screens/a-browser.ts';
import { AccountProvider } from '../support/account-provider.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { aSession } from '../support/session.ts';

const HERE = 'http://localhost:4000';
const KEY = randomBytes(32);

let database: TestDatabase;
let server: AccountProvider;
let provider: Provider;
let connections: Connections;
let ada: string;
let bob: string;
const outbound = new Outbound({ allowsPrivate: true, userAgent: 'Gatehouse' });
const arrived = vi.fn<(accessToken: string) => void>();
let keep: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  database = await openTestDatabase();
  server = await AccountProvider.open(`${HERE}${CALLBACK_PATH}`);
  ada = (await anAccount(em(), { name: 'Ada' })).id;
  bob = (await anAccount(em(), { name: 'Bob' })).id;
  provider = {
    key: 'accounts',
    title: 'Accounts',
    server: { issuer: server.issuer },
    ...server.client,
    scopes: ['openid', 'offline_access', 'calendars'],
    parameters: { prompt: 'consent' },
    arrive: async (accessToken) => {
      arrived(accessToken);
      return () => keep();
    },
  };
  connections = connectionsWith(provider);
});
beforeEach(async () => {
  server.denies = false;
  server.accessSeconds = 3_600;
  server.atToken = () => false;
  keep = async () => undefined;
  arrived.mockClear();
  await changed(em(), sql`delete from connections`);
  await changed(em(), sql`delete from domain_events`);
});
afterAll(async () => {
  await outbound.close();
  await server.close();
  await database.close();
});

const fail = (error: unknown) => expect.fail(`a fault of ours: ${String(error)}`);
const em = () => database.em.fork();

function connectionsWith(...providers: Provider[]): Connections {
  return new Connections({ publicUrl: HERE, outbound, credentials: new Credentials(KEY), providers });
}

/** A browser in which somebody is signed in, or nobody. */
async function aBrowser(userId?: string, by = connections, report: Report = fail): Promise<Browser> {
  const visitors = new Visitors({
    em: database.em,
    publicUrl: HERE,
    formKey: KEY,
    askToSignIn,
    addressOf: () => '192.0.2.1',
  });
  const browser = new Browser(connectRoutes({ em: database.em, visitors, connections: by, report }), HERE);
  if (userId !== undefined) browser.cookies.set('gatehouse_session', (await aSession(em(), userId)).token);
  return browser;
}

const begin = (owner: Owner = own(ada), by = connections) =>
  by.begin(em(), owner, { userId: ada, provider: provider.key });

/** Opens the link, goes to the provider. @returns the address that leads back */
async function toProvider(browser: Browser, link: string): Promise<string> {
  const response = await browser.get(link);
  expect(response.status).toBe(303);
  return (await server.authorize(response.headers.get('location') ?? '')).href;
}

const stored = () =>
  rows(
    em(),
    sql<OwnedId & { teamId: string | null; credentials: string; broken: boolean }>`
    select owner_id as "ownerId", id, team_id as "teamId", credentials, broken_at is not null as broken from connections`,
  );

async function connected(by = connections): Promise<OwnedId> {
  const browser = await aBrowser(ada, by);
  const back = await toProvider(browser, await begin(own(ada), by));
  expect((await browser.get(back)).headers.get('location')).toBe('/connect/done?name=Accounts');
  const [{ ownerId, id } = { ownerId: '', id: '' }] = await stored();
  return { ownerId, id };
}

describe('an account is connected', () => {
  test.each(['its issuer', 'its endpoints'])('at a provider that is known by %s', async (by) => {
    const endpoints = { authorization: `${server.issuer}/auth`, token: `${server.issuer}/token` };
    const its = connectionsWith(by === 'its issuer' ? provider : { ...provider, server: endpoints });
    const connection = await connected(its);
    expect(connection.ownerId).toBe(ada);
    const [accessToken] = arrived.mock.calls[0] ?? [];
    expect(await its.accessToken(em(), connection)).toBe(accessToken);
  });

  test('its tokens are stored encrypted, and the page names it', async () => {
    await connected();
    const [accessToken = ''] = arrived.mock.calls[0] ?? [];
    expect((await stored())[0]?.credentials).not.toContain(accessToken);
    const page = await (await (await aBrowser(ada)).get('/connect/done?name=Accounts')).text();
    expect(page).toContain('Accounts is connected');
    expect(await (await (await aBrowser(ada)).get('/connect/done?name=Evil')).text()).not.toContain('Evil');
  });

  test('by a user who signs in on the way back', async () => {
    const browser = await aBrowser(ada);
    const back = await toProvider(browser, await begin());
    const session = browser.cookies.get('gatehouse_session') ?? '';
    browser.cookies.delete('gatehouse_session');
    const signIn = await browser.get(back);
    expect(new URL(signIn.headers.get('location') ?? '', HERE).searchParams.get('return_to')).toBe(
      back.slice(HERE.length),
    );
    browser.cookies.set('gatehouse_session', session);
    expect((await browser.get(back)).status).toBe(303);
    expect(await stored()).toHaveLength(1);
  });
});

describe('nothing is connected', () => {
  test('by somebody else: neither the link nor the way back is theirs; the first user can go on', async () => {
    const [browser, other] = [await aBrowser(ada), await aBrowser(bob)];
    const link = await begin();
    const refused = await other.get(link);
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('Someone else')]);
    const back = await toProvider(browser, link);
    expect((await other.get(back)).status).toBe(403);
    expect(await stored()).toEqual([]);
    expect((await browser.get(back)).status).toBe(303);
    expect(await stored()).toHaveLength(1);
  });

  test('in another browser of the same user: an address that was slipped to them leads nowhere', async () => {
    const back = await toProvider(await aBrowser(ada), await begin());
    const slipped = await aBrowser(ada);
    await slipped.get(await begin());
    expect((await slipped.get(back)).status).toBe(410);
    expect(await stored()).toEqual([]);
  });

  test('twice, by a link or a state that was used', async () => {
    const browser = await aBrowser(ada);
    const link = await begin();
    const back = await toProvider(browser, link);
    const both = await Promise.all([browser.get(back), browser.get(back)]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([303, 410]));
    expect((await browser.get(link)).status).toBe(410);
    expect(await stored()).toHaveLength(1);
  });

  test('after ten minutes, or once another one was begun', async () => {
    const browser = await aBrowser(ada);
    const [late, back] = [
      sql`update connection_requests set expires_at = now() - interval '1 second'`,
      await toProvider(browser, await begin()),
    ];
    await changed(em(), late);
    expect((await browser.get(back)).status).toBe(410);
    expect(await removeExpiredConnectionRequests(em(), 10)).toBe(1);
    const [first, second] = [await begin(), await begin()];
    expect((await browser.get(first)).status).toBe(410);
    expect((await browser.get(second)).status).toBe(303);
  });

  test('when the user refuses it there', async () => {
    server.denies = true;
    const browser = await aBrowser(ada);
    const answer = await browser.get(await toProvider(browser, await begin()));
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('Nothing was connected')]);
    expect(await stored()).toEqual([]);
  });

  test.each([
    ['a state of nobody', '?state=x&code=y', 410],
    ['none', '', 410],
  ])('on the way back with %s', async (_what, search, status) => {
    expect((await (await aBrowser(ada)).get(`${CALLBACK_PATH}${search}`)).status).toBe(status);
  });

  test('with a code that is not the provider’s, by an answer of another issuer, or while it is away', async () => {
    const browser = await aBrowser(ada);
    const wrong: ((back: URL) => void)[] = [
      (back) => back.searchParams.set('code', 'made-up'),
      (back) => back.searchParams.set('iss', 'https://other.example'),
      () => (server.atToken = (_request, response) => (response.writeHead(503).end('<secret-of-theirs>'), true)),
    ];
    for (const make of wrong) {
      const back = new URL(await toProvider(browser, await begin()));
      make(back);
      const answer = await browser.get(back.href);
      expect(answer.status).toBe(502);
      expect(await answer.text()).not.toContain('secret-of-theirs');
    }
    expect(await stored()).toEqual([]);
  });

  test('where what is stored beside it is refused; the page says why', async () => {
    keep = async () => {
      throw new Problem('TOO_MANY', 'There are ten of these already.');
    };
    const browser = await aBrowser(ada);
    const answer = await browser.get(await toProvider(browser, await begin()));
    expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining('There are ten')]);
    expect(await stored()).toEqual([]);
  });
});

/** The tokens that are to be revoked in the background. */
const ended = () =>
  rows(
    em(),
    sql<EndedConnection>`delete from domain_events where type = 'CONNECTION_ENDED' returning owner_id as "ownerId", data->>'connectionId'
        as "connectionId", data->>'provider' as provider, data->>'credentials' as credentials, occurred_at::text as "occurredAt"`,
  );
const isGood = async () => (await server.holderOf(arrived.mock.lastCall?.[0] ?? '')) !== undefined;

describe('tokens that are not kept', () => {
  test('by a fault of ours are revoked, and the fault is reported', async () => {
    keep = () => Promise.reject(new Error('No row for this one.'));
    const reported: unknown[] = [];
    const browser = await aBrowser(ada, connections, (error) => void reported.push(error));
    const answer = await browser.get(await toProvider(browser, await begin()));
    expect([answer.status, String(reported)]).toEqual([500, 'Error: No row for this one.']);
    expect([await stored(), await isGood()]).toEqual([[], true]);
    const [one, ...others] = await ended();
    expect(others).toEqual([]);
    expect([one && (await connections.revoke(em(), one)), await isGood()]).toEqual([true, false]);
  });

  test('are revoked at once where the database takes no event either', async () => {
    keep = () => Promise.reject(new Problem('TOO_MANY', 'There are ten of these already.'));
    const browser = await aBrowser(ada);
    const back = await toProvider(browser, await begin());
    await changed(em(), sql`alter table domain_events rename to no_events`);
    const answer = await browser.get(back);
    await changed(em(), sql`alter table no_events rename to domain_events`);
    expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining('There are ten')]);
    expect([await stored(), await isGood()]).toEqual([[], false]);
  });

  test('stay good where the account may be connected already, which could end with them', async () => {
    const connection = await connected();
    keep = () => Promise.reject(new Problem('TOO_MANY', 'There are ten of these already.'));
    const browser = await aBrowser(ada);
    await browser.get(await toProvider(browser, await begin()));
    expect([await ended(), (await stored()).map(({ id }) => id)]).toEqual([[], [connection.id]]);
  });

  test('as the account was disconnected while they were renewed are revoked', async () => {
    const connection = await connected();
    await expire();
    server.atToken = async () => (await changed(em(), sql`delete from connections`), false);
    await expect(connections.accessToken(em(), connection)).rejects.toThrow(BrokenConnection);
    const [one] = await ended();
    const tokens = one && (await openTokens(new Credentials(KEY), connection, one.credentials));
    expect(await server.holderOf(tokens?.accessToken ?? '')).toBe(server.account);
    expect(one && (await connections.revoke(em(), one))).toBe(true);
    expect(await server.holderOf(tokens?.accessToken ?? '')).toBeUndefined();
  });
});

async function aTeam(role: 'ADMIN' | 'MEMBER'): Promise<string> {
  const id = newTeamId();
  await changed(
    em(),
    sql`insert into teams (id, slug, name, time_zone, week_start, hides_branding, is_private, metadata, created_at, updated_at) values (${id}, ${id}::text, 'Team', 'UTC', 'MONDAY', false, false, '{}', now(), now())`,
  );
  await changed(
    em(),
    sql`insert into team_memberships (id, team_id, user_id, role, accepted, created_at, updated_at)
        values (${newTeamId()}, ${id}, ${ada}, ${role}, true, now(), now())`,
  );
  return id;
}

describe('an account of a team', () => {
  test('its administrator connects one; a member does not', async () => {
    const [team, other] = [await aTeam('ADMIN'), await aTeam('MEMBER')];
    const browser = await aBrowser(ada);
    await browser.get(await toProvider(browser, await begin(ownOfTeam(ada, team))));
    expect(await stored()).toMatchObject([{ ownerId: team, teamId: team }]);
    await expect(begin(ownOfTeam(ada, other))).rejects.toThrow(Problem);
  });

  test('a user who no longer administers it on the way back connects nothing', async () => {
    const team = await aTeam('ADMIN');
    const browser = await aBrowser(ada);
    const back = await toProvider(browser, await begin(ownOfTeam(ada, team)));
    await changed(em(), sql`update team_memberships set role = 'MEMBER' where team_id = ${team}`);
    expect((await browser.get(back)).status).toBe(502);
    expect(await stored()).toEqual([]);
  });
});

const expire = () => changed(em(), sql`update connections set access_expires_at = now() - interval '1 second'`);

describe('an access token', () => {
  test('that is about to expire, or was rejected, is renewed; a good one is not', async () => {
    const connection = await connected();
    const first = await connections.accessToken(em(), connection);
    const asked = server.tokenRequests;
    expect(await connections.accessToken(em(), connection, 'one from before')).toBe(first);
    expect(server.tokenRequests).toBe(asked);
    const second = await connections.accessToken(em(), connection, first);
    await expire();
    const third = await connections.accessToken(em(), connection);
    expect(new Set([first, second, third]).size).toBe(3);
  });

  test('is renewed once by any number of processes, and the refresh token that rotates is kept', async () => {
    const connection = await connected();
    for (const round of ['first', 'second']) {
      await expire();
      const asked = server.tokenRequests;
      const processes = Array.from({ length: 8 }, () => connectionsWith(provider));
      const tokens = await Promise.all(processes.map((each) => each.accessToken(em(), connection)));
      expect([round, new Set(tokens).size, server.tokenRequests - asked]).toEqual([round, 1, 1]);
    }
    expect((await stored())[0]?.broken).toBe(false);
  });

  test('is kept once it was renewed, though the database fails for a moment', async () => {
    const connection = await connected();
    await expire();
    await changed(em(), sql`create sequence tries`);
    await changed(
      em(),
      sql`create function refuse() returns trigger language plpgsql as $$
          begin if nextval('tries') <= 2 then raise exception 'no'; end if; return new; end $$`,
    );
    await changed(
      em(),
      sql`create trigger refuse before update on connections for each row when (new.credentials <> old.credentials) execute function refuse()`,
    );
    const asked = server.tokenRequests;
    const token = await connections.accessToken(em(), connection);
    await changed(em(), sql`drop trigger refuse on connections`);
    expect([await connections.accessToken(em(), connection), server.tokenRequests - asked]).toEqual([token, 1]);
  });

  test('is renewed by another process when the one that was renewing it has died', async () => {
    const connection = await connected();
    await expire();
    await changed(em(), sql`update connections set renewing_until = now() - interval '1 second'`);
    await expect(connections.accessToken(em(), connection)).resolves.toMatch(/./);
  });

  test('that the provider refuses to renew (invalid_grant) is broken, until it is connected anew', async () => {
    const connection = await connected();
    await expire();
    const error = JSON.stringify({ error: 'invalid_grant' });
    server.atToken = (_request, response) => (
      response.writeHead(400, { 'content-type': 'application/json' }).end(error), true
    );
    await expect(connections.accessToken(em(), connection)).rejects.toThrow(BrokenConnection);
    expect((await stored())[0]?.broken).toBe(true);
    server.atToken = () => false;
    await expect(connections.accessToken(em(), connection)).rejects.toThrow(BrokenConnection);
  });

  test('is only late while the provider is away', async () => {
    const connection = await connected();
    await expire();
    server.atToken = (_request, response) => (response.writeHead(503).end(), true);
    await expect(connections.accessToken(em(), connection)).rejects.toThrow(OutboundFailure);
    server.atToken = () => false;
    await expect(connections.accessToken(em(), connection)).resolves.toMatch(/./);
  });

  test('is none for a connection that is gone, or belongs to somebody else', async () => {
    const { id } = await connected();
    await expect(connections.accessToken(em(), { ownerId: bob, id })).rejects.toThrow(BrokenConnection);
    const other = new Connections({
      publicUrl: HERE,
      outbound,
      credentials: new Credentials(randomBytes(32)),
      providers: [provider],
    });
    await expect(other.accessToken(em(), { ownerId: ada, id })).rejects.toThrow('cannot be opened');
    expect(await row(em(), sql`select 1 from connections where broken_at is not null`)).toBeUndefined();
  });
});
