/** Bookings of teams and organizations: who is shown which, by which scopes, and by which way. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES, type Scope } from '../../src/scopes/catalog.ts';
import type { TestCaller } from '../support/api.ts';
import { ownedUuidOf, unknownId, uuidOf } from '../support/ids.ts';
import { storeFullBooking } from '../world/a-full-booking.ts';
import { openWorld, type Place, type World } from './standings/world.ts';

let world: World;
/** By whose they are, the uids of two bookings each, the one with seats first. */
const uids: Record<string, readonly string[]> = {};
const people = new Map<string, TestCaller>();
let siblingId: string;

const PLACES: Readonly<Record<string, Place>> = {
  'a stranger': { organization: null, team: null, state: 'ACCEPTED' },
  'somebody invited': { organization: 'OWNER', team: 'OWNER', state: 'INVITED' },
  'a member': { organization: 'MEMBER', team: 'MEMBER', state: 'ACCEPTED' },
  'an admin of the team': { organization: 'MEMBER', team: 'ADMIN', state: 'ACCEPTED' },
  'an owner of the team': { organization: 'MEMBER', team: 'OWNER', state: 'ACCEPTED' },
  'an admin of the organization': { organization: 'ADMIN', team: null, state: 'ACCEPTED' },
  'an owner of the organization': { organization: 'OWNER', team: null, state: 'ACCEPTED' },
};

beforeAll(async () => {
  world = await openWorld();
  const { owner, member, organizationId } = world;
  for (const [name, place] of Object.entries(PLACES)) {
    const level = name === 'somebody invited' ? 'organization' : 'team of an organization';
    people.set(name, await world.newPerson(level, place));
  }
  siblingId = await made(
    owner,
    'organizationTeamCreate',
    { organizationId, slug: 'sibling', name: 'Sibling' },
    'teamId',
  );
  const teams = {
    team: world.teamOf('team of an organization'),
    sibling: siblingId,
    foreign: world.teamOf('stand-alone team'),
  };
  const type = { slug: 'talk', title: 'Talk', durationInMinutes: 30 };
  for (const [name, teamId] of Object.entries(teams)) {
    const hosts = [{ userId: owner.userId }];
    await fillIn(name, await made(owner, 'teamEventTypeCreate', { ...type, teamId, hosts }, 'eventTypeId'), owner);
  }
  for (const [name, who] of Object.entries({ own: owner, members: member })) {
    await fillIn(name, await made(who, 'eventTypeCreate', type, 'eventTypeId'), who);
  }
});
afterAll(() => world.close());

function personAt(name: string): TestCaller {
  const found = people.get(name);
  if (!found) throw new Error(`There is nobody: ${name}.`);
  return found;
}

async function made(who: TestCaller, name: string, input: Record<string, unknown>, id: string): Promise<string> {
  const { data, mistakes, codes } = await who.change(name, input, id);
  if (mistakes.length + codes.length > 0) throw new Error(`${name}: ${[...mistakes, ...codes].join(' ')}`);
  return data[id];
}

async function fillIn(name: string, eventTypeId: string, host: TestCaller): Promise<void> {
  const { ownerId, id } = ownedUuidOf(eventTypeId);
  await storeFullBooking(world.api.database.em.fork(), ownerId, id, uuidOf(host.userId));
  const filter = JSON.stringify(eventTypeId);
  const { data } = await host.ask(`{ me { bookings(filter: { eventTypeIds: [${filter}] }) { nodes { id } } } }`);
  uids[name] = data.me.bookings.nodes.map(({ id }: { id: string }) => id);
}

const listedFor = (names: readonly string[]) => names.flatMap((name) => uids[name] ?? []).toSorted();

/** The door of a group, as it stands in a document. */
const DOORS = {
  team: () => `team(id: ${JSON.stringify(world.teamOf('team of an organization'))})`,
  organization: () => `organization(id: ${JSON.stringify(world.organizationId)})`,
};
type Door = keyof typeof DOORS;

/** The owners of the bookings that each reader is shown there; undefined: the door is closed, null: the list is. */
const SHOWN: Readonly<Record<string, Readonly<Record<Door, readonly string[] | null | undefined>>>> = {
  'a stranger': { team: undefined, organization: undefined },
  'somebody invited': { team: undefined, organization: undefined },
  'a member': { team: null, organization: null },
  'an admin of the team': { team: ['team'], organization: null },
  'an owner of the team': { team: ['team'], organization: null },
  'an admin of the organization': { team: ['team'], organization: ['team', 'sibling', 'members', 'own'] },
  'an owner of the organization': { team: ['team'], organization: ['team', 'sibling', 'members', 'own'] },
};

describe.each(Object.entries(SHOWN))('%s', (name, shown) => {
  test.each(Object.keys(DOORS) as Door[])('sees of the bookings at %s level what the table says', async (door) => {
    const who = personAt(name);
    const whose = shown[door];
    const all = listedFor(Object.keys(uids));
    const named = all.map((uid, n) => `b${n}: booking(id: ${JSON.stringify(uid)}) { id }`).join(' ');
    const document = `{ door: ${DOORS[door]()} { bookings { nodes { id } } bookingsById(ids: ${JSON.stringify(all)}) { id } ${named} } }`;
    const visible = all.map((uid) => (whose && listedFor(whose).includes(uid) ? { id: uid } : null));
    const lists = { bookings: whose && listedFor(whose), bookingsById: whose && visible };
    const expected = whose === undefined ? null : { ...lists, each: visible };
    for (const { data, codes } of [await who.ask(document), await who.askByPlan(document)]) {
      expect([codes, data.door && shownOf(data.door)]).toEqual([[], expected]);
    }
  });
});

// oxlint-disable-next-line typescript/no-explicit-any -- an answer of any shape
function shownOf({ bookings, bookingsById, ...each }: any) {
  const listed = bookings && bookings.nodes.map(({ id }: { id: string }) => id).toSorted();
  return { bookings: listed, bookingsById, each: Object.values(each) };
}

const inTeam = (uid: string) => `team(id: ${JSON.stringify(siblingId)}) { booking(id: ${JSON.stringify(uid)}) { id } }`;

test('a booking of another team is not there behind the door of a team, by itself and in its organization', async () => {
  const owner = personAt('an owner of the organization');
  const ask = async (uid = '') => {
    const { data } = await owner.ask(
      `{ ${inTeam(uid)} organization(id: ${JSON.stringify(world.organizationId)}) { ${inTeam(uid)} } }`,
    );
    return [data.team.booking, data.organization.team.booking];
  };
  const [own, teams, members, foreign] = ['sibling', 'team', 'members', 'foreign'].map((name) => uids[name]?.[0]);
  expect(await ask(own)).toEqual([{ id: own }, { id: own }]);
  for (const uid of [teams, members, foreign, unknownId('booking'), 'x', '\0', own?.slice(1)]) {
    expect(await ask(uid)).toEqual([null, null]);
  }
});

const SELECTED = 'bookings(first: 2) { nodes { id attendees { email } hosts { user { name } } recordings { id } } }';
const BY_SCOPES: readonly (readonly [string, () => string, readonly Scope[]])[] = [
  ['a team', () => `{ ${DOORS.team()} { ${SELECTED} } }`, ['TEAM_BOOKING_READ', 'ORG_BOOKING_READ']],
  ['an organization', () => `{ ${DOORS.organization()} { ${SELECTED} } }`, ['ORG_BOOKING_READ']],
  [
    'teams in the list of their organization',
    () => `{ ${DOORS.organization()} { teams(first: 3) { nodes { ${SELECTED} } } } }`,
    ['ORG_BOOKING_READ'],
  ],
];

test.each(BY_SCOPES)('those of %s are for their READ scope alone', async (_, document, allowed) => {
  const { data } = await world.owner.ask('{ me { username } }');
  const base: readonly Scope[] = document().includes('teams(') ? ['ORG_PROFILE_READ'] : [];
  const outcomes: [Scope, readonly unknown[]][] = [];
  for (const scope of SCOPES) {
    const { codes } = await world.api.as(data.me.username, [...base, scope]).ask(document());
    outcomes.push([scope, codes]);
  }
  expect(outcomes).toEqual(SCOPES.map((scope) => [scope, allowed.includes(scope) ? [] : ['INSUFFICIENT_SCOPE']]));
});

const listsOf = (count: number, first: number) => `{ ${DOORS.organization()} {
    bookings(first: ${first}) { nodes { id attendees { email } hosts { user { name } } eventType { slug } } }
    teams(first: ${count}) { nodes { eventTypes { nodes { title } } bookings(first: ${first}) { nodes { id hosts { user { name } } } } } } } }`;

test('cost as many statements for one team as for two, and for one booking as for several', async () => {
  const counts: number[] = [];
  for (const [count, first] of [
    [1, 1],
    [2, 2],
    [2, 10],
  ] as const) {
    const { data, statements } = await world.owner.ask(listsOf(count, first));
    expect(data.organization.teams.nodes).toHaveLength(count);
    expect(data.organization.bookings.nodes.length).toBeGreaterThanOrEqual(first === 10 ? 8 : first);
    counts.push(statements);
  }
  expect(counts).toEqual([5, 5, 5]);
});

const RANGE = '{ from: "2020-01-01T00:00:00Z", to: "2040-01-01T00:00:00Z" }';
const FILTERS: readonly (() => string)[] = [
  () => '',
  () => 'statuses: [ACCEPTED, CANCELLED]',
  () => `eventTypeIds: [${JSON.stringify(unknownId('eventType'))}]`,
  () => `teamId: ${JSON.stringify(siblingId)}`,
  () => `hostUserId: ${JSON.stringify(world.owner.userId)}`,
  () => 'attendeeEmail: "grace@example.test"',
  ...['start', 'end', 'createdAt', 'updatedAt'].map((time) => () => `${time}: ${RANGE}`),
];

test('are one statement with each filter and in each order, beside that for the organization', async () => {
  const found = new Set<number>();
  for (const filter of FILTERS) {
    const lists = ['START', 'END', 'CREATED_AT', 'UPDATED_AT'].map(
      (by) => `${by}: bookings(filter: { ${filter()} }, orderBy: { field: ${by} }) { nodes { id title } }`,
    );
    const { statements, codes } = await world.owner.ask(`{ ${DOORS.organization()} { ${lists.join(' ')} } }`);
    expect(codes).toEqual([]);
    found.add(statements);
  }
  expect([...found]).toEqual([1 + 4]);
});
