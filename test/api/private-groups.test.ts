import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestCaller } from '../support/api.ts';
import { FROM, TO } from './booking-pages.ts';
import { type LevelName, openWorld, type Person, type Place, type World } from './standings/world.ts';

const TEAM: LevelName = 'team of an organization';
const ALONE: LevelName = 'stand-alone team';

let world: World;
const eventTypeIds = new Map<LevelName, string>();
const links = new Map<LevelName, string>();
const people = new Map<string, TestCaller>();
const usernames = new Map<string, string>();

beforeAll(async () => {
  world = await openWorld();
  for (const level of [TEAM, ALONE]) {
    const input = { teamId: world.teamOf(level), slug: 'call', title: 'Call', durationInMinutes: 30 };
    const { data } = await world.owner.change('teamEventTypeCreate', input, 'eventTypeId');
    eventTypeIds.set(level, data.eventTypeId);
    const link = { teamId: world.teamOf(level), eventTypeId: data.eventTypeId, maxUsageCount: 100 };
    const made = await world.owner.change('teamPrivateLinkCreate', link, 'privateLink { url }');
    links.set(level, made.data.privateLink.url.split('/').at(-1));
  }
  people.set('nobody', world.api.nobody);
  const accepted = { state: 'ACCEPTED' } as const;
  await add('a stranger', { organization: null, team: null, ...accepted });
  await add('somebody invited to the team', { organization: null, team: 'OWNER', state: 'INVITED' }, ALONE);
  await add('a member of the team', { organization: 'MEMBER', team: 'MEMBER', ...accepted });
  await add('a member of the stand-alone team', { organization: null, team: 'MEMBER', ...accepted }, ALONE);
  await add('another member of the organization', { organization: 'MEMBER', team: null, ...accepted });
  await add('an administrator of the organization', { organization: 'ADMIN', team: null, ...accepted });
});
afterAll(() => world.close());

async function add(name: string, place: Place, level: LevelName = TEAM): Promise<void> {
  const who: Person = await world.newPerson(level, place);
  people.set(name, who);
  const { data } = await who.ask('{ me { username } }');
  usernames.set(name, data.me.username);
}

async function setPrivate(isTeamPrivate: boolean, isOrganizationPrivate = false): Promise<void> {
  for (const level of [TEAM, ALONE]) {
    await world.owner.change('teamUpdate', { teamId: world.teamOf(level), isPrivate: isTeamPrivate });
  }
  await world.setPrivateOrganization(isOrganizationPrivate);
}

const PLACES: Readonly<Partial<Record<LevelName, string>>> = {
  [TEAM]: 'team: "standing", organization: "standing"',
  [ALONE]: 'team: "standing-alone"',
};

/** Through which doors somebody sees or books what the team offers. */
async function doorsOf(who: TestCaller, level: LevelName, link?: string): Promise<Record<string, boolean>> {
  const place = PLACES[level] ?? '';
  const range = `start: "${FROM}", end: "${TO}"`;
  const id = eventTypeIds.get(level);
  const [byId, bySlug] = [`id: "${id}"`, `ofTeam: { ${place}, slug: "call" }`];
  const linked = link === undefined ? undefined : `privateLinkToken: "${link}"`;
  const { data } = await who.ask(`{
    list: publicEventTypes(${place}) { nodes { id } }
    byId: publicEventType(by: { ${byId} }) { title }
    bySlug: publicEventType(by: { ${bySlug} }) { title }
    slots: slots(eventType: { ${linked ?? byId} }, ${range}) { start }
    slotsBySlug: slots(eventType: { ${linked ?? bySlug} }, ${range}) { start } }`);
  const start = '2099-01-05T09:00:00Z';
  const privateLinkToken = link ?? null;
  const request = { eventTypeId: id, start, privateLinkToken };
  const attendee = { name: 'Grace', email: 'grace@example.test', timeZone: 'UTC' };
  // A start that far ahead is refused, unless there is nothing that could be booked.
  const isFound = async (name: string, input: Record<string, unknown>): Promise<boolean> => {
    const { mistakes } = await who.change(name, input);
    expect(mistakes).toHaveLength(1);
    return !mistakes[0]?.startsWith('NOT_FOUND');
  };
  return {
    list: data.list.nodes.length > 0,
    byId: data.byId !== null,
    bySlug: data.bySlug !== null,
    slots: data.slots !== null,
    slotsBySlug: data.slotsBySlug !== null,
    reserve: await isFound('slotReservationCreate', request),
    book: await isFound('bookingCreate', { ...request, attendee }),
  };
}

const all = (isOpen: boolean) => ({
  list: isOpen,
  byId: isOpen,
  bySlug: isOpen,
  slots: isOpen,
  slotsBySlug: isOpen,
  reserve: isOpen,
  book: isOpen,
});

interface Kind {
  readonly level: LevelName;
  readonly isTeamPrivate: boolean;
  readonly isOrganizationPrivate: boolean;
  readonly insiders: readonly string[];
}

const KINDS: Readonly<Record<string, Kind>> = {
  'private team of an organization': {
    level: TEAM,
    isTeamPrivate: true,
    isOrganizationPrivate: false,
    insiders: ['a member of the team', 'an administrator of the organization'],
  },
  'team of a private organization': {
    level: TEAM,
    isTeamPrivate: false,
    isOrganizationPrivate: true,
    insiders: ['a member of the team', 'an administrator of the organization', 'another member of the organization'],
  },
  'private team of a private organization': {
    level: TEAM,
    isTeamPrivate: true,
    isOrganizationPrivate: true,
    insiders: ['a member of the team', 'an administrator of the organization'],
  },
  'private stand-alone team': {
    level: ALONE,
    isTeamPrivate: true,
    isOrganizationPrivate: false,
    insiders: ['a member of the stand-alone team'],
  },
};

describe.each(Object.entries(KINDS))('the offers of a %s', (_, { level, insiders, ...privacy }) => {
  beforeAll(() => setPrivate(privacy.isTeamPrivate, privacy.isOrganizationPrivate));

  test('is found by those who belong to it, with a session or an app that may read it, and by nobody else', async () => {
    for (const [name, who] of people) {
      const isInside = insiders.includes(name);
      expect([name, await doorsOf(who, level)]).toEqual([name, all(isInside)]);
      const username = usernames.get(name);
      if (username === undefined) continue;
      expect([name, await doorsOf(world.api.signedIn(username), level)]).toEqual([name, all(isInside)]);
      const unrelated = world.api.as(username, ['PROFILE_READ', 'BOOKING_WRITE', 'EVENT_TYPE_READ']);
      expect([name, await doorsOf(unrelated, level)]).toEqual([name, all(false)]);
      const reading = world.api.as(username, ['TEAM_EVENT_TYPE_READ']);
      expect([name, await doorsOf(reading, level)]).toEqual([name, all(isInside)]);
    }
  });

  test('is open to anybody with a private link: the event type, its slots, and booking it', async () => {
    const token = links.get(level) ?? '';
    const { list: _list, byId: _byId, bySlug: _bySlug, ...opened } = await doorsOf(world.api.nobody, level, token);
    expect(opened).toEqual({ slots: true, slotsBySlug: true, reserve: true, book: true });
    const { data } = await world.api.nobody.ask(`{ publicEventType(by: { privateLinkToken: "${token}" }) { title } }`);
    expect(data.publicEventType).toEqual({ title: 'Call' });
  });

  test('stays with the booker: the booking, its hosts, its slots, moving and cancelling it', async () => {
    const token = links.get(level) ?? '';
    const eventTypeId = eventTypeIds.get(level);
    const ask = `{ slots(eventType: { privateLinkToken: "${token}" }, start: "${FROM}", end: "${TO}") { start } }`;
    const [first, , , later] = (await world.api.nobody.ask(ask)).data.slots.map(
      ({ start }: { start: string }) => start,
    );
    const attendee = { name: 'Grace', email: 'grace@example.test', timeZone: 'UTC' };
    const input = { eventTypeId, start: first, attendee, privateLinkToken: token };
    const booked = await world.api.nobody.change('bookingCreate', input, 'booking { uid }');
    const uid: string = booked.data.booking.uid;
    const { data } = await world.api.nobody.ask(`{
      publicBooking(uid: "${uid}") { title hosts { user { name } } }
      slots(eventType: { id: "${eventTypeId}" }, start: "${FROM}", end: "${TO}", bookingUidToReschedule: "${uid}") { start } }`);
    expect(data.publicBooking).toEqual({ title: 'Call', hosts: [{ user: { name: expect.any(String) } }] });
    expect(data.slots.length).toBeGreaterThan(0);
    const moved = await world.api.nobody.change('bookingReschedule', { uid, start: later }, 'booking { uid }');
    expect(moved.mistakes).toEqual([]);
    const cancelled = await world.api.nobody.change('bookingCancel', { uid: moved.data.booking.uid });
    expect(cancelled.mistakes).toEqual([]);
  });
});

describe('the offers of a public team in a public organization', () => {
  beforeAll(() => setPrivate(false));

  test.each([TEAM, ALONE])('is found by everybody: %s', async (level) => {
    for (const [name, who] of people) expect([name, await doorsOf(who, level)]).toEqual([name, all(true)]);
  });
});
