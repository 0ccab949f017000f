import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { unknownId } from '../support/ids.ts';

let api: TestApi;
let count = 0;

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

/** A stand-alone team with an owner, an administrator, a member and somebody who is invited. */
async function aTeam() {
  count += 1;
  const [owner, admin, member, invited, stranger] = await Promise.all(
    ['owner', 'admin', 'member', 'invited', 'stranger'].map((name) => api.newUser(`${name}-${count}`)),
  );
  if (!owner || !admin || !member || !invited || !stranger) throw new Error('A user is missing.');
  const { data } = await owner.change('teamCreate', { slug: `team-${count}`, name: 'Team' }, 'teamId');
  const teamId: string = data.teamId;
  const invite = async (who: TestCaller, role: string): Promise<string> => {
    const created = await owner.change('teamMembershipCreate', { teamId, userId: who.userId, role }, 'membershipId');
    return created.data.membershipId;
  };
  const join = async (who: TestCaller, role: string): Promise<string> => {
    const membershipId = await invite(who, role);
    await who.change('teamMembershipUpdate', { teamId, membershipId, isAccepted: true });
    return membershipId;
  };
  const memberships = {
    owner: await membershipOf(owner, teamId),
    admin: await join(admin, 'ADMIN'),
    member: await join(member, 'MEMBER'),
    invited: await invite(invited, 'OWNER'),
  };
  return { teamId, owner, admin, member, invited, stranger, memberships };
}

async function membershipOf(who: TestCaller, teamId: string): Promise<string> {
  const document = 'query($id: ID!) { team(id: $id) { memberships { nodes { id userId } } } }';
  const { data } = await who.ask(document, { id: teamId });
  const nodes: { id: string; userId: string }[] = data.team.memberships.nodes;
  const own = nodes.find(({ userId }) => userId === who.userId);
  if (!own) throw new Error('The membership is missing.');
  return own.id;
}

async function rolesOf(who: TestCaller, teamId: string): Promise<Record<string, string>> {
  const document = 'query($id: ID!) { team(id: $id) { memberships { nodes { role user { username } } } } }';
  const { data } = await who.ask(document, { id: teamId });
  const nodes: { role: string; user: { username: string } | null }[] = data.team.memberships.nodes;
  return Object.fromEntries(nodes.map(({ role, user }) => [user?.username.replace(/-\d+$/, '') ?? '', role]));
}

describe('an invitation', () => {
  test('gives no rights, and shows no e-mail address, until the invited person accepts it', async () => {
    const { teamId, owner, invited, memberships } = await aTeam();
    const see = 'query($id: ID!) { team(id: $id) { slug } me { teams { nodes { slug } } } }';
    expect((await invited.ask(see, { id: teamId })).data).toEqual({ team: null, me: { teams: { nodes: [] } } });
    const email = 'query($t: ID!, $m: ID!) { team(id: $t) { membership(id: $m) { isAccepted user { email } } } }';
    const variables = { t: teamId, m: memberships.invited };
    expect((await owner.ask(email, variables)).data.team.membership).toEqual({ isAccepted: false, user: null });

    const input = { teamId, membershipId: memberships.invited, isAccepted: true };
    const accepted = await invited.change('teamMembershipUpdate', input, 'membership { role isAccepted }');
    expect(accepted).toMatchObject({ mistakes: [], data: { membership: { role: 'OWNER', isAccepted: true } } });
    expect((await invited.ask(see, { id: teamId })).data.team).not.toBeNull();
    expect((await owner.ask(email, variables)).data.team.membership.user.email).toMatch(/^invited-\d+@example\.test$/);
  });

  test('is listed to the invited person alone, until it is accepted', async () => {
    const { teamId, invited, member, memberships } = await aTeam();
    const list = '{ me { teamInvitations { nodes { membershipId groupId groupName role } } } }';
    expect((await invited.ask(list)).data.me.teamInvitations.nodes).toEqual([
      { membershipId: memberships.invited, groupId: teamId, groupName: 'Team', role: 'OWNER' },
    ]);
    expect((await member.ask(list)).data.me.teamInvitations.nodes).toEqual([]);
    await invited.change('teamMembershipUpdate', { teamId, membershipId: memberships.invited, isAccepted: true });
    expect((await invited.ask(list)).data.me.teamInvitations.nodes).toEqual([]);
  });

  test('cannot be accepted by anybody else, nor taken back to be one', async () => {
    const { teamId, owner, member, memberships } = await aTeam();
    const input = { teamId, membershipId: memberships.invited, isAccepted: true };
    expect((await owner.change('teamMembershipUpdate', input)).mistakes).toEqual(['FORBIDDEN isAccepted']);
    const back = { teamId, membershipId: memberships.member, isAccepted: false };
    expect((await member.change('teamMembershipUpdate', back)).mistakes).toEqual(['BAD_INPUT isAccepted']);
  });

  test('does not let the invited person raise their role on the way in', async () => {
    const { teamId, owner, stranger } = await aTeam();
    const created = await owner.change(
      'teamMembershipCreate',
      { teamId, userId: stranger.userId, role: 'MEMBER' },
      'membershipId',
    );
    const membershipId = created.data.membershipId;
    const input = { teamId, membershipId, isAccepted: true, role: 'ADMIN' };
    expect((await stranger.change('teamMembershipUpdate', input)).mistakes).toEqual(['FORBIDDEN role']);
    expect((await stranger.ask('{ me { teams { nodes { id } } } }')).data.me.teams.nodes).toEqual([]);
  });

  test('can be declined', async () => {
    const { teamId, owner, invited, memberships } = await aTeam();
    const input = { teamId, membershipId: memberships.invited };
    expect((await invited.change('teamMembershipDelete', input)).mistakes).toEqual([]);
    expect(await rolesOf(owner, teamId)).not.toHaveProperty('invited');
  });
});

describe('adding somebody', () => {
  test.each([
    ['owner', 'OWNER', []],
    ['owner', 'ADMIN', []],
    ['admin', 'ADMIN', []],
    ['admin', 'OWNER', ['FORBIDDEN role']],
    ['member', 'MEMBER', ['FORBIDDEN teamId']],
    ['invited', 'MEMBER', ['NOT_FOUND teamId']],
    ['stranger', 'MEMBER', ['NOT_FOUND teamId']],
  ] as const)('by the %s as %s: %j', async (actor, role, mistakes) => {
    const team = await aTeam();
    const newcomer = await api.newUser(`newcomer-${count}`);
    const input = { teamId: team.teamId, userId: newcomer.userId, role };
    expect((await team[actor].change('teamMembershipCreate', input)).mistakes).toEqual(mistakes);
  });

  test.each([
    ['who belongs to it already', (team: Team) => team.member.userId, ['ALREADY_MEMBER userId']],
    ['who is invited already', (team: Team) => team.invited.userId, ['ALREADY_MEMBER userId']],
    ['who does not exist', () => unknownId('user'), ['NOT_FOUND userId']],
    ['whose id is none', () => '\u0000', ['NOT_FOUND userId']],
  ])('%s is refused', async (_, userId, mistakes) => {
    const team = await aTeam();
    const input = { teamId: team.teamId, userId: userId(team), role: 'MEMBER' };
    expect((await team.owner.change('teamMembershipCreate', input)).mistakes).toEqual(mistakes);
  });
});

describe('a role is changed', () => {
  test.each([
    ['owner', 'member', 'ADMIN', []],
    ['owner', 'member', 'OWNER', []],
    ['admin', 'member', 'ADMIN', []],
    ['admin', 'admin', 'MEMBER', []],
    ['admin', 'member', 'OWNER', ['FORBIDDEN role']],
    ['admin', 'owner', 'MEMBER', ['FORBIDDEN role']],
    ['admin', 'admin', 'OWNER', ['FORBIDDEN role']],
    ['admin', 'invited', 'MEMBER', ['FORBIDDEN role']],
    ['member', 'member', 'ADMIN', ['FORBIDDEN role']],
    ['member', 'admin', 'MEMBER', ['FORBIDDEN teamId']],
    ['stranger', 'member', 'ADMIN', ['NOT_FOUND teamId']],
    ['owner', 'owner', 'ADMIN', ['LAST_OWNER membershipId']],
  ] as const)('by the %s: the %s becomes %s: %j', async (actor, target, role, mistakes) => {
    const team = await aTeam();
    const before = await rolesOf(team.owner, team.teamId);
    const input = { teamId: team.teamId, membershipId: team.memberships[target], role };
    expect((await team[actor].change('teamMembershipUpdate', input)).mistakes).toEqual(mistakes);
    const after = await rolesOf(team.owner, team.teamId);
    expect(after).toEqual(mistakes.length === 0 ? { ...before, [target]: role } : before);
  });

  test('an owner can step down once there is another', async () => {
    const { teamId, owner, admin, memberships } = await aTeam();
    await owner.change('teamMembershipUpdate', { teamId, membershipId: memberships.admin, role: 'OWNER' });
    const down = await owner.change('teamMembershipUpdate', {
      teamId,
      membershipId: memberships.owner,
      role: 'MEMBER',
    });
    expect(down.mistakes).toEqual([]);
    expect(await rolesOf(admin, teamId)).toMatchObject({ owner: 'MEMBER', admin: 'OWNER' });
  });

  test('only in the team that is named', async () => {
    const [one, other] = [await aTeam(), await aTeam()];
    const input = { teamId: one.teamId, membershipId: other.memberships.member, role: 'ADMIN' };
    expect((await one.owner.change('teamMembershipUpdate', input)).mistakes).toEqual(['NOT_FOUND membershipId']);
    const garbage = { ...input, membershipId: 'mem_\u0000' };
    expect((await one.owner.change('teamMembershipUpdate', garbage)).mistakes).toEqual(['NOT_FOUND membershipId']);
  });

  test('null is a mistake, not a role', async () => {
    const { teamId, owner, memberships } = await aTeam();
    const input = { teamId, membershipId: memberships.member, role: null };
    expect((await owner.change('teamMembershipUpdate', input)).mistakes).toEqual(['REQUIRED role']);
  });
});

describe('a membership ends', () => {
  test.each([
    ['owner', 'admin', []],
    ['owner', 'invited', []],
    ['admin', 'member', []],
    ['admin', 'admin', []],
    ['member', 'member', []],
    ['admin', 'owner', ['FORBIDDEN membershipId']],
    ['member', 'admin', ['FORBIDDEN teamId']],
    ['stranger', 'member', ['NOT_FOUND teamId']],
    ['owner', 'owner', ['LAST_OWNER membershipId']],
  ] as const)('by the %s: that of the %s: %j', async (actor, target, mistakes) => {
    const team = await aTeam();
    const input = { teamId: team.teamId, membershipId: team.memberships[target] };
    expect((await team[actor].change('teamMembershipDelete', input)).mistakes).toEqual(mistakes);
    expect(target in (await rolesOf(team.owner, team.teamId))).toBe(mistakes.length > 0);
  });

  test('and with it every right, at once', async () => {
    const { teamId, owner, admin, memberships } = await aTeam();
    await owner.change('teamMembershipDelete', { teamId, membershipId: memberships.admin });
    expect((await admin.ask('query($id: ID!) { team(id: $id) { slug } }', { id: teamId })).data.team).toBeNull();
    const again = await admin.change('teamMembershipDelete', { teamId, membershipId: memberships.member });
    expect(again.mistakes).toEqual(['NOT_FOUND teamId']);
  });
});

type Team = Awaited<ReturnType<typeof aTeam>>;
