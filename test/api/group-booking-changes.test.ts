/**
 * Administrators change bookings of their team or organization: each change is tried by everybody, in each way, and its
 * effects are looked at.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { row, rows, sql } from '../../src/database/sql.ts';
import { buildSchemas } from '../../src/schema.ts';
import { SCOPES } from '../../src/scopes/catalog.ts';
import type { TestCaller } from '../support/api.ts';
import { idOfUid, ownedUuidOf, unknownId, uuidOf } from '../support/ids.ts';
import { FROM, TO } from './booking-pages.ts';
import { openWorld, type Place, type World } from './standings/world.ts';

let world: World;
const people = new Map<string, TestCaller>();
const teams: Record<'team' | 'sibling' | 'foreign', string> = { team: '', sibling: '', foreign: '' };
/** An event type of the team, hosted by two members who take turns; one of a member's own, and one of the owner's. */
const types: Record<'team' | 'members' | 'own', string> = { team: '', members: '', own: '' };
/** The hosts of the team's event type. */
let hosts: readonly TestCaller[];

const PLACES: Readonly<Record<string, Place>> = {
  'a stranger': { organization: null, team: null, state: 'ACCEPTED' },
  'somebody invited': { organization: 'OWNER', team: 'OWNER', state: 'INVITED' },
  'a member': { organization: 'MEMBER', team: 'MEMBER', state: 'ACCEPTED' },
  'an admin of the team': { organization: 'MEMBER', team: 'ADMIN', state: 'ACCEPTED' },
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
  const sibling = { organizationId, slug: 'sibling', name: 'Sibling' };
  teams.team = world.teamOf('team of an organization');
  teams.sibling = await made(owner, 'organizationTeamCreate', sibling, 'teamId');
  teams.foreign = world.teamOf('stand-alone team');
  hosts = [member, personAt('a member')];
  const type = { slug: 'talk', title: 'Talk', durationInMinutes: 30, confirmation: { type: 'ALWAYS' } };
  const named = hosts.map(({ userId }) => ({ userId }));
  const ofTeam = { ...type, teamId: teams.team, hosts: named, schedulingType: 'ROUND_ROBIN' };
  types.team = await made(owner, 'teamEventTypeCreate', ofTeam, 'eventTypeId');
  types.members = await made(member, 'eventTypeCreate', type, 'eventTypeId');
  types.own = await made(owner, 'eventTypeCreate', { ...type, isHidden: true }, 'eventTypeId');
});
afterAll(() => world.close());

async function made(who: TestCaller, name: string, input: Record<string, unknown>, id: string): Promise<string> {
  const { data, mistakes, codes } = await who.change(name, input, id);
  if (mistakes.length + codes.length > 0) throw new Error(`${name}: ${[...mistakes, ...codes].join(' ')}`);
  return data[id];
}

function personAt(name: string): TestCaller {
  const found = people.get(name);
  if (!found) throw new Error(`There is nobody: ${name}.`);
  return found;
}

const GROUPS = { team: () => ({ teamId: teams.team }), organization: () => ({ organizationId: world.organizationId }) };
type Level = keyof typeof GROUPS;

const PERSON = { name: 'Grace', email: 'grace@example.test', timeZone: 'UTC' };

async function slotsOf(eventTypeId: string): Promise<string[]> {
  const document =
    'query($id: ID!, $from: DateTime!, $to: DateTime!) { slots(eventType: { id: $id }, start: $from, end: $to) { start } }';
  const { data } = await world.api.nobody.ask(document, { id: eventTypeId, from: FROM, to: TO });
  return data.slots.map(({ start }: { start: string }) => start);
}

/** A new booking of the team's event type, of a member's or of the owner's, which waits for confirmation unless another state is named. */
async function booked(of: keyof typeof types = 'team', state?: 'ACCEPTED' | 'BEGUN'): Promise<string> {
  const [start] = await slotsOf(of === 'own' ? types.members : types[of]);
  const input = { eventTypeId: types[of], start, attendee: PERSON };
  const { data, mistakes } =
    of === 'own'
      ? await world.owner.change('organizationBookingCreate', { ...GROUPS.organization(), ...input }, 'booking { id }')
      : await world.api.nobody.change('bookingCreate', input, 'booking { uid }');
  expect(mistakes).toEqual([]);
  const made = data.booking.id ?? idOfUid(data.booking.uid);
  // A series of one, so that each mutation is possible.
  await rows(
    world.api.database.em.fork(),
    sql`update bookings set recurring_id = id, status = ${state === undefined ? 'PENDING' : 'ACCEPTED'},
          starts_at = case when ${state === 'BEGUN'} then now() - interval '1 minute' else starts_at end,
          ends_at = case when ${state === 'BEGUN'} then now() + interval '29 minutes' else ends_at end
        where id = ${ownedUuidOf(made).id}`,
  );
  return made;
}

/** Gives its time back, and that of the booking that it was moved to. */
async function removed(bookingId: string): Promise<void> {
  const em = world.api.database.em.fork();
  const { id } = ownedUuidOf(bookingId);
  const moved = await rows<{ id: string }>(em, sql`select id from bookings where rescheduled_from_id = ${id}`);
  for (const each of [id, ...moved.map((one) => one.id)]) {
    await rows(em, sql`delete from occupied_times where holder_id = ${each}`);
    await rows(em, sql`delete from booking_hosts where booking_id = ${each}`);
    await rows(em, sql`delete from bookings where id = ${each}`);
  }
}

async function stored(bookingId: string): Promise<unknown> {
  const { ownerId, id } = ownedUuidOf(bookingId);
  return row(
    world.api.database.em.fork(),
    sql`select b.*, b.updated_at::text, (select json_agg(h order by h.user_id) from booking_hosts h where h.booking_id = b.id) as hosts
        from bookings b where b.owner_id = ${ownerId} and b.id = ${id}`,
  );
}

/** The changes of a booking, and the state that it must be in, if that is not PENDING. */
const ACTIONS: readonly (readonly [
  verb: string,
  input: object | (() => Promise<object>),
  state?: 'ACCEPTED' | 'BEGUN',
])[] = [
  ['Confirm', {}],
  ['Decline', { reason: 'No time' }],
  ['Cancel', { reason: 'No time' }],
  ['SeriesCancel', { reason: 'No time' }],
  ['Reschedule', async () => ({ start: (await slotsOf(types.members)).at(-1) })],
  ['Reassign', { reason: 'Ill' }],
  ['GuestsAdd', { guests: ['guest@example.test'] }],
  ['AttendeeAdd', { attendee: { ...PERSON, email: 'joan@example.test' } }],
  ['LocationUpdate', { location: { type: 'LINK', url: 'https://meet.example/1' } }],
  ['UidRotate', {}],
  ['RescheduleRequest', { reason: 'No time' }, 'ACCEPTED'],
  ['AbsenceMark', { attendees: [{ email: PERSON.email, isAbsent: true }] }, 'BEGUN'],
];

const CHANGES = (['team', 'organization'] as const).flatMap((level) =>
  ACTIONS.map(([verb, input, state]) => [level, `${level}Booking${verb}`, input, state] as const),
);

// "Add guests, update locations, confirm, decline, reassign" of one's own, "create, edit, delete" of a group's
// (specification §2.4): whoever may write bookings at one level can do the same to them at the others.
test('every change of a booking that one level offers is offered at each', () => {
  const mutations = Object.keys(buildSchemas().forTokens.schema.getMutationType()?.getFields() ?? {});
  const verbsAt = (prefix: string) =>
    mutations.flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : [])).toSorted();
  const own = verbsAt('booking');
  // Hosts do by the id what attendees do by the uid.
  expect(verbsAt('userBooking')).toEqual(['Cancel', 'Reschedule', 'SeriesCancel']);
  expect(own).toEqual(['Create', ...ACTIONS.map(([verb]) => verb)].toSorted());
  expect({ team: verbsAt('teamBooking'), organization: verbsAt('organizationBooking') }).toEqual({
    team: own,
    organization: own,
  });
});

/** The answers to people of each standing. */
const TOLD: Readonly<Record<string, Readonly<Record<Level, string>>>> = {
  'a stranger': { team: 'NOT_FOUND teamId', organization: 'NOT_FOUND organizationId' },
  'somebody invited': { team: 'NOT_FOUND teamId', organization: 'NOT_FOUND organizationId' },
  'a member': { team: 'FORBIDDEN teamId', organization: 'FORBIDDEN organizationId' },
  'an admin of the team': { team: 'done', organization: 'FORBIDDEN organizationId' },
  'an admin of the organization': { team: 'done', organization: 'done' },
  'an owner of the organization': { team: 'done', organization: 'done' },
};

describe.each(CHANGES)('at %s level, %s', (level, name, given, state) => {
  let input: object;
  beforeAll(async () => {
    input = typeof given === 'function' ? await given() : given;
  });

  test('is for administrators, and changes nothing for others', async () => {
    const outcomes: Record<string, string> = {};
    const unchanged: string[] = [];
    for (const who of Object.keys(TOLD)) {
      const bookingId = await booked('team', state);
      const before = JSON.stringify(await stored(bookingId));
      const { mistakes, codes } = await personAt(who).change(name, { ...GROUPS[level](), bookingId, ...input });
      outcomes[who] = [...codes, ...mistakes][0]?.toString() ?? 'done';
      if (JSON.stringify(await stored(bookingId)) === before) unchanged.push(who);
      await removed(bookingId);
    }
    expect(outcomes).toEqual(Object.fromEntries(Object.entries(TOLD).map(([who, told]) => [who, told[level]])));
    expect(unchanged).toEqual(Object.keys(TOLD).filter((who) => TOLD[who]?.[level] !== 'done'));
  });

  test('is for its WRITE scope alone, and shows the booking to its READ scope', async () => {
    const { data } = await world.owner.ask('{ me { username } }');
    const bookingId = await booked('team', state);
    const request = { ...GROUPS[level](), bookingId, ...input };
    const kind = level === 'team' ? 'TEAM' : 'ORG';
    const allowed = level === 'team' ? ['TEAM_BOOKING_WRITE', 'ORG_BOOKING_WRITE'] : ['ORG_BOOKING_WRITE'];
    const refused = SCOPES.filter((scope) => !allowed.includes(scope));
    const told = await Promise.all(
      refused.map((scope) => world.api.as(data.me.username, [scope]).change(name, request)),
    );
    expect(new Set(told.flatMap(({ codes }) => codes))).toEqual(new Set(['INSUFFICIENT_SCOPE']));
    const write = world.api.as(data.me.username, [`${kind}_BOOKING_WRITE`]);
    expect((await write.change(name, request, 'booking { id }')).codes).toEqual(['INSUFFICIENT_SCOPE']);
    const both = world.api.as(data.me.username, [`${kind}_BOOKING_WRITE`, `${kind}_BOOKING_READ`]);
    const done = await both.change(name, request, 'bookingId booking { id }');
    expect(done).toMatchObject({ codes: [], mistakes: [], data: { booking: { id: done.data.bookingId } } });
    expect(done.data.bookingId === bookingId).toBe(!name.endsWith('Reschedule'));
    await removed(bookingId);
  });

  test('finds nothing of another group behind the one that is named', async () => {
    const bookingId = await booked('team', state);
    const before = await stored(bookingId);
    const elsewhere = level === 'team' ? [{ teamId: teams.sibling }, { teamId: teams.foreign }] : [];
    const foreign = await made(
      world.api.signedIn('dan'),
      'organizationCreate',
      { slug: `other-${name.toLowerCase()}`, name: 'Other' },
      'organizationId',
    );
    const owner = level === 'team' ? world.owner : world.api.as('dan');
    for (const group of [...elsewhere, ...(level === 'team' ? [] : [{ organizationId: foreign }])]) {
      expect((await owner.change(name, { ...group, bookingId, ...input })).mistakes).toEqual(['NOT_FOUND bookingId']);
    }
    for (const unknown of [
      unknownId('booking', ownedUuidOf(bookingId).ownerId),
      'x',
      bookingId.replace('bkg_', 'sea_'),
    ]) {
      const { mistakes } = await world.owner.change(name, { ...GROUPS[level](), bookingId: unknown, ...input });
      expect(mistakes).toEqual(['NOT_FOUND bookingId']);
    }
    expect(await stored(bookingId)).toEqual(before);
    await removed(bookingId);
  });
});

test('a team’s mutations refuse an organization that it is not in', async () => {
  const bookingId = await booked();
  const input = { ...GROUPS.team(), bookingId, reason: 'No time' };
  const elsewhere = unknownId('organization');
  const wrong = await world.owner.change('teamBookingCancel', { ...input, organizationId: elsewhere });
  const right = await world.owner.change('teamBookingCancel', { ...input, ...GROUPS.organization() });
  expect([wrong.mistakes, right.mistakes]).toEqual([['NOT_FOUND teamId'], []]);
});

describe.each(ACTIONS.map((action) => [action[0], action] as const))(
  'at organization level, %s',
  (_, [verb, given, state]) => {
    test('reaches what members host themselves, and what an owner hosts for owners alone', async () => {
      const name = `organizationBooking${verb}`;
      const input = typeof given === 'function' ? await given() : given;
      const [admin, owner] = [personAt('an admin of the organization'), personAt('an owner of the organization')];
      const outcomes: unknown[] = [];
      for (const [of, who] of [
        ['members', admin],
        ['own', admin],
        ['own', owner],
      ] as const) {
        const bookingId = await booked(of, state);
        const before = JSON.stringify(await stored(bookingId));
        const { mistakes, codes } = await who.change(name, { ...GROUPS.organization(), bookingId, ...input });
        outcomes.push([...codes, ...mistakes, JSON.stringify(await stored(bookingId)) === before]);
        await removed(bookingId);
      }
      // Nobody else hosts these, who could be given a part in them.
      const done = verb === 'Reassign' ? ['HOST_NOT_AVAILABLE toUserId', true] : [false];
      expect(outcomes).toEqual([done, ['FORBIDDEN bookingId', true], done]);
    });
  },
);

test('an organization’s administrators change what members booked out themselves, up to their own standing', async () => {
  const bookingId = await booked('members');
  const organization = GROUPS.organization();
  const admin = personAt('an admin of the organization');
  expect((await admin.change('organizationBookingConfirm', { ...organization, bookingId })).mistakes).toEqual([]);
  const [start] = await slotsOf(types.members);
  const own = { ...organization, eventTypeId: types.own, start, attendee: PERSON };
  expect((await admin.change('organizationBookingCreate', own)).mistakes).toEqual(['FORBIDDEN eventTypeId']);
  const owner = personAt('an owner of the organization');
  const done = await owner.change('organizationBookingCreate', own, 'bookingId booking { status }');
  expect(done).toMatchObject({ mistakes: [], data: { booking: { status: 'PENDING' } } });
  const request = { ...organization, bookingId: done.data.bookingId, reason: 'Ill' };
  expect((await admin.change('organizationBookingCancel', request)).mistakes).toEqual(['FORBIDDEN bookingId']);
  expect((await owner.change('organizationBookingCancel', { ...request, reason: ' ' })).mistakes).toEqual([
    'REASON_REQUIRED reason',
  ]);
  expect((await owner.change('organizationBookingCancel', request)).mistakes).toEqual([]);
});

test('a team’s administrator books a slot once, with everything that is selected of it', async () => {
  const admin = personAt('an admin of the team');
  const [start] = await slotsOf(types.team);
  const request = { ...GROUPS.team(), eventTypeId: types.team, start, attendee: PERSON };
  const shown = 'bookingId seatId booking { id start } bookings { id hosts { user { id } } }';
  const once = { ...request, idempotencyKey: 'a-key-of-its-own-1' };
  const { data, mistakes } = await admin.change('teamBookingCreate', once, shown);
  expect([mistakes, data.booking.start, data.seatId]).toEqual([[], start, null]);
  expect((await admin.change('teamBookingCreate', once, shown)).data).toEqual(data);
  for (const who of ['a member', 'a stranger']) {
    const told = TOLD[who]?.team;
    expect((await personAt(who).change('teamBookingCreate', request)).mistakes).toEqual([told]);
  }
  const foreign = { ...request, eventTypeId: types.members };
  expect((await admin.change('teamBookingCreate', foreign)).mistakes).toEqual(['NOT_FOUND eventTypeId']);
});

test.each(['team', 'organization'] as const)(
  'at %s level, nobody books for others without a verified address of their own',
  async (level) => {
    const admin = personAt('an admin of the organization');
    const type = {
      slug: `coded-${level}`,
      title: 'Coded',
      durationInMinutes: 30,
      requiresBookerEmailVerification: true,
    };
    const ofTeam = {
      ...type,
      teamId: teams.team,
      schedulingType: 'ROUND_ROBIN',
      hosts: [{ userId: hosts[1]?.userId }],
    };
    const eventTypeId = await made(world.owner, 'teamEventTypeCreate', ofTeam, 'eventTypeId');
    const [start] = await slotsOf(eventTypeId);
    const request = { ...GROUPS[level](), eventTypeId, start, attendee: PERSON };
    const verifiedAt = async (at: string | null) =>
      rows(
        world.api.database.em.fork(),
        sql`update users set email_verified_at = ${at}::timestamptz where id = ${uuidOf(admin.userId)}`,
      );
    await verifiedAt(null);
    const refused = await admin.change(`${level}BookingCreate`, request);
    await verifiedAt('2026-01-01T00:00:00Z');
    const done = await admin.change(`${level}BookingCreate`, request, 'bookingId');
    expect([refused.mistakes, done.mistakes]).toEqual([['EMAIL_NOT_VERIFIED'], []]);
    const { ownerId } = ownedUuidOf(done.data.bookingId);
    const events = await rows<{ by: unknown }>(
      world.api.database.em.fork(),
      sql`select data -> 'by' as by from domain_events
          where owner_id = ${ownerId} and data -> 'booking' ->> 'id' = ${ownedUuidOf(done.data.bookingId).id}`,
    );
    // The mail counts for the administrator, and the app that they use.
    expect(events).toEqual([{ by: { userId: uuidOf(admin.userId), network: '192.0.2.0/24', clientId: 'test' } }]);
    await removed(done.data.bookingId);
  },
);

test('a part is handed over to a host who is free, with the reason, and to nobody else', async () => {
  const bookingId = await booked();
  const find =
    'query($team: ID!, $bookingId: ID!) { team(id: $team) { booking(id: $bookingId) { hosts { user { id } } reassignmentReason } } }';
  const ask = async () => (await world.owner.ask(find, { team: teams.team, bookingId })).data.team.booking;
  const [
    {
      user: { id: from },
    },
  ] = (await ask()).hosts;
  const to = hosts.find(({ userId }) => userId !== from)?.userId;
  const request = { ...GROUPS.team(), bookingId, reason: ' He is ill. ' };
  const admin = personAt('an admin of the team');
  for (const [wrong, mistake] of [
    [{ toUserId: from }, 'HOST_NOT_AVAILABLE toUserId'],
    [{ toUserId: world.owner.userId }, 'HOST_NOT_AVAILABLE toUserId'],
    [{ fromUserId: to }, 'NOT_FOUND fromUserId'],
    [{ reason: 'x'.repeat(10_000) }, 'TOO_LONG reason'],
  ] as const) {
    expect((await admin.change('teamBookingReassign', { ...request, ...wrong })).mistakes).toEqual([mistake]);
  }
  expect(await ask()).toEqual({ hosts: [{ user: { id: from } }], reassignmentReason: null });
  const done = await admin.change('teamBookingReassign', { ...request, toUserId: to }, 'hostUserId');
  expect(done).toMatchObject({ mistakes: [], data: { hostUserId: to } });
  expect(await ask()).toEqual({ hosts: [{ user: { id: to } }], reassignmentReason: 'He is ill.' });
  const event = await row(
    world.api.database.em.fork(),
    sql<{
      data: object;
    }>`select data from domain_events where type = 'BOOKING_REASSIGNED' and owner_id = ${uuidOf(teams.team)} order by id desc limit 1`,
  );
  expect(event?.data).toMatchObject({ reason: 'He is ill.', toHostId: uuidOf(String(to)) });
});
