import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import type { Scope } from '../../src/scopes/catalog.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { ownedUuidOf, unknownId, uuidOf } from '../support/ids.ts';

let api: TestApi;
let sales: string;
let studio: string;
let acme: string;

beforeAll(async () => {
  api = await openTestApi();
  const mine = '{ me { teams { nodes { id } } organizations { nodes { id } } } }';
  const ada = await api.as('ada').ask(mine);
  sales = ada.data.me.teams.nodes[0].id;
  acme = ada.data.me.organizations.nodes[0].id;
  studio = (await api.as('dan').ask(mine)).data.me.teams.nodes[0].id;
});
afterAll(() => api.close());

const WEEK = { start: '2026-12-21T00:00:00Z', end: '2026-12-28T00:00:00Z' };

/** One of two things that members have: what creates, changes and deletes it, and how it is named. */
const THINGS = {
  schedule: { noun: 'Schedule', id: 'scheduleId', list: 'schedules', input: { name: 'New' }, patch: { name: 'Other' } },
  outOfOffice: {
    noun: 'OutOfOffice',
    id: 'outOfOfficeId',
    list: 'outOfOffice',
    input: WEEK,
    patch: { reason: 'Other' },
  },
} as const;
type Thing = (typeof THINGS)[keyof typeof THINGS];

/** The demo's team and its organization: who acts, and what the three mutations answer them. */
const DOORS = {
  team: {
    field: 'team',
    scope: 'TEAM_SCHEDULE',
    target: () => ({ teamId: sales }),
    administrators: ['ada', 'bob'],
    refused: [
      ['cyd', ['FORBIDDEN teamId']],
      ['dan', ['NOT_FOUND teamId']],
    ],
  },
  organization: {
    field: 'organization',
    scope: 'ORG_SCHEDULE',
    target: () => ({ organizationId: acme }),
    administrators: ['ada'],
    refused: [
      ['bob', ['FORBIDDEN organizationId']],
      ['dan', ['NOT_FOUND organizationId']],
    ],
  },
} as const;
type Door = (typeof DOORS)[keyof typeof DOORS];

async function ownOf(username: string, { noun, id, input }: Thing): Promise<string> {
  const name = `${noun.charAt(0).toLowerCase()}${noun.slice(1)}Create`;
  const { data } = await api.as(username).change(name, { ...input }, id);
  return data[id];
}

async function everythingOf(username: string): Promise<unknown> {
  const { data } = await api.as(username).ask(
    `{ me { schedules(first: 100) { nodes { id name updatedAt } }
         outOfOffice(first: 100) { nodes { id reason updatedAt } } } }`,
  );
  return data.me;
}

function listOf({ field, target }: Door, { list }: Thing): { document: string; variables: { id: string } } {
  const [id = ''] = Object.values(target());
  return {
    document: `query($id: ID!) { ${field}(id: $id) { ${list}(first: 100) { nodes { id userId } } } }`,
    variables: { id },
  };
}

const CASES = Object.values(DOORS).flatMap((door) =>
  Object.values(THINGS).map((thing): [string, string, Door, Thing] => [thing.list, door.field, door, thing]),
);

describe.each(CASES)('%s of the members of a demo %s', (_list, _field, door, thing) => {
  const { noun, id, input, patch } = thing;
  const [create, update, remove] = ['Create', 'Update', 'Delete'].map((verb) => `${door.field}${noun}${verb}`) as [
    string,
    string,
    string,
  ];

  test.each(door.administrators)('are listed, made, changed and deleted by an administrator: %s', async (username) => {
    const who = api.as(username);
    const userId = api.as('cyd').userId;
    const created = await who.change(create, { ...door.target(), userId, ...input }, id);
    expect(created.mistakes).toEqual([]);
    const target = { ...door.target(), [id]: created.data[id] };
    const { document, variables } = listOf(door, thing);
    const listed = await who.ask(document, variables);
    expect(listed.data[door.field][thing.list].nodes).toContainEqual({ id: created.data[id], userId });
    const changed = await who.change(update, { ...target, ...patch }, `${lower(noun)} { ${Object.keys(patch)[0]} }`);
    expect(changed.data[lower(noun)]).toEqual(patch);
    expect((await who.change(remove, target)).mistakes).toEqual([]);
    expect((await who.change(remove, target)).mistakes).toEqual([`NOT_FOUND ${id}`]);
  });

  test.each<readonly [string, readonly string[]]>([...door.refused])(
    'are not for others: %s gets %j, and nothing changes',
    async (username, mistakes) => {
      const who = api.as(username);
      const target = { ...door.target(), [id]: await ownOf('cyd', thing) };
      const before = await everythingOf('cyd');
      const userId = api.as('cyd').userId;
      expect((await who.change(create, { ...door.target(), userId, ...input })).mistakes).toEqual(mistakes);
      expect((await who.change(update, { ...target, ...patch })).mistakes).toEqual(mistakes);
      expect((await who.change(remove, target)).mistakes).toEqual(mistakes);
      expect(await everythingOf('cyd')).toEqual(before);
      const { document, variables } = listOf(door, thing);
      const { data, codes } = await who.ask(document, variables);
      expect(codes).toEqual([]);
      expect(data[door.field]?.[thing.list] ?? null).toBeNull();
    },
  );

  test.each([
    ['of somebody who is no member', async () => [await ownOf('dan', thing), api.as('dan').userId]],
    ['of somebody who has not accepted to be one', async () => invitedWith(door, thing)],
    ['that are missing', async () => [(await ownOf('cyd', thing)).replace(/.{4}$/, '0000'), unknownId('user')]],
    ['whose id is none', async () => ['\u0000', '\u0000']],
  ])('are those of members: %s are not found', async (_, make) => {
    const [thingId = '', userId = ''] = await make();
    const ada = api.as('ada');
    const target = { ...door.target(), [id]: thingId };
    expect((await ada.change(create, { ...door.target(), userId, ...input })).mistakes).toEqual(['NOT_FOUND userId']);
    expect((await ada.change(update, { ...target, ...patch })).mistakes).toEqual([`NOT_FOUND ${id}`]);
    expect((await ada.change(remove, target)).mistakes).toEqual([`NOT_FOUND ${id}`]);
    const { document, variables } = listOf(door, thing);
    const { nodes } = (await ada.ask(document, variables)).data[door.field][thing.list];
    expect(nodes.map((node: { id: string }) => node.id)).not.toContain(thingId);
  });

  test('take the scopes of this level, reading and writing apart', async () => {
    const [read, write] = [`${door.scope}_READ`, `${door.scope}_WRITE`] as [Scope, Scope];
    const target = { ...door.target(), [id]: await ownOf('cyd', thing) };
    const { document, variables } = listOf(door, thing);
    const userId = api.as('cyd').userId;
    const writer = api.as('ada', [write]);
    for (const caller of [api.as('ada', [read]), api.as('ada', ['SCHEDULE_READ', 'SCHEDULE_WRITE'])]) {
      expect((await caller.change(create, { ...door.target(), userId, ...input })).codes).toEqual([
        'INSUFFICIENT_SCOPE',
      ]);
      expect((await caller.change(update, { ...target, ...patch })).codes).toEqual(['INSUFFICIENT_SCOPE']);
      expect((await caller.change(remove, target)).codes).toEqual(['INSUFFICIENT_SCOPE']);
    }
    expect((await api.as('ada', [read]).ask(document, variables)).codes).toEqual([]);
    expect((await writer.ask(document, variables)).codes).toEqual(['INSUFFICIENT_SCOPE']);
    expect((await writer.change(update, { ...target, ...patch }, `${lower(noun)} { id }`)).codes).toEqual([
      'INSUFFICIENT_SCOPE',
    ]);
    expect((await writer.change(create, { ...door.target(), userId, ...input })).mistakes).toEqual([]);
    expect((await writer.change(update, { ...target, ...patch })).mistakes).toEqual([]);
    expect((await writer.change(remove, target)).mistakes).toEqual([]);
  });
});

describe('through a team', () => {
  test.each(Object.values(THINGS))('the $list of another team are not reached', async (thing) => {
    const { noun, id, patch } = thing;
    const target = { teamId: studio, [id]: await ownOf('cyd', thing) };
    expect((await api.as('dan').change(`team${noun}Update`, { ...target, ...patch })).mistakes).toEqual([
      `NOT_FOUND ${id}`,
    ]);
    expect((await api.as('dan').change(`team${noun}Delete`, target)).mistakes).toEqual([`NOT_FOUND ${id}`]);
  });

  test('an administrator of its organization acts without belonging to it', async () => {
    const boss = await api.newUser('schedule-boss');
    await join(boss.userId, 'ADMIN');
    const input = { teamId: sales, userId: api.as('cyd').userId, name: 'New' };
    expect((await boss.change('teamScheduleCreate', input)).mistakes).toEqual([]);
    const own = { ...input, userId: boss.userId };
    expect((await boss.change('teamScheduleCreate', own)).mistakes).toEqual(['NOT_FOUND userId']);
  });

  test('the default of a member is kept like one’s own', async () => {
    const { data } = await api.as('cyd').ask('{ me { defaultSchedule { id } } }');
    const target = { teamId: sales, scheduleId: data.me.defaultSchedule.id };
    const bob = api.as('bob');
    expect((await bob.change('teamScheduleDelete', target)).mistakes).toEqual(['DEFAULT_SCHEDULE scheduleId']);
    expect((await bob.change('teamScheduleUpdate', { ...target, isDefault: false })).mistakes).toEqual([
      'DEFAULT_SCHEDULE isDefault',
    ]);
  });
});

describe('lists of members', () => {
  test.each(CASES)(
    '%s of a %s are read page by page, by member, in both directions',
    async (list, field, door, thing) => {
      for (const username of ['ada', 'bob', 'cyd']) {
        for (let index = 0; index < 3; index += 1) await ownOf(username, thing);
      }
      const document = `query($id: ID!, $first: Int, $after: String, $last: Int, $before: String) { ${field}(id: $id) {
      ${list}(first: $first, after: $after, last: $last, before: $before) {
        nodes { id userId } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } } }`;
      const page = async (args: object) => {
        const answer = await api.as('ada').ask(document, { ...listOf(door, thing).variables, ...args });
        return answer.data[field][list];
      };
      const all: { id: string; userId: string }[] = (await page({ first: 100 })).nodes;
      expect(new Set(all.map(({ userId }) => userId)).size).toBeGreaterThanOrEqual(3);
      const keys = all.map(({ id }) => ownedUuidOf(id)).map(({ ownerId, id }) => ownerId + id);
      expect(keys).toEqual(keys.toSorted());
      const forward = [];
      for (let after = null, more = true; more; ) {
        const { nodes, pageInfo } = await page({ first: 4, after });
        forward.push(...nodes);
        [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
      }
      expect(forward).toEqual(all);
      const backward = [];
      for (let before = null, more = true; more; ) {
        const { nodes, pageInfo } = await page({ last: 4, before });
        backward.unshift(...nodes);
        [before, more] = [pageInfo.startCursor, pageInfo.hasPreviousPage];
      }
      expect(backward).toEqual(all);
    },
  );

  test('take one statement for all teams above', async () => {
    const owner = await api.newUser('schedule-teams');
    for (const slug of ['a', 'b', 'c']) {
      const { data } = await owner.change('teamCreate', { slug: `rota-${slug}`, name: slug }, 'teamId');
      await owner.change('teamScheduleCreate', { teamId: data.teamId, userId: owner.userId, name: slug });
    }
    const { data, statements } = await owner.ask(
      '{ me { teams { nodes { schedules { nodes { name } } outOfOffice { nodes { id } } } } } }',
    );
    const names = { schedules: { nodes: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] }, outOfOffice: { nodes: [] } };
    expect(data.me.teams.nodes).toEqual([names, names, names]);
    expect(statements).toBe(3);
  });

  test('do not take a cursor of another list', async () => {
    const after = Buffer.from('["zzz"]').toString('base64url');
    const document = `query($id: ID!) { team(id: $id) { schedules(after: "${after}") { nodes { id } } } }`;
    expect((await api.as('ada').ask(document, { id: sales })).codes).toEqual(['BAD_INPUT']);
  });
});

/** Somebody with something of their own, invited to the group and not having answered. */
async function invitedWith({ field }: Door, thing: Thing): Promise<string[]> {
  const username = `invited-${field}-${thing.list.toLowerCase()}`;
  const invited = await api.newUser(username);
  if (field === 'team') await join(invited.userId, 'MEMBER');
  const change = field === 'team' ? 'teamMembershipCreate' : 'organizationMembershipCreate';
  const target = field === 'team' ? { teamId: sales } : { organizationId: acme };
  // Bob is no administrator of the organization: whom he adds to the team is asked.
  const inviter = api.as(field === 'team' ? 'bob' : 'ada');
  await inviter.change(change, { ...target, userId: invited.userId, role: 'MEMBER' });
  return [await ownOf(username, thing), invited.userId];
}

/** Makes somebody a member of Acme who has accepted. */
async function join(userId: string, role: string): Promise<void> {
  await api.as('ada').change('organizationMembershipCreate', { organizationId: acme, userId, role });
  await rows(
    api.database.em.fork(),
    sql`update organization_memberships set accepted = true where user_id = ${uuidOf(userId)}`,
  );
}

function lower(noun: string): string {
  return noun.charAt(0).toLowerCase() + noun.slice(1);
}
