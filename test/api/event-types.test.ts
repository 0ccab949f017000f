import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';

let api: TestApi;
let sales: string;
let acme: string;
let count = 0;

beforeAll(async () => {
  api = await openTestApi();
  const { data } = await api.as('ada').ask('{ me { teams { nodes { id } } organizations { nodes { id } } } }');
  sales = data.me.teams.nodes[0].id;
  acme = data.me.organizations.nodes[0].id;
});
afterAll(() => api.close());

const FIELDS = 'eventTypeId eventType { slug title description durationInMinutes isHidden color metadata ownerId }';

function newType(): { slug: string; title: string; durationInMinutes: number } {
  count += 1;
  return { slug: `type-${count}`, title: 'Type', durationInMinutes: 30 };
}

async function ownType(who: TestCaller): Promise<string> {
  const { data } = await who.change('eventTypeCreate', newType(), 'eventTypeId');
  return data.eventTypeId;
}

async function teamType(): Promise<string> {
  const { data } = await api.as('ada').change('teamEventTypeCreate', { teamId: sales, ...newType() }, 'eventTypeId');
  return data.eventTypeId;
}

describe('one’s own event types', () => {
  test('are made with what is given and sensible values for the rest', async () => {
    const input = {
      slug: 'tea',
      title: '  Tea  ',
      durationInMinutes: 45,
      color: '#A1B2C3',
      metadata: { room: 'blue' },
    };
    const { data, mistakes } = await api.as('bob').change('eventTypeCreate', input, FIELDS);
    expect(mistakes).toEqual([]);
    expect(data.eventType).toEqual({
      slug: 'tea',
      title: 'Tea',
      description: null,
      durationInMinutes: 45,
      isHidden: false,
      color: '#a1b2c3',
      metadata: { room: 'blue' },
      ownerId: api.as('bob').userId,
    });
  });

  test('are listed and found by their owner alone', async () => {
    const id = await ownType(api.as('bob'));
    const find = 'query($id: ID!) { me { eventType(id: $id) { id } eventTypes { nodes { id } } } }';
    const bob = (await api.as('bob').ask(find, { id })).data.me;
    expect(bob.eventType).toEqual({ id });
    expect(bob.eventTypes.nodes).toContainEqual({ id });
    const ada = (await api.as('ada').ask(find, { id })).data.me;
    expect(ada.eventType).toBeNull();
    expect(ada.eventTypes.nodes).not.toContainEqual({ id });
    expect((await api.as('bob').ask(find, { id: `${id}\u0000` })).data.me.eventType).toBeNull();
  });

  test('do not include those of one’s teams', async () => {
    const id = await teamType();
    const find = 'query($id: ID!) { me { eventType(id: $id) { id } eventTypes { nodes { id } } } }';
    const { me } = (await api.as('ada').ask(find, { id })).data;
    expect(me.eventType).toBeNull();
    expect(me.eventTypes.nodes).not.toContainEqual({ id });
  });

  test('have slugs of their own; two people may use the same', async () => {
    const input = { ...newType(), slug: 'shared' };
    expect((await api.as('ada').change('eventTypeCreate', input)).mistakes).toEqual([]);
    expect((await api.as('ada').change('eventTypeCreate', input)).mistakes).toEqual(['SLUG_TAKEN slug']);
    expect((await api.as('cyd').change('eventTypeCreate', input)).mistakes).toEqual([]);
  });

  test('with one slug at the same moment: one of two is made', async () => {
    const input = { ...newType(), slug: 'contested' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.as('dan').change('eventTypeCreate', input)));
    expect(answers.filter(({ mistakes }) => mistakes.length === 0)).toHaveLength(1);
    expect(answers.filter(({ mistakes }) => mistakes[0] === 'SLUG_TAKEN slug')).toHaveLength(19);
  });

  test.each([
    ['durationInMinutes', 0, 'INVALID_DURATION'],
    ['durationInMinutes', 1_441, 'INVALID_DURATION'],
    ['durationInMinutes', 1_440, undefined],
    ['slug', 'Not A Slug', 'INVALID_SLUG'],
    ['title', '\u0000', 'INVALID_TEXT'],
    ['title', '\ud800', 'INVALID_TEXT'],
    ['title', 'x'.repeat(100_000), 'TOO_LONG'],
    ['description', 'one\ntwo', undefined],
    ['color', 'red', 'INVALID_COLOR'],
    ['color', '#00ff00', undefined],
    ['metadata', { ['k'.repeat(41)]: '' }, 'TOO_LONG'],
    ['metadata', JSON.parse('{"__proto__": "x"}'), undefined],
    ['metadata', { a: '\ud800' }, 'INVALID_TEXT'],
  ])('are checked: %s %j is %s', async (field, value, code) => {
    const { mistakes, codes } = await api.as('cyd').change('eventTypeCreate', { ...newType(), [field]: value });
    expect(codes).toEqual([]);
    expect(mistakes.map((mistake) => mistake.split(' ')[0])).toEqual(code === undefined ? [] : [code]);
  });

  test('change in what the patch names, and in nothing else', async () => {
    const cyd = api.as('cyd');
    const input = { ...newType(), description: 'Long', color: '#ffffff', metadata: { a: '1' } };
    const { eventTypeId, eventType: created } = (await cyd.change('eventTypeCreate', input, FIELDS)).data;
    const titled = await cyd.change('eventTypeUpdate', { eventTypeId, title: 'New' }, FIELDS);
    expect(titled.data.eventType).toEqual({ ...created, title: 'New' });
    const emptied = await cyd.change('eventTypeUpdate', { eventTypeId, description: null, color: null }, FIELDS);
    expect(emptied.data.eventType).toEqual({ ...created, title: 'New', description: null, color: null });
    const nothing = await cyd.change('eventTypeUpdate', { eventTypeId, title: null, isHidden: null });
    expect(nothing.mistakes).toEqual(['REQUIRED title', 'REQUIRED isHidden']);
    const taken = await cyd.change('eventTypeUpdate', { eventTypeId, slug: 'intro' });
    expect(taken.mistakes).toEqual(['SLUG_TAKEN slug']);
  });

  test.each([
    ['somebody else’s', () => ownType(api.as('ada'))],
    ['a team’s', () => teamType()],
    ['a missing one', async () => (await ownType(api.as('bob'))).replace(/.{4}$/, '0000')],
    ['a text that is no id', async () => 'evt_\u0000'],
  ])('are changed and deleted by their owner: %s is not found', async (_, make) => {
    const eventTypeId = await make();
    const bob = api.as('bob');
    expect((await bob.change('eventTypeUpdate', { eventTypeId, title: 'Mine' })).mistakes).toEqual([
      'NOT_FOUND eventTypeId',
    ]);
    expect((await bob.change('eventTypeDelete', { eventTypeId })).mistakes).toEqual(['NOT_FOUND eventTypeId']);
  });

  test('are gone once deleted', async () => {
    const bob = api.as('bob');
    const eventTypeId = await ownType(bob);
    expect((await bob.change('eventTypeDelete', { eventTypeId }, 'eventTypeId')).data.eventTypeId).toBe(eventTypeId);
    expect((await bob.change('eventTypeDelete', { eventTypeId })).mistakes).toEqual(['NOT_FOUND eventTypeId']);
  });

  test('can be written without being read, and read without being written', async () => {
    const writer = api.as('ada', ['EVENT_TYPE_WRITE']);
    expect((await writer.change('eventTypeCreate', newType(), 'eventTypeId')).mistakes).toEqual([]);
    expect((await writer.change('eventTypeCreate', newType(), 'eventType { id }')).codes).toEqual([
      'INSUFFICIENT_SCOPE',
    ]);
    const reader = api.as('ada', ['EVENT_TYPE_READ']);
    expect((await reader.change('eventTypeCreate', newType())).codes).toEqual(['INSUFFICIENT_SCOPE']);
  });
});

describe('a team’s event types', () => {
  test.each([
    ['ada', []],
    ['bob', []],
    ['cyd', ['FORBIDDEN teamId']],
    ['dan', ['NOT_FOUND teamId']],
  ])('are made, changed and deleted by its administrators (%s: %j)', async (username, mistakes) => {
    const who = api.as(username);
    const created = await who.change('teamEventTypeCreate', { teamId: sales, ...newType() }, FIELDS);
    expect(created.mistakes).toEqual(mistakes);
    const eventTypeId = await teamType();
    const update = { teamId: sales, eventTypeId, title: 'Changed' };
    expect((await who.change('teamEventTypeUpdate', update)).mistakes).toEqual(mistakes);
    expect((await who.change('teamEventTypeDelete', { teamId: sales, eventTypeId })).mistakes).toEqual(mistakes);
  });

  test('belong to the team that is named', async () => {
    const own = (await api.as('dan').ask('{ me { teams { nodes { id } } } }')).data.me.teams.nodes[0].id;
    const eventTypeId = await teamType();
    const through = { teamId: own, eventTypeId };
    expect((await api.as('dan').change('teamEventTypeUpdate', { ...through, title: 'X' })).mistakes).toEqual([
      'NOT_FOUND eventTypeId',
    ]);
    expect((await api.as('dan').change('teamEventTypeDelete', through)).mistakes).toEqual(['NOT_FOUND eventTypeId']);
    const read = 'query($team: ID!, $id: ID!) { team(id: $team) { eventType(id: $id) { id } } }';
    expect((await api.as('dan').ask(read, { team: own, id: eventTypeId })).data.team.eventType).toBeNull();
    expect((await api.as('bob').ask(read, { team: sales, id: eventTypeId })).data.team.eventType).not.toBeNull();
    const personal = await ownType(api.as('bob'));
    expect((await api.as('bob').ask(read, { team: sales, id: personal })).data.team.eventType).toBeNull();
  });

  test('are told apart by slug', async () => {
    const taken = await api.as('bob').change('teamEventTypeCreate', { teamId: sales, ...newType(), slug: 'demo' });
    expect(taken.mistakes).toEqual(['SLUG_TAKEN slug']);
    // A caller who may not write learns nothing of the slugs.
    const hidden = await api.as('cyd').change('teamEventTypeCreate', { teamId: sales, ...newType(), slug: 'demo' });
    expect(hidden.mistakes).toEqual(['FORBIDDEN teamId']);
  });
});

describe('event types across an organization', () => {
  test.each([
    ['ada', []],
    ['bob', ['FORBIDDEN organizationId']],
    ['dan', ['NOT_FOUND organizationId']],
  ])('are made, changed and deleted by its administrators (%s: %j)', async (username, mistakes) => {
    const who = api.as(username);
    const forMember = { organizationId: acme, userId: api.as('cyd').userId, ...newType() };
    expect((await who.change('organizationEventTypeCreate', forMember)).mistakes).toEqual(mistakes);
    const forTeam = { organizationId: acme, teamId: sales, ...newType() };
    expect((await who.change('organizationEventTypeCreate', forTeam)).mistakes).toEqual(mistakes);
    for (const eventTypeId of [await ownType(api.as('cyd')), await teamType()]) {
      const target = { organizationId: acme, eventTypeId };
      const update = { ...target, title: 'Changed' };
      expect((await who.change('organizationEventTypeUpdate', update)).mistakes).toEqual(mistakes);
      expect((await who.change('organizationEventTypeDelete', target)).mistakes).toEqual(mistakes);
    }
  });

  test('are those of its teams and members, not of others', async () => {
    const ada = api.as('ada');
    const outsider = api.as('dan');
    const foreign = await ownType(outsider);
    const target = { organizationId: acme, eventTypeId: foreign };
    expect((await ada.change('organizationEventTypeUpdate', { ...target, title: 'X' })).mistakes).toEqual([
      'NOT_FOUND eventTypeId',
    ]);
    expect((await ada.change('organizationEventTypeDelete', target)).mistakes).toEqual(['NOT_FOUND eventTypeId']);
    const made = { organizationId: acme, userId: outsider.userId, ...newType() };
    expect((await ada.change('organizationEventTypeCreate', made)).mistakes).toEqual(['NOT_FOUND userId']);
    const read = 'query($id: ID!, $type: ID!) { organization(id: $id) { eventType(id: $type) { id } } }';
    expect((await ada.ask(read, { id: acme, type: foreign })).data.organization.eventType).toBeNull();
    const own = await ownType(api.as('cyd'));
    expect((await ada.ask(read, { id: acme, type: own })).data.organization.eventType).toEqual({ id: own });
  });

  test.each([
    ['neither owner', {}, ['BAD_INPUT teamId']],
    ['an owner that is none', { teamId: 'tea_\u0000' }, ['NOT_FOUND teamId']],
  ])('are refused with %s', async (_, owner, mistakes) => {
    const input = { organizationId: acme, ...newType(), ...owner };
    expect((await api.as('ada').change('organizationEventTypeCreate', input)).mistakes).toEqual(mistakes);
  });

  test('are read page by page, by owner, in both directions', async () => {
    const document = `query($id: ID!, $first: Int, $after: String, $last: Int, $before: String) { organization(id: $id) {
      eventTypes(first: $first, after: $after, last: $last, before: $before) {
        nodes { id ownerId } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } } }`;
    const page = async (args: object) => {
      const answer = await api.as('ada').ask(document, { id: acme, ...args });
      return answer.data.organization.eventTypes;
    };
    const all = (await page({ first: 100 })).nodes;
    expect(new Set(all.map(({ ownerId }: { ownerId: string }) => ownerId)).size).toBe(4);
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
  });

  test('do not take a cursor of another list', async () => {
    const after = Buffer.from('["zzz"]').toString('base64url');
    const document = `query($id: ID!) { organization(id: $id) { eventTypes(after: "${after}") { nodes { id } } } }`;
    expect((await api.as('ada').ask(document, { id: acme })).codes).toEqual(['BAD_INPUT']);
  });
});

test('a team that is deleted while something is added to it is either earlier or later, never half', async () => {
  const ada = api.as('ada');
  for (let round = 0; round < 10; round += 1) {
    const team = { organizationId: acme, slug: `brief-${round}`, name: 'Brief' };
    const { teamId } = (await ada.change('organizationTeamCreate', team, 'teamId')).data;
    const [added, deleted] = await Promise.all([
      ada.change('teamEventTypeCreate', { teamId, ...newType() }),
      ada.change('teamDelete', { teamId }),
    ]);
    expect(deleted.mistakes).toEqual([]);
    expect(added.codes).toEqual([]);
    expect(['', 'NOT_FOUND teamId']).toContain(added.mistakes.join());
  }
});
