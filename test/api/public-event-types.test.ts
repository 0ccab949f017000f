import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../support/api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

async function slugsOf(args: string): Promise<string[]> {
  const { data, codes } = await api.nobody.ask(`{ publicEventTypes(${args}) { nodes { slug } } }`);
  expect(codes).toEqual([]);
  return data.publicEventTypes.nodes.map(({ slug }: { slug: string }) => slug);
}

/** The slug of what was found, or the codes of errors. */
async function find(args: string) {
  const { data, codes } = await api.nobody.ask(
    `{ publicEventType(${args}) { slug title description lengthInMinutes color } }`,
  );
  return codes.length > 0 ? codes : data.publicEventType?.slug;
}

describe('anybody may list what can be booked', () => {
  test('with a user, without what is hidden', async () => {
    expect(await slugsOf('username: "ada"')).toEqual(['intro', 'deep-dive']);
  });

  test('with a team of an organization, under both names', async () => {
    expect(await slugsOf('team: "sales", organization: "acme"')).toEqual(['demo', 'panel']);
    expect(await slugsOf('team: "sales"')).toEqual([]);
    expect(await slugsOf('team: "sales", organization: "other"')).toEqual([]);
  });

  test('page by page', async () => {
    const first = await api.nobody.ask(
      '{ publicEventTypes(username: "ada", first: 1) { edges { cursor node { slug } } pageInfo { hasNextPage } } }',
    );
    const { edges, pageInfo } = first.data.publicEventTypes;
    expect({ edges, pageInfo }).toMatchObject({
      edges: [{ node: { slug: 'intro' } }],
      pageInfo: { hasNextPage: true },
    });
    expect(await slugsOf(`username: "ada", after: "${edges[0].cursor}"`)).toEqual(['deep-dive']);
  });

  test.each(['username: "nobody"', 'username: "admin\\u0000"', `username: "${'x'.repeat(10_000)}"`, 'team: "a b"'])(
    'which is nothing for %s',
    async (args) => {
      expect(await slugsOf(args)).toEqual([]);
    },
  );

  test.each(['', 'first: 3', 'username: "ada", team: "sales"'])('naming one owner, not (%s)', async (args) => {
    const list = args === '' ? 'publicEventTypes' : `publicEventTypes(${args})`;
    expect((await api.nobody.ask(`{ ${list} { nodes { slug } } }`)).codes).toEqual(['BAD_INPUT']);
  });

  test('not with a user who is suspended', async () => {
    const user = await api.newUser('gone');
    await user.change('eventTypeCreate', { slug: 'call', title: 'Call', lengthInMinutes: 15 });
    expect(await slugsOf('username: "gone"')).toEqual(['call']);
    const id = (await user.ask('{ me { eventTypes { nodes { id } } } }')).data.me.eventTypes.nodes[0].id;
    const find = 'query($id: ID!) { publicEventType(id: $id) { slug } }';
    expect((await api.nobody.ask(find, { id })).data.publicEventType).toEqual({ slug: 'call' });
    await api.database.em.getConnection().execute('update users set suspended_at = now() where id = ?', [user.userId]);
    expect(await slugsOf('username: "gone"')).toEqual([]);
    expect((await api.nobody.ask(find, { id })).data.publicEventType).toBeNull();
  });
});

describe('anybody may look up one', () => {
  test('by its place on a booking page', async () => {
    expect(await find('username: "ada", slug: "intro"')).toBe('intro');
    expect(await find('team: "sales", organization: "acme", slug: "panel"')).toBe('panel');
    expect(await find('username: "ada", slug: "panel"')).toBeUndefined();
    expect(await find('username: "ada", slug: "\\u0000"')).toBeUndefined();
  });

  test('but not what is hidden, by its place or its id', async () => {
    expect(await find('username: "ada", slug: "hidden-review"')).toBeUndefined();
    const { data } = await api.as('ada').ask('{ me { eventTypes { nodes { id slug } } } }');
    const idOf = (slug: string) => data.me.eventTypes.nodes.find((node: { slug: string }) => node.slug === slug).id;
    expect(await find(`id: "${idOf('intro')}"`)).toBe('intro');
    expect(await find(`id: "${idOf('hidden-review')}"`)).toBeUndefined();
    expect(await find('id: "evt_"')).toBeUndefined();
  });

  test('naming it fully', async () => {
    expect(await find('username: "ada"')).toEqual(['BAD_INPUT']);
    expect(await find('slug: "intro"')).toEqual(['BAD_INPUT']);
  });
});
