import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { unknownId } from '../support/ids.ts';

let api: TestApi;
let count = 0;

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const FIELDS = `scheduleId schedule { name timeZone isDefault availability { days start end }
  overrides { date start end } userId }`;
const WORK_DAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'];
const HOURS = { days: ['MONDAY'], start: '09:00', end: '12:00' };

function newUser(): Promise<TestCaller> {
  count += 1;
  return api.newUser(`somebody-${count}`);
}

async function scheduleOf(who: TestCaller): Promise<string> {
  const { data } = await who.change('scheduleCreate', { name: 'Schedule' }, 'scheduleId');
  return data.scheduleId;
}

async function everythingOf(who: TestCaller) {
  const { data } = await who.ask(
    '{ me { schedules { nodes { id name isDefault availability { days start end } overrides { date } updatedAt } } } }',
  );
  return data.me.schedules.nodes;
}

describe('one’s own schedules', () => {
  test('begin, in the demo, with the standard hours in the user’s zone', async () => {
    const document = `{ me { defaultSchedule { name timeZone isDefault availability { days start end } overrides { date } }
      schedules { nodes { isDefault } } } }`;
    expect((await api.as('bob').ask(document)).data.me).toEqual({
      defaultSchedule: {
        name: 'Working hours',
        timeZone: 'America/New_York',
        isDefault: true,
        availability: [{ days: WORK_DAYS, start: '09:00', end: '17:00' }],
        overrides: [],
      },
      schedules: { nodes: [{ isDefault: true }] },
    });
  });

  test('are made with standard hours where nothing is said', async () => {
    const somebody = await newUser();
    const { data, mistakes } = await somebody.change('scheduleCreate', { name: '  Mine ' }, FIELDS);
    expect(mistakes).toEqual([]);
    expect(data.schedule).toEqual({
      name: 'Mine',
      timeZone: 'UTC',
      isDefault: true,
      availability: [{ days: WORK_DAYS, start: '09:00', end: '17:00' }],
      overrides: [],
      userId: somebody.userId,
    });
  });

  test('are made with what is given: hours that overlap, hours to midnight, and days off', async () => {
    const availability = [
      { days: ['SATURDAY', 'SUNDAY'], start: '10:00', end: '24:00' },
      { days: ['SUNDAY'], start: '08:30', end: '11:00' },
    ];
    const overrides = [{ date: '2026-12-24' }, { date: '2026-12-31', start: '09:00', end: '12:00' }];
    const input = { name: 'Weekend', timeZone: 'europe/berlin', availability, overrides };
    const { data } = await (await newUser()).change('scheduleCreate', input, FIELDS);
    expect(data.schedule).toMatchObject({
      timeZone: 'Europe/Berlin',
      availability,
      overrides: [{ date: '2026-12-24', start: null, end: null }, overrides[1]],
    });
  });

  test('take an empty week: somebody who works on single dates only', async () => {
    const { data, mistakes } = await (await newUser()).change(
      'scheduleCreate',
      { name: 'Never', availability: [] },
      FIELDS,
    );
    expect(mistakes).toEqual([]);
    expect(data.schedule.availability).toEqual([]);
  });

  test('are listed, page by page, and found by their owner alone', async () => {
    const somebody = await newUser();
    const ids = [await scheduleOf(somebody), await scheduleOf(somebody), await scheduleOf(somebody)];
    const document = `query($id: ID!, $after: String) { me { schedule(id: $id) { id }
      schedules(first: 2, after: $after) { nodes { id } pageInfo { endCursor hasNextPage } } } }`;
    const first = await somebody.ask(document, { id: ids[1] });
    expect(first.statements).toBe(2);
    expect(first.data.me).toMatchObject({
      schedule: { id: ids[1] },
      schedules: { nodes: [{ id: ids[0] }, { id: ids[1] }], pageInfo: { hasNextPage: true } },
    });
    const after = first.data.me.schedules.pageInfo.endCursor;
    const second = await somebody.ask(document, { id: ids[1], after });
    expect(second.data.me.schedules).toMatchObject({ nodes: [{ id: ids[2] }], pageInfo: { hasNextPage: false } });
    const other = await (await newUser()).ask(document, { id: ids[1] });
    expect(other.data.me).toMatchObject({ schedule: null, schedules: { nodes: [] } });
    for (const id of ['sch_\u0000', 'x'.repeat(100_000), ids[1]?.replace(/.{4}$/, '0000')]) {
      expect((await somebody.ask(document, { id })).data.me.schedule).toBeNull();
    }
  });

  test('change in what the patch names, and in nothing else', async () => {
    const somebody = await newUser();
    const input = { name: 'Mine', timeZone: 'Asia/Tokyo', availability: [HOURS], overrides: [{ date: '2026-12-24' }] };
    const { scheduleId, schedule } = (await somebody.change('scheduleCreate', input, FIELDS)).data;
    const renamed = await somebody.change('scheduleUpdate', { scheduleId, name: 'New' }, FIELDS);
    expect(renamed.data.schedule).toEqual({ ...schedule, name: 'New' });
    const emptied = await somebody.change('scheduleUpdate', { scheduleId, overrides: [] }, FIELDS);
    expect(emptied.data.schedule).toEqual({ ...schedule, name: 'New', overrides: [] });
    const nulls = { scheduleId, name: null, timeZone: null, availability: null, overrides: null };
    const refused = await somebody.change('scheduleUpdate', nulls);
    expect(refused.mistakes).toEqual([
      'REQUIRED name',
      'REQUIRED timeZone',
      'REQUIRED availability',
      'REQUIRED overrides',
    ]);
  });

  test.each([
    ['name', 'x'.repeat(100)],
    ['name', 'Ferien 🏖️'],
    ['timeZone', 'Antarctica/Troll'],
    ['availability', [{ ...HOURS, start: '00:00', end: '24:00' }]],
    ['overrides', [{ date: '2028-02-29', start: null, end: null }]],
  ])('are taken: %s %j', async (field, value) => {
    const somebody = await newUser();
    const created = await somebody.change('scheduleCreate', { name: 'Mine', [field]: value }, FIELDS);
    expect(created.data.schedule[field]).toEqual(value);
    const scheduleId = await scheduleOf(somebody);
    const updated = await somebody.change('scheduleUpdate', { scheduleId, [field]: value }, FIELDS);
    expect(updated.data.schedule[field]).toEqual(value);
  });

  test.each([
    ['name', '', 'REQUIRED name'],
    ['name', 'x'.repeat(101), 'TOO_LONG name'],
    ['name', 'x'.repeat(100_000), 'TOO_LONG name'],
    ['name', 'a\u0000b', 'INVALID_TEXT name'],
    ['name', '\ud800', 'INVALID_TEXT name'],
    ['timeZone', 'Mars/Olympus', 'INVALID_TIME_ZONE timeZone'],
    ['timeZone', '+01:00', 'INVALID_TIME_ZONE timeZone'],
    ['availability', [{ ...HOURS, start: '9:00' }], 'INVALID_TIME availability 0 start'],
    ['availability', [{ ...HOURS, end: '24:01' }], 'INVALID_TIME availability 0 end'],
    ['availability', [HOURS, { ...HOURS, end: '09:00' }], 'INVERTED_HOURS availability 1 end'],
    ['availability', [{ ...HOURS, days: [] }], 'INVALID_DAYS availability 0 days'],
    ['availability', [{ ...HOURS, days: ['MONDAY', 'MONDAY'] }], 'INVALID_DAYS availability 0 days'],
    ['availability', [{ ...HOURS, start: '\u0000' }], 'INVALID_TIME availability 0 start'],
    ['availability', Array.from({ length: 101 }, () => HOURS), 'TOO_MANY availability'],
    ['overrides', [{ date: '2026-02-30' }], 'INVALID_DATE overrides 0 date'],
    ['overrides', [{ date: '0000-01-01' }], 'INVALID_DATE overrides 0 date'],
    ['overrides', [{ date: '2026-12-24', start: '09:00' }], 'INVALID_TIME overrides 0 end'],
    [
      'overrides',
      [{ date: '2026-12-24', start: '09:00', end: '10:00' }, { date: '2026-12-24' }],
      'CONTRADICTION overrides 1',
    ],
    ['overrides', Array.from({ length: 1_001 }, () => ({ date: '2026-12-24' })), 'TOO_MANY overrides'],
  ])('are refused, and nothing changes: %s %j is %s', async (field, value, mistake) => {
    const somebody = await newUser();
    const scheduleId = await scheduleOf(somebody);
    const before = await everythingOf(somebody);
    const refused = { codes: [], mistakes: [mistake] };
    expect(await somebody.change('scheduleCreate', { name: 'Mine', [field]: value })).toMatchObject(refused);
    expect(await somebody.change('scheduleUpdate', { scheduleId, [field]: value })).toMatchObject(refused);
    expect(await everythingOf(somebody)).toEqual(before);
  });

  test('say every mistake at once', async () => {
    const input = { name: '', timeZone: 'x', availability: [{ ...HOURS, end: '1' }], overrides: [{ date: '1' }] };
    expect((await api.as('ada').change('scheduleCreate', input)).mistakes).toEqual([
      'REQUIRED name',
      'INVALID_TIME_ZONE timeZone',
      'INVALID_TIME availability 0 end',
      'INVALID_DATE overrides 0 date',
    ]);
  });

  test.each([
    ['somebody else’s', async () => scheduleOf(await newUser())],
    ['a missing one', async () => (await scheduleOf(api.as('bob'))).replace(/.{4}$/, '0000')],
    ['a text that is no id', async () => 'sch_\u0000'],
    ['an id of something else', async () => unknownId('eventType')],
  ])('are changed and deleted by their owner: %s is not found', async (_, make) => {
    const scheduleId = await make();
    const bob = api.as('bob');
    const before = await everythingOf(bob);
    for (const patch of [{ name: 'Mine' }, { isDefault: true }]) {
      const { mistakes } = await bob.change('scheduleUpdate', { scheduleId, ...patch });
      expect(mistakes).toEqual(['NOT_FOUND scheduleId']);
    }
    expect((await bob.change('scheduleDelete', { scheduleId })).mistakes).toEqual(['NOT_FOUND scheduleId']);
    expect(await everythingOf(bob)).toEqual(before);
  });

  test('can be written without being read, and read without being written', async () => {
    const [input, name] = [{ name: 'Mine' }, 'scheduleCreate'];
    const writer = api.as('cyd', ['SCHEDULE_WRITE']);
    const { scheduleId } = (await writer.change(name, input, 'scheduleId')).data;
    expect((await writer.change(name, input, 'schedule { id }')).codes).toEqual(['INSUFFICIENT_SCOPE']);
    expect((await writer.ask('{ me { schedules { nodes { id } } } }')).codes).toEqual(['INSUFFICIENT_SCOPE']);
    const reader = api.as('cyd', ['SCHEDULE_READ']);
    expect((await reader.ask('{ me { schedules { nodes { id } } defaultSchedule { id } } }')).codes).toEqual([]);
    const count = (await everythingOf(api.as('cyd'))).length;
    for (const caller of [reader, api.as('cyd', ['TEAM_SCHEDULE_WRITE', 'ORG_SCHEDULE_WRITE'])]) {
      expect((await caller.change(name, input)).codes).toEqual(['INSUFFICIENT_SCOPE']);
      expect((await caller.change('scheduleUpdate', { scheduleId, ...input })).codes).toEqual(['INSUFFICIENT_SCOPE']);
      expect((await caller.change('scheduleDelete', { scheduleId })).codes).toEqual(['INSUFFICIENT_SCOPE']);
    }
    expect(await everythingOf(api.as('cyd'))).toHaveLength(count);
    expect((await writer.change('scheduleUpdate', { scheduleId, ...input })).mistakes).toEqual([]);
    expect((await writer.change('scheduleDelete', { scheduleId })).mistakes).toEqual([]);
    expect((await api.nobody.change('scheduleDelete', { scheduleId })).codes).toEqual(['UNAUTHENTICATED']);
  });
});

describe('the default schedule', () => {
  test('is handed on, and never given up', async () => {
    const somebody = await newUser();
    const first = await scheduleOf(somebody);
    const second = await scheduleOf(somebody);
    const ask = async () => (await somebody.ask('{ me { defaultSchedule { id } } }')).data.me.defaultSchedule.id;
    expect(await ask()).toBe(first);
    expect((await somebody.change('scheduleUpdate', { scheduleId: first, isDefault: false })).mistakes).toEqual([
      'DEFAULT_SCHEDULE isDefault',
    ]);
    expect((await somebody.change('scheduleDelete', { scheduleId: first })).mistakes).toEqual([
      'DEFAULT_SCHEDULE scheduleId',
    ]);
    expect(await ask()).toBe(first);
    expect((await somebody.change('scheduleUpdate', { scheduleId: second, isDefault: false })).mistakes).toEqual([]);
    expect((await somebody.change('scheduleUpdate', { scheduleId: second, isDefault: true })).mistakes).toEqual([]);
    expect(await ask()).toBe(second);
    expect((await somebody.change('scheduleDelete', { scheduleId: first })).mistakes).toEqual([]);
    const { data } = await somebody.change('scheduleCreate', { name: 'Third', isDefault: true }, 'scheduleId');
    expect(await ask()).toBe(data.scheduleId);
  });

  test('is null for a user without a schedule', async () => {
    expect((await (await newUser()).ask('{ me { defaultSchedule { id } } }')).data.me.defaultSchedule).toBeNull();
  });
});
