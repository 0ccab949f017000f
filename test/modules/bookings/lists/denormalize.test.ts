/**
 * Organizations' lists of their members' things are the same before the rows carry the organization's id, meanwhile and
 * afterwards.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, newTeamId } from '../../../../src/core/id.ts';
import { encodeCursor, type PageRequest, pageRequest } from '../../../../src/core/page.ts';
import { Selection } from '../../../../src/database/columns.ts';
import { row, rows, sql } from '../../../../src/database/sql.ts';
import { Booking } from '../../../../src/modules/bookings/booking.entity.ts';
import { denormalizeBelongings } from '../../../../src/modules/bookings/lists/denormalize.ts';
import { bookingPages } from '../../../../src/modules/bookings/lists/list-bookings.queries.ts';
import { EVENT_TYPES } from '../../../../src/modules/event-types/event-type.queries.ts';
import { keyOf, ownedPages } from '../../../../src/modules/levels/owned.queries.ts';
import { REACH } from '../../../../src/modules/levels/reach.ts';
import { ORGANIZATION } from '../../../../src/modules/organizations/group.ts';
import { OUT_OF_OFFICE } from '../../../../src/modules/schedules/out-of-office.queries.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { book, eventTypeOf, newHosts, slotOn, times } from '../support/booked-hosts.ts';

const LIMIT = 1_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const em = () => database.em.fork();
const denormalize = (limit = LIMIT) => em().transactional((inner) => denormalizeBelongings(inner, limit));

async function newOrganization(): Promise<string> {
  const id = newId();
  await rows(
    em(),
    sql`insert into organizations (id, slug, name, time_zone, week_start, is_private, metadata, created_at, updated_at)
        values (${id}, ${id}, 'Acme', 'UTC', 'MONDAY', false, '{}', now(), now())`,
  );
  return id;
}

async function join(organizationId: string, userId: string, role = 'MEMBER', isAccepted = true): Promise<void> {
  await rows(
    em(),
    sql`insert into organization_memberships (id, organization_id, user_id, role, accepted, created_at)
        values (${newId()}, ${organizationId}, ${userId}, ${role}, ${isAccepted}, now())`,
  );
}

async function leave(organizationId: string, userId: string): Promise<void> {
  await rows(
    em(),
    sql`delete from organization_memberships where organization_id = ${organizationId} and user_id = ${userId}`,
  );
}

/** Makes things of a user or a team: an event type, a hidden one, and of a user an absence and a booking. */
async function belongings(ownerId: string, isTeam = false, hour = 0): Promise<void> {
  const [userId, teamId] = isTeam ? [null, ownerId] : [ownerId, null];
  for (const isHidden of [false, true]) {
    await rows(
      em(),
      sql`insert into event_types (owner_id, id, user_id, team_id, scheduling_type, slug, title, duration_in_minutes, is_hidden, metadata,
            created_at, updated_at)
          values (${ownerId}, ${newId()}, ${userId}, ${teamId}, ${isTeam ? 'COLLECTIVE' : null}, ${newId()}, 'Talk', 30, ${isHidden}, '{}', now(), now())`,
    );
  }
  if (isTeam) return;
  await rows(
    em(),
    sql`insert into out_of_office (user_id, id, starts_at, ends_at, reason, created_at, updated_at)
        values (${ownerId}, ${newId()}, now(), now() + interval '1 day', 'Ill', now(), now())`,
  );
  await bookOnce(ownerId, hour);
}

const HOURS = Array.from({ length: 8 }, (_, hour) => `${String(hour + 9).padStart(2, '0')}:00`);
/** The n-th hour of working days. */
const bookOnce = (hostId: string, n: number) =>
  book(em(), eventTypeOf([hostId]), slotOn(Math.floor(n / 8), HOURS[n % 8] ?? ''));

interface Listed {
  readonly id: string;
  readonly cursor: readonly string[];
  readonly visible: unknown;
}
type Read = (organizationId: string, actorId: string, request: PageRequest) => Promise<readonly Listed[]>;

async function owned(
  table: typeof EVENT_TYPES | typeof OUT_OF_OFFICE,
  belongsTo: 'OWNER' | 'PERSON',
  ...[organizationId, actorId, request]: Parameters<Read>
): Promise<readonly Listed[]> {
  const reach = REACH.organization[belongsTo];
  const view = { reach, group: ORGANIZATION, actorId };
  const whole = Selection.whole(table.entity);
  const pages = await ownedPages(em(), table as never, view, [organizationId], request, whole as never);
  const found = (pages.get(organizationId)?.rows ?? []) as unknown as Record<string, string>[];
  const key = keyOf(table as never, reach);
  return found.map((one) => ({
    id: one['id'] ?? '',
    cursor: key.map((name) => one[name] ?? ''),
    visible: one['isVisible'],
  }));
}

const LISTS: Readonly<Record<string, Read>> = {
  'event types': (...asked) => owned(EVENT_TYPES, 'OWNER', ...asked),
  'out of office': (...asked) => owned(OUT_OF_OFFICE, 'PERSON', ...asked),
  bookings: async (organizationId, actorId, request) => {
    const order = { by: 'START', isDescending: false } as const;
    const view = { level: 'organization', actorId } as const;
    const selection = new Selection(Booking, ['id']);
    const pages = await bookingPages(em(), view, [organizationId], {}, order, request, selection);
    return (pages.get(organizationId)?.rows ?? []).map(({ id, sortTime }) => ({
      id,
      cursor: [sortTime, id],
      visible: '',
    }));
  },
};

/** The whole list, in pages of two, from either end. */
async function all(read: Read, organizationId: string, actorId: string, end: 'first' | 'last'): Promise<Listed[]> {
  const found: Listed[] = [];
  for (let cursor: string | undefined; ; ) {
    const asked = end === 'first' ? { first: 2, after: cursor } : { last: 2, before: cursor };
    const page = await read(
      organizationId,
      actorId,
      pageRequest(asked, [read === LISTS['bookings'] ? 'TIME' : 'UUID', 'UUID']),
    );
    const inOrder = end === 'first' ? page : page.toReversed();
    found.push(...inOrder);
    const last = inOrder.at(-1);
    if (!last || page.length < 2) return found;
    cursor = encodeCursor(last.cursor);
  }
}

async function everything(organizationId: string, readers: readonly string[]) {
  const found: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(LISTS)) {
    for (const [place, reader] of readers.entries()) {
      const forward = await all(read, organizationId, reader, 'first');
      expect((await all(read, organizationId, reader, 'last')).toReversed()).toEqual(forward);
      found[`${name} to reader ${place}`] = forward;
    }
  }
  return found;
}

interface Acme {
  readonly id: string;
  readonly owner: string;
  readonly admin: string;
  readonly members: readonly [string, string, string];
}

/** With a team; all of them have something, and so has one who is invited only. */
async function acme(): Promise<Acme> {
  const id = await newOrganization();
  const [owner = '', admin = '', a = '', b = '', c = '', invited = ''] = await newHosts(em(), 6);
  const teamId = newTeamId();
  await rows(
    em(),
    sql`insert into teams (id, organization_id, slug, name, time_zone, week_start, hides_branding, is_private, metadata,
          created_at, updated_at)
        values (${teamId}, ${id}, 'sales', 'Sales', 'UTC', 'MONDAY', false, false, '{}', now(), now())`,
  );
  await join(id, owner, 'OWNER');
  await join(id, admin, 'ADMIN');
  for (const one of [a, b, c]) await join(id, one);
  await join(id, invited, 'MEMBER', false);
  for (const one of [owner, admin, a, b, c, invited]) await belongings(one);
  await belongings(teamId, true);
  return { id, owner, admin, members: [a, b, c] };
}

async function stateOf(organizationId: string, userId: string) {
  return row(
    em(),
    sql<{ denormalized: boolean | null; left: number }>`
      select (select denormalized from organization_memberships where organization_id = ${organizationId} and user_id = ${userId}) as denormalized,
        (select count(*)::int from (
          select organization_id from bookings where owner_id = ${userId}
          union all select organization_id from event_types where owner_id = ${userId}
          union all select organization_id from out_of_office where user_id = ${userId}
        ) own where organization_id is distinct from ${organizationId}) as left`,
  );
}

describe('in the lists of an organization', () => {
  test('everything is the same before, while some is denormalized, and after, whoever reads it', async () => {
    const { id, owner, admin, members } = await acme();
    const readers = [owner, admin];
    const before = await everything(id, readers);
    // Five own things, of the team two: a property of empty lists would hold too.
    expect(before['event types to reader 0']).toHaveLength(12);
    expect(before['event types to reader 1']).toHaveLength(11);
    expect(before['bookings to reader 0']).toHaveLength(5);
    expect(before['bookings to reader 1']).toHaveLength(5);
    expect(before['out of office to reader 0']).toHaveLength(5);

    await denormalize();
    for (const one of [owner, admin, ...members])
      expect(await stateOf(id, one)).toEqual({ denormalized: true, left: 0 });
    expect(await everything(id, readers)).toEqual(before);

    // A member with more than is denormalized at once is like this.
    await rows(em(), sql`update organization_memberships set denormalized = false where user_id = ${members[0]}`);
    await rows(em(), sql`update event_types set organization_id = null where owner_id = ${members[0]} and is_hidden`);
    expect(await everything(id, readers)).toEqual(before);
  });

  test('bookings that are made afterwards stand at once', async () => {
    const { id, owner, members } = await acme();
    await denormalize();
    await belongings(members[0], false, 1);
    expect(await stateOf(id, members[0])).toEqual({ denormalized: true, left: 0 });
    const after = await everything(id, [owner]);
    expect(after['event types to reader 0']).toHaveLength(14);
    expect(after['out of office to reader 0']).toHaveLength(6);
    expect(after['bookings to reader 0']).toHaveLength(6);
  });

  test('nothing stands of a member who has left, and everything of one who comes back', async () => {
    const { id, owner, members } = await acme();
    await denormalize();
    const [member] = members;
    await leave(id, member);
    await bookOnce(member, 2);
    expect((await everything(id, [owner]))['bookings to reader 0']).toHaveLength(4);
    await join(id, member);
    expect((await everything(id, [owner]))['bookings to reader 0']).toHaveLength(6);
    await denormalize();
    expect(await stateOf(id, member)).toEqual({ denormalized: true, left: 0 });
    expect((await everything(id, [owner]))['bookings to reader 0']).toHaveLength(6);
  });

  test('a member of two is denormalized in one, and listed in both', async () => {
    const [here, there] = [await acme(), await acme()];
    const [member] = here.members;
    await denormalize();
    await join(there.id, member);
    await denormalize();
    expect(await stateOf(here.id, member)).toEqual({ denormalized: true, left: 0 });
    expect(await stateOf(there.id, member)).toEqual({ denormalized: false, left: 4 });
    expect((await everything(here.id, [here.owner]))['bookings to reader 0']).toHaveLength(5);
    expect((await everything(there.id, [there.owner]))['bookings to reader 0']).toHaveLength(6);

    await leave(here.id, member);
    await denormalize();
    expect(await stateOf(there.id, member)).toEqual({ denormalized: true, left: 0 });
    expect((await everything(here.id, [here.owner]))['bookings to reader 0']).toHaveLength(4);
    expect((await everything(there.id, [there.owner]))['bookings to reader 0']).toHaveLength(6);
  });

  test('as much is denormalized at once as is allowed, and the rest afterwards', async () => {
    const { id, members } = await acme();
    const [member] = members;
    for (const n of times(5, (index) => index + 1)) await bookOnce(member, n);
    for (let rounds = 0; (await denormalize(2)) === 2; rounds += 1) expect(rounds).toBeLessThan(50);
    expect(await stateOf(id, member)).toEqual({ denormalized: true, left: 0 });
  });

  test.runIf(isOnPostgres)('a member who is being booked is denormalized later', async () => {
    const { id, members } = await acme();
    const [member] = members;
    await em().transactional(async (inner) => {
      await rows(inner, sql`select from users where id = ${member} for key share`);
      await denormalize();
      expect(await stateOf(id, member)).toMatchObject({ denormalized: false });
    });
    await denormalize();
    expect(await stateOf(id, member)).toEqual({ denormalized: true, left: 0 });
  });

  test.runIf(isOnPostgres)(
    'rows that somebody is changing are denormalized later, and nobody is waited for',
    async () => {
      const { id, members } = await acme();
      const [member, other] = members;
      await em().transactional(async (inner) => {
        await rows(inner, sql`select from event_types where owner_id = ${member} for update`);
        await denormalize();
        expect(await stateOf(id, member)).toEqual({ denormalized: false, left: 2 });
        expect(await stateOf(id, other)).toEqual({ denormalized: true, left: 0 });
      });
      await denormalize();
      expect(await stateOf(id, member)).toEqual({ denormalized: true, left: 0 });
    },
  );

  test.runIf(isOnPostgres)('no booking is missing that is made while they are denormalized', async () => {
    const { id, members } = await acme();
    const bookings = members.flatMap((member) => times(20, (n) => bookOnce(member, n + 1)));
    const rounds = times(10, () => denormalize());
    await Promise.all([...bookings, ...rounds]);
    await denormalize();
    for (const one of members) expect(await stateOf(id, one)).toEqual({ denormalized: true, left: 0 });
  });
});
