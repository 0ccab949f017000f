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
    const input = { title: 'Talk', slug: `edge-${index}`, lengthInMinutes: 30, ...(index > 0 && { scheduleId }) };
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
const OWNER = 'owner { id name username slug }';
const PERSON = 'user { id name username avatarUrl }';
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
  [
    'BookingHost.user',
    'bob',
    ['BOOKING_READ'],
    [],
    (n) => OWN(page('bookings', n, 'hosts { id name username user { id name username } }')),
  ],
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
  const { avatarUrl: _avatarUrl, ...self } = person;
  const byId = new Map(schedules.nodes.map(({ id, name }: { id: string; name: string }) => [id, { id, name }]));
  for (const { owner, scheduleId, schedule } of eventTypes.nodes) {
    expect(owner).toEqual({ ...self, slug: null });
    expect(schedule).toEqual(scheduleId === null ? null : byId.get(scheduleId));
  }
  const named = eventTypes.nodes.filter(({ scheduleId }: { scheduleId: string | null }) => scheduleId !== null);
  expect(named.length).toBeGreaterThan(20);
  const team = await api.as('bob').ask(OF_TEAM(page('eventTypes', 5, `ownerId ${OWNER} schedule { id }`)));
  for (const { owner, schedule } of team.data.door.list.nodes) {
    expect([owner, schedule]).toEqual([{ id: sales, name: 'Sales', username: null, slug: 'sales' }, null]);
  }
});

test('those of what somebody may not see are not there, as it is not', async () => {
  for (const username of ['cyd', 'dan']) {
    const list = `eventTypes { nodes { ${OWNER} schedule { id } } }`;
    const { data, codes } = await api.as(username).ask(OF_ORGANIZATION(list));
    expect([codes, data.door?.list ?? null]).toEqual([[], null]);
  }
});
