import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../support/api.ts';
import { uuidOf } from '../support/ids.ts';

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
async function find(by: object) {
  const { data, codes } = await api.nobody.ask(
    `query ($by: EventTypeIdentifierInput!) { publicEventType(by: $by) { slug title description durationInMinutes color } }`,
    { by },
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

  test('each mistake about the owner at the argument that it is about', async () => {
    const mistaken = { team: 'organization: "acme"', organization: 'username: "ada", organization: "acme"' };
    for (const [argument, args] of Object.entries(mistaken)) {
      const { errors } = await api.nobody.ask(`{ publicEventTypes(${args}) { nodes { slug } } }`);
      expect(errors.map(({ extensions }) => extensions)).toMatchObject([{ code: 'BAD_INPUT', argument: [argument] }]);
    }
  });

  test('not with a user who is suspended', async () => {
    const user = await api.newUser('gone');
    await user.change('eventTypeCreate', { slug: 'call', title: 'Call', durationInMinutes: 15 });
    expect(await slugsOf('username: "gone"')).toEqual(['call']);
    const id = (await user.ask('{ me { eventTypes { nodes { id } } } }')).data.me.eventTypes.nodes[0].id;
    const find = 'query($id: ID!) { publicEventType(by: { id: $id }) { slug } }';
    expect((await api.nobody.ask(find, { id })).data.publicEventType).toEqual({ slug: 'call' });
    await api.database.em
      .getConnection()
      .execute('update users set suspended_at = now() where id = ?', [uuidOf(user.userId)]);
    expect(await slugsOf('username: "gone"')).toEqual([]);
    expect((await api.nobody.ask(find, { id })).data.publicEventType).toBeNull();
  });
});

describe('anybody may look up one', () => {
  test('by its place on a booking page', async () => {
    expect(await find({ ofUser: { username: 'ada', slug: 'intro' } })).toBe('intro');
    expect(await find({ ofTeam: { team: 'sales', organization: 'acme', slug: 'panel' } })).toBe('panel');
    expect(await find({ ofUser: { username: 'ada', slug: 'panel' } })).toBeUndefined();
    expect(await find({ ofUser: { username: 'ada', slug: '\0' } })).toBeUndefined();
  });

  test('but not what is hidden, by its place or its id', async () => {
    expect(await find({ ofUser: { username: 'ada', slug: 'hidden-review' } })).toBeUndefined();
    const { data } = await api.as('ada').ask('{ me { eventTypes { nodes { id slug } } } }');
    const idOf = (slug: string) => data.me.eventTypes.nodes.find((node: { slug: string }) => node.slug === slug).id;
    expect(await find({ id: idOf('intro') })).toBe('intro');
    expect(await find({ id: idOf('hidden-review') })).toBeUndefined();
    expect(await find({ id: 'evt_' })).toBeUndefined();
  });

  test('naming it fully', async () => {
    for (const by of [{}, { ofUser: { username: 'ada' } }, { ofUser: { slug: 'intro' } }, { id: null }])
      expect(await find(by)).toEqual(['BAD_USER_INPUT']);
  });

  test('in one way', async () => {
    const ofUser = { username: 'ada', slug: 'intro' };
    expect(await find({ ofUser, privateLinkToken: 'x' })).toEqual(['BAD_USER_INPUT']);
    expect(await find({ ofUser, ofTeam: null })).toEqual(['BAD_USER_INPUT']);
  });
});

describe('the public view of an event type', () => {
  const SHOWN = `title durationInMinutesOptions locations { type address app } bookingFields { slug type label isRequired options placeholder }
    confirmation { type noticeInMinutes } recurrence { frequency interval occurrences } seats { perSlot showsAttendees }
    requiresBookerEmailVerification requiresAuthentication allowsGuests cancellationPolicy { type noticeInMinutes }
    reschedulingPolicy { type noticeInMinutes }`;
  const show = async (slug: string) =>
    (await api.nobody.ask(`{ publicEventType(by: { ofUser: { username: "cyd", slug: "${slug}" } }) { ${SHOWN} } }`))
      .data.publicEventType;

  test('is what a booker needs, without the link and the number that belong to those who have booked', async () => {
    await api.as('cyd').change('eventTypeCreate', {
      slug: 'all',
      title: 'All',
      durationInMinutes: 30,
      durationInMinutesOptions: [30, 60],
      locations: [
        { type: 'LINK', url: 'https://meet.example/secret-room' },
        { type: 'PHONE', phone: '+4930123456' },
        { type: 'ADDRESS', address: 'Main Street 1' },
        { type: 'CONFERENCING', app: 'zoom' },
      ],
      bookingFields: [{ slug: 'size', type: 'SELECT', label: 'Size', isRequired: true, options: ['S', 'M'] }],
      confirmation: { type: 'SHORT_NOTICE', noticeInMinutes: 60 },
      seats: { perSlot: 4, showsAttendees: true },
      requiresAuthentication: true,
      allowsGuests: false,
      cancellationPolicy: { type: 'NEVER' },
      reschedulingPolicy: { type: 'WITH_NOTICE', noticeInMinutes: 30 },
    });
    expect(await show('all')).toEqual({
      title: 'All',
      durationInMinutesOptions: [30, 60],
      locations: [
        { type: 'LINK', address: null, app: null },
        { type: 'PHONE', address: null, app: null },
        { type: 'ADDRESS', address: 'Main Street 1', app: null },
        { type: 'CONFERENCING', address: null, app: 'zoom' },
      ],
      bookingFields: [
        { slug: 'size', type: 'SELECT', label: 'Size', isRequired: true, options: ['S', 'M'], placeholder: null },
      ],
      confirmation: { type: 'SHORT_NOTICE', noticeInMinutes: 60 },
      recurrence: null,
      seats: { perSlot: 4, showsAttendees: true },
      requiresBookerEmailVerification: false,
      requiresAuthentication: true,
      allowsGuests: false,
      cancellationPolicy: { type: 'NEVER', noticeInMinutes: null },
      reschedulingPolicy: { type: 'WITH_NOTICE', noticeInMinutes: 30 },
    });
  });

  test('is nothing of a managed parent, which cannot be booked', async () => {
    const ada = api.as('ada');
    const teamId = (await ada.ask('{ me { teams { nodes { id } } } }')).data.me.teams.nodes[0].id;
    const input = { teamId, slug: 'parent', title: 'Parent', durationInMinutes: 30 };
    const { eventTypeId } = (await ada.change('teamEventTypeCreate', input, 'eventTypeId')).data;
    const asked = [{ ofTeam: { team: 'sales', organization: 'acme', slug: 'parent' } }, { id: eventTypeId }];
    for (const by of asked) expect(await find(by)).toBe('parent');
    await ada.change('teamEventTypeUpdate', { teamId, eventTypeId, schedulingType: 'MANAGED' });
    for (const by of asked) expect(await find(by)).toBeUndefined();
    expect(await slugsOf('team: "sales", organization: "acme"')).not.toContain('parent');
  });

  test('says where it is booked', async () => {
    const document = 'query ($by: EventTypeIdentifierInput!) { publicEventType(by: $by) { bookingUrl } }';
    const urlOf = async (by: object) => (await api.nobody.ask(document, { by })).data.publicEventType.bookingUrl;
    expect(await urlOf({ ofUser: { username: 'ada', slug: 'intro' } })).toBe('https://gatehouse.test/book/ada/intro');
    expect(await urlOf({ ofTeam: { team: 'sales', organization: 'acme', slug: 'demo' } })).toBe(
      'https://gatehouse.test/book/organization/acme/sales/demo',
    );
    const ada = api.as('ada');
    const hidden = await ada.ask('{ me { eventTypes { nodes { id slug } } } }');
    const type = hidden.data.me.eventTypes.nodes.find(({ slug }: { slug: string }) => slug === 'hidden-review');
    const link = await ada.change('privateLinkCreate', { eventTypeId: type.id }, 'privateLink { url }');
    const { url } = link.data.privateLink;
    expect(await urlOf({ privateLinkToken: url.split('/').at(-1) })).toBe(url);
  });

  test('leads to no host, link or owner', async () => {
    const { data } = await api.nobody.ask('{ type: __type(name: "PublicEventType") { fields { name } } }');
    const names: string[] = data.type.fields.map(({ name }: { name: string }) => name);
    expect(names).toContain('seats');
    for (const name of ['hosts', 'privateLinks', 'ownerId', 'metadata', 'scheduleId'])
      expect(names).not.toContain(name);
  });
});

// https://spec.graphql.org/draft/#sec-All-Variable-Usages-are-Allowed
test('a variable that may be null is refused where one field of several is to be given', async () => {
  for (const i of [null, 'evt_0']) {
    const asked = api.nobody.ask('query($i: ID) { publicEventType(by: { id: $i }) { id } }', { i });
    await expect(asked).rejects.toThrow('"$i" is of type "ID" but must be non-nullable');
  }
  const { codes, data } = await api.nobody.ask('query($i: ID!) { publicEventType(by: { id: $i }) { id } }', {
    i: 'evt_0',
  });
  expect([codes, data]).toEqual([[], { publicEventType: null }]);
});
