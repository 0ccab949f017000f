import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { usePrivateLink } from '../../src/modules/event-types/private-links.ts';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { ownedUuidOf, unknownId, uuidOf } from '../support/ids.ts';

let api: TestApi;
let bob: TestCaller;
let sales: string;
let hidden: string;
let teamType: string;

const LINK = 'privateLinkId privateLink { id url expiresAt maxUsageCount usageCount isExpired }';

beforeAll(async () => {
  api = await openTestApi();
  bob = api.as('bob');
  sales = (await bob.ask('{ me { teams { nodes { id } } } }')).data.me.teams.nodes[0].id;
  hidden = await newType(bob, 'eventTypeCreate', { isHidden: true });
  teamType = await newType(bob, 'teamEventTypeCreate', { teamId: sales, isHidden: true });
});
afterAll(() => api.close());

let count = 0;
async function newType(who: TestCaller, name: string, input: object): Promise<string> {
  count += 1;
  const fresh = { slug: `linked-${count}`, title: 'Linked', durationInMinutes: 30 };
  return (await who.change(name, { ...fresh, ...input }, 'eventTypeId')).data.eventTypeId;
}

async function create(limits: object = {}) {
  const { data, mistakes } = await bob.change('privateLinkCreate', { eventTypeId: hidden, ...limits }, LINK);
  expect(mistakes).toEqual([]);
  return data.privateLink;
}

const tokenOf = ({ url }: { url: string }): string => url.slice(url.lastIndexOf('/') + 1);

/** One use, as a booking makes it; whether it was granted. */
async function use(token: string): Promise<boolean> {
  return (await usePrivateLink(api.database.em.fork(), token)) !== undefined;
}

async function show(id: string) {
  const document = `query($id: ID!) { me { eventType(id: $id) { privateLinks(first: 100) {
    nodes { id url expiresAt maxUsageCount usageCount isExpired } } } } }`;
  const { data } = await bob.ask(document, { id: hidden });
  return data.me.eventType.privateLinks.nodes.find((link: { id: string }) => link.id === id);
}

function fromNow(hours: number): string {
  return Temporal.Now.instant().add({ hours }).toString({ smallestUnit: 'millisecond' });
}

describe('a private link', () => {
  test('has an address that nobody can guess, and serves once where nothing is said', async () => {
    const link = await create();
    expect(link).toEqual({
      id: expect.stringMatching(/^lnk_/),
      url: expect.stringMatching(/^https:\/\/gatehouse\.test\/private-links\/lnk_[\w-]{43}[0-9A-Za-z]{22}$/),
      expiresAt: null,
      maxUsageCount: null,
      usageCount: 0,
      isExpired: false,
    });
    expect(await use(tokenOf(link))).toBe(true);
    expect(await use(tokenOf(link))).toBe(false);
    expect(await show(link.id)).toEqual({ ...link, usageCount: 1, isExpired: true });
  });

  test('leads to its event type', async () => {
    const token = tokenOf(await create());
    expect(await usePrivateLink(api.database.em.fork(), token)).toEqual(ownedUuidOf(hidden));
  });

  test('with a count serves so often', async () => {
    const link = await create({ maxUsageCount: 2 });
    expect([await use(tokenOf(link)), await use(tokenOf(link)), await use(tokenOf(link))]).toEqual([true, true, false]);
    expect(await show(link.id)).toMatchObject({ usageCount: 2, isExpired: true });
  });

  test('with a time serves until then, however often', async () => {
    const link = await create({ expiresAt: fromNow(1) });
    expect([await use(tokenOf(link)), await use(tokenOf(link))]).toEqual([true, true]);
    expect(await show(link.id)).toMatchObject({ usageCount: 2, isExpired: false });
    await api.database.em
      .getConnection()
      .execute("update private_links set expires_at = date_trunc('milliseconds', now()) where id = ?", [
        uuidOf(link.id),
      ]);
    expect(await use(tokenOf(link))).toBe(false);
    expect(await show(link.id)).toMatchObject({ usageCount: 2, isExpired: true });
  });

  test.each([1, 7])('of %i uses gives as many to fifty who come at the same moment', async (maxUsageCount) => {
    const link = await create({ maxUsageCount });
    const uses = await Promise.all(Array.from({ length: 50 }, () => use(tokenOf(link))));
    expect(uses.filter(Boolean)).toHaveLength(maxUsageCount);
    expect((await show(link.id)).usageCount).toBe(maxUsageCount);
  });

  test('without limits gives one use to fifty who come at the same moment', async () => {
    const link = await create();
    const uses = await Promise.all(Array.from({ length: 50 }, () => use(tokenOf(link))));
    expect(uses.filter(Boolean)).toHaveLength(1);
  });

  test('is not used up by a booking that fails', async () => {
    const token = tokenOf(await create());
    const failing = api.database.em.fork().transactional(async (em) => {
      expect(await usePrivateLink(em, token)).toEqual(ownedUuidOf(hidden));
      throw new Error('The slot was taken.');
    });
    await expect(failing).rejects.toThrow('The slot was taken.');
    expect(await use(token)).toBe(true);
  });

  test('is not found by its id, another secret, or anything else', async () => {
    const link = await create({ maxUsageCount: 100 });
    const token = tokenOf(link);
    const last = token.at(-1) === 'x' ? 'y' : 'x';
    const other = unknownId('privateLink', uuidOf(bob.userId)) + token.slice(-22);
    const wrong = [
      link.id,
      token.slice(0, -1),
      token.slice(0, -1) + last,
      `${token}0`,
      other,
      '',
      '\u0000',
      'x'.repeat(100_000),
    ];
    for (const text of wrong) expect(await use(text)).toBe(false);
    expect(await use(token)).toBe(true);
    expect((await show(link.id)).usageCount).toBe(1);
  });
});

describe('the limits of a private link', () => {
  test.each([
    ['a time that is over', { expiresAt: '2020-01-01T00:00:00Z' }, ['IN_THE_PAST expiresAt']],
    ['a time to come', { expiresAt: fromNow(1) }, []],
    ['no use at all', { maxUsageCount: 0 }, ['OUT_OF_RANGE maxUsageCount']],
    ['one use', { maxUsageCount: 1 }, []],
    ['too many uses', { maxUsageCount: 100_001 }, ['OUT_OF_RANGE maxUsageCount']],
    [
      'two mistakes',
      { maxUsageCount: -1, expiresAt: '1970-01-01T00:00:00Z' },
      ['IN_THE_PAST expiresAt', 'OUT_OF_RANGE maxUsageCount'],
    ],
  ])('are checked: %s', async (_, limits, mistakes) => {
    expect((await bob.change('privateLinkCreate', { eventTypeId: hidden, ...limits })).mistakes).toEqual(mistakes);
    const { id } = await create();
    expect((await bob.change('privateLinkUpdate', { privateLinkId: id, ...limits })).mistakes).toEqual(mistakes);
  });

  test('change one by one; null lifts one', async () => {
    const link = await create({ maxUsageCount: 3, expiresAt: fromNow(2) });
    await use(tokenOf(link));
    const change = async (limits: object) =>
      (await bob.change('privateLinkUpdate', { privateLinkId: link.id, ...limits }, LINK)).data.privateLink;
    expect(await change({})).toEqual({ ...link, usageCount: 1 });
    expect(await change({ maxUsageCount: 1 })).toEqual({ ...link, usageCount: 1, maxUsageCount: 1, isExpired: true });
    expect(await use(tokenOf(link))).toBe(false);
    expect(await change({ maxUsageCount: null })).toMatchObject({ maxUsageCount: null, isExpired: false });
    expect(await use(tokenOf(link))).toBe(true);
    expect(await change({ expiresAt: null })).toMatchObject({ expiresAt: null, usageCount: 2, isExpired: true });
  });

  test('can be raised though the time that stays is over', async () => {
    const link = await create({ expiresAt: fromNow(1) });
    await api.database.em
      .getConnection()
      .execute("update private_links set expires_at = date_trunc('milliseconds', now()) where id = ?", [
        uuidOf(link.id),
      ]);
    const raised = await bob.change('privateLinkUpdate', { privateLinkId: link.id, maxUsageCount: 5 });
    expect(raised.mistakes).toEqual([]);
  });
});

describe('private links belong to the owner of their event type', () => {
  test('others make none, and neither see, change nor delete one', async () => {
    const ada = api.as('ada');
    const link = await create();
    expect((await ada.change('privateLinkCreate', { eventTypeId: hidden })).mistakes).toEqual([
      'NOT_FOUND eventTypeId',
    ]);
    for (const privateLinkId of [link.id, unknownId('privateLink', uuidOf(ada.userId)), 'lnk_\u0000']) {
      const update = await ada.change('privateLinkUpdate', { privateLinkId, maxUsageCount: 9 });
      const remove = await ada.change('privateLinkDelete', { privateLinkId });
      expect([update.mistakes, remove.mistakes]).toEqual([['NOT_FOUND privateLinkId'], ['NOT_FOUND privateLinkId']]);
    }
    expect(await show(link.id)).toEqual(link);
    expect(
      (await bob.change('privateLinkDelete', { privateLinkId: link.id }, 'privateLinkId')).data.privateLinkId,
    ).toBe(link.id);
    expect(await show(link.id)).toBeUndefined();
    expect(await use(tokenOf(link))).toBe(false);
  });

  test.each([
    ['ada', []],
    ['bob', []],
    ['cyd', ['FORBIDDEN teamId']],
    ['dan', ['NOT_FOUND teamId']],
  ])('a team’s to its administrators (%s: %j)', async (username, mistakes) => {
    const who = api.as(username);
    const made = await who.change('teamPrivateLinkCreate', { teamId: sales, eventTypeId: teamType }, LINK);
    expect(made.mistakes).toEqual(mistakes);
    const { data } = await bob.change('teamPrivateLinkCreate', { teamId: sales, eventTypeId: teamType }, LINK);
    const target = { teamId: sales, privateLinkId: data.privateLinkId };
    expect((await who.change('teamPrivateLinkUpdate', { ...target, maxUsageCount: 2 })).mistakes).toEqual(mistakes);
    expect((await who.change('teamPrivateLinkDelete', target)).mistakes).toEqual(mistakes);
  });

  test('and to the team that is named', async () => {
    const dan = api.as('dan');
    const studio = (await dan.ask('{ me { teams { nodes { id } } } }')).data.me.teams.nodes[0].id;
    const { data } = await bob.change('teamPrivateLinkCreate', { teamId: sales, eventTypeId: teamType }, LINK);
    const target = { teamId: studio, privateLinkId: data.privateLinkId };
    expect((await dan.change('teamPrivateLinkCreate', { teamId: studio, eventTypeId: teamType })).mistakes).toEqual([
      'NOT_FOUND eventTypeId',
    ]);
    expect((await dan.change('teamPrivateLinkUpdate', { ...target, maxUsageCount: 2 })).mistakes).toEqual([
      'NOT_FOUND privateLinkId',
    ]);
    expect((await dan.change('teamPrivateLinkDelete', target)).mistakes).toEqual(['NOT_FOUND privateLinkId']);
  });

  test('those of one event type are not those of another', async () => {
    const other = await newType(bob, 'eventTypeCreate', { isHidden: true });
    const document = 'query($id: ID!) { me { eventType(id: $id) { privateLinks { nodes { id } } } } }';
    expect((await bob.ask(document, { id: other })).data.me.eventType.privateLinks.nodes).toEqual([]);
    await bob.change('privateLinkCreate', { eventTypeId: other });
    expect((await bob.ask(document, { id: other })).data.me.eventType.privateLinks.nodes).toHaveLength(1);
  });

  test('and go with the event type', async () => {
    const eventTypeId = await newType(bob, 'eventTypeCreate', {});
    const { data } = await bob.change('privateLinkCreate', { eventTypeId, maxUsageCount: 9 }, LINK);
    await bob.change('eventTypeDelete', { eventTypeId });
    expect(await use(tokenOf(data.privateLink))).toBe(false);
  });

  test('are read page by page', async () => {
    const eventTypeId = await newType(bob, 'eventTypeCreate', {});
    const made: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      made.push((await bob.change('privateLinkCreate', { eventTypeId }, 'privateLinkId')).data.privateLinkId);
    }
    const document = `query($id: ID!, $after: String) { me { eventType(id: $id) {
      privateLinks(first: 2, after: $after) { nodes { id } pageInfo { endCursor hasNextPage } } } } }`;
    const read = async (after: string | null) =>
      (await bob.ask(document, { id: eventTypeId, after })).data.me.eventType.privateLinks;
    const first = await read(null);
    const second = await read(first.pageInfo.endCursor);
    expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([true, false]);
    const ids = [...first.nodes, ...second.nodes].map(({ id }: { id: string }) => id);
    expect(ids).toEqual(made);
  });

  test('are made by WRITE alone, and read by READ alone', async () => {
    const reader = api.as('bob', ['EVENT_TYPE_READ']);
    const writer = api.as('bob', ['EVENT_TYPE_WRITE']);
    const { id } = await create();
    for (const [name, input] of [
      ['privateLinkCreate', { eventTypeId: hidden }],
      ['privateLinkUpdate', { privateLinkId: id, maxUsageCount: 2 }],
      ['privateLinkDelete', { privateLinkId: id }],
    ] as const) {
      expect((await reader.change(name, input)).codes).toEqual(['INSUFFICIENT_SCOPE']);
      expect((await writer.change(name, input)).mistakes).toEqual([]);
    }
    expect((await writer.change('privateLinkCreate', { eventTypeId: hidden }, LINK)).codes).toEqual([
      'INSUFFICIENT_SCOPE',
    ]);
    const team = { teamId: sales, eventTypeId: teamType };
    expect(
      (await api.as('bob', ['TEAM_EVENT_TYPE_READ', 'EVENT_TYPE_WRITE']).change('teamPrivateLinkCreate', team)).codes,
    ).toEqual(['INSUFFICIENT_SCOPE']);
    expect((await api.as('bob', ['TEAM_EVENT_TYPE_WRITE']).change('teamPrivateLinkCreate', team)).mistakes).toEqual([]);
  });
});

function find(token: string) {
  return api.nobody.ask('query($token: String!) { publicEventType(by: { privateLinkToken: $token }) { id title } }', {
    token,
  });
}

describe('anybody with a private link', () => {
  test('sees what it leads to, hidden as it is, without using it up', async () => {
    const token = tokenOf(await create());
    for (let look = 0; look < 2; look += 1) {
      expect((await find(token)).data.publicEventType).toEqual({ id: hidden, title: 'Linked' });
    }
    expect(await use(token)).toBe(true);
    expect((await find(token)).data.publicEventType).toBeNull();
  });

  test.each(['', 'lnk_', '\u0000', 'x'.repeat(10_000)])('does not get anywhere with %.20j', async (token) => {
    expect(await find(token)).toMatchObject({ data: { publicEventType: null }, codes: [] });
  });
});
