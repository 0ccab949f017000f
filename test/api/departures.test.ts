/**
 * Somebody's bookings, event types and hosts when they leave a group: the API tells before what would happen, and then
 * it happens.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, publicId } from '../../src/core/id.ts';
import { row, rows, sql } from '../../src/database/sql.ts';
import { hostIdsOf } from '../../src/modules/bookings/booking.entity.ts';
import type { SCOPES } from '../../src/scopes/catalog.ts';
import type { TestCaller } from '../support/api.ts';
import { ownedUuidOf, unknownId, uuidOf } from '../support/ids.ts';
import { FROM, TO } from './booking-pages.ts';
import { openWorld, type Person, type Place, type World } from './standings/world.ts';

let world: World;
let teamId: string;
let organizationId: string;
/** A member of the team who stays. */
let stayer: Person;
let count = 0;

const MEMBER: Place = { organization: 'MEMBER', team: 'MEMBER', state: 'ACCEPTED' };

beforeAll(async () => {
  world = await openWorld();
  ({ organizationId } = world);
  teamId = world.teamOf('team of an organization');
  stayer = await newMember();
});
afterAll(() => world.close());

const newMember = (place: Place = MEMBER) => world.newPerson('team of an organization', place);
const em = () => world.api.database.em.fork();

async function made(who: TestCaller, name: string, input: Record<string, unknown>, selection: string) {
  const { data, mistakes, codes } = await who.change(name, input, selection);
  if (mistakes.length + codes.length > 0) throw new Error(`${name}: ${[...mistakes, ...codes].join(' ')}`);
  return data;
}

/** An event type of the team; its id. */
async function offered(settings: Record<string, unknown>): Promise<string> {
  count += 1;
  const type = { teamId, slug: `departure-${count}`, title: `Talk ${count}`, durationInMinutes: 30, ...settings };
  return (await made(world.owner, 'teamEventTypeCreate', type, 'eventTypeId')).eventTypeId;
}

const hostedBy = (...hosts: readonly { readonly userId: string; readonly isMandatory?: boolean }[]) =>
  hosts.map(({ userId, isMandatory = false }) => ({ userId, isMandatory }));

async function slotsOf(eventTypeId: string): Promise<string[]> {
  const document =
    'query($id: ID!, $from: DateTime!, $to: DateTime!) { slots(eventType: { id: $id }, start: $from, end: $to) { start } }';
  const { data } = await world.api.nobody.ask(document, { id: eventTypeId, from: FROM, to: TO });
  return data.slots.map(({ start }: { start: string }) => start);
}

/** So many bookings, in the first slots; their uids. */
async function booked(eventTypeId: string, howMany = 1): Promise<string[]> {
  const slots = await slotsOf(eventTypeId);
  const uids: string[] = [];
  for (const start of slots.slice(0, howMany)) {
    const attendee = { name: 'Grace', email: `grace-${count}@example.test`, timeZone: 'UTC' };
    const { booking } = await made(
      world.api.nobody,
      'bookingCreate',
      { eventTypeId, start, attendee },
      'booking { uid }',
    );
    uids.push(booking.uid);
  }
  return uids;
}

interface Stored {
  readonly status: string;
  readonly hosts: readonly string[];
  readonly listed: readonly string[];
  readonly timeOf: readonly string[];
  readonly told: readonly string[];
}

const known = (ids: readonly string[]) => ids.map((one) => publicId('user', one)).toSorted();

/**
 * A booking as it is kept: the hosts whose time it holds and whose lists have it, and the events that were recorded of
 * it since it was made.
 */
async function stored(uid: string | undefined): Promise<Stored> {
  const { ownerId, id } = ownedUuidOf(uid ?? '');
  const found = await row(
    em(),
    sql<Stored>`select b.status, ${hostIdsOf('b')} as hosts,
        array(select h.user_id from booking_hosts h where h.booking_id = b.id and h.status = b.status order by 1) as listed,
        array(select t.host_id from occupied_times t where t.holder_id = b.id order by 1) as "timeOf",
        array(select concat_ws(' ', e.type, e.data ->> 'reason') from domain_events e
          where e.data -> 'booking' ->> 'id' = b.id::text and e.type not in ('BOOKING_CREATED', 'BOOKING_REQUESTED')) as told
      from bookings b where b.owner_id = ${ownerId} and b.id = ${id}`,
  );
  if (!found) throw new Error('There is no such booking.');
  return { ...found, hosts: known(found.hosts), listed: known(found.listed), timeOf: known(found.timeOf) };
}

/** The state of a booking, as everything that knows of it should have it. */
function hostedAlike(status: string, hosts: readonly TestCaller[], told: readonly string[]) {
  const ids = hosts.map(({ userId }) => userId).toSorted();
  const holdsTime = status === 'ACCEPTED' || status === 'PENDING';
  return { status, hosts: ids, listed: ids, timeOf: holdsTime ? ids : [], told };
}

const COUNTS = 'reassignedBookingCount releasedBookingCount cancelledBookingCount keptBookingCount';
const counts = (reassigned: number, released: number, cancelled: number, kept: number) => ({
  reassignedBookingCount: reassigned,
  releasedBookingCount: released,
  cancelledBookingCount: cancelled,
  keptBookingCount: kept,
});

const remove = (who: Person, choice: Record<string, unknown> = {}, by: TestCaller = world.owner, selection = COUNTS) =>
  by.change('teamMembershipDelete', { teamId, membershipId: who.membershipId, ...choice }, selection);

async function isMember({ userId }: TestCaller): Promise<boolean> {
  const member = sql`select 1 from team_memberships where team_id = ${uuidOf(teamId)} and user_id = ${uuidOf(userId)}`;
  return (await row(em(), member)) !== undefined;
}

const DEPARTURE = `departure(membershipId: $membershipId) { membershipId upcomingBookingCount ownUpcomingBookingCount
  eventTypeCount eventTypes { eventType { id slug title } isMandatory isOnlyHost } managedEventTypeCount managedEventTypes { title } }`;

const AT = {
  team: () => [`query($id: ID!, $membershipId: ID) { team(id: $id) { ${DEPARTURE} } }`, teamId] as const,
  organization: () =>
    [`query($id: ID!, $membershipId: ID) { organization(id: $id) { ${DEPARTURE} } }`, organizationId] as const,
};

async function preview(by: TestCaller, level: keyof typeof AT, membershipId: string | null) {
  const [document, id] = AT[level]();
  const { data, codes } = await by.ask(document, { id, membershipId });
  expect(codes).toEqual([]);
  return data[level]?.departure ?? null;
}

describe('the preview of a departure', () => {
  test('is told with bookings, event types, and copies of managed ones, and nothing of other teams', async () => {
    const leaver = await newMember();
    const turns = await offered({
      schedulingType: 'ROUND_ROBIN',
      hosts: hostedBy({ ...leaver, isMandatory: true }, stayer),
    });
    const alone = await offered({ schedulingType: 'COLLECTIVE', hosts: hostedBy(leaver) });
    await offered({ schedulingType: 'ROUND_ROBIN', hosts: hostedBy(stayer) });
    const managed = await offered({ schedulingType: 'MANAGED', hosts: hostedBy(leaver), title: 'Managed' });
    await booked(turns, 2);
    const { data } = await world.owner.ask(
      'query($t: ID!, $e: ID!) { team(id: $t) { eventType(id: $e) { children { nodes { id } } } } }',
      { t: teamId, e: managed },
    );
    await booked(data.team.eventType.children.nodes[0].id);
    const own = { slug: 'own', title: 'Own', durationInMinutes: 30 };
    await booked((await made(leaver, 'eventTypeCreate', own, 'eventTypeId')).eventTypeId);

    const expected = {
      membershipId: leaver.membershipId,
      upcomingBookingCount: 2,
      ownUpcomingBookingCount: 1,
      eventTypeCount: 2,
      eventTypes: [
        { eventType: expect.objectContaining({ id: turns }), isMandatory: true, isOnlyHost: false },
        { eventType: expect.objectContaining({ id: alone }), isMandatory: true, isOnlyHost: true },
      ],
      managedEventTypeCount: 1,
      managedEventTypes: [{ title: 'Managed' }],
    };
    expect(await preview(world.owner, 'team', leaver.membershipId)).toEqual(expected);
    expect(await preview(leaver, 'team', null)).toEqual(expected);
    // An organization reaches what its members offer themselves, too.
    const inOrganization = await preview(leaver, 'organization', null);
    expect(inOrganization).toEqual({ ...expected, membershipId: expect.any(String), ownUpcomingBookingCount: 2 });
    expect(await preview(world.owner, 'organization', inOrganization.membershipId)).toEqual(inOrganization);

    const outcome = await remove(leaver, {}, world.owner, `${COUNTS} eventTypesWithoutHost { id }`);
    expect(outcome.data).toMatchObject({ ...counts(0, 0, 0, 2), eventTypesWithoutHost: [{ id: alone }] });
    expect([(await slotsOf(turns)).length > 0, await slotsOf(alone)]).toEqual([true, []]);
  });

  test.each([
    ['the member', (who: { self: TestCaller }) => who.self, true],
    ['an admin of the team', () => newMember({ ...MEMBER, team: 'ADMIN' }), true],
    ['an admin of the organization', () => newMember({ ...MEMBER, organization: 'ADMIN', team: null }), true],
    ['the owner', () => world.owner, true],
    ['another member', () => newMember(), false],
    ['a member of the organization alone', () => newMember({ ...MEMBER, team: null }), false],
    ['somebody invited', () => newMember({ ...MEMBER, team: 'OWNER', state: 'INVITED' }), false],
    [
      'an owner of a stand-alone team',
      () => world.newPerson('stand-alone team', { organization: null, team: 'OWNER', state: 'ACCEPTED' }),
      false,
    ],
  ] as const)('is told to %s: %s', async (_, whoAsks, isTold) => {
    const self = await newMember();
    const by = await whoAsks({ self });
    expect((await preview(by, 'team', self.membershipId)) !== null).toBe(isTold);
  });

  test('is not told of those above, of those who are only invited, nor of another group', async () => {
    const admin = await newMember({ ...MEMBER, team: 'ADMIN' });
    const above = await newMember({ ...MEMBER, team: 'OWNER' });
    const invited = await newMember({ ...MEMBER, state: 'INVITED' });
    const alone = await world.newPerson('stand-alone team', { organization: null, team: 'MEMBER', state: 'ACCEPTED' });
    for (const { membershipId } of [above, invited, alone]) {
      expect(await preview(admin, 'team', membershipId)).toBeNull();
    }
    expect(await preview(world.owner, 'organization', above.membershipId)).toBeNull();
    expect(await preview(world.owner, 'team', unknownId('membership'))).toBeNull();
  });

  test.each(['TEAM_MEMBERSHIP_READ', 'TEAM_BOOKING_READ', 'TEAM_EVENT_TYPE_READ'] as const)(
    'takes the scope %s, as well as the others',
    async (missing) => {
      const [document, id] = AT.team();
      const some = ['TEAM_MEMBERSHIP_READ', 'TEAM_BOOKING_READ', 'TEAM_EVENT_TYPE_READ'] as const;
      const ask = (scopes: readonly (typeof SCOPES)[number][]) => world.api.as('ada', scopes).ask(document, { id });
      expect((await ask(some.filter((scope) => scope !== missing))).codes).toEqual(['INSUFFICIENT_SCOPE']);
      expect((await ask(some)).codes).toEqual([]);
    },
  );
});

/** Somebody who alone hosts so many bookings by turns, and who could be a host, too, once they are added. */
async function inTurns(howMany = 1) {
  const leaver = await newMember();
  const eventTypeId = await offered({ schedulingType: 'ROUND_ROBIN', hosts: hostedBy(leaver) });
  const uids = await booked(eventTypeId, howMany);
  const substitute = await newMember();
  const add = async (...hosts: readonly Person[]) =>
    made(world.owner, 'teamEventTypeUpdate', { teamId, eventTypeId, hostsSet: hostedBy(...hosts) }, 'eventTypeId');
  return { leaver, substitute, eventTypeId, uids, add };
}

/** Two bookings, for the first of which nobody else has time. */
async function oneForNobody() {
  const { leaver, substitute, uids, add } = await inTurns(2);
  await add(substitute);
  const own = { slug: `busy-${count}`, title: 'Busy', durationInMinutes: 30 };
  await booked((await made(substitute, 'eventTypeCreate', own, 'eventTypeId')).eventTypeId);
  return { leaver, substitute, bookings: () => Promise.all(uids.map(stored)) };
}

describe('bookings of somebody who is removed', () => {
  const REASON = { reason: 'They have left.' };

  test('stay with them, unless something else is said', async () => {
    const { leaver, uids } = await inTurns();
    const { data, mistakes } = await remove(leaver);
    expect([mistakes, data]).toEqual([[], expect.objectContaining(counts(0, 0, 0, 1))]);
    expect(await stored(uids[0])).toEqual(hostedAlike('ACCEPTED', [leaver], []));
  });

  test('are reassigned to hosts who have time, in turns', async () => {
    const { leaver, substitute, uids, add } = await inTurns(4);
    const another = await newMember();
    await add(substitute, another);
    const { data } = await remove(leaver, { upcomingBookings: 'REASSIGN', ...REASON });
    expect(data).toMatchObject(counts(4, 0, 0, 0));
    const now = await Promise.all(uids.map(stored));
    const told = ['BOOKING_REASSIGNED They have left.'];
    const who = (id: string | undefined) => (id === substitute.userId ? substitute : another);
    expect(now).toEqual(now.map(({ hosts }) => hostedAlike('ACCEPTED', [who(hosts[0])], told)));
    const taken = now.map(({ hosts }) => hosts[0]);
    expect([substitute, another].map(({ userId }) => taken.filter((id) => id === userId).length)).toEqual([2, 2]);
  });

  test('are reassigned to the member who is named', async () => {
    const { leaver, substitute, uids, add } = await inTurns(2);
    await add(substitute, stayer);
    const { data } = await remove(leaver, { upcomingBookings: 'REASSIGN', toUserId: substitute.userId });
    expect(data).toMatchObject(counts(2, 0, 0, 0));
    for (const uid of uids) expect((await stored(uid)).hosts).toEqual([substitute.userId]);
  });

  test.each([
    ['unless it is said what becomes of them', {}, 'HOST_NOT_AVAILABLE ifNobodyIsFree'],
    ['nor cancelled without a reason', { ifNobodyIsFree: 'CANCEL' }, 'REASON_REQUIRED reason'],
  ] as const)('are not reassigned when nobody has time, %s', async (_, choice, mistake) => {
    const { leaver, bookings } = await oneForNobody();
    const before = await bookings();
    expect((await remove(leaver, { upcomingBookings: 'REASSIGN', ...choice })).mistakes).toEqual([mistake]);
    expect([await isMember(leaver), await bookings()]).toEqual([true, before]);
  });

  test.each([
    ['KEEP', 'ACCEPTED', [], counts(1, 0, 0, 1)],
    ['CANCEL', 'CANCELLED', ['BOOKING_CANCELLED They have left.'], counts(1, 0, 1, 0)],
  ] as const)(
    'are settled as `ifNobodyIsFree` says when nobody has time: %s',
    async (ifNobodyIsFree, status, told, outcome) => {
      const { leaver, substitute, bookings } = await oneForNobody();
      const { data, mistakes } = await remove(leaver, { upcomingBookings: 'REASSIGN', ifNobodyIsFree, ...REASON });
      expect([mistakes, await isMember(leaver), data]).toEqual([[], false, expect.objectContaining(outcome)]);
      const reassigned = ['BOOKING_REASSIGNED They have left.'];
      expect(await bookings()).toEqual([
        hostedAlike(status, [leaver], told),
        hostedAlike('ACCEPTED', [substitute], reassigned),
      ]);
    },
  );

  test.each(['KEEP', 'REASSIGN', 'CANCEL'] as const)('that others host with them, by %s', async (bookings) => {
    const leaver = await newMember();
    const [uid] = await booked(await offered({ schedulingType: 'COLLECTIVE', hosts: hostedBy(leaver, stayer) }));
    const { data } = await remove(leaver, { upcomingBookings: bookings, ...REASON });
    const isKept = bookings === 'KEEP';
    expect(data).toMatchObject(isKept ? counts(0, 0, 0, 1) : counts(0, 1, 0, 0));
    const hosts = isKept ? [leaver, stayer] : [stayer];
    expect(await stored(uid)).toEqual(
      hostedAlike('ACCEPTED', hosts, isKept ? [] : ['BOOKING_REASSIGNED They have left.']),
    );
  });

  test('that others host who are suspended are cancelled: nobody is left to hold them', async () => {
    const [leaver, other] = [await newMember(), await newMember()];
    const [uid] = await booked(await offered({ schedulingType: 'COLLECTIVE', hosts: hostedBy(leaver, other) }));
    await world.suspend([other]);
    expect((await remove(leaver, { upcomingBookings: 'CANCEL', ...REASON })).data).toMatchObject(counts(0, 0, 1, 0));
    expect((await stored(uid)).status).toBe('CANCELLED');
  });

  test.each([
    ['goes on without a mandatory host', true, 'REASSIGN', counts(0, 1, 0, 0)],
    ['goes to somebody else when it was their turn', false, 'REASSIGN', counts(1, 0, 0, 0)],
    ['is cancelled when it was their turn', false, 'CANCEL', counts(0, 0, 1, 0)],
  ] as const)('by turns, with others: it %s', async (_, isMandatory, bookings, outcome) => {
    const [leaver, other, substitute] = [await newMember(), await newMember(), await newMember()];
    const hosts = hostedBy({ ...leaver, isMandatory }, { ...other, isMandatory: !isMandatory });
    const eventTypeId = await offered({ schedulingType: 'ROUND_ROBIN', hosts });
    const [uid] = await booked(eventTypeId);
    const hostsSet = hostedBy(substitute);
    await made(world.owner, 'teamEventTypeUpdate', { teamId, eventTypeId, hostsSet }, 'eventTypeId');
    expect((await remove(leaver, { upcomingBookings: bookings, ...REASON })).data).toMatchObject(outcome);
    const left = { REASSIGN: isMandatory ? [other] : [other, substitute], CANCEL: [leaver, other] }[bookings];
    const ids = left.map(({ userId }) => userId).toSorted();
    expect(await stored(uid)).toMatchObject({ status: bookings === 'CANCEL' ? 'CANCELLED' : 'ACCEPTED', hosts: ids });
  });

  test('are cancelled with the reason, pending ones too, and nothing else of theirs is', async () => {
    const leaver = await newMember();
    const confirmation = { type: 'ALWAYS' };
    const [pending] = await booked(
      await offered({ schedulingType: 'ROUND_ROBIN', hosts: hostedBy(leaver), confirmation }),
    );
    const own = { slug: 'own', title: 'Own', durationInMinutes: 30 };
    const [theirs] = await booked((await made(leaver, 'eventTypeCreate', own, 'eventTypeId')).eventTypeId);
    expect((await remove(leaver, { upcomingBookings: 'CANCEL', ...REASON })).data).toMatchObject(counts(0, 0, 1, 0));
    expect(await stored(pending)).toEqual(hostedAlike('CANCELLED', [leaver], ['BOOKING_CANCELLED They have left.']));
    expect((await stored(theirs)).status).toBe('ACCEPTED');
  });

  test('cannot be reassigned when their event type is gone', async () => {
    const { leaver, uids, eventTypeId } = await inTurns();
    await made(world.owner, 'teamEventTypeDelete', { teamId, eventTypeId }, 'eventTypeId');
    expect((await remove(leaver, { upcomingBookings: 'REASSIGN' })).mistakes).toEqual([
      'HOST_NOT_AVAILABLE ifNobodyIsFree',
    ]);
    const cancelled = await remove(leaver, { upcomingBookings: 'REASSIGN', ifNobodyIsFree: 'CANCEL', ...REASON });
    expect([cancelled.mistakes, (await stored(uids[0])).status]).toEqual([[], 'CANCELLED']);
  });

  test.each([
    [{ upcomingBookings: 'CANCEL' }, ['REASON_REQUIRED reason']],
    [{ upcomingBookings: 'CANCEL', reason: ' ' }, ['REASON_REQUIRED reason']],
    [{ ifNobodyIsFree: 'KEEP' }, ['CONTRADICTION ifNobodyIsFree']],
    [{ toUserId: unknownId('user') }, ['CONTRADICTION toUserId']],
    [{ upcomingBookings: 'KEEP', reason: 'x'.repeat(10_000) }, ['TOO_LONG reason']],
  ])('are refused the choice %j', async (choice, mistakes) => {
    const leaver = await newMember();
    expect((await remove(leaver, choice)).mistakes).toEqual(mistakes);
    expect([await isMember(leaver), (await remove(leaver)).mistakes]).toEqual([true, []]);
  });

  test('are settled as the member says who leaves, and not as others who may not remove them', async () => {
    const { leaver, substitute, uids, add } = await inTurns();
    await add(substitute);
    const choice = { upcomingBookings: 'CANCEL', ...REASON };
    expect((await remove(leaver, choice, stayer)).mistakes).toEqual(['FORBIDDEN teamId']);
    expect((await remove(leaver, choice, await newMember({ ...MEMBER, team: null }))).mistakes).toEqual([
      'NOT_FOUND teamId',
    ]);
    const admin = await newMember({ ...MEMBER, team: 'ADMIN' });
    expect((await stored(uids[0])).status).toBe('ACCEPTED');
    expect((await remove(admin, { upcomingBookings: 'REASSIGN' }, leaver)).mistakes).toEqual(['FORBIDDEN teamId']);
    expect((await remove(leaver, { upcomingBookings: 'REASSIGN' }, leaver)).data).toMatchObject(counts(1, 0, 0, 0));
    expect((await stored(uids[0])).hosts).toEqual([substitute.userId]);
  });
});

describe('a member who leaves an organization', () => {
  test.each(['organizationMembershipDelete', 'organizationUserRemove'] as const)(
    'leaves all its teams at once, and nothing of other teams, by %s',
    async (name) => {
      const leaver = await newMember();
      const substitute = await newMember();
      const elsewhere = await world.newPerson('stand-alone team', {
        organization: null,
        team: 'MEMBER',
        state: 'ACCEPTED',
      });
      const [uid] = await booked(await offered({ schedulingType: 'ROUND_ROBIN', hosts: hostedBy(leaver) }));
      const alone = world.teamOf('stand-alone team');
      const membershipId = newId();
      await rows(
        em(),
        sql`insert into team_memberships (id, team_id, user_id, role, accepted, created_at)
            values (${membershipId}, ${uuidOf(alone)}, ${uuidOf(leaver.userId)}, 'MEMBER', true, now())`,
      );
      count += 1;
      const foreign = {
        teamId: alone,
        slug: `foreign-${count}`,
        title: 'Foreign',
        durationInMinutes: 30,
        schedulingType: 'COLLECTIVE',
      };
      const hosts = hostedBy(leaver);
      const { eventTypeId } = await made(world.owner, 'teamEventTypeCreate', { ...foreign, hosts }, 'eventTypeId');
      const [other] = await booked(eventTypeId);
      expect((await preview(leaver, 'organization', null)).upcomingBookingCount).toBe(1);
      const { membershipId: inOrganization } = await preview(leaver, 'organization', null);
      const whose = name === 'organizationUserRemove' ? { userId: leaver.userId } : { membershipId: inOrganization };
      const choice = { organizationId, ...whose, upcomingBookings: 'CANCEL' };
      expect((await world.owner.change(name, choice)).mistakes).toEqual(['REASON_REQUIRED reason']);
      for (const by of [substitute, elsewhere]) {
        const refused = await by.change(name, { ...choice, reason: 'No.' });
        expect(refused.mistakes).toEqual([by === substitute ? 'FORBIDDEN organizationId' : 'NOT_FOUND organizationId']);
      }
      const { data, mistakes } = await world.owner.change(name, { ...choice, reason: 'Gone.' }, COUNTS);
      expect([mistakes, data]).toEqual([[], expect.objectContaining(counts(0, 0, 1, 0))]);
      expect([(await stored(uid)).status, (await stored(other)).status]).toEqual(['CANCELLED', 'ACCEPTED']);
      expect(await isMember(leaver)).toBe(false);
    },
  );
});

async function ownerByApp(scopes: readonly (typeof SCOPES)[number][]): Promise<TestCaller> {
  const { userId } = world.owner;
  const owner = await row(em(), sql<{ username: string }>`select username from users where id = ${uuidOf(userId)}`);
  return world.api.as(owner?.username ?? '', scopes);
}

test('an app without the scope to change memberships removes nobody', async () => {
  const leaver = await newMember();
  const read = await ownerByApp(['TEAM_MEMBERSHIP_READ', 'TEAM_BOOKING_WRITE']);
  expect((await remove(leaver, {}, read)).codes).toEqual(['INSUFFICIENT_SCOPE']);
  const write = await ownerByApp(['TEAM_MEMBERSHIP_WRITE']);
  expect((await remove(leaver, {}, write)).mistakes).toEqual([]);
});

describe('an app without the scope to change bookings', () => {
  const BY_NAME = {
    teamMembershipDelete: ['TEAM_MEMBERSHIP_WRITE', 'TEAM_BOOKING_WRITE'],
    organizationMembershipDelete: ['ORG_MEMBERSHIP_WRITE', 'ORG_BOOKING_WRITE'],
    organizationUserRemove: ['ORG_MEMBERSHIP_WRITE', 'ORG_BOOKING_WRITE'],
  } as const;

  test.each(Object.entries(BY_NAME))('lets them be kept alone, by %s', async (name, [membership, booking]) => {
    const leaver = await newMember();
    const [uid] = await booked(await offered({ schedulingType: 'ROUND_ROBIN', hosts: hostedBy(leaver) }));
    const group = name === 'teamMembershipDelete' ? 'team' : 'organization';
    const { membershipId } = await preview(leaver, group, null);
    const whose = name === 'organizationUserRemove' ? { userId: leaver.userId } : { membershipId };
    const input = { ...(group === 'team' ? { teamId } : { organizationId }), ...whose };
    const [app, both] = [await ownerByApp([membership]), await ownerByApp([membership, booking])];
    for (const choice of [{ upcomingBookings: 'CANCEL', reason: 'Gone.' }, { upcomingBookings: 'REASSIGN' }]) {
      const { status, codes, errors } = await app.change(name, { ...input, ...choice });
      expect([status, codes]).toEqual([403, ['INSUFFICIENT_SCOPE']]);
      expect(errors?.[0]).toMatchObject({
        extensions: { requiredScopes: [membership, booking], missingScopes: [booking] },
      });
    }
    expect([(await stored(uid)).status, await isMember(leaver)]).toEqual(['ACCEPTED', true]);
    expect((await both.change(name, { ...input, upcomingBookings: 'CANCEL', reason: 'Gone.' })).mistakes).toEqual([]);
    expect([(await stored(uid)).status, await isMember(leaver)]).toEqual(['CANCELLED', false]);
    const other = await newMember();
    const { membershipId: theirs } = await preview(other, group, null);
    const kept = name === 'organizationUserRemove' ? { userId: other.userId } : { membershipId: theirs };
    expect((await app.change(name, { ...input, ...kept, upcomingBookings: 'KEEP' })).mistakes).toEqual([]);
  });
});
