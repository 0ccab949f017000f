/**
 * An update of fields that have nothing to do with each other is one statement, which decides and tells what is shown.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../support/api.ts';
import { isOnPostgres } from '../support/database.ts';
import { atOnce } from '../support/servers.ts';
import { type ManagedTeam, openManagedTeam } from './managed-team.ts';

const MANY = 50;

let api: TestApi;
let ids: Readonly<Record<'eventTypeId' | 'scheduleId' | 'outOfOfficeId', string>>;
let ofOthers: typeof ids;
beforeAll(async () => {
  api = await openTestApi();
  [ids, ofOthers] = [await idsOf('ada'), await idsOf('bob')];
});
afterAll(() => api.close());

async function idsOf(username: string): Promise<typeof ids> {
  const who = api.as(username);
  const time = { start: '2027-01-04T00:00:00Z', end: '2027-01-05T00:00:00Z', reason: 'Away' };
  await who.change('outOfOfficeCreate', time);
  const { data } = await who.ask(
    '{ me { eventTypes { nodes { id } } schedules { nodes { id } } outOfOffice { nodes { id } } } }',
  );
  const first = (name: string): string => data.me[name].nodes[0].id;
  return { eventTypeId: first('eventTypes'), scheduleId: first('schedules'), outOfOfficeId: first('outOfOffice') };
}

type Update = readonly [mutation: string, id: keyof typeof ids, patch: object, shown: string, found: object];

const SIMPLE: readonly Update[] = [
  ['eventTypeUpdate', 'eventTypeId', { title: 'Chat' }, 'eventType { title }', { eventType: { title: 'Chat' } }],
  [
    'eventTypeUpdate',
    'eventTypeId',
    { isHidden: true, color: '#AABBCC', metadata: { a: 'b' } },
    'eventType { isHidden color metadata }',
    { eventType: { isHidden: true, color: '#aabbcc' } },
  ],
  ['scheduleUpdate', 'scheduleId', { name: 'Office' }, 'schedule { name isDefault }', { schedule: { name: 'Office' } }],
  [
    'outOfOfficeUpdate',
    'outOfOfficeId',
    { notes: 'At sea', reason: 'Sailing' },
    'outOfOffice { notes reason start }',
    { outOfOffice: { notes: 'At sea', reason: 'Sailing', start: '2027-01-04T00:00:00Z' } },
  ],
  ['eventTypeUpdate', 'eventTypeId', { description: 'Words' }, 'eventTypeId', {}],
];

describe.each(SIMPLE)('%s by %s of %j, showing %s,', (mutation, id, patch, shown, found) => {
  test('is one statement', async () => {
    const { data, mistakes, codes, sent, statements } = await api
      .as('ada')
      .change(mutation, { [id]: ids[id], ...patch }, shown);
    expect([codes, mistakes]).toEqual([[], []]);
    expect(data).toMatchObject(found);
    expect([statements, sent]).toEqual([1, [expect.stringMatching(/^update /)]]);
  });

  test('does nothing to what is somebody else’s', async () => {
    const { data, mistakes } = await api.as('ada').change(mutation, { [id]: ofOthers[id], ...patch }, shown);
    expect(mistakes).toEqual([`NOT_FOUND ${id}`]);
    expect(Object.values(data).filter((value) => value !== null && !Array.isArray(value))).toEqual([]);
  });
});

test('fields with rules about the whole are still checked together', async () => {
  const input = { eventTypeId: ids.eventTypeId, title: 'x', durationInMinutes: 30, durationInMinutesOptions: [15] };
  expect((await api.as('ada').change('eventTypeUpdate', input)).mistakes).toEqual([
    'CONFLICT durationInMinutesOptions',
  ]);
  const time = { outOfOfficeId: ids.outOfOfficeId, end: '2027-01-01T00:00:00Z', notes: 'x' };
  expect((await api.as('ada').change('outOfOfficeUpdate', time)).mistakes).toEqual(['INVERTED_RANGE end']);
});

describe('a simple update of a team,', () => {
  let team: ManagedTeam;
  beforeAll(async () => {
    team = await openManagedTeam(api);
  });

  test('changes the children of a managed event type with it', async () => {
    const member = await team.join();
    const eventTypeId = await team.manage();
    expect(await team.update(eventTypeId, { title: 'For all' })).toEqual([]);
    const titles = async () => {
      const { data } = await member.ask('{ me { eventTypes { nodes { id title parent { id } } } } }');
      return data.me.eventTypes.nodes.map(({ title }: { title: string }) => title);
    };
    expect(await titles()).toContain('For all');
    const { data } = await member.ask('{ me { eventTypes { nodes { id title } } } }');
    const own = data.me.eventTypes.nodes.find(({ title }: { title: string }) => title === 'For all').id;
    const refused = await member.change('eventTypeUpdate', { eventTypeId: own, title: 'Mine' });
    expect(refused.mistakes).toEqual(['MANAGED_BY_TEAM title']);
    const hidden = await member.change(
      'eventTypeUpdate',
      { eventTypeId: own, isHidden: true },
      'eventType { isHidden title }',
    );
    expect([hidden.data.eventType, hidden.statements]).toEqual([{ isHidden: true, title: 'For all' }, 1]);
  });

  test('takes one statement where there are no children, and is refused to members', async () => {
    const member = await team.join();
    const eventTypeId = await team.manage({ schedulingType: 'ROUND_ROBIN' });
    const input = { teamId: team.teamId, eventTypeId, title: 'Of the team' };
    const { data, statements } = await team.owner.change('teamEventTypeUpdate', input, 'eventType { title }');
    expect([data.eventType, statements]).toEqual([{ title: 'Of the team' }, 1]);
    const refused = await member.change('teamEventTypeUpdate', { ...input, title: 'Mine' }, 'eventType { title }');
    expect([refused.data.eventType, refused.mistakes]).toEqual([null, ['FORBIDDEN teamId']]);
  });

  test.runIf(isOnPostgres)(
    'a title that changes while its event type becomes MANAGED is that of the children',
    async () => {
      const member = await team.join();
      for (let round = 0; round < 5; round += 1) {
        const eventTypeId = await team.manage({ schedulingType: 'ROUND_ROBIN', assignsAllMembers: true });
        const titles = Array.from({ length: MANY }, (_, n) => team.update(eventTypeId, { title: `${round} ${n}` }));
        const managed = team.update(eventTypeId, { schedulingType: 'MANAGED' });
        expect((await Promise.all([managed, ...titles])).flat()).toEqual([]);
        const { data } = await team.owner.ask(
          `{ team(id: "${team.teamId}") { eventTypes(last: 1) { nodes { id title children { nodes { id } } } } } }`,
        );
        const [parent] = data.team.eventTypes.nodes;
        expect(parent.id).toBe(eventTypeId);
        const { data: own } = await member.ask('{ me { eventTypes(last: 1) { nodes { title } } } }');
        expect(own.me.eventTypes.nodes).toEqual([{ title: parent.title }]);
      }
    },
  );
});

test.runIf(isOnPostgres)('fifty changes at once each have all of what they change, and one is the last', async () => {
  const ada = api.as('ada');
  let n = 0;
  const changed = await atOnce(MANY, () => {
    n += 1;
    const input = { eventTypeId: ids.eventTypeId, title: `Title ${n}`, description: `Title ${n}` };
    return ada.change('eventTypeUpdate', input, 'eventType { title description }');
  });
  for (const { data, mistakes } of changed) {
    expect(mistakes).toEqual([]);
    expect(data.eventType.description).toBe(data.eventType.title);
  }
  const slugs = await atOnce(MANY, () => {
    n += 1;
    return ada.change('eventTypeCreate', { slug: `own-${n}`, title: 'x', durationInMinutes: 15 }, 'eventTypeId');
  });
  const taken = await Promise.all(
    slugs.map(({ data }) => ada.change('eventTypeUpdate', { eventTypeId: data.eventTypeId, slug: 'the-one' })),
  );
  expect(taken.filter(({ mistakes }) => mistakes.length === 0)).toHaveLength(1);
  expect(taken.flatMap(({ mistakes }) => mistakes)).toEqual(Array.from({ length: MANY - 1 }, () => 'SLUG_TAKEN slug'));
});

describe('metadata is merged by key', () => {
  type Place = readonly [mutation: string, who: string, idOf: string, shown: (data: Record<string, never>) => unknown];
  const PLACES: readonly Place[] = [
    ['profileUpdate', 'cyd', '', ({ me }) => me],
    ['eventTypeUpdate', 'cyd', '{ me { eventTypes { nodes { id } } } }', ({ eventType }) => eventType],
    ['teamUpdate', 'dan', '{ me { teams { nodes { id } } } }', ({ team }) => team],
  ];

  describe.each(PLACES)('by %s', (mutation, who, question, shown) => {
    const noun = mutation.replace('Update', '');
    const selection = `${noun === 'profile' ? 'me' : noun} { metadata }`;

    async function target(): Promise<object> {
      if (question === '') return {};
      const { data } = await api.as(who).ask(question);
      const [list] = Object.values(data.me as Record<string, { nodes: readonly { id: string }[] }>);
      return { [`${noun}Id`]: list?.nodes[0]?.id };
    }

    test('keys that are named are set or, with null, taken away; all others stay', async () => {
      const named = await target();
      const patches = [{ crm: '1', 'a.b': 'x' }, { other: '' }, { crm: null, other: '2', unknown: null }, {}];
      const found: unknown[] = [];
      for (const metadata of patches) {
        const { data, mistakes, codes } = await api.as(who).change(mutation, { ...named, metadata }, selection);
        expect([codes, mistakes]).toEqual([[], []]);
        found.push((shown(data) as { metadata: object }).metadata);
      }
      const kept = { other: '2', 'a.b': 'x' };
      expect(found).toEqual([{ crm: '1', 'a.b': 'x' }, { crm: '1', 'a.b': 'x', other: '' }, kept, kept]);
      await api.as(who).change(mutation, { ...named, metadata: { 'a.b': null, other: null } }, selection);
    });

    test('with many keys at the same moment, none wipes another, and no more than 50 keys stay', async () => {
      const named = await target();
      const put = async (index: number) =>
        (await api.as(who).change(mutation, { ...named, metadata: { [`key ${index}`]: 'x' } }, selection)).mistakes;
      const told = (await atOnce(MANY + 5, put)).flat();
      expect(told).toEqual(Array.from({ length: 5 }, () => expect.stringContaining('TOO_MANY')));
      const all = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`key ${index}`, null]));
      const rest = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`key ${50 + index}`, null]));
      const { data } = await api.as(who).change(mutation, { ...named, metadata: {} }, selection);
      expect(Object.keys((shown(data) as { metadata: object }).metadata)).toHaveLength(50);
      await api.as(who).change(mutation, { ...named, metadata: all }, selection);
      await api.as(who).change(mutation, { ...named, metadata: rest }, selection);
    });
  });

  test('a new thing takes no null', async () => {
    const input = { slug: 'no-null', title: 'No null', durationInMinutes: 30, metadata: { key: null } };
    const { data, codes } = await api.as('cyd').change('eventTypeCreate', input, 'eventTypeId');
    // It was refused before it ran.
    expect([data, codes]).toEqual([undefined, ['BAD_USER_INPUT']]);
  });
});
