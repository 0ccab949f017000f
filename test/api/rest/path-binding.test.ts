/** What an address names must belong to what stands before it, even where the caller may see and change both. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RestRoute } from '../../../src/http/rest/route.ts';
import { everythingIn } from '../every-mutation/whole-database.ts';
import { asRequest, CHANGES, named, READS, RestWorld, scopesFor } from './rest-world.ts';

let world: RestWorld;
/** Of ada, who owns the demo's organization and its team too. */
let otherTeam: string;
let otherOrganization: string;
let acme: string;
let sales: string;
beforeAll(async () => {
  world = await RestWorld.open();
  const ada = world.api.signedIn('ada');
  const team = await ada.change('teamCreate', { name: 'Other', slug: 'other' }, 'teamId');
  const organization = await ada.change('organizationCreate', { name: 'Other', slug: 'other' }, 'organization { id }');
  otherTeam = team.data.teamId;
  otherOrganization = organization.data.organization.id;
  acme = await world.groupId('organizations', 'acme');
  sales = await world.groupId('teams', 'sales');
});
afterAll(() => world.close());

const ofTeam = ({ path }: RestRoute) => path.includes('/teams/:teamId/');
const isNested = ({ path }: RestRoute) => path.startsWith('/v2/organizations/:orgId/teams/:teamId/');
const isAboutOne = ({ path }: RestRoute) => /:teamId\/.*:/.test(path);

test('what a team offers, it offers within its organization too', () => {
  const routes = [...READS, ...CHANGES].filter((route) => route.path.startsWith('/v2/teams/:teamId/'));
  const nested = new Set([...READS, ...CHANGES].filter(isNested).map(({ method, path }) => `${method} ${path}`));
  const within = routes.map(({ method, path }) => `${method} /v2/organizations/:orgId${path.slice('/v2'.length)}`);
  expect(within.filter((one) => !nested.has(one))).toEqual([]);
  expect(within.length).toBeGreaterThan(20);
});

/** But for when a grant was last used, which is noted behind the answers. */
async function thingsThere(): Promise<unknown> {
  const tables = (await everythingIn(world.api.database)) as readonly { readonly name: string }[];
  return tables.filter(({ name }) => !name.startsWith('oauth_'));
}

async function statusAndChange(route: RestRoute, changed: Readonly<Record<string, string>>) {
  const { username, input } = await world.valid(route.field.name);
  const { path, body } = asRequest(route, { organizationId: acme, ...input, ...changed });
  const token = await world.token(username, scopesFor(route));
  const before = await thingsThere();
  const { status, body: answer } = await world.send(route.method, path, { token, body });
  return { status, code: answer.error.code, before, after: await thingsThere() };
}

describe.each(named(CHANGES.filter(isNested)))('%s', (_name, route) => {
  test('changes nothing where the team is not the organization’s', async () => {
    const { before, ...found } = await statusAndChange(route, { organizationId: otherOrganization });
    expect(found).toEqual({ status: 404, code: 'NOT_FOUND', after: before });
  });
});

describe.each(named(CHANGES.filter((route) => ofTeam(route) && isAboutOne(route))))('%s', (_name, route) => {
  test('changes nothing where it is not the team’s', async () => {
    const { before, ...found } = await statusAndChange(route, { teamId: otherTeam });
    expect(found).toEqual({ status: 404, code: 'NOT_FOUND', after: before });
  });
});

describe.each(named(READS.filter(isNested)))('%s', (_name, route) => {
  test('is 404 where the team is not the organization’s', async () => {
    const token = await world.token('ada', scopesFor(route));
    const path = route.path.replace(':teamId', sales).replace(/:(?!orgId)\w+/g, 'x');
    expect((await world.get(path.replace(':orgId', otherOrganization), token)).status).toBe(404);
    const within = await world.get(path.replace(':orgId', acme), token);
    expect(within.status).toBe(route.path.split(':').length > 3 ? 404 : 200);
  });
});

test('who cannot see a team is not told which organization it is in', async () => {
  const token = await world.token('dan', ['TEAM_EVENT_TYPE_WRITE']);
  const answers = [acme, otherOrganization].map((organization) =>
    world.send('DELETE', `/v2/organizations/${organization}/teams/${sales}/event-types/evt_x`, { token }),
  );
  const [right, wrong] = await Promise.all(answers);
  expect([right?.status, right?.body]).toEqual([404, wrong?.body]);
});

test('an id of another kind of thing is 404, and says what is wrong with it', async () => {
  const token = await world.token('ada', ['TEAM_EVENT_TYPE_READ']);
  const { status, body } = await world.get(`/v2/teams/${sales}/event-types/${sales}`, token);
  expect([status, body.error.code, body.error.path]).toEqual([404, 'NOT_FOUND', ['eventTypeId']]);
});
