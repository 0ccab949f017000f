import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Em, rows, sql } from '../../src/database/sql.ts';
import { createEventType } from '../../src/modules/event-types/event-type.commands.ts';
import { own } from '../../src/modules/levels/reach.ts';
import { deleteMembership } from '../../src/modules/memberships/membership.commands.ts';
import { ORGANIZATION } from '../../src/modules/organizations/group.ts';
import { childOf, childrenOf, type ManagedTeam, openManagedTeam } from '../api/managed-team.ts';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { isOnPostgres } from '../support/database.ts';
import { uuidOf } from '../support/ids.ts';
import { meanwhile } from '../support/meanwhile.ts';
import { atOnce } from '../support/servers.ts';

const MANY = 50;

const take = async (who: TestCaller, slug: string): Promise<readonly string[]> =>
  (await who.change('eventTypeCreate', { slug, title: 'Own', durationInMinutes: 15 })).mistakes;

interface Mismatch {
  readonly ownerId: string;
}

describe.runIf(isOnPostgres)('simultaneous changes of a managed event type and its team', () => {
  let api: TestApi;
  let team: ManagedTeam;
  beforeAll(async () => {
    api = await openTestApi();
  });
  afterAll(() => api.close());

  /** A team with a managed event type of all members, and the invitations of as many as are to join. */
  async function withInvited(howMany: number) {
    team = await openManagedTeam(api);
    const invited: { who: TestCaller; membershipId: string }[] = [];
    for (let n = 0; n < howMany; n += 1) {
      const who = await api.newUser(`${team.teamId}-${n}`);
      invited.push({ who, membershipId: await team.invite(who) });
    }
    return { parentId: await team.manage({ slug: 'call' }), invited };
  }

  const accept = ({ who, membershipId }: { who: TestCaller; membershipId: string }) => team.accept(who, membershipId);
  const leave = ({ who, membershipId }: { who: TestCaller; membershipId: string }) =>
    who.change('teamMembershipDelete', { teamId: team.teamId, membershipId });

  /** Members without a child, and children of nobody who is a member: there must never be any of either. */
  async function mismatches(parentId: string): Promise<Mismatch[]> {
    return rows(
      api.database.em.fork(),
      sql<Mismatch>`
        select coalesce(m.user_id, c.owner_id) as "ownerId"
        from (select * from team_memberships where team_id = ${uuidOf(team.teamId)} and accepted) m
        full join (select * from event_types where parent_id = ${uuidOf(parentId)}) c on c.owner_id = m.user_id
        where m.user_id is null or c.owner_id is null`,
    );
  }

  /** Somebody who is leaving, and what does it; the team's managed event type has Ada alone for a host. */
  async function aLeaver(name: string) {
    const ada = api.as('ada');
    const { data } = await ada.ask('{ me { organizations { nodes { id } } } }');
    const organizationId: string = data.me.organizations.nodes[0].id;
    const created = await ada.change('organizationTeamCreate', { organizationId, slug: name, name }, 'teamId');
    const { teamId } = created.data;
    const leaver = await api.newUser(name);
    const invitation = { organizationId, userId: leaver.userId, role: 'MEMBER' };
    const { membershipId } = (await ada.change('organizationMembershipCreate', invitation, 'membershipId')).data;
    await leaver.change('organizationMembershipUpdate', { organizationId, membershipId, isAccepted: true });
    await ada.change('teamMembershipCreate', { teamId, userId: leaver.userId, role: 'MEMBER' });
    const input = { teamId, slug: name, title: name, durationInMinutes: 15, hosts: [{ userId: ada.userId }] };
    const made = await ada.change('teamEventTypeCreate', { ...input, schedulingType: 'MANAGED' }, 'eventTypeId');
    const target = {
      groupId: uuidOf(organizationId),
      actorId: uuidOf(leaver.userId),
      membershipId: uuidOf(membershipId),
    };
    return {
      leaver,
      leaving: (em: Em) => deleteMembership(em, ORGANIZATION, target),
      update: (patch: object) =>
        ada.change('teamEventTypeUpdate', { teamId, eventTypeId: made.data.eventTypeId, ...patch }),
    };
  }

  test('fifty who accept have one child each', async () => {
    const { parentId, invited } = await withInvited(MANY);
    await Promise.all(invited.map(accept));
    for (const { who } of invited) expect(await childrenOf(who, parentId)).toHaveLength(1);
    expect(await mismatches(parentId)).toEqual([]);
  });

  test('one who accepts twenty times has one child', async () => {
    const { parentId, invited } = await withInvited(1);
    const [one] = invited;
    if (!one) throw new Error('Nobody was invited.');
    await atOnce(20, () => accept(one));
    expect(await childrenOf(one.who, parentId)).toHaveLength(1);
  });

  test.each([
    ['becomes MANAGED', { schedulingType: 'ROUND_ROBIN' }, { schedulingType: 'MANAGED' }],
    ['is given to all members', { assignsAllMembers: false }, { assignsAllMembers: true }],
    ['is renamed', {}, { slug: 'chat', title: 'Chat' }],
  ])('nobody is forgotten who joins while it %s', async (_, before, change) => {
    const { parentId, invited } = await withInvited(20);
    expect(await team.update(parentId, before)).toEqual([]);
    const [changed] = await Promise.all([team.update(parentId, change), ...invited.map(accept)]);
    expect(changed).toEqual([]);
    expect(await mismatches(parentId)).toEqual([]);
    const own = await childOf(team.owner, parentId);
    for (const { who } of invited)
      expect(await childOf(who, parentId)).toMatchObject({ slug: own.slug, title: own.title });
  });

  test('nobody is forgotten who joins while it is created, and nobody keeps one who leaves', async () => {
    const { parentId, invited } = await withInvited(20);
    await Promise.all(invited.slice(0, 10).map(accept));
    const made: string[] = [];
    await Promise.all([
      ...invited.slice(0, 10).map(leave),
      team.manage({ slug: 'other' }).then((id) => made.push(id)),
      ...invited.slice(10).map(accept),
    ]);
    for (const id of [parentId, ...made]) expect(await mismatches(id)).toEqual([]);
    for (const { who } of invited.slice(0, 10)) expect(await childrenOf(who)).toEqual([]);
  });

  test('everybody who leaves while it changes again and again is gone, and the others have the last change', async () => {
    const { parentId, invited } = await withInvited(20);
    await Promise.all(invited.map(accept));
    const [leaving, staying] = [invited.slice(0, 10), invited.slice(10)];
    const answers = await Promise.all([
      ...leaving.map(async (one) => (await leave(one)).mistakes),
      ...['a', 'b', 'c', 'd', 'e'].map((title) => team.update(parentId, { title, slug: `call-of-${title}` })),
    ]);
    expect(answers.flat()).toEqual([]);
    expect(await mismatches(parentId)).toEqual([]);
    const last = await childOf(team.owner, parentId);
    for (const { who } of staying) {
      const { title, slug } = await childOf(who, parentId);
      expect({ title, slug }).toEqual({ title: last.title, slug: last.slug });
    }
  });

  test('nobody keeps a child who joins while it is deleted', async () => {
    const { parentId, invited } = await withInvited(20);
    const target = { teamId: team.teamId, eventTypeId: parentId };
    const [deleted] = await Promise.all([team.owner.change('teamEventTypeDelete', target), ...invited.map(accept)]);
    expect(deleted.mistakes).toEqual([]);
    for (const { who } of invited) expect(await childrenOf(who)).toEqual([]);
  });

  describe('a member who leaves the organization a moment before', () => {
    test('is no host any more', async () => {
      const { leaver, leaving, update } = await aLeaver('no-host');
      const hostsSet = [{ userId: leaver.userId }];
      const { mistakes, codes } = await meanwhile(api.database, leaving, () => update({ hostsSet }));
      expect([mistakes, codes]).toEqual([['NOT_FOUND hostsSet 0 userId'], []]);
      expect(await childrenOf(leaver)).toEqual([]);
    });

    test('is given no child any more', async () => {
      const { leaver, leaving, update } = await aLeaver('no-child');
      const { mistakes, codes } = await meanwhile(api.database, leaving, () => update({ assignsAllMembers: true }));
      expect([mistakes, codes]).toEqual([[], []]);
      expect(await childrenOf(leaver)).toEqual([]);
    });
  });

  test('a host who takes the slug of their child a moment before keeps it, and the child gets another', async () => {
    const { parentId, invited } = await withInvited(1);
    const [one] = invited;
    if (!one) throw new Error('Nobody was invited.');
    const taking = (slug: string) => (em: Em) =>
      createEventType(em, own(uuidOf(one.who.userId)), { title: 'Own', durationInMinutes: 15, slug });
    await meanwhile(api.database, taking('call'), () => accept(one));
    expect((await childOf(one.who, parentId)).slug).toBe('call-2');
    expect(await meanwhile(api.database, taking('chat'), () => team.update(parentId, { slug: 'chat' }))).toEqual([]);
    expect((await childOf(one.who, parentId)).slug).toBe('chat-2');
  });

  test('hosts who take the slugs that children are about to get keep them, and the children get others', async () => {
    const { parentId, invited } = await withInvited(10);
    const joining = invited.map((one) => accept(one).then(() => []));
    const joined = await Promise.all([
      ...joining,
      ...invited.flatMap((one) => ['call', 'call-2', 'call-3'].map((slug) => take(one.who, slug))),
    ]);
    const renamed = await Promise.all([
      team.update(parentId, { slug: 'chat' }),
      ...invited.flatMap((one) => ['chat', 'chat-2'].map((slug) => take(one.who, slug))),
    ]);
    const mistakes = [...joined, ...renamed].flat();
    expect(mistakes.every((one) => one === 'SLUG_TAKEN slug')).toBe(true);
    expect(await mismatches(parentId)).toEqual([]);
    for (const { who } of invited) expect((await childOf(who, parentId)).slug).toMatch(/^chat(-[23])?$/);
  });
});
