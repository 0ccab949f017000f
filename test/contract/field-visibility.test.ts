import { type GraphQLObjectType, getNamedType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/core/id.ts';
import { changed, sql } from '../../src/database/sql.ts';
import { buildSchemas } from '../../src/schema.ts';
import { askForParts, selectionOf } from '../api/every-value/read-everything.ts';
import { NOWHERE, openWorld, type Place, type Role, type World } from '../api/standings/world.ts';
import type { TestCaller } from '../support/api.ts';
import { uuidOf } from '../support/ids.ts';
import { classOf, fillGroups, fillPerson, superfluousFields } from '../world/every-fixture.ts';
import { did } from '../world/fixture.ts';

const { forTokens, forSessions } = buildSchemas();

test('the readers of every field are said once, or are those of the object that it is a value of', () => {
  const named = Object.values(forSessions.schema.getTypeMap()).filter(isObjectType);
  // The caller of a mutation has written its answer; pages and their edges show what they list.
  const shown = named.filter(
    ({ name }) => !/^__|^Mutation$|(?:Payload|UserError|Connection|Edge|PageInfo)$/.test(name),
  );
  const fields = shown.flatMap((type) => Object.keys(type.getFields()).map((field) => `${type.name}.${field}`));
  for (const coordinate of fields) expect(classOf(coordinate)).toBeDefined();
  expect(superfluousFields()).toEqual([]);
});

/**
 * The owner of a thing, as far as it is somebody's: a plain member, or the owner of everything; hidden things apart.
 */
type Whose = '' | 'LOW' | 'HIGH' | 'LOW hidden' | 'HIGH hidden';

/** A field by the way that leads to it: `Team.eventTypes > EventType.privateLinks`. */
type Seen = Set<`${Whose}: ${string}`>;

const PLACES: Readonly<Record<string, Place>> = {
  'a stranger': { organization: null, team: null, state: 'ACCEPTED' },
  'somebody invited': { organization: 'MEMBER', team: 'OWNER', state: 'INVITED' },
  'a member of the organization': { organization: 'MEMBER', team: null, state: 'ACCEPTED' },
  'a member of the team': { organization: 'MEMBER', team: 'MEMBER', state: 'ACCEPTED' },
  'an administrator of the team': { organization: 'MEMBER', team: 'ADMIN', state: 'ACCEPTED' },
  'an owner of the team': { organization: 'MEMBER', team: 'OWNER', state: 'ACCEPTED' },
  'an administrator of the organization': { organization: 'ADMIN', team: null, state: 'ACCEPTED' },
  'an owner of the organization': { organization: 'OWNER', team: null, state: 'ACCEPTED' },
  'an owner of a sibling team': { organization: 'MEMBER', team: null, state: 'ACCEPTED' },
  'an owner of another organization': NOWHERE,
};
const ROLES: readonly (Role | null)[] = [null, 'MEMBER', 'ADMIN', 'OWNER'];
const DOORS = ['Team', 'Organization'] as const;
type Door = (typeof DOORS)[number];
/** Nothing behind this door has these: a team's event type has no schedule of its own, and follows no other. */
const NEVER_THERE: Readonly<Record<Door, readonly string[]>> = {
  Team: [
    'EventType.scheduleId',
    'EventType.parent',
    'ParentEventType.id',
    'ParentEventType.title',
    'ParentEventType.teamId',
    'EventTypeOwner.user',
    'EventType.schedule',
  ],
  Organization: [],
};

/** Said anew here: 0 sees nothing, from 2 on it is an administrator. */
function rankOf({ organization, team, state }: Place, door: Door): number {
  const [inOrganization, inTeam] = [ROLES.indexOf(organization), state === 'INVITED' ? 0 : ROLES.indexOf(team)];
  if (door === 'Organization') return inOrganization;
  return inOrganization > 1 ? inOrganization + 2 : inTeam;
}
const RANKS: Readonly<Record<Door, Readonly<Record<string, number>>>> = {
  Team: { LOW: 1, HIGH: 5 },
  Organization: { LOW: 1, HIGH: 3 },
};

let world: World;
let owner: TestCaller;
const people = new Map<string, TestCaller>();
beforeAll(async () => {
  world = await openWorld();
  ({ owner } = world);
  for (const [name, place] of Object.entries(PLACES)) {
    people.set(name, await world.newPerson('team of an organization', place));
  }
  await ownOtherGroups();
  const { data } = await owner.ask('{ me { username } }');
  const teamId = world.teamOf('team of an organization');
  const filling = { world, owner, ownerSignedIn: world.api.signedIn(data.me.username), teamId };
  await fillPerson(filling, { as: world.member, colleagueId: owner.userId });
  await fillPerson(filling, { as: owner, colleagueId: world.member.userId });
  await fillGroups(filling);
});
afterAll(() => world.close());

/** Those who own something beside it. */
async function ownOtherGroups(): Promise<void> {
  const { api, organizationId } = world;
  const sibling = { organizationId, slug: 'sibling', name: 'Sibling' };
  const teamId = await did(owner, 'organizationTeamCreate', sibling, 'teamId');
  const { userId = '' } = people.get('an owner of a sibling team') ?? {};
  await changed(
    api.database.em.fork(),
    sql`insert into team_memberships (id, team_id, user_id, organization_membership_id, role, accepted, created_at)
        select ${newId()}::uuid, ${uuidOf(teamId)}::uuid, user_id, id, 'OWNER', true, now() from organization_memberships
        where user_id = ${uuidOf(userId)}`,
  );
  const elsewhere = people.get('an owner of another organization') ?? owner;
  const { data } = await elsewhere.ask('{ me { username } }');
  const founder = api.signedIn(data.me.username);
  const founded = await did(founder, 'organizationCreate', { slug: 'another', name: 'Another' }, 'organizationId');
  await did(elsewhere, 'organizationTeamCreate', { organizationId: founded, slug: 'team', name: 'Team' }, 'teamId');
}

describe.each(DOORS)('through the door of type %s', (door) => {
  test('the owner of everything sees every field that can have a value', async () => {
    const seen = new Set([...(await seenBy(owner, door))].map((way) => way.split(' > ').at(-1)?.split(': ').at(-1)));
    const all = coordinatesBelow(typeNamed(door));
    const unseen = [...all].filter((coordinate) => !seen.has(coordinate));
    expect(unseen, 'Nobody has a value there: give one in a fixture of test/world.').toEqual(NEVER_THERE[door]);
  });

  test.each(Object.entries(PLACES))('%s sees what the table says, and nothing else', async (name, place) => {
    const all = await seenBy(owner, door);
    const rank = rankOf(place, door);
    const expected = [...all].filter((way) => isFor(rank, door, way));
    const seen = await seenBy(people.get(name) ?? world.api.nobody, door);
    // Things that are theirs alone are of no account here.
    expect([...seen].filter((way) => all.has(way)).toSorted()).toEqual(expected.toSorted());
    expect(seen.size === 0).toBe(rank === 0);
  });

  test('nobody who names no user sees anything', async () => {
    const { data, codes } = await world.api.nobody.ask(`{ door: ${doorOf(door)} { id } }`);
    expect([data, codes]).toEqual([undefined, ['UNAUTHENTICATED']]);
  });
});

test('one’s own door shows nothing of people with whom one has nothing in common', async () => {
  const stranger = people.get('a stranger') ?? owner;
  const data = await askForParts(stranger, typeNamed('Viewer'), 'me');
  expect(data?.door.id).toBe(stranger.userId);
  const text = JSON.stringify(data);
  for (const { userId } of [world.member, owner]) expect(text).not.toContain(userId);
});

test('public fields are the same for everybody, and show nothing that is hidden or private', async () => {
  const { data } = await world.member.ask('{ me { username email eventTypes { nodes { id isHidden } } } }');
  const { username, email, eventTypes } = data.me;
  const hidden = eventTypes.nodes.find((one: { isHidden: boolean }) => one.isHidden).id;
  const shown = eventTypes.nodes.find((one: { isHidden: boolean }) => !one.isHidden).id;
  const type = selectionOf(typeNamed('PublicEventType'));
  const document = `query($shown: ID!, $hidden: ID!, $username: String) {
    shown: publicEventType(by: { id: $shown }) { ${type} } publicEventTypes(username: $username) { nodes { ${type} } }
    hidden: publicEventType(by: { id: $hidden }) { id } }`;
  const answers = await Promise.all(
    [world.api.nobody, owner, ...people.values()].map((who) => who.ask(document, { shown, hidden, username })),
  );
  const [first] = answers;
  expect(first?.data).toMatchObject({ shown: { id: shown }, hidden: null });
  expect(first?.data.publicEventTypes.nodes[0]).toEqual(first?.data.shown);
  for (const answer of answers) expect(answer.data).toEqual(first?.data);
  expect(JSON.stringify(first?.data)).not.toContain(email);
  expect(JSON.stringify(first?.data)).not.toMatch(/"(?:lnk|usr)_/);
});

describe('an app, with its secrets’ names and its failed requests,', () => {
  const shown = selectionOf(typeNamed('OAuthClient', forSessions.schema));

  async function seenBy(username: string): Promise<unknown> {
    const document = `query($id: String!) { oauthClient(clientId: $id) { ${shown} } }`;
    const { data, codes } = await world.api.signedIn(username).ask(document, { id: 'demo-app' });
    expect(codes).toEqual([]);
    const client = data.oauthClient;
    return client && [client.clientId, client.secrets.length, client.failedRequests.nodes.length];
  }

  test('is shown to its developer and to administrators of the service, and is not there for anybody else', async () => {
    await changed(
      world.api.database.em.fork(),
      sql`insert into oauth_failed_requests (id, client_id, endpoint, error, description, occurred_at)
          values (${newId()}, 'demo-app', 'TOKEN', 'invalid_grant', 'Refused.', now())`,
    );
    for (const username of ['ada', 'admin'])
      expect([username, await seenBy(username)]).toEqual([username, ['demo-app', 1, 1]]);
    for (const username of ['bob', 'dan']) expect([username, await seenBy(username)]).toEqual([username, null]);
  });

  test('waits for review before administrators alone', async () => {
    const queue = '{ oauthClientReviewQueue { nodes { clientId } } }';
    const answers = await Promise.all(['ada', 'dan', 'admin'].map((one) => world.api.signedIn(one).ask(queue)));
    expect(answers.map(({ codes }) => codes)).toEqual([[], [], []]);
    expect(answers.map(({ data }) => data.oauthClientReviewQueue.nodes.length > 0)).toEqual([false, false, true]);
  });
});

function isFor(rank: number, door: Door, way: string): boolean {
  if (rank === 0) return false;
  const [whose = '', steps = ''] = way.split(': ');
  const isAbove = (RANKS[door][whose.split(' ')[0] ?? ''] ?? 0) > rank;
  if (whose.endsWith('hidden') && isAbove) return false;
  return steps.split(' > ').every((coordinate) => {
    const of = classOf(coordinate);
    if (of === 'GROUP_ADMINISTRATORS') return rank > 1;
    return of === 'UP_TO_OWN_STANDING' ? !isAbove : of === 'AS_ABOVE';
  });
}

function doorOf(door: Door): string {
  const id = door === 'Team' ? world.teamOf('team of an organization') : world.organizationId;
  return `${door.toLowerCase()}(id: ${JSON.stringify(id)})`;
}

/** Each member's own, where nobody else is named: test/api/departures.test.ts asks for others'. */
function isOwn(coordinate: string): boolean {
  return /^(?:Team|Organization)\./.test(coordinate) && classOf(coordinate) === 'OWN_MEMBERSHIP';
}

async function seenBy(who: TestCaller, door: Door): Promise<Seen> {
  const type = typeNamed(door);
  const data = await askForParts(who, type, doorOf(door));
  const seen: Seen = new Set();
  if (data.door) look(type, data.door, { whose: '', way: [] }, seen);
  return seen;
}

function look(
  type: GraphQLObjectType,
  value: Record<string, unknown>,
  { whose, way }: { readonly whose: Whose; readonly way: readonly string[] },
  seen: Seen,
): void {
  const of = whoseIs(value) || whose;
  for (const [name, field] of Object.entries(type.getFields())) {
    const below = getNamedType(field.type);
    const found = itemsOf(value[name]);
    if (found.length === 0 || isOwn(`${type.name}.${name}`)) continue;
    const next = [...way, `${type.name}.${name}`];
    seen.add(`${of}: ${next.join(' > ')}`);
    const listed =
      isObjectType(below) && below.name.endsWith('Connection') ? getNamedType(below.getFields()['nodes']?.type) : below;
    if (!isObjectType(listed)) continue;
    for (const one of found) look(listed, one as Record<string, unknown>, { whose: of, way: next }, seen);
  }
}

/** The visible items of a value: empty texts and lists show nothing. */
function itemsOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null || value === '') return [];
  if (Array.isArray(value)) return value;
  return typeof value === 'object' && 'nodes' in value ? (value.nodes as unknown[]) : [value];
}

function whoseIs({ ownerId, userId, isHidden }: Record<string, unknown>): Whose {
  const id = ownerId ?? userId;
  const name = id === owner.userId ? 'HIGH' : id === world.member.userId ? 'LOW' : '';
  return name !== '' && isHidden === true ? `${name} hidden` : name;
}

/** All that a door can show without being told more; bookings have doors of their own. */
function coordinatesBelow(type: GraphQLObjectType, found = new Set<string>()): Set<string> {
  for (const [name, field] of Object.entries(type.getFields())) {
    const coordinate = `${type.name}.${name}`;
    if (
      found.has(coordinate) ||
      isOwn(coordinate) ||
      field.args.some(({ type: of, defaultValue }) => String(of).endsWith('!') && defaultValue === undefined)
    )
      continue;
    const below = getNamedType(field.type);
    const listed =
      isObjectType(below) && below.name.endsWith('Connection') ? getNamedType(below.getFields()['nodes']?.type) : below;
    if (isObjectType(listed) && ['Viewer', 'Team', 'Organization'].includes(listed.name)) continue;
    found.add(coordinate);
    if (isObjectType(listed)) coordinatesBelow(listed, found);
  }
  return found;
}

function typeNamed(name: string, schema = forTokens.schema): GraphQLObjectType {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`There is no type ${name}.`);
  return type;
}
