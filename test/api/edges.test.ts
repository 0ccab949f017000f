/**
 * A thing shows what it names by an id: to readers who could see that by itself, for the scopes that it takes there.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES, type Scope } from '../../src/scopes/catalog.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { groupId } from './every-value/things-there.ts';

let api: TestApi;
let acme: string;
let sales: string;
beforeAll(async () => {
  api = await openTestApi();
  [acme, sales] = [await groupId(api, 'organization', 'acme'), await groupId(api, 'team', 'sales')];
  const cyd = api.as('cyd');
  const scheduleId = (await cyd.change('scheduleCreate', { name: 'Afternoons', timeZone: 'UTC' }, 'scheduleId')).data
    .scheduleId;
  for (let index = 0; index < 25; index += 1) {
    const input = { title: 'Talk', slug: `edge-${index}`, durationInMinutes: 30, ...(index > 0 && { scheduleId }) };
    await cyd.change('eventTypeCreate', input);
  }
  const away = { start: '2031-01-06T00:00:00Z', end: '2031-01-08T00:00:00Z' };
  for (let index = 0; index < 20; index += 1) await cyd.change('outOfOfficeCreate', away);
});
afterAll(() => api.close());

const OWN = (list: string) => `{ me { list: ${list} } }`;
const OF_TEAM = (list: string) => `{ door: team(id: "${sales}") { list: ${list} } }`;
const OF_ORGANIZATION = (list: string) => `{ door: organization(id: "${acme}") { list: ${list} } }`;

/** An edge at a level: who asks, the scopes of the list it hangs on, those that it takes beside them, and the document. */
type Edge = readonly [
  name: string,
  who: string,
  scopes: readonly Scope[],
  takes: readonly Scope[],
  document: (first: number) => string,
];

const page = (list: string, first: number, edge: string) => `${list}(first: ${first}) { nodes { id ${edge} } }`;
const PERSON = 'user { id name username avatarUrl }';
const OWNER = `owner { ${PERSON} team { id name slug } }`;
const EDGES: readonly Edge[] = [
  ['EventType.owner', 'cyd', ['EVENT_TYPE_READ'], ['PROFILE_READ'], (n) => OWN(page('eventTypes', n, OWNER))],
  [
    'EventType.owner',
    'bob',
    ['TEAM_EVENT_TYPE_READ'],
    ['TEAM_PROFILE_READ'],
    (n) => OF_TEAM(page('eventTypes', n, OWNER)),
  ],
  [
    'EventType.owner',
    'ada',
    ['ORG_EVENT_TYPE_READ'],
    ['ORG_PROFILE_READ', 'ORG_MEMBERSHIP_READ'],
    (n) => OF_ORGANIZATION(page('eventTypes', n, OWNER)),
  ],
  [
    'EventType.schedule',
    'cyd',
    ['EVENT_TYPE_READ'],
    ['SCHEDULE_READ'],
    (n) => OWN(page('eventTypes', n, 'schedule { id name availability { days } }')),
  ],
  [
    'EventType.schedule',
    'ada',
    ['ORG_EVENT_TYPE_READ'],
    ['ORG_SCHEDULE_READ'],
    (n) => OF_ORGANIZATION(page('eventTypes', n, 'schedule { id name }')),
  ],
  ['Schedule.user', 'cyd', ['SCHEDULE_READ'], ['PROFILE_READ'], (n) => OWN(page('schedules', n, PERSON))],
  [
    'Schedule.user',
    'bob',
    ['TEAM_SCHEDULE_READ'],
    ['TEAM_MEMBERSHIP_READ'],
    (n) => OF_TEAM(page('schedules', n, PERSON)),
  ],
  ['OutOfOffice.user', 'cyd', ['SCHEDULE_READ'], ['PROFILE_READ'], (n) => OWN(page('outOfOffice', n, PERSON))],
  [
    'OutOfOffice.user',
    'ada',
    ['ORG_SCHEDULE_READ'],
    ['ORG_MEMBERSHIP_READ'],
    (n) => OF_ORGANIZATION(page('outOfOffice', n, PERSON)),
  ],
  ['BookingHost.user', 'bob', ['BOOKING_READ'], [], (n) => OWN(page('bookings', n, `hosts { isAbsent ${PERSON} }`))],
];

/** A list goes on in another turn of the event loop where one has had its time, on a busy machine: in one statement more. */
async function fewestStatements(ask: () => Promise<{ readonly statements: number }>): Promise<number> {
  const answers = [await ask(), await ask(), await ask()];
  return Math.min(...answers.map(({ statements }) => statements));
}

describe.each(EDGES)('%s, for %s', (_name, username, scopes, takes, document) => {
  test('takes its own scopes beside those of what it hangs on', async () => {
    const allowed = await api.as(username, [...scopes, ...takes]).ask(document(5));
    expect(allowed.codes).toEqual([]);
    for (const scope of takes) {
      const others = SCOPES.filter((one) => one !== scope && one !== scope.replace(/^TEAM_/, 'ORG_'));
      const all = scope.startsWith('ORG_') || scope.startsWith('TEAM_') ? [...scopes, ...takes] : others;
      const refused = await api
        .as(
          username,
          all.filter((one) => one !== scope),
        )
        .ask(document(5));
      expect(refused.codes).toEqual(['INSUFFICIENT_SCOPE']);
    }
  });

  test('takes as many statements for 20 rows as for one, and is the same by the executor and by a plan', async () => {
    const who = api.as(username);
    const counts = new Set<number>();
    for (const first of [1, 20]) {
      counts.add(await fewestStatements(() => who.ask(document(first))));
      counts.add(await fewestStatements(() => who.askByPlan(document(first))));
      const [slow, fast] = [await who.ask(document(first)), await who.askByPlan(document(first))];
      expect([slow.codes, fast.data]).toEqual([[], JSON.parse(JSON.stringify(slow.data))]);
    }
    // Where the first row names nothing, one less.
    expect(Math.max(...counts)).toBeLessThanOrEqual(3);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  });
});

test('show what is shown by itself', async () => {
  const cyd = api.as('cyd');
  const { data } = await cyd.ask(`{ me { id name username avatarUrl schedules { nodes { id name userId ${PERSON} } }
    outOfOffice { nodes { userId ${PERSON} } }
    eventTypes(first: 100) { nodes { slug ownerId ${OWNER} scheduleId schedule { id name } } } } }`);
  const { schedules, outOfOffice, eventTypes, ...person } = data.me;
  for (const { user } of [...schedules.nodes, ...outOfOffice.nodes]) expect(user).toEqual(person);
  const byId = new Map(schedules.nodes.map(({ id, name }: { id: string; name: string }) => [id, { id, name }]));
  for (const { owner, scheduleId, schedule } of eventTypes.nodes) {
    expect(owner).toEqual({ user: person, team: null });
    expect(schedule).toEqual(scheduleId === null ? null : byId.get(scheduleId));
  }
  const named = eventTypes.nodes.filter(({ scheduleId }: { scheduleId: string | null }) => scheduleId !== null);
  expect(named.length).toBeGreaterThan(20);
  const team = await api.as('bob').ask(OF_TEAM(page('eventTypes', 5, `ownerId ${OWNER} schedule { id }`)));
  for (const { owner, schedule } of team.data.door.list.nodes) {
    expect([owner, schedule]).toEqual([{ user: null, team: { id: sales, name: 'Sales', slug: 'sales' } }, null]);
  }
});

test('those of what somebody may not see are not there, as it is not', async () => {
  for (const username of ['cyd', 'dan']) {
    const list = `eventTypes { nodes { ${OWNER} schedule { id } } }`;
    const { data, codes } = await api.as(username).ask(OF_ORGANIZATION(list));
    expect([codes, data.door?.list ?? null]).toEqual([[], null]);
  }
});

test('one fragment on Person reads everybody, by the executor and by a plan', async () => {
  const document = `query { me { ...Card
      bookings(first: 5) { nodes { hosts { user { ...Card } } } }
      schedules(first: 5) { nodes { user { ... on PublicPerson { name ... on Person { id } } ...Card } } } }
    organization(id: "${acme}") { memberships(first: 5) { nodes { user { ...Card } } } users(first: 5) { nodes { ...Card } } } }
    fragment Card on Person { id name username avatarUrl }`;
  const ada = api.as('ada');
  const [slow, fast] = [await ada.ask(document), await ada.askByPlan(document)];
  expect([slow.codes, fast.data]).toEqual([[], JSON.parse(JSON.stringify(slow.data))]);
  const { me, organization } = slow.data;
  const self = { id: me.id, name: 'Ada', username: 'ada', avatarUrl: null };
  expect(me).toMatchObject({ ...self, name: me.name });
  const shown = [
    ...me.bookings.nodes.flatMap(({ hosts }: { hosts: { user: object }[] }) => hosts.map(({ user }) => user)),
    ...me.schedules.nodes.map(({ user }: { user: object }) => user),
    ...organization.memberships.nodes.map(({ user }: { user: object }) => user),
    ...organization.users.nodes,
  ];
  const own = shown.filter(({ id }: { id: string }) => id === me.id);
  expect(own.length).toBeGreaterThan(3);
  for (const one of own) expect(one).toEqual({ ...self, name: me.name });
});

test('one fragment reads an event type and a group, of those who manage them and of everybody', async () => {
  const document = `query { team(id: "${sales}") { ...Group eventTypes { nodes { ...Offer } } }
      publicTeam(team: "sales", organization: "acme") { ...Group }
      publicEventTypes(team: "sales", organization: "acme") { nodes { ...Offer } } }
    fragment Group on GroupProfile { name bio logoUrl brandColor hidesBranding timeZone weekStart }
    fragment Offer on OfferedEventType { id slug title durationInMinutes bookingFields { slug } confirmation { type } seats { perSlot } }`;
  const bob = api.as('bob');
  const [slow, fast] = [await bob.ask(document), await bob.askByPlan(document)];
  expect([slow.codes, fast.data]).toEqual([[], JSON.parse(JSON.stringify(slow.data))]);
  const { team, publicTeam, publicEventTypes } = slow.data;
  const { eventTypes, ...group } = team;
  expect([publicTeam, publicEventTypes]).toEqual([group, eventTypes]);
  expect(eventTypes.nodes).toHaveLength(2);
});
