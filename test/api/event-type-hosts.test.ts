import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicId } from '../../src/core/id.ts';
import { findEventTypeRules } from '../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { ownedUuidOf, uuidOf } from '../support/ids.ts';

let api: TestApi;
/** Ada stands as high as every host. */
let ada: TestCaller;
let sales: string;
let acme: string;
let count = 0;

beforeAll(async () => {
  api = await openTestApi();
  ada = api.as('ada');
  const { data } = await ada.ask('{ me { teams { nodes { id } } organizations { nodes { id } } } }');
  sales = data.me.teams.nodes[0].id;
  acme = data.me.organizations.nodes[0].id;
});
afterAll(() => api.close());

const HOSTS = `eventTypeId eventType { schedulingType assignsAllMembers
  hosts { user { id name username } isMandatory priority weight } }`;
const DEFAULTS = { isMandatory: false, priority: 2, weight: 100 };

async function create(input: object = {}) {
  count += 1;
  const fresh = { teamId: sales, slug: `hosted-${count}`, title: 'Hosted', durationInMinutes: 30 };
  return ada.change('teamEventTypeCreate', { ...fresh, ...input }, HOSTS);
}

async function update(eventTypeId: string, patch: object) {
  return ada.change('teamEventTypeUpdate', { teamId: sales, eventTypeId, ...patch }, HOSTS);
}

const idOf = (username: string): string => api.as(username).userId;

/** The hosts that a booking would find. */
async function bookedHosts(id: string) {
  const found = await findEventTypeRules(api.database.em.fork(), ownedUuidOf(id));
  return found?.hosts.map((host) => ({ ...host, userId: publicId('user', host.userId) }));
}

describe('a team’s event type', () => {
  test('is a round robin of all members where nothing is said', async () => {
    const { eventTypeId, eventType } = (await create()).data;
    expect(eventType).toEqual({ schedulingType: 'ROUND_ROBIN', assignsAllMembers: true, hosts: [] });
    const hosts = ['ada', 'bob', 'cyd'].map((username) => ({ userId: idOf(username), ...DEFAULTS }));
    expect(await bookedHosts(eventTypeId)).toEqual(
      hosts.toSorted((a, b) => (uuidOf(a.userId) < uuidOf(b.userId) ? -1 : 1)),
    );
  });

  test('is booked with the members who are named', async () => {
    const hosts = [{ userId: idOf('cyd'), isMandatory: true, priority: 4, weight: 50 }, { userId: idOf('bob') }];
    const { data, mistakes } = await create({ schedulingType: 'COLLECTIVE', hosts });
    expect(mistakes).toEqual([]);
    expect(data.eventType).toMatchObject({ schedulingType: 'COLLECTIVE', assignsAllMembers: false });
    expect(data.eventType.hosts).toHaveLength(2);
    expect(data.eventType.hosts).toContainEqual({
      user: { id: idOf('cyd'), name: 'Cyd Raman', username: 'cyd' },
      isMandatory: true,
      priority: 4,
      weight: 50,
    });
    const booked = await bookedHosts(data.eventTypeId);
    expect(booked).toHaveLength(2);
    expect(booked).toContainEqual({ userId: idOf('bob'), ...DEFAULTS });
    expect(booked).toContainEqual({ userId: idOf('cyd'), isMandatory: true, priority: 4, weight: 50 });
  });

  test('with all members keeps the settings of some of them', async () => {
    const hosts = [{ userId: idOf('cyd'), priority: 4 }];
    const { eventTypeId } = (await create({ assignsAllMembers: true, hosts })).data;
    const booked = await bookedHosts(eventTypeId);
    expect(booked).toHaveLength(3);
    expect(booked).toContainEqual({ userId: idOf('cyd'), ...DEFAULTS, priority: 4 });
  });

  test.each([
    ['null for its scheduling type', { schedulingType: null, eventTypeId: '' }, ['REQUIRED schedulingType']],
    ['MANAGED', { schedulingType: 'MANAGED', eventTypeId: '' }, []],
  ])('takes or refuses %s', async (_, patch, mistakes) => {
    const { eventTypeId } = (await create()).data;
    expect((await update(eventTypeId, { ...patch, eventTypeId })).mistakes).toEqual(mistakes);
  });
});

describe('an update of hosts', () => {
  test('leaves those whom it does not name, and what it does not name of one', async () => {
    const hosts = [
      { userId: idOf('cyd'), priority: 4, weight: 7 },
      { userId: idOf('bob'), isMandatory: true },
    ];
    const { eventTypeId, eventType } = (await create({ hosts })).data;
    expect((await update(eventTypeId, { title: 'Other' })).data.eventType).toEqual(eventType);
    const hostsSet = [{ userId: idOf('cyd'), priority: 1 }, { userId: idOf('ada') }];
    await update(eventTypeId, { hostsSet });
    const booked = await bookedHosts(eventTypeId);
    expect(booked).toHaveLength(3);
    expect(booked).toContainEqual({ userId: idOf('cyd'), isMandatory: false, priority: 1, weight: 7 });
    expect(booked).toContainEqual({ userId: idOf('bob'), ...DEFAULTS, isMandatory: true });
    await update(eventTypeId, { hostsRemove: [idOf('bob'), idOf('ada')] });
    expect(await bookedHosts(eventTypeId)).toEqual([
      { userId: idOf('cyd'), isMandatory: false, priority: 1, weight: 7 },
    ]);
    await update(eventTypeId, { hostsRemove: [idOf('cyd')] });
    expect(await bookedHosts(eventTypeId)).toEqual([]);
  });

  test('that is refused changes nothing', async () => {
    const { eventTypeId, eventType } = (await create({ hosts: [{ userId: idOf('cyd') }] })).data;
    const refused = { title: 'Other', hostsRemove: [idOf('cyd')], hostsSet: [{ userId: idOf('dan') }] };
    expect((await update(eventTypeId, refused)).mistakes).toEqual(['NOT_FOUND hostsSet 0 userId']);
    expect((await update(eventTypeId, {})).data.eventType).toEqual(eventType);
  });

  test.each<[string, () => object, string[]]>([
    [
      'nobody outside of the team',
      () => ({ hostsSet: [{ userId: idOf('bob') }, { userId: idOf('dan') }] }),
      ['NOT_FOUND hostsSet 1 userId'],
    ],
    ['no text that is no id', () => ({ hostsSet: [{ userId: 'usr_\u0000' }] }), ['NOT_FOUND hostsSet 0 userId']],
    ['members', () => ({ hostsSet: [{ userId: idOf('bob') }, { userId: idOf('ada') }] }), []],
    [
      'nobody twice',
      () => ({ hostsSet: [{ userId: idOf('bob') }, { userId: idOf('bob') }] }),
      ['DUPLICATE hostsSet 1 userId'],
    ],
    [
      'no priority above 4',
      () => ({ hostsSet: [{ userId: idOf('bob'), priority: 5 }] }),
      ['OUT_OF_RANGE hostsSet 0 priority'],
    ],
    ['a priority of 4', () => ({ hostsSet: [{ userId: idOf('bob'), priority: 4 }] }), []],
    ['no weight of 0', () => ({ hostsSet: [{ userId: idOf('bob'), weight: 0 }] }), ['OUT_OF_RANGE hostsSet 0 weight']],
    ['a weight of 1', () => ({ hostsSet: [{ userId: idOf('bob'), weight: 1 }] }), []],
    [
      'no removal of somebody who is no host',
      () => ({ hostsRemove: [idOf('cyd'), idOf('ada')] }),
      ['NOT_FOUND hostsRemove 1'],
    ],
    [
      'no more than 500',
      () => ({ hostsSet: Array.from({ length: 501 }, (_, n) => ({ userId: `${n}` })) }),
      ['TOO_MANY hostsSet'],
    ],
    [
      'no removal of more than 500',
      () => ({ hostsRemove: Array.from({ length: 501 }, String) }),
      ['TOO_MANY hostsRemove'],
    ],
  ])('takes %s', async (_, patch, mistakes) => {
    const { eventTypeId } = (await create({ hosts: [{ userId: idOf('cyd') }] })).data;
    const answer = await update(eventTypeId, patch());
    expect(answer.codes).toEqual([]);
    expect(answer.mistakes).toEqual(mistakes);
  });
});

describe('a host', () => {
  test('is one no longer once they leave the team, and does not come back by coming back', async () => {
    const mia = await api.newUser('mia');
    const team = { organizationId: acme, slug: 'support', name: 'Support' };
    const { teamId } = (await api.as('ada').change('organizationTeamCreate', team, 'teamId')).data;
    const { data: joined } = await api
      .as('ada')
      .change(
        'organizationMembershipCreate',
        { organizationId: acme, userId: mia.userId, role: 'MEMBER' },
        'membershipId',
      );
    await api.database.em
      .getConnection()
      .execute('update organization_memberships set accepted = true where id = ?', [uuidOf(joined.membershipId)]);
    const add = () =>
      api.as('ada').change('teamMembershipCreate', { teamId, userId: mia.userId, role: 'MEMBER' }, 'membershipId');
    const { membershipId } = (await add()).data;
    const created = await api
      .as('ada')
      .change(
        'teamEventTypeCreate',
        { teamId, slug: 'help', title: 'Help', durationInMinutes: 15, hosts: [{ userId: mia.userId }] },
        'eventTypeId',
      );
    const { eventTypeId } = created.data;
    expect(await bookedHosts(eventTypeId)).toEqual([{ userId: mia.userId, ...DEFAULTS }]);
    await api.as('ada').change('teamMembershipDelete', { teamId, membershipId });
    expect(await bookedHosts(eventTypeId)).toEqual([]);
    await add();
    expect(await bookedHosts(eventTypeId)).toEqual([]);
  });

  test('is not booked while suspended', async () => {
    const { eventTypeId } = (await create({ hosts: [{ userId: idOf('cyd') }, { userId: idOf('bob') }] })).data;
    const { em } = api.database;
    await em.getConnection().execute('update users set suspended_at = now() where id = ?', [uuidOf(idOf('cyd'))]);
    expect(await bookedHosts(eventTypeId)).toEqual([{ userId: idOf('bob'), ...DEFAULTS }]);
    await em.getConnection().execute('update users set suspended_at = null where id = ?', [uuidOf(idOf('cyd'))]);
    expect(await bookedHosts(eventTypeId)).toHaveLength(2);
  });
});

test('an organization’s administrator changes hosts too, and a schedule is no matter of a team', async () => {
  const { eventTypeId } = (await create()).data;
  const change = (patch: object) =>
    api.as('ada').change('organizationEventTypeUpdate', { organizationId: acme, eventTypeId, ...patch });
  expect((await change({ hostsSet: [{ userId: idOf('cyd') }], assignsAllMembers: false })).mistakes).toEqual([]);
  expect(await bookedHosts(eventTypeId)).toEqual([{ userId: idOf('cyd'), ...DEFAULTS }]);
  expect((await change({ scheduleId: 'sch_1' })).mistakes).toEqual(['NOT_POSSIBLE scheduleId']);
});

test('the demo’s team has a round robin and a collective type', async () => {
  const { data } = await ada.ask(
    '{ me { teams { nodes { eventTypes(first: 2) { nodes { slug schedulingType } } } } } }',
  );
  expect(data.me.teams.nodes[0].eventTypes.nodes).toEqual([
    { slug: 'demo', schedulingType: 'ROUND_ROBIN' },
    { slug: 'panel', schedulingType: 'COLLECTIVE' },
  ]);
});

function askList(selection: string) {
  return ada.ask(`query($id: ID!) { team(id: $id) { eventTypes(first: 50) { nodes { ${selection} } } } }`, {
    id: sales,
  });
}

test('hosts of a whole list cost one statement', async () => {
  const without = await askList('id');
  const answer = await askList('hosts { weight user { username } }');
  expect(answer.statements).toBe(without.statements + 1);
});
