/**
 * Which scopes apply below /v2 (specification §2.4): "Team scopes apply to endpoints under /v2/teams/:teamId/... and
 * /v2/organizations/:orgId/teams/:teamId/...", "organization scopes apply to endpoints under /v2/organizations/:orgId/... that
 * do not target a specific team". Read from the path alone; what the table and the schema say is what is tested.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopesOf } from '../../src/http/rest/openapi.ts';
import type { RestRoute } from '../../src/http/rest/route.ts';
import { restRoutesOf } from '../../src/http/rest/table.ts';
import { buildSchemas } from '../../src/schema.ts';
import { SCOPES } from '../../src/scopes/catalog.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { unknownId } from '../support/ids.ts';
import { KNOWN_KEY, tokenMint } from '../support/minted-tokens.ts';

const { rules } = buildSchemas().forTokens;
const ROUTES = restRoutesOf(rules);

type Kind = 'TEAM' | 'ORG' | 'USER';

/** The kind of thing that a path targets, by the specification's words. */
function kindOf({ path }: Pick<RestRoute, 'path'>): Kind {
  const [, version, first, ofFirst, second, ofSecond] = path.split('/');
  expect(version).toBe('v2');
  if (first === 'teams' && ofFirst?.startsWith(':')) return 'TEAM';
  if (first !== 'organizations' || !ofFirst?.startsWith(':')) return 'USER';
  return second === 'teams' && ofSecond?.startsWith(':') ? 'TEAM' : 'ORG';
}

const kindOfScope = (scope: string): Kind =>
  scope.startsWith('TEAM_') ? 'TEAM' : scope.startsWith('ORG_') ? 'ORG' : 'USER';

const named = (routes: readonly RestRoute[]) =>
  routes.map((route) => [`${route.method} ${route.path}`, route] as const);
const ofGroups = ROUTES.filter((route) => kindOf(route) !== 'USER');

describe('a path below a team or an organization requires scopes of that kind alone', () => {
  test.each(named(ofGroups))('%s', (_, route) => {
    const scopes = scopesOf(route, rules);
    expect(scopes.length).toBeGreaterThan(0);
    expect(new Set(scopes.map(kindOfScope))).toEqual(new Set([kindOf(route)]));
  });
});

test('reading and changing one thing take scopes of the same resource, each with its own action', () => {
  const wrong = ofGroups.filter((route) => {
    const action = route.method === 'GET' ? '_READ' : '_WRITE';
    return !scopesOf(route, rules).every((scope) => scope.endsWith(action));
  });
  expect(named(wrong).map(([name]) => name)).toEqual([]);
});

test('outside of groups, only the doors to them take their scopes: the lists of one’s own groups, and what makes a team', () => {
  const doors = ROUTES.filter(
    (route) => kindOf(route) === 'USER' && scopesOf(route, rules).some((scope) => kindOfScope(scope) !== 'USER'),
  );
  expect(new Set(doors.map(({ path }) => path))).toEqual(
    new Set(['/v2/organization-invitations', '/v2/organizations', '/v2/team-invitations', '/v2/teams']),
  );
});

const RESOURCES_OF_TEAMS_ALONE = /\/(?:workflows|conferencing-apps|verified-|email-verif|phone-verif)/;

// There is nothing by these ids: what a token may is said before anything is looked for.
const addressOf = ({ path }: RestRoute) =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => {
    if (name === 'orgId') return unknownId('organization');
    return name === 'teamId' ? unknownId('team') : 'x';
  });

describe('asked with tokens of one kind', () => {
  let api: TestApi;
  let app: TestApp;
  const tokens = new Map<string, string>();
  beforeAll(async () => {
    api = await openTestApi();
    app = await startTestApp({ ...KNOWN_KEY, RATE_LIMITS: 'off' }, { database: api.database });
    const mint = await tokenMint(app);
    const { userId } = api.as('ada');
    for (const kind of ['TEAM', 'ORG', 'USER'] as const) {
      const scopes = SCOPES.filter((scope) => kindOfScope(scope) === kind);
      tokens.set(kind, await mint(userId, scopes));
    }
    tokens.set('TEAM_PROFILE_WRITE', await mint(userId, ['TEAM_PROFILE_WRITE']));
    tokens.set('ORG_PROFILE_WRITE', await mint(userId, ['ORG_PROFILE_WRITE']));
    tokens.set('ORG_PROFILE_READ', await mint(userId, ['ORG_PROFILE_READ']));
  });
  afterAll(() => app.close());

  async function ask(method: string, path: string, kind: string, body?: object) {
    const response = await fetch(app.url + path, {
      method,
      headers: {
        authorization: `Bearer ${tokens.get(kind)}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, code: text === '' ? undefined : JSON.parse(text).error?.code };
  }

  test.each(named(ofGroups.filter(({ method }) => method === 'GET')))('%s', async (_, route) => {
    const address = addressOf(route);
    const isRefused = async (kind: Kind) => (await ask('GET', address, kind)).code === 'INSUFFICIENT_SCOPE';
    const [byTeam, byOrganization, byUser] = [await isRefused('TEAM'), await isRefused('ORG'), await isRefused('USER')];
    // "An ORG_ scope also grants the corresponding TEAM_ scope", where there is one.
    const isOfTeamsAlone = RESOURCES_OF_TEAMS_ALONE.test(route.path);
    expect({ byTeam, byOrganization, byUser }).toEqual(
      kindOf(route) === 'TEAM'
        ? { byTeam: false, byOrganization: isOfTeamsAlone, byUser: true }
        : { byTeam: true, byOrganization: false, byUser: true },
    );
  });

  test('one team of an organization is changed and deleted with TEAM_PROFILE_WRITE, in its organization alone', async () => {
    const ada = api.as('ada');
    const { data } = await ada.ask('{ me { organizations { nodes { id } } } }');
    const organizationId: string = data.me.organizations.nodes[0].id;
    const other = (
      await api.signedIn('ada').change('organizationCreate', { slug: 'other', name: 'Other' }, 'organizationId')
    ).data;
    for (const kind of ['TEAM_PROFILE_WRITE', 'ORG_PROFILE_WRITE']) {
      const slug = kind.toLowerCase().replaceAll('_', '-');
      const team = { organizationId, slug, name: 'A' };
      const { teamId } = (await ada.change('organizationTeamCreate', team, 'teamId')).data;
      const path = `/v2/organizations/${organizationId}/teams/${teamId}`;
      const elsewhere = `/v2/organizations/${other.organizationId}/teams/${teamId}`;
      const nowhere = `/v2/organizations/${unknownId('organization')}/teams/${teamId}`;
      const nameNow = async () => (await ada.ask(`{ team(id: "${teamId}") { name } }`)).data.team?.name;

      expect((await ask('PATCH', path, 'ORG_PROFILE_READ', { name: 'B' })).status).toBe(403);
      for (const wrong of [elsewhere, nowhere, `/v2/organizations/x/teams/${teamId}`]) {
        expect((await ask('PATCH', wrong, kind, { name: 'B' })).status).toBe(404);
        expect((await ask('DELETE', wrong, kind)).status).toBe(404);
      }
      expect(await nameNow()).toBe('A');
      const { status } = await ask('PATCH', path, kind, { name: 'B' });
      expect([status, await nameNow()]).toEqual([200, 'B']);
      expect((await ask('DELETE', path, kind)).status).toBe(204);
      expect(await nameNow()).toBeUndefined();
    }
  });
});
