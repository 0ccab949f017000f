/** Round robin takes turns, over a thousand bookings of hosts who are always free. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publicId, publicOwnedId } from '../../src/core/id.ts';
import { rows, sql } from '../../src/database/sql.ts';
import { findEventTypeRules } from '../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import { loadTurns } from '../../src/modules/bookings/slots/slot-request.queries.ts';
import { newHosts, slotOn } from '../modules/bookings/support/booked-hosts.ts';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { NEW_ID, ownedUuidOf, uuidOf } from '../support/ids.ts';
import { UIDS } from '../support/uids.ts';

const MINUTES = 10;
const SLOTS_A_DAY = (8 * 60) / MINUTES;

let api: TestApi;
let owner: TestCaller;
let teamId: string;
let people: readonly string[];
let count = 0;

beforeAll(async () => {
  api = await openTestApi();
  owner = await api.newUser('rotation');
  teamId = (await owner.change('teamCreate', { slug: 'rotation', name: 'Rotation' }, 'teamId')).data.teamId;
  people = await newHosts(em(), 4);
  await rows(
    em(),
    sql`insert into team_memberships (id, team_id, user_id, role, accepted, created_at)
        select ${NEW_ID}, ${uuidOf(teamId)}::uuid, id, 'MEMBER', true, now() from unnest(${people}::uuid[]) id`,
  );
});
afterAll(() => api.close());

const em = () => api.database.em.fork();

interface Part {
  readonly weight?: number;
  readonly priority?: number;
  readonly isMandatory?: boolean;
}

const hostsOf = (parts: readonly Part[]) =>
  parts.map((part, index) => ({ userId: publicId('user', people[index] ?? ''), ...part }));

/** A round robin of the first of the people, each with their part. */
async function eventType(parts: readonly Part[], settings: object = {}): Promise<string> {
  count += 1;
  const { data, mistakes } = await owner.change(
    'teamEventTypeCreate',
    {
      teamId,
      slug: `rotation-${count}`,
      title: 'Talk',
      durationInMinutes: MINUTES,
      minimumBookingNoticeInMinutes: 0,
      schedulingType: 'ROUND_ROBIN',
      hosts: hostsOf(parts),
      ...settings,
    },
    'eventTypeId',
  );
  expect(mistakes).toEqual([]);
  return data.eventTypeId;
}

let next = 0;
/** Each time another slot of working days. */
function nextSlot(): string {
  const day = Math.floor(next / SLOTS_A_DAY);
  const start = slotOn(Math.floor(day / 5) * 7 + (day % 5), '09:00');
  const minutes = (next % SLOTS_A_DAY) * MINUTES;
  next += 1;
  return start.add({ minutes }).toString();
}

/** Books so many slots, one after the other; answers how many bookings each person was given, in their order. */
async function book(eventTypeId: string, times: number): Promise<number[]> {
  const before = await standing(eventTypeId);
  for (let n = 0; n < times; n += 1) {
    const attendee = { name: 'Grace', email: `grace-${next}@example.test`, timeZone: 'UTC' };
    const { mistakes } = await api.nobody.change('bookingCreate', { eventTypeId, start: nextSlot(), attendee });
    expect(mistakes).toEqual([]);
  }
  const after = await standing(eventTypeId);
  return after.map((now, index) => now - (before[index] ?? 0));
}

async function standing(eventTypeId: string): Promise<number[]> {
  const found = await rows(
    em(),
    sql<{ count: number }>`
      select (select count(*)::int from booking_hosts h where h.user_id = person.id and h.event_type_id = ${ownedUuidOf(eventTypeId).id}
        and h.status in ('PENDING', 'ACCEPTED')) as count
      from unnest(${people}::uuid[]) with ordinality as person(id, place) order by place`,
  );
  return found.map(({ count: own }) => own);
}

/** How far the share of one of them is from what their weight says, at the most, as a part of all bookings. */
function offBy(booked: readonly number[], weights: readonly number[]): number {
  const [all, whole] = [sum(booked), sum(weights)];
  return Math.max(...booked.map((own, index) => Math.abs(own / all - (weights[index] ?? 0) / whole)));
}

const MOST_OFF = 0.02;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const weighted = (...weights: readonly number[]): Part[] => weights.map((weight) => ({ weight }));

test.each([
  ['equal', [100, 100, 100, 100], 200],
  ['one to three to two', [100, 300, 200, 0], 300],
  ['far apart', [1, 1_000, 10_000, 4], 250],
  ['of two', [70, 30, 0, 0], 250],
])('bookings follow weights that are %s', async (_, weights, times) => {
  const talk = await eventType(weighted(...weights.filter((weight) => weight > 0)));
  expect(offBy(await book(talk, times), weights)).toBeLessThanOrEqual(MOST_OFF);
});

test('the highest priority has all, by its weights; a mandatory host attends each besides', async () => {
  const talk = await eventType([
    { priority: 3, weight: 100 },
    { priority: 3, weight: 300 },
    { priority: 1, weight: 1_000 },
    { isMandatory: true },
  ]);
  const booked = await book(talk, 50);
  expect(booked.slice(2)).toEqual([0, 50]);
  expect(offBy(booked.slice(0, 2), [100, 300])).toBeLessThanOrEqual(MOST_OFF);
});

test('a host who comes later, or is given another weight, has their share from then on, and nothing to catch up', async () => {
  const talk = await eventType(weighted(100, 300));
  const change = (...weights: readonly number[]) =>
    owner.change('teamEventTypeUpdate', { teamId, eventTypeId: talk, hostsSet: hostsOf(weighted(...weights)) });
  expect(offBy(await book(talk, 50), [100, 300, 0, 0])).toBeLessThanOrEqual(MOST_OFF);
  expect((await change(100, 300, 200)).mistakes).toEqual([]);
  expect(offBy(await book(talk, 60), [100, 300, 200, 0])).toBeLessThanOrEqual(MOST_OFF);
  // A host who was not changed begins nothing anew: a save of the same hosts leaves the count as it was.
  expect((await change(100, 300, 200)).mistakes).toEqual([]);
  expect(offBy(await book(talk, 60), [100, 300, 200, 0])).toBeLessThanOrEqual(MOST_OFF);
  expect((await change(400, 300, 100)).mistakes).toEqual([]);
  expect(offBy(await book(talk, 80), [400, 300, 100, 0])).toBeLessThanOrEqual(MOST_OFF);
});

test('a host who becomes mandatory, or gets another role in the team, does not restart the turns of the others', async () => {
  const parts: Part[] = [{ weight: 100 }, { weight: 300 }, { isMandatory: true, weight: 200 }];
  // The others are hosts as members of the team.
  const talk = await eventType(parts, { assignsAllMembers: true });
  expect(sum(await book(talk, 12))).toBeGreaterThan(12);
  const counted = async () => {
    const found = await findEventTypeRules(em(), ownedUuidOf(talk));
    if (!found) throw new Error('The event type is gone.');
    const turns = await loadTurns(em(), found, Date.now());
    return people.map((id) => turns.get(id)?.bookingCount ?? 0);
  };
  const before = await counted();
  expect(Math.min(...before)).toBeGreaterThan(0);
  const hostsSet = hostsOf([...parts.slice(0, 2), { isMandatory: true, weight: 500 }]);
  expect((await owner.change('teamEventTypeUpdate', { teamId, eventTypeId: talk, hostsSet })).mistakes).toEqual([]);
  const { data } = await owner.ask('query($id: ID!) { team(id: $id) { memberships { nodes { id userId } } } }', {
    id: teamId,
  });
  const memberships: { id: string; userId: string }[] = data.team.memberships.nodes;
  const last = memberships.find(({ userId }) => uuidOf(userId) === people[3]);
  for (const role of ['ADMIN', 'MEMBER']) {
    const input = { teamId, membershipId: last?.id, role };
    expect((await owner.change('teamMembershipUpdate', input)).mistakes).toEqual([]);
  }
  expect(await counted()).toEqual(before);
});

test('with equal weights the turn goes round, also to a host who comes later', async () => {
  const talk = await eventType([{}, {}]);
  expect(await book(talk, 10)).toEqual([5, 5, 0, 0]);
  await owner.change('teamEventTypeUpdate', { teamId, eventTypeId: talk, hostsSet: hostsOf([{}, {}, {}]) });
  expect(await book(talk, 9)).toEqual([3, 3, 3, 0]);
});

test.each([
  ['cancelled', {}, { status: 'CANCELLED' }],
  ['declined', { confirmation: { type: 'ALWAYS' } }, { status: 'REJECTED' }],
])('a booking that is %s gives its turn back', async (_, settings, { status }) => {
  const talk = await eventType(weighted(100, 300), settings);
  expect(await book(talk, 40)).toEqual([10, 30, 0, 0]);
  const [first] = people;
  const gone = await rows(
    em(),
    sql<{ ownerId: string; id: string }>`
      select h.owner_id as "ownerId", h.booking_id as id from booking_hosts h
      where h.user_id = ${first} and h.event_type_id = ${ownedUuidOf(talk).id} order by h.booking_id limit 4`,
  );
  for (const booking of gone) {
    const { mistakes } =
      status === 'CANCELLED'
        ? await api.nobody.change('bookingCancel', { uid: UIDS.of({ ...booking, version: 0 }) })
        : await owner.change('teamBookingDecline', { teamId, bookingId: publicOwnedId('booking', booking) });
    expect(mistakes).toEqual([]);
  }
  // The four are made up for first: 44 bookings in all, 10 of them theirs and one more of the next round.
  expect(await book(talk, 4)).toEqual([4, 0, 0, 0]);
});
