import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES, type Scope } from '../../src/scopes/catalog.ts';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { unknownId } from '../support/ids.ts';

let api: TestApi;
let sales: string;
let studio: string;
let acme: string;

beforeAll(async () => {
  api = await openTestApi();
  const mine = '{ me { teams { nodes { id } } organizations { nodes { id } } } }';
  const ada = await api.as('ada').ask(mine);
  const dan = await api.as('dan').ask(mine);
  sales = ada.data.me.teams.nodes[0].id;
  acme = ada.data.me.organizations.nodes[0].id;
  studio = dan.data.me.teams.nodes[0].id;
});
afterAll(() => api.close());

describe('me', () => {
  test('shows the caller’s profile', async () => {
    const { data, codes } = await api.as('ada').ask('{ me { id name username email timeZone weekStart metadata } }');
    expect(codes).toEqual([]);
    expect(data.me).toEqual({
      id: api.as('ada').userId,
      name: 'Ada Okafor',
      username: 'ada',
      email: 'ada@acme.test',
      timeZone: 'Europe/Berlin',
      weekStart: 'MONDAY',
      metadata: {},
    });
  });

  test('loads the profile once for all of its fields, and not at all for what lies below', async () => {
    expect((await api.as('ada').ask('{ me { name email locale createdAt } }')).statements).toBe(1);
    expect((await api.as('ada').ask('{ me { eventTypes { nodes { title } } } }')).statements).toBe(1);
  });

  test('lists one’s own teams and organizations', async () => {
    const document = '{ me { teams { nodes { slug } } organizations { nodes { slug } } } }';
    expect((await api.as('cyd').ask(document)).data.me).toEqual({
      teams: { nodes: [{ slug: 'sales' }] },
      organizations: { nodes: [{ slug: 'acme' }] },
    });
    expect((await api.as('dan').ask(document)).data.me).toEqual({
      teams: { nodes: [{ slug: 'studio' }] },
      organizations: { nodes: [] },
    });
  });
});

describe('a team', () => {
  const document = 'query($id: ID!) { team(id: $id) { slug name } }';

  test('is shown to its members', async () => {
    for (const username of ['ada', 'bob', 'cyd']) {
      expect((await api.as(username).ask(document, { id: sales })).data.team).toMatchObject({ slug: 'sales' });
    }
  });

  test('is shown to the administrators of its organization, who need not be a member', async () => {
    const boss = await administratorOfAcme('boss');
    expect((await boss.ask(document, { id: sales })).data.team).toMatchObject({ slug: 'sales' });
  });

  test.each([
    ['somebody else’s', () => studio],
    ['one that does not exist', () => unknownId('team')],
    ['no id at all', () => "' or 1=1 --\u0000"],
    ['a text of 100,000 characters', () => 'x'.repeat(100_000)],
  ])('is null, all the same, for %s', async (_, id) => {
    const { data, codes } = await api.as('ada').ask(document, { id: id() });
    expect({ data, codes }).toEqual({ data: { team: null }, codes: [] });
  });

  test('is no organization: the id of one is refused by name', async () => {
    const { data, codes } = await api.as('ada').ask(document, { id: acme });
    expect({ data, codes }).toEqual({ data: { team: null }, codes: ['BAD_INPUT'] });
  });

  test('leads to its organization for the organization’s members', async () => {
    const { data } = await api
      .as('cyd')
      .ask('query($id: ID!) { team(id: $id) { organization { slug } } }', { id: sales });
    expect(data.team.organization).toEqual({ slug: 'acme' });
    const alone = await api
      .as('dan')
      .ask('query($id: ID!) { team(id: $id) { organization { slug } } }', { id: studio });
    expect(alone.data.team.organization).toBeNull();
  });

  test('shows its memberships and event types to its administrators only', async () => {
    const inside = `query($id: ID!) { team(id: $id) {
      slug memberships { nodes { role isAccepted user { name email } } } eventTypes { nodes { title } } } }`;
    const { data } = await api.as('bob').ask(inside, { id: sales });
    expect(data.team.eventTypes.nodes).toEqual([{ title: 'Product demo' }, { title: 'Panel interview' }]);
    expect(data.team.memberships.nodes).toContainEqual({
      role: 'OWNER',
      isAccepted: true,
      user: { name: 'Ada Okafor', email: 'ada@acme.test' },
    });
    const member = await api.as('cyd').ask(inside, { id: sales });
    expect(member).toMatchObject({ codes: [], data: { team: { slug: 'sales', memberships: null, eventTypes: null } } });
  });
});

describe('an organization', () => {
  const document = 'query($id: ID!) { organization(id: $id) { slug } }';

  test('is shown to its members, and is null for anybody else', async () => {
    expect((await api.as('cyd').ask(document, { id: acme })).data.organization).toEqual({ slug: 'acme' });
    expect((await api.as('dan').ask(document, { id: acme })).data.organization).toBeNull();
    expect((await api.as('ada').ask(document, { id: unknownId('organization') })).data.organization).toBeNull();
    expect((await api.as('ada').ask(document, { id: '\u0000' })).data.organization).toBeNull();
  });

  test('shows what belongs to it to its administrators only', async () => {
    const inside = `query($id: ID!, $member: ID!) { organization(id: $id) {
      memberships { nodes { id role } } users { nodes { username email } } eventTypes { nodes { slug } }
      membership(id: $member) { id } } }`;
    const ada = (await api.as('ada').ask(inside, { id: acme, member: unknownId('membership') })).data.organization;
    expect(ada.memberships.nodes.length).toBeGreaterThanOrEqual(3);
    expect(ada.users.nodes).toContainEqual({ username: 'bob', email: 'bob@acme.test' });
    expect(ada.eventTypes.nodes).toContainEqual({ slug: 'panel' });
    const member = ada.memberships.nodes[1].id;
    expect((await api.as('ada').ask(inside, { id: acme, member })).data.organization.membership).toEqual({
      id: member,
    });
    expect((await api.as('bob').ask(inside, { id: acme, member })).data.organization).toEqual({
      memberships: null,
      users: null,
      eventTypes: null,
      membership: null,
    });
  });

  test('lists all teams to its administrators, and to a member those they belong to', async () => {
    await api
      .as('ada')
      .change('organizationTeamCreate', { organizationId: acme, slug: 'back-office', name: 'Back office' });
    const teams = 'query($id: ID!) { organization(id: $id) { teams { nodes { slug } } } }';
    expect((await api.as('ada').ask(teams, { id: acme })).data.organization.teams.nodes).toEqual([
      { slug: 'back-office' },
      { slug: 'sales' },
    ]);
    expect((await api.as('bob').ask(teams, { id: acme })).data.organization.teams.nodes).toEqual([{ slug: 'sales' }]);
  });

  test('shows of the teams it lists what the caller’s role in each allows', async () => {
    const inside = `query($id: ID!) { organization(id: $id) { teams { nodes { slug
      memberships { nodes { role } } eventTypes { nodes { title } } schedules { nodes { name } } outOfOffice { nodes { id } } } } } }`;
    const asked = async (username: string) =>
      (await api.as(username).ask(inside, { id: acme })).data.organization.teams.nodes;
    const nothing = { memberships: null, eventTypes: null, schedules: null, outOfOffice: null };
    // A member, an administrator of the one team, and an administrator of the organization who belongs to no team.
    expect(await asked('cyd')).toEqual([{ slug: 'sales', ...nothing }]);
    const [seen, ...others] = await asked('bob');
    expect(others).toEqual([]);
    expect(seen.eventTypes.nodes).toEqual([{ title: 'Product demo' }, { title: 'Panel interview' }]);
    expect(seen.memberships.nodes).toContainEqual({ role: 'OWNER' });
    await administratorOfAcme('chair');
    expect(await asked('chair')).toContainEqual(seen);
  });

  test('leads to its own teams, not to others that the caller belongs to as well', async () => {
    const created = await api.as('ada').change('teamCreate', { slug: 'choir', name: 'Choir' }, 'teamId');
    const inside = 'query($id: ID!, $team: ID!) { organization(id: $id) { team(id: $team) { slug } } }';
    expect((await api.as('ada').ask(inside, { id: acme, team: sales })).data.organization.team).toEqual({
      slug: 'sales',
    });
    for (const team of [created.data.teamId, studio, '\u0000']) {
      expect((await api.as('ada').ask(inside, { id: acme, team })).data.organization.team).toBeNull();
    }
  });
});

describe('each door is opened by its own scopes', () => {
  test.each<[Scope[], string]>([
    [['PROFILE_READ'], '{ me { name } }'],
    [['PROFILE_READ'], '{ me { __typename } }'],
    [['EVENT_TYPE_READ'], '{ me { eventTypes { nodes { title } } } }'],
    [['TEAM_PROFILE_READ'], '{ me { teams { nodes { slug } } } }'],
    [['TEAM_PROFILE_READ'], '{ team(id: "x") { __typename } }'],
    [['TEAM_EVENT_TYPE_READ'], '{ team(id: "x") { eventTypes { nodes { title } } } }'],
    [['TEAM_MEMBERSHIP_READ'], '{ team(id: "x") { memberships { nodes { user { email } } } } }'],
    [['ORG_PROFILE_READ'], '{ me { organizations { nodes { slug } } } }'],
    [['ORG_PROFILE_READ'], '{ organization(id: "x") { teams { nodes { slug } } team(id: "x") { slug } } }'],
    [['ORG_EVENT_TYPE_READ'], '{ organization(id: "x") { eventTypes { nodes { title } } } }'],
    [['ORG_MEMBERSHIP_READ'], '{ organization(id: "x") { users { nodes { email } } memberships { nodes { role } } } }'],
    [['TEAM_PROFILE_READ', 'ORG_PROFILE_READ'], '{ team(id: "x") { slug organization { slug } } }'],
    // The list of an organization's teams is no specific team: all below it is the organization's.
    [
      ['ORG_MEMBERSHIP_READ', 'ORG_PROFILE_READ'],
      belowTeams('memberships { nodes { role } } membership(id: "x") { id }'),
    ],
    [
      ['ORG_EVENT_TYPE_READ', 'ORG_PROFILE_READ'],
      belowTeams('eventTypes { nodes { title } } eventType(id: "x") { id }'),
    ],
    [
      ['ORG_EVENT_TYPE_READ', 'ORG_PROFILE_READ'],
      belowTeams('eventTypes { nodes { privateLinks { nodes { url } } } }'),
    ],
    [
      ['ORG_SCHEDULE_READ', 'ORG_PROFILE_READ'],
      belowTeams('schedules { nodes { name } } outOfOffice { nodes { start } }'),
    ],
    [['ORG_PROFILE_READ'], belowTeams('slug organization { slug }')],
    [
      ['TEAM_EVENT_TYPE_READ', 'TEAM_MEMBERSHIP_READ', 'TEAM_SCHEDULE_READ'],
      `{ organization(id: "x") { team(id: "y") { eventTypes { nodes { title } } memberships { nodes { role } }
          schedules { nodes { name } } outOfOffice { nodes { start } } } } }`,
    ],
    [
      ['TEAM_PROFILE_READ', 'TEAM_EVENT_TYPE_READ', 'ORG_PROFILE_READ', 'ORG_EVENT_TYPE_READ'],
      `{ me { teams { nodes { ...Offers } organizations: nodes { organization { teams { nodes { ...Offers } } } } } } }
        fragment Offers on Team { eventTypes { nodes { title } } }`,
    ],
  ])('%j: %s', async (scopes, document) => {
    expect((await api.as('dan', scopes).ask(document)).codes).toEqual([]);
    for (const scope of scopes) {
      expect((await api.as('dan', allBut(scope)).ask(document)).codes).toEqual(['INSUFFICIENT_SCOPE']);
    }
  });

  test('nobody without a token enters', async () => {
    expect((await api.nobody.ask('{ me { name } }')).codes).toEqual(['UNAUTHENTICATED']);
  });
});

describe('lists below lists take one statement for all rows above', () => {
  test('memberships and event types of many teams', async () => {
    const owner = await api.newUser('many-teams');
    for (const slug of ['one', 'two', 'three', 'four']) {
      const { data } = await owner.change('teamCreate', { slug: `team-${slug}`, name: slug }, 'teamId');
      await owner.change('teamEventTypeCreate', { teamId: data.teamId, slug, title: slug, durationInMinutes: 15 });
    }
    const { data, statements } = await owner.ask(
      '{ me { teams { nodes { memberships { nodes { user { name } } } eventTypes(first: 1) { nodes { slug } } } } } }',
    );
    const slugs = data.me.teams.nodes.map((team: Nodes) => team.eventTypes.nodes[0]?.slug);
    expect(slugs.toSorted()).toEqual(['four', 'one', 'three', 'two']);
    expect(data.me.teams.nodes.map((team: Nodes) => team.memberships.nodes)).toEqual(
      Array.from({ length: 4 }, () => [{ user: { name: 'many-teams' } }]),
    );
    expect(statements).toBe(3);
  });
});

/** Selects this of each team in the list of an organization. */
function belowTeams(selection: string): string {
  return `{ organization(id: "x") { teams { nodes { ${selection} } } } }`;
}

/** Every scope but one, and but the organization's scope that would grant it. */
function allBut(scope: Scope): Scope[] {
  return SCOPES.filter((other) => other !== scope && other !== scope.replace(/^TEAM_/, 'ORG_'));
}

/** Somebody who administers Acme and belongs to none of its teams. */
async function administratorOfAcme(username: string): Promise<TestCaller> {
  const invited = await api.newUser(username);
  const input = { organizationId: acme, userId: invited.userId, role: 'ADMIN' };
  const { data } = await api.as('ada').change('organizationMembershipCreate', input, 'membershipId');
  await invited.change('organizationMembershipUpdate', {
    organizationId: acme,
    membershipId: data.membershipId,
    isAccepted: true,
  });
  return invited;
}

interface Nodes {
  readonly eventTypes: { readonly nodes: { readonly slug: string }[] };
  readonly memberships: { readonly nodes: unknown[] };
}
