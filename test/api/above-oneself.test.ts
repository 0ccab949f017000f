/** Administrators of an organization do not read everything about somebody whose role stands above theirs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWorld, type Person, type Role, type World } from './standings/world.ts';

let world: World;
const people = {} as Record<Role, Person>;
beforeAll(async () => {
  world = await openWorld();
  for (const role of ['MEMBER', 'ADMIN', 'OWNER'] as const) {
    people[role] = await world.newPerson('organization', { organization: role, team: null, state: 'ACCEPTED' });
    for (const [slug, isHidden] of [
      ['open', false],
      ['secret', true],
    ] as const) {
      const input = { slug, title: `${role} ${slug}`, durationInMinutes: 30, isHidden };
      const { eventTypeId } = (await people[role].change('eventTypeCreate', input, 'eventTypeId')).data;
      await people[role].change('privateLinkCreate', { eventTypeId });
    }
  }
});
afterAll(() => world.close());

const shown = { open: ['open: 1 link'], closed: ['open: 0 links'], all: ['open: 1 link', 'secret: 1 link'] };

/** The role of the reader, and what they see of people in each role. */
const CASES: readonly [Role, Partial<Record<Role, readonly string[]>>][] = [
  ['OWNER', { MEMBER: shown.all, ADMIN: shown.all, OWNER: shown.all }],
  ['ADMIN', { MEMBER: shown.all, ADMIN: shown.all, OWNER: shown.closed }],
  ['MEMBER', {}],
];

describe.each(CASES)('to an %s of an organization', (role, expected) => {
  test('its list shows hidden event types and private links up to their own standing', async () => {
    const seen: Record<string, string[]> = {};
    for (let after: string | null = null; ; ) {
      const { data, codes } = await people[role].ask(
        `query($id: ID!, $after: String) { organization(id: $id) { eventTypes(first: 1, after: $after) {
          nodes { ownerId slug privateLinks { nodes { id } } } pageInfo { hasNextPage endCursor } } } }`,
        { id: world.organizationId, after },
      );
      expect(codes).toEqual([]);
      const list = data.organization.eventTypes;
      if (!list) break;
      for (const { ownerId, slug, privateLinks } of list.nodes) {
        const of = (Object.keys(people) as Role[]).find((one) => people[one].userId === ownerId) ?? 'nobody';
        const count = privateLinks.nodes.length;
        (seen[of] ??= []).push(`${slug}: ${count} ${count === 1 ? 'link' : 'links'}`);
      }
      if (!list.pageInfo.hasNextPage) break;
      after = list.pageInfo.endCursor;
    }
    expect(seen).toEqual(expected);
  });

  test('its look-up shows the same', async () => {
    for (const [of, whose] of Object.entries(people)) {
      const own = await whose.ask('{ me { eventTypes { nodes { id slug privateLinks { nodes { id } } } } } }');
      const found: string[] = [];
      for (const { id, slug, privateLinks } of own.data.me.eventTypes.nodes) {
        expect(privateLinks.nodes).toHaveLength(1);
        const { data } = await people[role].ask(
          'query($of: ID!, $id: ID!) { organization(id: $of) { eventType(id: $id) { privateLinks { nodes { url } } } } }',
          { of: world.organizationId, id },
        );
        const links = data.organization.eventType?.privateLinks.nodes.length;
        if (links !== undefined) found.push(`${slug}: ${links} ${links === 1 ? 'link' : 'links'}`);
      }
      expect([of, found]).toEqual([of, expected[of as Role] ?? []]);
    }
  });
});
