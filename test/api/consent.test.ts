import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestCaller } from '../support/api.ts';
import { FROM, TO } from './booking-pages.ts';
import { type LevelName, openWorld, type Person, type Role, type World } from './standings/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const TEAM: LevelName = 'team of an organization';
const ALONE: LevelName = 'stand-alone team';
let count = 0;

const inTeam = (organization: Role, team: Role | null): Promise<Person> =>
  world.newPerson(TEAM, { organization, team, state: 'ACCEPTED' });

async function add(actor: TestCaller, userId: string, level: LevelName = TEAM) {
  const input = { teamId: world.teamOf(level), userId, role: 'MEMBER' };
  return actor.change('teamMembershipCreate', input, 'membershipId membership { isAccepted user { name } }');
}

describe('a membership of an organization’s team begins', () => {
  const ADDED: readonly [actor: string, () => Promise<TestCaller>, target: Role, isAtOnce: boolean][] = [
    ['an administrator of the team', () => inTeam('MEMBER', 'ADMIN'), 'MEMBER', false],
    ['an administrator of the team', () => inTeam('MEMBER', 'ADMIN'), 'OWNER', false],
    ['an owner of the team', () => inTeam('MEMBER', 'OWNER'), 'MEMBER', false],
    ['an owner of the team', () => inTeam('MEMBER', 'OWNER'), 'OWNER', false],
    ['an administrator of the organization', () => inTeam('ADMIN', null), 'MEMBER', true],
    ['an administrator of the organization', () => inTeam('ADMIN', null), 'ADMIN', true],
    ['an administrator of the organization', () => inTeam('ADMIN', null), 'OWNER', false],
    ['an owner of the organization', () => inTeam('OWNER', null), 'OWNER', true],
  ];

  test.each(ADDED)('when %s adds an organization’s %3$s: at once is %4$s', async (_, actor, role, isAtOnce) => {
    const target = await inTeam(role, null);
    const { data, mistakes } = await add(await actor(), target.userId);
    expect(mistakes).toEqual([]);
    expect(data.membership.isAccepted).toBe(isAtOnce);
    expect(data.membership.user !== null).toBe(isAtOnce);
  });

  test('for no user whom its organization has only invited', async () => {
    const state = 'INVITED' as const;
    const invited = await world.newPerson('organization', { organization: 'MEMBER', team: null, state });
    expect((await add(world.owner, invited.userId)).mistakes).toEqual(['NOT_FOUND userId']);
  });
});

describe.each([TEAM, ALONE])('before they accept a %s', (level) => {
  const PERSON = 'id name username avatarUrl timeZone email';
  const SEEN = `query($id: ID!) { team(id: $id) {
    memberships(first: 100) { nodes { id isAccepted userId user { ${PERSON} } } }
    schedules(first: 100) { nodes { userId } } outOfOffice(first: 100) { nodes { userId } }
    eventTypes(first: 100) { nodes { children(first: 100) { nodes { user { id } } } } } } }`;

  async function newInvited(schedule: object = {}) {
    const organization = level === TEAM ? 'MEMBER' : null;
    const who = await world.newPerson(level, { organization, team: null, state: 'ACCEPTED' });
    await who.change('scheduleCreate', { name: 'Mine', ...schedule });
    await who.change('outOfOfficeCreate', { start: '2026-12-21T00:00:00Z', end: '2026-12-28T00:00:00Z' });
    const inviter = await world.newPerson(level, { organization, team: 'OWNER', state: 'ACCEPTED' });
    const membershipId: string = (await add(inviter, who.userId, level)).data.membershipId;
    return { who, inviter, membershipId };
  }

  const accept = (who: TestCaller, membershipId: string) =>
    who.change('teamMembershipUpdate', { teamId: world.teamOf(level), membershipId, isAccepted: true });

  test('only the id by which they were invited is shown, and everything when they have', async () => {
    const { who, inviter, membershipId } = await newInvited();
    const see = async () => (await inviter.ask(SEEN, { id: world.teamOf(level) })).data.team;
    const before = await see();
    const mine = before.memberships.nodes.filter(({ id }: { id: string }) => id === membershipId);
    expect(mine).toEqual([{ id: membershipId, isAccepted: false, userId: who.userId, user: null }]);
    delete before.memberships;
    expect(JSON.stringify(before)).not.toContain(who.userId);

    expect((await accept(who, membershipId)).mistakes).toEqual([]);
    const after = await see();
    const { user } = after.memberships.nodes.find(({ id }: { id: string }) => id === membershipId);
    expect(user).toMatchObject({ id: who.userId, email: expect.stringContaining('@') });
    delete after.memberships;
    expect(JSON.stringify(after)).toContain(who.userId);
  });

  test('they have nothing of a managed event type, and are not booked; when they have, both', async () => {
    // Only the one who is invited works on Sundays, and only then.
    const sundays = { days: ['SUNDAY'], start: '03:00', end: '04:00' };
    const { who, membershipId } = await newInvited({ availability: [sundays] });
    const types = ['MANAGED', 'ROUND_ROBIN', 'COLLECTIVE'].map(async (schedulingType) => {
      count += 1;
      const input = { teamId: world.teamOf(level), slug: `consent-${count}`, title: 'Call', durationInMinutes: 30 };
      const made = await world.owner.change('teamEventTypeCreate', { ...input, schedulingType }, 'eventTypeId');
      return made.data.eventTypeId as string;
    });
    const [managedId, roundRobinId = '', collectiveId = ''] = await Promise.all(types);
    const children = async () => {
      const { data } = await who.ask('{ me { eventTypes(first: 100) { nodes { parent { id } } } } }');
      return data.me.eventTypes.nodes.map((node: { parent: { id: string } | null }) => node.parent?.id);
    };
    expect(await children()).not.toContain(managedId);
    expect(await onSundays(roundRobinId)).toBe(false);
    const collectiveBefore = await bookable(collectiveId);
    await accept(who, membershipId);
    expect(await children()).toContain(managedId);
    expect(await onSundays(roundRobinId)).toBe(true);
    expect(collectiveBefore).toBe(true);
    expect(await bookable(collectiveId)).toBe(false);
  });

  test('they see no more of it than the invitation, and can decline it', async () => {
    const { who, membershipId } = await newInvited();
    const document = `query($id: ID!) { team(id: $id) { slug } me { teams { nodes { slug } }
      teamInvitations { nodes { membershipId } } } }`;
    const { team, me } = (await who.ask(document, { id: world.teamOf(level) })).data;
    expect({ team, teams: me.teams.nodes, invitations: me.teamInvitations.nodes }).toEqual({
      team: null,
      teams: [],
      invitations: [{ membershipId }],
    });
    const decline = { teamId: world.teamOf(level), membershipId };
    expect((await who.change('teamMembershipDelete', decline)).mistakes).toEqual([]);
  });
});

async function startsOf(eventTypeId: string): Promise<string[]> {
  const document = `query($id: ID!, $from: DateTime!, $to: DateTime!) {
    slots(eventType: { id: $id }, start: $from, end: $to, timeZone: "UTC") { start } }`;
  const { data } = await world.api.nobody.ask(document, { id: eventTypeId, from: FROM, to: TO });
  return data.slots.map(({ start }: { start: string }) => start);
}

async function onSundays(eventTypeId: string): Promise<boolean> {
  return (await startsOf(eventTypeId)).some((start) => start.includes('T03:00'));
}

async function bookable(eventTypeId: string): Promise<boolean> {
  return (await startsOf(eventTypeId)).length > 0;
}

describe('why somebody is away', () => {
  const ABSENCE = { reason: 'Surgery', notes: 'Ask me', start: '2026-12-21T00:00:00Z', end: '2026-12-28T00:00:00Z' };
  const LIST = '(first: 100) { nodes { userId start reason notes redirectTo { username } } }';

  test.each<[string, 'team' | 'organization', Role, Role | null, Role, boolean]>([
    ['the team', 'team', 'MEMBER', 'ADMIN', 'MEMBER', true],
    ['the team', 'team', 'MEMBER', 'ADMIN', 'ADMIN', false],
    ['the team', 'team', 'MEMBER', 'OWNER', 'OWNER', false],
    ['the organization', 'team', 'ADMIN', null, 'ADMIN', true],
    ['the organization', 'team', 'ADMIN', null, 'OWNER', false],
    ['the organization', 'organization', 'ADMIN', null, 'MEMBER', true],
    ['the organization', 'organization', 'ADMIN', null, 'OWNER', false],
  ])(
    'is for administrators of %s, asking it of the %s as %s (team: %s), of an organization’s %s: %s',
    async (_, door, organization, team, targetRole, isTold) => {
      const [reader, target] = [await inTeam(organization, team), await inTeam(targetRole, 'MEMBER')];
      const redirectToUserId = world.member.userId;
      expect((await target.change('outOfOfficeCreate', { ...ABSENCE, redirectToUserId })).mistakes).toEqual([]);
      const id = door === 'team' ? world.teamOf(TEAM) : world.organizationId;
      const { data } = await reader.ask(`query($id: ID!) { ${door}(id: $id) { outOfOffice${LIST} } }`, { id });
      const { nodes } = data[door].outOfOffice;
      const [seen] = nodes.filter(({ userId }: { userId: string }) => userId === target.userId);
      const told = { reason: 'Surgery', notes: 'Ask me', redirectTo: { username: expect.any(String) } };
      const withheld = { reason: null, notes: null, redirectTo: null };
      expect(seen).toEqual({ userId: target.userId, start: ABSENCE.start, ...(isTold ? told : withheld) });
    },
  );
});
