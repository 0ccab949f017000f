/** Invitations, ownership and roles that several people change at the same moment. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newId, publicId } from '../../src/core/id.ts';
import { type RawBuilder, row, rows, sql } from '../../src/database/sql.ts';
import { isOnPostgres } from '../support/database.ts';
import { uuidOf } from '../support/ids.ts';
import { meanwhile } from '../support/meanwhile.ts';
import { type Servers, twoProcesses } from '../support/servers.ts';
import { codes, Groups, MANY, type Team } from './memberships/groups.ts';
import { INVITATION_RACES } from './memberships/invitation-races.ts';
import { atTheSameMoment, type Call, counted, doneOf, ofKind } from './scheduling/at-the-same-moment.ts';
import { deadlocks } from './scheduling/invariants.ts';
import { type Person, Scene } from './scheduling/scene.ts';

// These are races of connections.
describe.runIf(isOnPostgres)('in two processes, at the same moment,', () => {
  let servers: Servers;
  let scene: Scene;
  let groups: Groups;
  beforeAll(async () => {
    servers = await twoProcesses();
    scene = new Scene(servers);
    groups = await Groups.open(scene);
  });
  afterAll(() => servers.close());
  afterEach(async () => {
    if ((await deadlocks(scene.em)) > 0) throw new Error('Transactions have waited for each other.');
  });

  const em = () => servers.database.em.fork();

  describe.each(['team', 'organization'] as const)('an invitation to a kind of group, the %s,', (kind) => {
    test.each(Object.entries(INVITATION_RACES))('%s', async (_, race) => {
      await race(groups, await groups.newGroup(kind));
      expect(await deadlocks(scene.em)).toBe(0);
    });
  });

  test('an owner hands over to one of 50 members', async () => {
    const team = await groups.newTeam();
    const { teamId, owner } = team;
    const memberships: string[] = [];
    for (const one of groups.people) memberships.push(await groups.join(team, one));
    const answers = await atTheSameMoment(MANY, (n) =>
      scene.change(n, 'teamMembershipOwnershipTransfer', { teamId, membershipId: memberships[n] ?? '' }, '', owner),
    );
    expect(counted(answers)).toEqual({ done: 1, FORBIDDEN: MANY - 1 });
    expect(await groups.stateOf(team)).toEqual({ members: MANY, owners: 1, invitations: 0 });
  });

  test.each<[string, (team: Team, ids: Ids) => [string, object]]>([
    ['is demoted', (_team, { owner }) => ['teamMembershipUpdate', { membershipId: owner, role: 'MEMBER' }]],
    ['is removed', (_team, { owner }) => ['teamMembershipDelete', { membershipId: owner }]],
    [
      'has theirs handed over to by another',
      (_team, { owner }) => ['teamMembershipOwnershipTransfer', { membershipId: owner }],
    ],
  ])('a team has an owner, whatever comes first, when one hands over who %s', async (_, action) => {
    for (let round = 0; round < 3; round += 1) {
      const team = await groups.newTeam();
      const { teamId, owner } = team;
      const [second, heir] = await scene.people(2);
      if (!second || !heir) throw new Error('Somebody is missing.');
      const ids = {
        owner: await membershipOf(team, owner),
        second: await groups.join(team, second, 'OWNER'),
        heir: await groups.join(team, heir),
      };
      const [name, input] = action(team, ids);
      const answers = await atTheSameMoment(
        10,
        (n) => scene.change(n, 'teamMembershipOwnershipTransfer', { teamId, membershipId: ids.heir }, '', owner),
        (n) => scene.change(n, name, { teamId, ...input }, '', second),
      );
      expect(doneOf(answers).length).toBeGreaterThanOrEqual(1);
      expect((await groups.stateOf(team)).owners).toBeGreaterThanOrEqual(1);
      // Where it was handed over, the heir has it, whatever has become of the former owner.
      const handedOver = doneOf(ofKind(answers, 0, 2)).length;
      expect([handedOver > 0, await roleIn(team, heir)]).toEqual([handedOver > 0, handedOver > 0 ? 'OWNER' : 'MEMBER']);
    }
  });

  interface Ids {
    readonly owner: string;
    readonly second: string;
    readonly heir: string;
  }

  async function membershipOf({ teamId }: Team, { id }: Person): Promise<string> {
    const found = await row(
      em(),
      sql<{
        id: string;
      }>`select id from team_memberships where team_id = ${uuidOf(teamId)} and user_id = ${uuidOf(id)}`,
    );
    return publicId('membership', found?.id ?? '');
  }

  async function roleIn({ teamId }: Team, { id }: Person): Promise<string | undefined> {
    const found = await row(
      em(),
      sql<{
        role: string;
      }>`select role from team_memberships where team_id = ${uuidOf(teamId)} and user_id = ${uuidOf(id)}`,
    );
    return found?.role;
  }

  test('a member who is removed from an organization and from its team at once is gone from both, once', async () => {
    const [owner, member] = await scene.people(2);
    if (!owner || !member) throw new Error('Somebody is missing.');
    const group = { slug: `choirs-${newId()}`, name: 'Choirs' };
    const { organizationId } = await scene.do('organizationCreate', group, 'organizationId', owner);
    const inIt = { organizationId, slug: 'choir', name: 'Choir' };
    const { teamId } = await scene.do('organizationTeamCreate', inIt, 'teamId', owner);
    const [outer, inner] = [newId(), newId()];
    await rows(
      em(),
      sql`with joined as (
            insert into organization_memberships (id, organization_id, user_id, role, accepted, created_at)
            values (${outer}, ${uuidOf(organizationId)}, ${uuidOf(member.id)}, 'MEMBER', true, now()) returning id
          )
          insert into team_memberships (id, team_id, user_id, organization_membership_id, role, accepted, created_at)
          select ${inner}, ${uuidOf(teamId)}::uuid, ${uuidOf(member.id)}::uuid, joined.id, 'MEMBER', true, now() from joined`,
    );
    const remove =
      (name: string, input: object): Call =>
      (n) =>
        scene.change(n, name, input, '', owner);
    const answers = await atTheSameMoment(
      MANY,
      remove('organizationMembershipDelete', { organizationId, membershipId: publicId('membership', outer) }),
      remove('teamMembershipDelete', { teamId, membershipId: publicId('membership', inner) }),
    );
    const [ofOrganization, ofTeam] = [counted(ofKind(answers, 0, 2)), counted(ofKind(answers, 1, 2))];
    expect(ofOrganization).toEqual({ done: 1, NOT_FOUND: MANY / 2 - 1 });
    expect([ofTeam['done'] ?? 0, (ofTeam['done'] ?? 0) + (ofTeam['NOT_FOUND'] ?? 0)]).toEqual([
      expect.toSatisfy((done: number) => done <= 1),
      MANY / 2,
    ]);
    const left = await rows(
      em(),
      sql`select 1 from organization_memberships where user_id = ${uuidOf(member.id)}
          union all select 1 from team_memberships where user_id = ${uuidOf(member.id)}`,
    );
    expect(left).toEqual([]);
  });

  test('a member who is removed from an organization while they accept an invitation to its team belongs to neither', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { organization, owner, teamId, member, outer } = await groups.newOrganization();
      const membershipId = newId();
      await rows(
        em(),
        sql`insert into team_memberships (id, team_id, user_id, organization_membership_id, role, accepted, invited_by_id, created_at)
            values (${membershipId}, ${uuidOf(teamId)}, ${uuidOf(member.id)}, ${uuidOf(outer)}, 'MEMBER', false,
              ${uuidOf(owner.id)}, now())`,
      );
      const { token } = await groups.invited({ kind: 'team', id: teamId, owner });
      const accept: Call = (n) =>
        scene.change(
          n,
          'teamMembershipUpdate',
          { teamId, membershipId: publicId('membership', membershipId), isAccepted: true },
          '',
          member,
        );
      const remove = groups.inGroup(organization, 'UserRemove', { userId: member.id });
      const answers = await atTheSameMoment(30, accept, groups.followAs(member, token), remove);
      expect(counted(ofKind(answers, 2, 3))).toEqual({ done: 1, NOT_FOUND: 9 });
      const unexpected = ['done', 'NOT_FOUND', 'LINK_OVER', 'ALREADY_MEMBER', 'NOT_IN_ORGANIZATION'];
      expect([...codes(answers)].filter((code) => !unexpected.includes(code))).toEqual([]);
      const left = await rows(em(), sql`select 1 from team_memberships where user_id = ${uuidOf(member.id)}`);
      expect(left).toEqual([]);
    }
  });

  test('a member who follows a link to a team while they are being removed from its organization is told that they must be in it', async () => {
    const { owner, teamId, member, outer } = await groups.newOrganization();
    const { token } = await groups.invited({ kind: 'team', id: teamId, owner });
    const { code } = await meanwhile(
      servers.database,
      (open) => rows(open, sql`delete from organization_memberships where id = ${uuidOf(outer)}`),
      () => groups.followAs(member, token)(0),
    );
    expect(code).toBe('NOT_IN_ORGANIZATION');
    expect(await rows(em(), sql`select 1 from team_memberships where user_id = ${uuidOf(member.id)}`)).toEqual([]);
  });

  test.each<[string, (membershipId: string, userId: string) => RawBuilder<unknown>]>([
    ['organization', (membershipId) => sql`delete from organization_memberships where id = ${membershipId}`],
    ['service', (_membershipId, userId) => sql`delete from users where id = ${userId}`],
  ])(
    'the only owner of a team stays its owner when they hand over to a member who is just leaving the %s',
    async (_, leave) => {
      const { owner, teamId, member: heir, outer } = await groups.newOrganization();
      const inner = newId();
      await rows(
        em(),
        sql`insert into team_memberships (id, team_id, user_id, organization_membership_id, role, accepted, created_at)
          values (${inner}, ${uuidOf(teamId)}, ${uuidOf(heir.id)}, ${uuidOf(outer)}, 'MEMBER', true, now())`,
      );
      const membershipId = publicId('membership', inner);
      const { code } = await meanwhile(
        servers.database,
        (open) => rows(open, leave(uuidOf(outer), uuidOf(heir.id))),
        () => scene.change(0, 'teamMembershipOwnershipTransfer', { teamId, membershipId }, '', owner),
      );
      expect(code).toBe('NOT_FOUND');
      const left = sql<{ role: string }>`select role from team_memberships where team_id = ${uuidOf(teamId)}`;
      expect(await rows(em(), left)).toEqual([{ role: 'OWNER' }]);
    },
  );

  test.each(['organization_memberships', 'users'])(
    'a member who is invited anew to a team is in neither when they are just being deleted from %s',
    async (table) => {
      const { owner, teamId, member, outer } = await groups.newOrganization();
      const stranger = await scene.person();
      // Void: whose invitation it is may invite nobody.
      await rows(
        em(),
        sql`insert into team_memberships (id, team_id, user_id, organization_membership_id, role, accepted, invited_by_id, created_at)
            values (${newId()}, ${uuidOf(teamId)}, ${uuidOf(member.id)}, ${uuidOf(outer)}, 'MEMBER', false, ${uuidOf(stranger.id)}, now())`,
      );
      const one = sql`${sql.table(table)} where id = ${uuidOf(table === 'users' ? member.id : outer)}`;
      const { code } = await meanwhile(
        servers.database,
        (open) => rows(open, sql`select 1 from ${one} for update`),
        () => scene.change(0, 'teamMembershipCreate', { teamId, userId: member.id, role: 'MEMBER' }, '', owner),
        (open) => rows(open, sql`delete from ${one}`),
      );
      expect(code).toBe('NOT_FOUND');
      expect(await rows(em(), sql`select 1 from team_memberships where user_id = ${uuidOf(member.id)}`)).toEqual([]);
    },
  );

  test('an owner who is suspended while they hand over has done so, or still owns the team', async () => {
    const team = await groups.newTeam();
    const { teamId, owner } = team;
    const heir = await scene.person();
    const membershipId = await groups.join(team, heir);
    const administrator = await scene.administrator();
    // A suspended user has no session any more.
    const handOver: Call = (n) =>
      scene
        .change(n, 'teamMembershipOwnershipTransfer', { teamId, membershipId }, '', owner)
        .catch(() => ({ code: 'refused', payload: undefined }));
    const [answers] = await Promise.all([
      atTheSameMoment(MANY, handOver),
      scene.do('userSuspend', { userId: owner.id }, '', administrator),
    ]);
    const handedOver = doneOf(answers).length;
    expect(handedOver).toBeLessThanOrEqual(1);
    expect([await roleIn(team, heir), (await groups.stateOf(team)).owners]).toEqual([
      handedOver > 0 ? 'OWNER' : 'MEMBER',
      1,
    ]);
  });

  test('one of two owners remains when both leave, or hand over to a member who leaves', async () => {
    for (let round = 0; round < 3; round += 1) {
      const team = await groups.newTeam();
      const { teamId, owner } = team;
      const [second, heir] = await scene.people(2);
      if (!second || !heir) throw new Error('Somebody is missing.');
      const [mine, theirs, heirs] = [
        await membershipOf(team, owner),
        await groups.join(team, second, 'OWNER'),
        await groups.join(team, heir),
      ];
      await atTheSameMoment(
        12,
        (n) => scene.change(n, 'teamMembershipDelete', { teamId, membershipId: mine }, '', owner),
        (n) => scene.change(n, 'teamMembershipDelete', { teamId, membershipId: theirs }, '', second),
        (n) => scene.change(n, 'teamMembershipOwnershipTransfer', { teamId, membershipId: heirs }, '', second),
        (n) => scene.change(n, 'teamMembershipDelete', { teamId, membershipId: heirs }, '', heir),
      );
      expect((await groups.stateOf(team)).owners).toBeGreaterThanOrEqual(1);
    }
  });

  test.each<[string, (team: Team, membershipId: string) => [string, object]]>([
    ['demoted', (_team, membershipId) => ['teamMembershipUpdate', { membershipId, role: 'MEMBER' }]],
    ['removed', (_team, membershipId) => ['teamMembershipDelete', { membershipId }]],
  ])('an administrator who is %s acts until then, and not once it is done', async (_, action) => {
    const team = await groups.newTeam();
    const { teamId, owner } = team;
    const admin = await scene.person();
    const membershipId = await groups.join(team, admin, 'ADMIN');
    const outcomes = await whileActing(
      [
        (n) => scene.change(n, 'teamUpdate', { teamId, name: `Crew ${n}` }, '', admin),
        (n) =>
          scene.change(
            n,
            'teamEventTypeCreate',
            { teamId, slug: newId(), title: 'Talk', durationInMinutes: 30 },
            '',
            admin,
          ),
        (n) =>
          scene.change(
            n,
            'teamMembershipCreate',
            { teamId, userId: groups.people[n % MANY]?.id, role: 'MEMBER' },
            '',
            admin,
          ),
      ],
      async () => {
        const [name, input] = action(team, membershipId);
        await scene.do(name, { teamId, ...input }, '', owner);
      },
    );
    expect(outcomes.before).toContain('done');
    expect([...outcomes.after].filter((code) => code !== 'FORBIDDEN' && code !== 'NOT_FOUND')).toEqual([]);
  });

  test('an administrator who is suspended acts until then, and not once it is done', async () => {
    const team = await groups.newTeam();
    const { teamId } = team;
    const admin = await scene.person();
    await groups.join(team, admin, 'ADMIN');
    const outcomes = await whileActing(
      [
        (n) =>
          scene
            .change(
              n,
              'teamEventTypeCreate',
              { teamId, slug: newId(), title: 'Talk', durationInMinutes: 30 },
              '',
              admin,
            )
            .catch(() => ({ code: 'refused', payload: undefined })),
      ],
      async () => {
        await scene.do('userSuspend', { userId: admin.id }, '', await scene.administrator());
      },
    );
    expect(outcomes.before).toContain('done');
    expect([...outcomes.after]).toEqual(['refused']);
  });
});

/** Fifty act again and again while something is done to them: what was answered to what began before, and after. */
async function whileActing(acts: readonly [Call, ...Call[]], action: () => Promise<void>) {
  const outcomes = { before: new Set<string>(), after: new Set<string>() };
  let isDone = false;
  const act = async (n: number): Promise<void> => {
    for (let after = 0, time = 0; after < 2; time += 1) {
      const began = isDone ? 'after' : 'before';
      const { code } = await (acts[(n + time) % acts.length] ?? acts[0])(n + time);
      outcomes[began].add(code);
      if (began === 'after') after += 1;
    }
  };
  const acting = Array.from({ length: MANY }, (_, n) => act(n));
  await action();
  isDone = true;
  await Promise.all(acting);
  return outcomes;
}
