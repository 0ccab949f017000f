/** A managed event type's administrators find hidden copies among its children, if they may see those. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { childOf } from './managed-team.ts';
import { openWorld, type Person, type Place, type Role, type World } from './standings/world.ts';

const place = (organization: Role, team: Role): Place => ({ organization, team, state: 'ACCEPTED' });
/** Lowest first. */
const PLACES = {
  member: place('MEMBER', 'MEMBER'),
  admin: place('MEMBER', 'ADMIN'),
  owner: place('MEMBER', 'OWNER'),
  organizationAdmin: place('ADMIN', 'MEMBER'),
  organizationOwner: place('OWNER', 'MEMBER'),
} as const;
type Name = keyof typeof PLACES;
const NAMES = Object.keys(PLACES) as Name[];

let world: World;
let teamId: string;
let parentId: string;
let people: Record<Name, Person>;

beforeAll(async () => {
  world = await openWorld();
  teamId = world.teamOf('team of an organization');
  const joined = await world.newPeople('team of an organization', Object.values(PLACES));
  people = Object.fromEntries(NAMES.map((name, index) => [name, joined[index]])) as typeof people;
  const hosts = joined.map(({ userId }) => ({ userId }));
  const type = { teamId, slug: 'copied', title: 'Copied', durationInMinutes: 30, schedulingType: 'MANAGED', hosts };
  parentId = (await world.owner.change('teamEventTypeCreate', type, 'eventTypeId')).data.eventTypeId;
  for (const name of NAMES) await setHidden(name, true);
});
afterAll(() => world.close());

async function setHidden(name: Name, isHidden: boolean): Promise<void> {
  const who = people[name];
  const { id: eventTypeId } = await childOf(who, parentId);
  expect((await who.change('eventTypeUpdate', { eventTypeId, isHidden })).mistakes).toEqual([]);
}

const DOORS = {
  team: 'query($group: ID!, $id: ID!, $first: Int, $after: String) { door: team(id: $group)',
  organization: 'query($group: ID!, $id: ID!, $first: Int, $after: String) { door: organization(id: $group)',
};

/** Page after page. */
async function seenBy(name: Name, door: keyof typeof DOORS, first: number): Promise<Name[]> {
  const document = `${DOORS[door]} { eventType(id: $id) { children(first: $first, after: $after) {
    nodes { user { id } } pageInfo { hasNextPage endCursor } } } } }`;
  const group = door === 'team' ? teamId : world.organizationId;
  const seen: string[] = [];
  for (let [after, more] = [null, true]; more; ) {
    const { data, codes } = await people[name].ask(document, { group, id: parentId, first, after });
    expect(codes).toEqual([]);
    const { nodes, pageInfo } = data.door.eventType.children;
    // No page but the last has room left.
    expect(nodes.length === first || !pageInfo.hasNextPage).toBe(true);
    seen.push(...nodes.map(({ user }: { user: { id: string } }) => user.id));
    [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
  }
  expect(new Set(seen).size).toBe(seen.length);
  return NAMES.filter((one) => seen.includes(people[one].userId));
}

const SEEN = [
  ['admin', 'team', ['member', 'admin']],
  ['owner', 'team', ['member', 'admin', 'owner']],
  ['organizationAdmin', 'team', ['member', 'admin', 'owner', 'organizationAdmin']],
  ['organizationOwner', 'team', NAMES],
  ['organizationAdmin', 'organization', ['member', 'admin', 'owner', 'organizationAdmin']],
  ['organizationOwner', 'organization', NAMES],
] as const;

describe.each([1, 2, 100])('in pages of %i', (first) => {
  test.each(SEEN)('%s through the %s: %j', async (who, door, names) => {
    expect(await seenBy(who, door, first)).toEqual(names);
  });
});

test('a copy that is not hidden is seen by all who administer the team, whoever owns it', async () => {
  for (const name of ['owner', 'organizationOwner'] as const) await setHidden(name, false);
  expect(await seenBy('admin', 'team', 2)).toEqual(['member', 'admin', 'owner', 'organizationOwner']);
  for (const name of ['owner', 'organizationOwner'] as const) await setHidden(name, true);
  expect(await seenBy('admin', 'team', 2)).toEqual(['member', 'admin']);
});
