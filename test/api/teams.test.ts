import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { unknownId } from '../support/ids.ts';

let api: TestApi;
let owner: TestCaller;
let stranger: TestCaller;
let count = 0;

beforeAll(async () => {
  api = await openTestApi();
  owner = await api.newUser('owner');
  stranger = await api.newUser('stranger');
});
afterAll(() => api.close());

async function aTeam(fields: Record<string, unknown> = {}): Promise<string> {
  count += 1;
  const { data } = await owner.change('teamCreate', { slug: `team-${count}`, name: 'Team', ...fields }, 'teamId');
  return data.teamId;
}

async function addTo(teamId: string, role: string): Promise<TestCaller> {
  const who = await api.newUser(`${role.toLowerCase()}-${teamId.slice(-8)}`);
  const { data } = await owner.change('teamMembershipCreate', { teamId, userId: who.userId, role }, 'membershipId');
  await who.change('teamMembershipUpdate', { teamId, membershipId: data.membershipId, isAccepted: true });
  return who;
}

describe('a stand-alone team is founded', () => {
  test('by anybody, who owns it', async () => {
    const selection =
      'teamId team { slug name bio timeZone hidesBranding organization { id } memberships { nodes { role } } }';
    const { data, mistakes } = await stranger.change('teamCreate', { slug: 'quartet', name: 'Quartet' }, selection);
    expect(mistakes).toEqual([]);
    expect(data.team).toEqual({
      slug: 'quartet',
      name: 'Quartet',
      bio: null,
      timeZone: 'UTC',
      hidesBranding: false,
      organization: null,
      memberships: { nodes: [{ role: 'OWNER' }] },
    });
  });

  test('under a slug that no other stand-alone team has; those in organizations have their own', async () => {
    expect((await owner.change('teamCreate', { slug: 'studio', name: 'Studio' })).mistakes).toEqual([
      'SLUG_TAKEN slug',
    ]);
    expect((await owner.change('teamCreate', { slug: 'sales', name: 'Sales' })).mistakes).toEqual([]);
  });

  test('by one of two who want the same slug at the same moment', async () => {
    const both = await Promise.all(
      [owner, stranger].map((who) => who.change('teamCreate', { slug: 'contested', name: 'Contested' })),
    );
    expect(both.map(({ mistakes }) => mistakes.join()).toSorted()).toEqual(['', 'SLUG_TAKEN slug']);
  });
});

describe('a team is changed', () => {
  test('in what the patch names, and in nothing else', async () => {
    const teamId = await aTeam({ bio: 'We play.', timeZone: 'Europe/Rome', metadata: { a: '1' } });
    const selection = 'team { name bio timeZone metadata }';
    const renamed = await owner.change('teamUpdate', { teamId, name: 'Band' }, selection);
    expect(renamed.data.team).toEqual({ name: 'Band', bio: 'We play.', timeZone: 'Europe/Rome', metadata: { a: '1' } });
    const emptied = await owner.change('teamUpdate', { teamId, bio: null }, selection);
    expect(emptied.data.team).toMatchObject({ name: 'Band', bio: null });
    expect((await owner.change('teamUpdate', { teamId, name: null })).mistakes).toEqual(['REQUIRED name']);
  });

  test('to a slug that is free', async () => {
    const [teamId, other] = [await aTeam(), await aTeam({ slug: 'occupied' })];
    expect((await owner.change('teamUpdate', { teamId, slug: 'occupied' })).mistakes).toEqual(['SLUG_TAKEN slug']);
    expect((await owner.change('teamUpdate', { teamId: other, slug: 'occupied' })).mistakes).toEqual([]);
  });

  test.each([
    ['ADMIN', ['FORBIDDEN teamId']],
    ['MEMBER', ['FORBIDDEN teamId']],
    ['OWNER', []],
  ])('and deleted by its owners alone (%s: %j)', async (role, mistakes) => {
    const teamId = await aTeam();
    const who = await addTo(teamId, role);
    expect((await who.change('teamUpdate', { teamId, name: 'Mine' })).mistakes).toEqual(mistakes);
    expect((await who.change('teamDelete', { teamId })).mistakes).toEqual(mistakes);
  });

  test.each([
    ['a stranger’s', async () => aTeam()],
    ['a missing', async () => unknownId('team')],
    ['an impossible', async () => '\u0000'],
  ])('never by a user who cannot see it: %s team is not found', async (_, id) => {
    const teamId = await id();
    expect((await stranger.change('teamUpdate', { teamId, name: 'Mine' })).mistakes).toEqual(['NOT_FOUND teamId']);
    expect((await stranger.change('teamDelete', { teamId })).mistakes).toEqual(['NOT_FOUND teamId']);
  });

  test('and takes what it owns along when it is deleted', async () => {
    const teamId = await aTeam();
    const input = { teamId, slug: 'call', title: 'Call', durationInMinutes: 15 };
    const { data } = await owner.change('teamEventTypeCreate', input, 'eventTypeId');
    const find = 'query($id: ID!) { publicEventType(by: { id: $id }) { slug } }';
    expect((await api.nobody.ask(find, { id: data.eventTypeId })).data.publicEventType).toEqual({ slug: 'call' });
    expect((await owner.change('teamDelete', { teamId })).mistakes).toEqual([]);
    expect((await api.nobody.ask(find, { id: data.eventTypeId })).data.publicEventType).toBeNull();
  });
});

describe('pages of teams', () => {
  test('follow each other in both directions, without gaps', async () => {
    const many = await api.newUser('pager');
    for (let i = 0; i < 5; i += 1) await many.change('teamCreate', { slug: `page-${i}`, name: `${i}` });
    const page = async (args: string) => {
      const { data } = await many.ask(
        `{ me { teams(${args}) { nodes { slug } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } } }`,
      );
      const { nodes, pageInfo } = data.me.teams;
      return { slugs: nodes.map(({ slug }: { slug: string }) => slug.replace('page-', '')).join(''), ...pageInfo };
    };
    // Two of one millisecond stand in no order that is known beforehand, but always in the same.
    const { slugs: all } = await page('first: 100');
    expect(new Set(all)).toEqual(new Set('01234'));
    const first = await page('first: 2');
    expect(first).toMatchObject({ slugs: all.slice(0, 2), hasNextPage: true, hasPreviousPage: false });
    const second = await page(`first: 2, after: "${first.endCursor}"`);
    expect(second).toMatchObject({ slugs: all.slice(2, 4), hasNextPage: true, hasPreviousPage: true });
    const third = await page(`first: 2, after: "${second.endCursor}"`);
    expect(third).toMatchObject({ slugs: all.slice(4), hasNextPage: false });
    const back = await page(`last: 2, before: "${second.startCursor}"`);
    expect(back).toMatchObject({ slugs: all.slice(0, 2), hasPreviousPage: false });
    const last = await page('last: 2');
    expect(last).toMatchObject({ slugs: all.slice(3), hasNextPage: false, hasPreviousPage: true });
  });

  test.each([
    ['both directions', 'first: 1, last: 1'],
    ['none', 'first: 0'],
    ['too many', 'first: 101'],
    ['a cursor that is none', 'after: "garbage"'],
    ['a cursor of another list', `after: "${Buffer.from('["a","b"]').toString('base64url')}"`],
    ['a cursor with a NUL', `after: "${Buffer.from('["\\u0000"]').toString('base64url')}"`],
  ])('are refused for %s', async (_, args) => {
    expect((await owner.ask(`{ me { teams(${args}) { nodes { slug } } } }`)).codes).toEqual(['BAD_INPUT']);
  });
});
