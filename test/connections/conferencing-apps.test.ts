import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Browser } from '../../src/cli/demo-browser.ts';
import { publicId } from '../../src/core/id.ts';
import { changed, row, rows, sql } from '../../src/database/sql.ts';
import { CALLBACK_PATH } from '../../src/modules/connections/connections.ts';
import { AccountProvider, BASIC_CLIENT } from '../support/account-provider.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { isOnPostgres } from '../support/database.ts';
import { uuidOf } from '../support/ids.ts';
import { meanwhile } from '../support/meanwhile.ts';
import { paced } from '../support/pace.ts';
import { ZoomServer } from '../support/zoom-server.ts';

let provider: AccountProvider;
let zoom: ZoomServer;
let app: TestApp;
/** The demo's users: Ada owns the organization, Bob administers the team, Cyd is a member. */
const browsers = new Map<string, Browser>();
let sales: string;
beforeAll(async () => {
  provider = await AccountProvider.open();
  zoom = await ZoomServer.open((token) => provider.holderOf(token));
  app = await startTestApp(
    {
      ALLOW_PRIVATE_NETWORK: 'on',
      ZOOM_CLIENT_ID: BASIC_CLIENT.clientId,
      ZOOM_CLIENT_SECRET: BASIC_CLIENT.clientSecret,
      ZOOM_AUTHORIZATION_URL: `${provider.issuer}/auth`,
      ZOOM_TOKEN_URL: `${provider.issuer}/token`,
      ZOOM_REVOCATION_URL: `${provider.issuer}/token/revocation`,
      ZOOM_API_URL: zoom.url,
    },
    { runsJobs: true },
  );
  provider.sendBackTo(`${app.url}${CALLBACK_PATH}`);
  for (const who of ['ada', 'bob', 'cyd']) browsers.set(who, await app.signIn(`${who}@acme.test`));
  const team = await row(em(), sql<{ id: string }>`select id from teams where slug = 'sales'`);
  sales = publicId('team', team?.id ?? '');
});
beforeEach(async () => {
  zoom.reset();
  provider.denies = false;
  provider.accessSeconds = 3_600;
  provider.atToken = () => false;
  provider.atRevocation = () => false;
  await changed(em(), sql`delete from conferencing_apps`);
  await changed(em(), sql`delete from connections`);
});
afterAll(async () => {
  await app.close();
  await Promise.all([zoom.close(), provider.close()]);
});

const em = () => app.database.em.fork();

async function change(who: string, name: string, input: object): Promise<Record<string, never>> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const selection = name.endsWith('Connect') ? 'authorizationUrl' : '';
  const query = `mutation ($input: ${type}!) { it: ${name}(input: $input) { conferencingAppId ${selection} userErrors { code path } } }`;
  return (await signedIn(who).graphql<{ it: Record<string, never> }>(query, { input })).it;
}

function signedIn(who: string): Browser {
  const browser = browsers.get(who);
  if (!browser) throw new Error(`${who} is nobody of the test.`);
  return browser;
}

/** Begins, opens the link, and goes to the provider. @returns the address that leads back */
async function toProvider(who: string, mutation = 'conferencingAppConnect', input: object = {}): Promise<string> {
  const { authorizationUrl, conferencingAppId } = await change(who, mutation, { app: 'zoom', ...input });
  expect([authorizationUrl, conferencingAppId]).toEqual([expect.stringContaining(`${app.url}/connect/start`), null]);
  const begun = await signedIn(who).get(String(authorizationUrl));
  expect(begun.status).toBe(303);
  const url = new URL(begun.headers.get('location') ?? '');
  // Our rights are a part of the registration at Zoom.
  expect([url.origin, url.searchParams.has('scope'), url.searchParams.get('code_challenge_method')]).toEqual([
    provider.issuer,
    false,
    'S256',
  ]);
  return (await provider.authorize(url.href)).href;
}

async function connect(who: string, mutation?: string, input?: object): Promise<void> {
  const back = await signedIn(who).get(await toProvider(who, mutation, input));
  const of = input && 'teamId' in input ? `&team=${String(input.teamId)}` : '';
  expect(back.headers.get('location')).toBe(`/connect/done?name=Zoom${of}`);
}

const APPS = 'nodes { id app name isDefault status statusReason }';
async function list(who: string) {
  const query = `query ($team: ID!) { me { conferencingApps { ${APPS} } } team(id: $team) { conferencingApps { ${APPS} } } }`;
  const data = await signedIn(who).graphql<
    Record<string, { conferencingApps: { nodes: Record<string, string>[] } | null }>
  >(query, { team: sales });
  return { own: data['me']?.conferencingApps?.nodes ?? [], team: data['team']?.conferencingApps?.nodes ?? null };
}

const stored = () =>
  rows(em(), sql<{ id: string; credentials: string }>`select id, credentials from connections order by id`);
const ZOOM = { app: 'zoom', name: 'Zoom', isDefault: true, status: 'CONNECTED', statusReason: null };

describe('an account at Zoom is connected', () => {
  test('by its user, and shown to them alone, with its status', async () => {
    await connect('bob');
    expect((await list('bob')).own).toMatchObject([ZOOM]);
    expect((await list('cyd')).own).toEqual([]);
    expect((await stored()).map(({ credentials }) => /^[\w-]+\.\.[\w-]+\./.test(credentials))).toEqual([true]);
  });

  test('for a team by its administrator, not by a member', async () => {
    expect(
      (await change('cyd', 'teamConferencingAppConnect', { app: 'zoom', teamId: sales }))['userErrors'],
    ).toMatchObject([{ code: 'FORBIDDEN' }]);
    await connect('bob', 'teamConferencingAppConnect', { teamId: sales });
    expect((await list('ada')).team).toMatchObject([ZOOM]);
    expect(await list('cyd')).toEqual({ own: [], team: null });
  });

  test('anew: the app stays the same, the old tokens are gone, and the new ones are good', async () => {
    await connect('bob');
    const [before, [first]] = [await list('bob'), await stored()];
    await connect('bob');
    const [after, [second, ...others]] = [await list('bob'), await stored()];
    expect(after.own.map(({ id }) => id)).toEqual(before.own.map(({ id }) => id));
    expect([second?.id === first?.id, others]).toEqual([false, []]);
    expect(after.own).toMatchObject([ZOOM]);
  });
});

let made = 0;
/** Bob begins for a new team of his own. */
async function toProviderForTeam(): Promise<{ readonly teamId: string; readonly back: string }> {
  const query = 'mutation ($input: TeamCreateInput!) { it: teamCreate(input: $input) { teamId userErrors { code } } }';
  const input = { slug: `short-lived-${(made += 1)}`, name: 'Short-lived' };
  const { it } = await signedIn('bob').graphql<{ it: { teamId: string } }>(query, { input });
  const back = await toProvider('bob', 'teamConferencingAppConnect', { teamId: it.teamId });
  return { teamId: uuidOf(it.teamId), back };
}

describe('nothing is connected', () => {
  test('by the callback of another user, though they have the address; and a second time', async () => {
    const back = await toProvider('bob');
    expect((await signedIn('cyd').get(back)).status).toBe(403);
    expect((await signedIn('bob').get(back)).status).toBe(303);
    expect((await signedIn('bob').get(back)).status).toBe(410);
    expect([(await list('cyd')).own, (await list('bob')).own]).toMatchObject([[], [ZOOM]]);
  });

  test.each([
    [
      'who administers the team no more',
      (id: string) => sql`update team_memberships set role = 'MEMBER' where team_id = ${id}`,
    ],
    ['who has left it', (id: string) => sql`delete from team_memberships where team_id = ${id}`],
    ['once it is deleted', (id: string) => sql`delete from teams where id = ${id}`],
  ])('for a team by somebody %s, since they began', async (_who, lose) => {
    const { teamId, back } = await toProviderForTeam();
    await changed(em(), lose(teamId));
    expect((await signedIn('bob').get(back)).status).toBe(502);
    expect(await stored()).toEqual([]);
    expect(await rows(em(), sql`select 1 from conferencing_apps`)).toEqual([]);
  });

  test.runIf(isOnPostgres)('for a team that is being deleted', async () => {
    const { teamId, back } = await toProviderForTeam();
    const answer = await meanwhile(
      app.database,
      (open) => changed(open, sql`delete from teams where id = ${teamId}`),
      () => signedIn('bob').get(back),
    );
    expect([answer.status, await stored()]).toEqual([502, []]);
  });

  test.each<[string, () => void]>([
    ['refuses the new token', () => refusing((_asked, response) => (response.writeHead(401).end('{}'), true))],
    ['is away', () => refusing((_asked, response) => (response.destroy(), true))],
  ])('where the API %s, and the tokens are revoked', async (_how, make) => {
    make();
    expect((await signedIn('bob').get(await toProvider('bob'))).status).toBe(502);
    expect([await stored(), (await list('bob')).own]).toEqual([[], []]);
    await expect.poll(() => provider.holderOf(refused), { timeout: paced(10_000) }).toBeUndefined();
  });

  test('anew where the API is away: the account stays as it is, whose tokens could end with the new ones', async () => {
    const token = await tokenOfBob();
    refusing((_asked, response) => (response.destroy(), true));
    let asked = 0;
    provider.atRevocation = () => ((asked += 1), false);
    expect((await signedIn('bob').get(await toProvider('bob'))).status).toBe(502);
    zoom.before = () => false;
    await expect.poll(countEvents, { timeout: paced(10_000) }).toBe(0);
    expect([asked, await countWaiting(), await provider.holderOf(token)]).toEqual([0, 0, provider.account]);
    expect((await list('bob')).own).toMatchObject([ZOOM]);
  });

  test('where the user says no', async () => {
    provider.denies = true;
    expect((await signedIn('bob').get(await toProvider('bob'))).status).toBe(403);
    expect(await stored()).toEqual([]);
  });
});

/** Connects an account. @returns its access token */
async function tokenOf(...account: Parameters<typeof connect>): Promise<string> {
  const seen: string[] = [];
  zoom.before = ({ accessToken }) => (seen.push(accessToken), false);
  await connect(...account);
  return seen[0] ?? '';
}
const tokenOfBob = () => tokenOf('bob');
/** The access token that the API was asked with, and which it did not take. */
let refused = '';
function refusing(answer: typeof zoom.before): void {
  zoom.before = (asked, response) => ((refused = asked.accessToken), answer(asked, response));
}
async function countEvents(): Promise<number> {
  return (await rows(em(), sql`select 1 from domain_events`)).length;
}
async function disconnect() {
  const [{ id } = { id: '' }] = (await list('bob')).own;
  return change('bob', 'conferencingAppDisconnect', { conferencingAppId: id });
}
async function countFailed(): Promise<number> {
  const failed = sql`select 1 from jobs.job where queue = 'connection-revocations' and data->>'failures' = '1'`;
  return (await rows(em(), failed)).length;
}
async function countWaiting(): Promise<number> {
  return (await rows(em(), sql`select 1 from jobs.job where queue = 'connection-revocations'`)).length;
}

describe('disconnected', () => {
  test('it is forgotten, and its tokens are revoked', async () => {
    const token = await tokenOfBob();
    expect(await provider.holderOf(token)).toBe(provider.account);
    expect((await disconnect())['userErrors']).toEqual([]);
    expect([await stored(), (await list('bob')).own]).toEqual([[], []]);
    await expect.poll(() => provider.holderOf(token), { timeout: paced(10_000) }).toBeUndefined();
  });

  test('while the provider is away, it is forgotten at once, and revoked once that is back', async () => {
    const token = await tokenOfBob();
    provider.atRevocation = (_request, response) => (response.writeHead(503).end('<html>'), true);
    expect((await disconnect())['userErrors']).toEqual([]);
    expect(await stored()).toEqual([]);
    await expect.poll(countFailed, { timeout: paced(10_000) }).toBe(1);
    expect(await provider.holderOf(token)).toBe(provider.account);
    provider.atRevocation = () => false;
    await changed(em(), sql`update jobs.job set start_after = now() where queue = 'connection-revocations'`);
    await expect.poll(() => provider.holderOf(token), { timeout: paced(10_000) }).toBeUndefined();
    await expect.poll(countWaiting, { timeout: paced(10_000) }).toBe(0);
  });

  test('and connected again while the provider is away, the old tokens are not revoked: the new ones would end, too', async () => {
    await tokenOfBob();
    let asked = 0;
    provider.atRevocation = (_request, response) => ((asked += 1), response.writeHead(503).end('<html>'), true);
    await disconnect();
    await expect.poll(countFailed, { timeout: paced(10_000) }).toBe(1);
    const token = await tokenOfBob();
    const before = asked;
    await changed(em(), sql`update jobs.job set start_after = now() where queue = 'connection-revocations'`);
    await expect.poll(countWaiting, { timeout: paced(10_000) }).toBe(0);
    expect([asked, await provider.holderOf(token)]).toEqual([before, provider.account]);
    expect((await list('bob')).own).toMatchObject([ZOOM]);
  });

  test('nobody else disconnects it', async () => {
    await connect('bob');
    const [{ id } = { id: '' }] = (await list('bob')).own;
    const tried = await change('cyd', 'conferencingAppDisconnect', { conferencingAppId: id });
    expect(tried['userErrors']).toMatchObject([{ code: 'NOT_FOUND' }]);
    expect((await list('bob')).own).toMatchObject([ZOOM]);
  });
});

describe('its status', () => {
  test.each<[string, () => void | Promise<void>, string, RegExp]>([
    [
      'is UNREACHABLE while the API is down',
      () => void (zoom.before = (_asked, response) => (response.writeHead(500).end('<h1>'), true)),
      'UNREACHABLE',
      /status 500/,
    ],
    [
      'is BROKEN once its tokens are refused',
      async () => {
        zoom.before = (_asked, response) => (response.writeHead(401).end('{"code":124}'), true);
        provider.atToken = (_request, response) => (
          response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}'), true
        );
      },
      'BROKEN',
      /connect it again/,
    ],
  ])('%s', async (_which, make, status, reason) => {
    await connect('bob');
    await make();
    expect((await list('bob')).own).toMatchObject([{ status, statusReason: expect.stringMatching(reason) }]);
  });

  test('an access token that is refused before its time is renewed', async () => {
    await connect('bob');
    let refused = 0;
    zoom.before = (_asked, response) => refused++ === 0 && (response.writeHead(401).end('{"code":124}'), true);
    const asked = provider.tokenRequests;
    expect((await list('bob')).own).toMatchObject([ZOOM]);
    expect(provider.tokenRequests - asked).toBe(1);
  });
});

/** The last of the file, since they take with them whom others are about. */
describe('an account is forgotten, and its tokens revoked, when its owner is deleted', () => {
  test.each<[string, () => Promise<[token: string, remove: () => Promise<unknown>]>]>([
    [
      'a team',
      async () => {
        const made = await groupChange('teamCreate', { name: 'Short', slug: 'short' });
        const input = { teamId: made['teamId'] };
        const token = await tokenOf('bob', 'teamConferencingAppConnect', input);
        return [token, () => groupChange('teamDelete', input)];
      },
    ],
    ['a user', async () => [await tokenOf('cyd'), () => changed(em(), sql`delete from users where username = 'cyd'`)]],
    [
      'an organization with its teams',
      async () => [
        await tokenOf('bob', 'teamConferencingAppConnect', { teamId: sales }),
        () => changed(em(), sql`delete from organizations`),
      ],
    ],
  ])('%s', async (_whom, prepare) => {
    const [token, remove] = await prepare();
    expect([(await stored()).length, await provider.holderOf(token)]).toEqual([1, provider.account]);
    await remove();
    expect(await stored()).toEqual([]);
    await expect.poll(() => provider.holderOf(token), { timeout: paced(10_000) }).toBeUndefined();
  });
});

async function groupChange(name: 'teamCreate' | 'teamDelete', input: object): Promise<Record<string, string>> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const query = `mutation ($input: ${type}!) { it: ${name}(input: $input) { teamId userErrors { code } } }`;
  return (await signedIn('bob').graphql<{ it: Record<string, string> }>(query, { input })).it;
}
