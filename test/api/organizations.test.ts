import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { unknownId } from '../support/ids.ts';

let api: TestApi;
let count = 0;

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

/** An organization with an owner, an administrator and a member, who also belongs to its one team. */
async function anOrganization() {
  count += 1;
  const [owner, admin, member, stranger] = await Promise.all(
    ['owner', 'admin', 'member', 'stranger'].map((name) => api.newUser(`${name}-${count}`)),
  );
  if (!owner || !admin || !member || !stranger) throw new Error('A user is missing.');
  const founder = api.signedIn(`owner-${count}`);
  const founded = await founder.change('organizationCreate', { slug: `org-${count}`, name: 'Org' }, 'organizationId');
  const organizationId: string = founded.data.organizationId;
  const memberships = {
    admin: await join(owner, organizationId, admin, 'ADMIN'),
    member: await join(owner, organizationId, member, 'MEMBER'),
  };
  const team = await owner.change('organizationTeamCreate', { organizationId, slug: 'team', name: 'Team' }, 'teamId');
  const teamId: string = team.data.teamId;
  const added = await owner.change(
    'teamMembershipCreate',
    { teamId, userId: member.userId, role: 'ADMIN' },
    'membershipId membership { isAccepted }',
  );
  return { organizationId, teamId, owner, admin, member, stranger, memberships, added };
}

async function join(owner: TestCaller, organizationId: string, who: TestCaller, role: string): Promise<string> {
  const input = { organizationId, userId: who.userId, role };
  const { data } = await owner.change('organizationMembershipCreate', input, 'membershipId');
  const { membershipId } = data;
  await who.change('organizationMembershipUpdate', { organizationId, membershipId, isAccepted: true });
  return membershipId;
}

describe('an organization', () => {
  const selection = 'organizationId organization { slug name bio timeZone isPrivate metadata }';

  test('is changed by its administrators, as far as the patch goes', async () => {
    const { organizationId } = await anOrganization();
    const signedIn = (name: string) => api.signedIn(`${name}-${count}`);
    const patch = {
      organizationId,
      name: ' Widgets ',
      bio: 'We make them.',
      isPrivate: true,
      metadata: { size: 'big' },
    };
    const { data, mistakes } = await signedIn('admin').change('organizationUpdate', patch, selection);
    expect(mistakes).toEqual([]);
    const changed = { name: 'Widgets', bio: 'We make them.', isPrivate: true, metadata: { size: 'big' } };
    expect(data).toMatchObject({ organizationId, organization: { slug: `org-${count}`, timeZone: 'UTC', ...changed } });
    const opened = await signedIn('owner').change(
      'organizationUpdate',
      { organizationId, isPrivate: false },
      selection,
    );
    expect(opened.data.organization).toEqual({ ...data.organization, isPrivate: false });
    const emptied = await signedIn('owner').change('organizationUpdate', { organizationId, bio: null }, selection);
    expect(emptied.data.organization).toMatchObject({ bio: null, name: 'Widgets' });
  });

  test.each([
    ['a member', 'member', {}, 'FORBIDDEN organizationId'],
    ['a stranger', 'stranger', {}, 'NOT_FOUND organizationId'],
    [
      'a stranger, where there is none',
      'stranger',
      { organizationId: unknownId('organization') },
      'NOT_FOUND organizationId',
    ],
    ['an administrator, with the slug of another', 'admin', { slug: 'acme' }, 'SLUG_TAKEN slug'],
    ['an administrator, without a name', 'admin', { name: '' }, 'REQUIRED name'],
    ['an administrator, with no zone', 'admin', { timeZone: 'Mars/Olympus' }, 'INVALID_TIME_ZONE timeZone'],
    ['an administrator, with null for what cannot be empty', 'admin', { isPrivate: null }, 'REQUIRED isPrivate'],
  ])('stays as it is for %s', async (_who, name, patch, mistake) => {
    const { organizationId, owner } = await anOrganization();
    const ask = () =>
      owner.ask('query($id: ID!) { organization(id: $id) { slug name isPrivate updatedAt } }', { id: organizationId });
    const before = await ask();
    const input = { organizationId, isPrivate: true, ...patch };
    const { mistakes } = await api.signedIn(`${name}-${count}`).change('organizationUpdate', input);
    expect(mistakes).toEqual([mistake]);
    expect((await ask()).data).toEqual(before.data);
  });
});

describe('an organization is founded', () => {
  test('by a signed-in user, who owns it', async () => {
    const input = { slug: 'widgets', name: '  Widgets  ', timeZone: 'europe/vienna', metadata: { size: 'small' } };
    const selection = 'organizationId organization { slug name timeZone weekStart isPrivate metadata }';
    const { data, mistakes } = await api.signedIn('dan').change('organizationCreate', input, selection);
    expect(mistakes).toEqual([]);
    expect(data.organization).toEqual({
      slug: 'widgets',
      name: 'Widgets',
      timeZone: 'Europe/Vienna',
      weekStart: 'MONDAY',
      isPrivate: false,
      metadata: { size: 'small' },
    });
    const members = await api
      .as('dan')
      .ask('query($id: ID!) { organization(id: $id) { memberships { nodes { role user { username } } } } }', {
        id: data.organizationId,
      });
    expect(members.data.organization.memberships.nodes).toEqual([{ role: 'OWNER', user: { username: 'dan' } }]);
  });

  test('under a slug that nobody else has, and with everything wrong told at once', async () => {
    const taken = await api.signedIn('dan').change('organizationCreate', { slug: 'acme', name: 'Acme' });
    expect(taken.mistakes).toEqual(['SLUG_TAKEN slug']);
    const wrong = { slug: 'A B', name: ' ', timeZone: '+01:00', logoUrl: 'javascript:alert(1)' };
    const refused = await api.signedIn('dan').change('organizationCreate', wrong);
    expect(refused.mistakes).toEqual([
      'INVALID_SLUG slug',
      'REQUIRED name',
      'INVALID_URL logoUrl',
      'INVALID_TIME_ZONE timeZone',
    ]);
  });

  test('not by an app, whatever its token holds', async () => {
    const found = api.as('dan').change('organizationCreate', { slug: 'apps', name: 'Apps' });
    await expect(found).rejects.toThrow('Cannot query field "organizationCreate"');
  });
});

describe('the members of an organization', () => {
  test('join its teams at once, and outsiders cannot', async () => {
    const { teamId, owner, stranger, added } = await anOrganization();
    expect(added).toMatchObject({ mistakes: [], data: { membership: { isAccepted: true } } });
    const input = { teamId, userId: stranger.userId, role: 'MEMBER' };
    expect((await owner.change('teamMembershipCreate', input)).mistakes).toEqual(['NOT_FOUND userId']);
  });

  test('cannot join its teams while they are only invited', async () => {
    const { organizationId, teamId, owner, stranger } = await anOrganization();
    await owner.change('organizationMembershipCreate', { organizationId, userId: stranger.userId, role: 'MEMBER' });
    const input = { teamId, userId: stranger.userId, role: 'MEMBER' };
    expect((await owner.change('teamMembershipCreate', input)).mistakes).toEqual(['NOT_FOUND userId']);
    const users = 'query($id: ID!) { organization(id: $id) { users { nodes { id } } } }';
    const { data } = await owner.ask(users, { id: organizationId });
    expect(data.organization.users.nodes).not.toContainEqual({ id: stranger.userId });
  });

  test('are invited first, and see that they are', async () => {
    const { organizationId, owner, stranger } = await anOrganization();
    const list =
      '{ me { organizationInvitations { nodes { groupId groupName role } } organizations { nodes { id } } } }';
    const nobody = { organizationInvitations: { nodes: [] }, organizations: { nodes: [] } };
    expect((await stranger.ask(list)).data.me).toEqual(nobody);
    await owner.change('organizationMembershipCreate', { organizationId, userId: stranger.userId, role: 'MEMBER' });
    expect((await stranger.ask(list)).data.me).toEqual({
      organizationInvitations: { nodes: [{ groupId: organizationId, groupName: 'Org', role: 'MEMBER' }] },
      organizations: { nodes: [] },
    });
  });

  test('leave its teams when they leave the organization', async () => {
    const { organizationId, teamId, owner, member, memberships } = await anOrganization();
    const see = 'query($id: ID!) { team(id: $id) { slug } }';
    expect((await member.ask(see, { id: teamId })).data.team).toEqual({ slug: 'team' });
    const leave = { organizationId, membershipId: memberships.member };
    expect((await member.change('organizationMembershipDelete', leave)).mistakes).toEqual([]);
    expect((await member.ask(see, { id: teamId })).data.team).toBeNull();
    const left = 'query($id: ID!) { team(id: $id) { memberships { nodes { user { id } } } } }';
    const { data } = await owner.ask(left, { id: teamId });
    expect(data.team.memberships.nodes).toEqual([{ user: { id: owner.userId } }]);
  });

  test.each([
    ['admin', 'member', 'ADMIN', []],
    ['admin', 'member', 'OWNER', ['FORBIDDEN role']],
    ['member', 'member', 'ADMIN', ['FORBIDDEN role']],
    ['member', 'admin', 'MEMBER', ['FORBIDDEN organizationId']],
    ['stranger', 'member', 'ADMIN', ['NOT_FOUND organizationId']],
    ['owner', 'admin', 'OWNER', []],
  ] as const)('get roles: the %s makes the %s %s: %j', async (actor, target, role, mistakes) => {
    const organization = await anOrganization();
    const { organizationId, memberships } = organization;
    const input = { organizationId, membershipId: memberships[target], role };
    expect((await organization[actor].change('organizationMembershipUpdate', input)).mistakes).toEqual(mistakes);
  });

  test('always have an owner among them', async () => {
    const { organizationId, owner } = await anOrganization();
    const document = 'query($id: ID!) { organization(id: $id) { memberships { nodes { id role } } } }';
    const { data } = await owner.ask(document, { id: organizationId });
    const membershipId = data.organization.memberships.nodes.find((node: { role: string }) => node.role === 'OWNER').id;
    const leave = await owner.change('organizationMembershipDelete', { organizationId, membershipId });
    expect(leave.mistakes).toEqual(['LAST_OWNER membershipId']);
    const stepDown = { organizationId, membershipId, role: 'MEMBER' };
    expect((await owner.change('organizationMembershipUpdate', stepDown)).mistakes).toEqual([
      'LAST_OWNER membershipId',
    ]);
  });
});

describe('an organization’s administrator', () => {
  test('passes every check of its teams without belonging to them', async () => {
    const { teamId, admin, member } = await anOrganization();
    const input = { teamId, userId: admin.userId, role: 'OWNER' };
    expect((await admin.change('teamMembershipCreate', input)).mistakes).toEqual([]);
    expect((await admin.change('teamUpdate', { teamId, name: 'Renamed' }, 'team { name }')).data.team).toEqual({
      name: 'Renamed',
    });
    // The member administers the team, and owns nothing.
    expect((await member.change('teamUpdate', { teamId, name: 'Mine' })).mistakes).toEqual(['FORBIDDEN teamId']);
  });

  test.each([
    ['owner', []],
    ['admin', []],
    ['member', ['FORBIDDEN organizationId']],
    ['stranger', ['NOT_FOUND organizationId']],
  ] as const)('founds, changes and deletes teams (%s: %j)', async (actor, mistakes) => {
    const organization = await anOrganization();
    const { organizationId, teamId } = organization;
    const who = organization[actor];
    const founded = await who.change(
      'organizationTeamCreate',
      { organizationId, slug: 'new', name: 'New' },
      'team { slug }',
    );
    expect(founded.mistakes).toEqual(mistakes);
    expect((await who.change('organizationTeamUpdate', { organizationId, teamId, bio: 'Hi' })).mistakes).toEqual(
      mistakes,
    );
    expect((await who.change('organizationTeamDelete', { organizationId, teamId })).mistakes).toEqual(mistakes);
    const { data } = await organization.owner.ask('query($id: ID!) { team(id: $id) { id } }', { id: teamId });
    expect(data.team === null).toBe(mistakes.length === 0);
  });

  test('does not reach a team of another organization through their own', async () => {
    const [own, other] = [await anOrganization(), await anOrganization()];
    const input = { organizationId: own.organizationId, teamId: other.teamId };
    expect((await own.owner.change('organizationTeamUpdate', { ...input, name: 'X' })).mistakes).toEqual([
      'NOT_FOUND teamId',
    ]);
    expect((await own.owner.change('organizationTeamDelete', input)).mistakes).toEqual(['NOT_FOUND teamId']);
    const through = { organizationId: other.organizationId, teamId: other.teamId };
    expect((await own.owner.change('organizationTeamDelete', through)).mistakes).toEqual(['NOT_FOUND organizationId']);
    expect((await other.owner.change('organizationTeamDelete', through)).mistakes).toEqual([]);
  });
});

describe('a user who changes or deletes a team and names its organization too', () => {
  test.each([
    ['owner', []],
    ['admin', []],
    ['member', ['FORBIDDEN teamId']],
    ['stranger', ['NOT_FOUND teamId']],
  ] as const)('needs the role that they need without that (%s: %j)', async (actor, mistakes) => {
    const organization = await anOrganization();
    const { organizationId, teamId } = organization;
    const who = organization[actor];
    expect((await who.change('teamUpdate', { organizationId, teamId, bio: 'Hi' })).mistakes).toEqual(mistakes);
    expect((await who.change('teamDelete', { organizationId, teamId })).mistakes).toEqual(mistakes);
    const { data } = await organization.owner.ask('query($id: ID!) { team(id: $id) { id } }', { id: teamId });
    expect(data.team === null).toBe(mistakes.length === 0);
  });

  test('finds no team of another organization, and none that stands alone, though they own it', async () => {
    const [own, other] = [await anOrganization(), await anOrganization()];
    const standAlone = await own.owner.change(
      'teamCreate',
      {
        slug: `alone-${own.teamId
          .slice(-8)
          .toLowerCase()
          .replaceAll(/[^a-z0-9]/g, '')}`,
        name: 'Alone',
      },
      'teamId',
    );
    for (const [organizationId, teamId] of [
      [other.organizationId, own.teamId],
      [own.organizationId, standAlone.data.teamId],
    ]) {
      for (const name of ['teamUpdate', 'teamDelete']) {
        expect((await own.owner.change(name, { organizationId, teamId })).mistakes).toEqual(['NOT_FOUND teamId']);
      }
      const { data } = await own.owner.ask('query($id: ID!) { team(id: $id) { id } }', { id: teamId });
      expect(data.team).toEqual({ id: teamId });
    }
  });
});
