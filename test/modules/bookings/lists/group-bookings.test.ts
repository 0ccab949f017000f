/** Lists of the bookings of teams and organizations, page by page, against a search through all bookings that there are. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isTeam, newId, newTeamId, timeOfId } from '../../../../src/core/id.ts';
import { encodeCursor, pageRequest } from '../../../../src/core/page.ts';
import { Selection } from '../../../../src/database/columns.ts';
import { rows, sql } from '../../../../src/database/sql.ts';
import { Booking } from '../../../../src/modules/bookings/booking.entity.ts';
import { BOOKING_STATUSES } from '../../../../src/modules/bookings/booking-transitions.rules.ts';
import type { BookingFilter, BookingOrder } from '../../../../src/modules/bookings/lists/booking-list.rules.ts';
import { denormalizeBelongings } from '../../../../src/modules/bookings/lists/denormalize.ts';
import { bookingPages, findListed } from '../../../../src/modules/bookings/lists/list-bookings.queries.ts';
import type { GroupView } from '../../../../src/modules/bookings/lists/listed-owners.queries.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { idMadeAt } from '../../../support/ids.ts';
import { newHosts, times } from '../support/booked-hosts.ts';
import { ORDERS } from '../support/booking-questions.ts';

const COUNT = 240;
const MINUTE = 60_000;
const FIRST = Date.parse('2030-01-01T00:00:00Z');
const SELECTION = new Selection(Booking, ['id']);
const EMAILS = ['a@example.test', 'b@example.test'];

interface Made {
  readonly id: string;
  readonly ownerId: string;
  readonly eventTypeId: string;
  readonly hostIds: readonly string[];
  readonly email: string;
  readonly status: string;
  readonly START: number;
  readonly END: number;
  readonly UPDATED_AT: number;
  readonly CREATED_AT: number;
}

let database: TestDatabase;
let made: readonly Made[];
const organizationId = newId();
/** Two of the organization, and one that stands alone. */
const [sales, support, foreign] = [newTeamId(), newTeamId(), newTeamId()] as const;
/**
 * The people of the organization: its owner, an administrator, a member, one who is invited; and one who has left it.
 */
let owner: string;
let admin: string;
let member: string;
let invited: string;
let gone: string;
const eventTypes = new Map<string, string>();

beforeAll(async () => {
  database = await openTestDatabase();
  const em = database.em.fork();
  const people = await newHosts(em, 5);
  [owner = '', admin = '', member = '', invited = '', gone = ''] = people;
  await rows(
    em,
    sql`insert into organizations (id, slug, name, time_zone, week_start, is_private, metadata, created_at, updated_at)
        values (${organizationId}, 'acme', 'Acme', 'UTC', 'MONDAY', false, '{}', now(), now())`,
  );
  await rows(
    em,
    sql`insert into teams (id, organization_id, slug, name, time_zone, week_start, hides_branding, is_private, metadata,
          created_at, updated_at)
        select id, case when id <> ${foreign} then ${organizationId}::uuid end, id, id, 'UTC', 'MONDAY', false, false, '{}', now(), now()
        from unnest(${[sales, support, foreign]}::uuid[]) id`,
  );
  await rows(
    em,
    sql`insert into organization_memberships (id, organization_id, user_id, role, accepted, created_at)
        select gen_random_uuid(), ${organizationId}::uuid, id, role, id <> ${invited}, now()
        from unnest(${people.slice(0, 4)}::uuid[], ${['OWNER', 'ADMIN', 'MEMBER', 'MEMBER']}::text[]) as m(id, role)`,
  );
  const owners = [sales, owner, support, admin, foreign, member, invited, gone];
  for (const one of owners) eventTypes.set(one, newId());
  // Each of a millisecond of its own, in which it is told by its creation.
  const now = Date.now();
  made = times(COUNT, (n): Made => {
    const id = idMadeAt(now + n);
    const ownerId = owners[(n * 5 + Math.floor(n / 8)) % owners.length] ?? '';
    const start = FIRST + ((n * 37) % 60) * 45 * MINUTE;
    const length = [15, 30, 60, 240, 1_440][n % 5] ?? 0;
    return {
      id,
      ownerId,
      eventTypeId: eventTypes.get(ownerId) ?? '',
      hostIds: isTeam(ownerId) ? ([[member, owner], [gone], [admin, member], [invited]][(n * 3) % 4] ?? []) : [ownerId],
      email: EMAILS[n % 3 === 0 ? 1 : 0] ?? '',
      status: BOOKING_STATUSES[(n * 7) % 4] ?? '',
      START: start,
      END: start + length * MINUTE,
      UPDATED_AT: FIRST + ((n * 53) % 40) * MINUTE,
      CREATED_AT: timeOfId(id),
    };
  });
  await store();
  await denormalize();
});
afterAll(() => database.close());

const ownerIs = (kind: 'user' | 'team') =>
  sql`case when get_byte(uuid_send((m->>'ownerId')::uuid), 15) % 2 = ${kind === 'team' ? 1 : 0}::int then (m->>'ownerId')::uuid end`;
/** Its teams' bookings carry the id, and those of the one who has left. */
const carriesId = () =>
  sql`case when (m->>'ownerId')::uuid = any(${[sales, support, gone]}::uuid[]) then ${organizationId}::uuid end`;
const instant = (name: string) => sql`to_timestamp((m->>${name})::bigint / 1000.0)`;

async function store(): Promise<void> {
  const em = database.em.fork();
  const all = sql`jsonb_array_elements(${JSON.stringify(made)}::jsonb) m`;
  await rows(
    em,
    sql`insert into bookings (owner_id, id, user_id, team_id, organization_id, event_type_id, title, status, starts_at, ends_at, host_ids, ics_id,
          created_at, updated_at)
        select (m->>'ownerId')::uuid, (m->>'id')::uuid, ${ownerIs('user')}, ${ownerIs('team')}, ${carriesId()}, (m->>'eventTypeId')::uuid, 'Talk',
          m->>'status', ${instant('START')}, ${instant('END')},
          array(select h::uuid from jsonb_array_elements_text(m->'hostIds') h), (m->>'id')::uuid, ${instant('CREATED_AT')}, ${instant('UPDATED_AT')}
        from ${all}`,
  );
  await rows(
    em,
    sql`insert into booking_hosts (user_id, booking_id, owner_id, team_id, event_type_id, status, starts_at, ends_at, updated_at, absent)
        select unnest(host_ids), id, owner_id, team_id, event_type_id, status, starts_at, ends_at, updated_at, false from bookings`,
  );
  await rows(
    em,
    sql`insert into booking_attendees (owner_id, booking_id, id, starts_at, name, email, time_zone, absent)
        select (m->>'ownerId')::uuid, (m->>'id')::uuid, (m->>'id')::uuid, ${instant('START')}, 'N', m->>'email', 'UTC', false from ${all}`,
  );
}

/** Denormalizes half of one member's bookings, as after a pass over a member with more of them than one pass takes. */
async function denormalize(): Promise<void> {
  const em = database.em.fork();
  await em.transactional((inner) => denormalizeBelongings(inner, 1_000));
  await rows(em, sql`update organization_memberships set denormalized = false where user_id = ${member}`);
  await rows(
    em,
    sql`update bookings set organization_id = null where owner_id = ${member} and id > ${made[COUNT / 2]?.id ?? ''}`,
  );
}

/** A place where such lists stand, who reads it, and whose bookings it has. */
const PLACES: Readonly<Record<string, () => { view: GroupView; groupId: string; owners: readonly string[] }>> = {
  'a team': () => ({ view: { level: 'team', actorId: admin }, groupId: sales, owners: [sales] }),
  'an organization, to its owner': () => ({
    view: { level: 'organization', actorId: owner },
    groupId: organizationId,
    owners: [sales, support, owner, admin, member],
  }),
  'an organization, to an administrator': () => ({
    view: { level: 'organization', actorId: admin },
    groupId: organizationId,
    owners: [sales, support, owner, admin, member],
  }),
  'an organization, to one who has no business there': () => ({
    view: { level: 'organization', actorId: gone },
    groupId: organizationId,
    owners: [sales, support],
  }),
};

function placeNamed(name: string) {
  const place = PLACES[name];
  if (!place) throw new Error(`There is no place ${name}.`);
  return place();
}

const at = (epochMilliseconds: number) => Temporal.Instant.fromEpochMilliseconds(epochMilliseconds);
const typesOf = (...owners: readonly string[]) =>
  owners.map((ownerId) => ({ ownerId, id: eventTypes.get(ownerId) ?? '' }));
const RANGE = { from: at(FIRST + 600 * MINUTE), to: at(FIRST + 2_000 * MINUTE) };
const isInRange = (time: number) => time >= FIRST + 600 * MINUTE && time < FIRST + 2_000 * MINUTE;

const FILTERS: Readonly<Record<string, () => [BookingFilter, (one: Made) => boolean]>> = {
  nothing: () => [{}, () => true],
  'no status': () => [{ statuses: [] }, () => false],
  'two statuses': () => [{ statuses: ['PENDING', 'CANCELLED'] }, ({ status }) => /PENDING|CANCELLED/.test(status)],
  'event types of all kinds of owners': () => [
    { eventTypeIds: typesOf(sales, member, owner, foreign, gone) },
    ({ ownerId }) => [sales, member, owner, foreign, gone].includes(ownerId),
  ],
  'a team': () => [{ teamId: sales }, ({ ownerId }) => ownerId === sales],
  'another team': () => [{ teamId: foreign }, ({ ownerId }) => ownerId === foreign],
  'a member': () => [{ hostId: member }, ({ hostIds }) => hostIds.includes(member)],
  'its owner as host': () => [{ hostId: owner }, ({ hostIds }) => hostIds.includes(owner)],
  'a host who has left': () => [{ hostId: gone }, ({ hostIds }) => hostIds.includes(gone)],
  'a member in a team': () => [
    { hostId: member, teamId: support },
    ({ hostIds, ownerId }) => hostIds.includes(member) && ownerId === support,
  ],
  'an attendee': () => [{ attendeeEmail: 'B@example.TEST' }, ({ email }) => email === EMAILS[1]],
  'an attendee, a member, a status and the start': () => [
    { attendeeEmail: 'a@example.test', hostId: member, statuses: ['ACCEPTED'], start: RANGE },
    ({ email, hostIds, status, START }) =>
      email === EMAILS[0] && hostIds.includes(member) && status === 'ACCEPTED' && isInRange(START),
  ],
  'its start': () => [{ start: RANGE }, ({ START }) => isInRange(START)],
  'its end': () => [{ end: RANGE }, ({ END }) => isInRange(END)],
  'its change': () => [
    { updatedAt: { to: at(FIRST + 20 * MINUTE) } },
    ({ UPDATED_AT }) => UPDATED_AT < FIRST + 20 * MINUTE,
  ],
  'its creation': () => [
    { createdAt: { from: at(made[20]?.CREATED_AT ?? 0), to: at(made[90]?.CREATED_AT ?? 0) } },
    ({ CREATED_AT }) => CREATED_AT >= (made[20]?.CREATED_AT ?? 0) && CREATED_AT < (made[90]?.CREATED_AT ?? 0),
  ],
};

describe.each(Object.keys(PLACES))('the bookings of %s', (place) => {
  test.each(Object.keys(FILTERS))('narrowed by %s, page by page, both ways, are all of them in order', async (name) => {
    const { view, groupId, owners } = placeNamed(place);
    const [filter, isMeant] = FILTERS[name]?.() ?? [{}, () => true];
    const meant = made.filter((one) => owners.includes(one.ownerId) && isMeant(one));
    for (const order of ORDERS) {
      const expected = meant
        .toSorted((a, b) => a[order.by] - b[order.by] || (a.id < b.id ? -1 : 1))
        .map(({ id }) => id);
      if (order.isDescending) expected.reverse();
      expect([order, await allPages(view, groupId, filter, order, 'first')]).toEqual([order, expected]);
      expect([order, await allPages(view, groupId, filter, order, 'last')]).toEqual([order, expected.toReversed()]);
    }
  });

  test('are found one by one where the list has them', async () => {
    const { view, groupId, owners } = placeNamed(place);
    const lookUps = made.map(({ ownerId, id }) => ({ parentId: groupId, ownerId, id }));
    const found = await findListed(database.em.fork(), view, lookUps, SELECTION);
    const listed = made.map(({ ownerId, id }) => (owners.includes(ownerId) ? id : undefined));
    expect(found.map((one) => one?.id)).toEqual(listed);
  });
});

const firstPages = (ids: readonly string[]) =>
  bookingPages(
    database.em.fork(),
    { level: 'team', actorId: owner },
    ids,
    {},
    { by: 'START', isDescending: false },
    pageRequest({ first: 5 }, ['TIME', 'UUID']),
    SELECTION,
  );

test('several groups at once have a page each', async () => {
  const teams = [sales, support, newTeamId()];
  const together = await firstPages(teams);
  // A row that was found with those of others also says for which of them.
  for (const id of teams) expect(together.get(id)).toMatchObject({ ...(await firstPages([id])).get(id) });
  expect(teams.map((id) => together.get(id)?.rows.length)).toEqual([5, 5, 0]);
});

/** The ids of all pages, in the order in which they are read. */
async function allPages(
  view: GroupView,
  groupId: string,
  filter: BookingFilter,
  order: BookingOrder,
  end: 'first' | 'last',
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  for (;;) {
    const asked = end === 'first' ? { first: 17, after: cursor } : { last: 17, before: cursor };
    const request = pageRequest(asked, ['TIME', 'UUID']);
    const em = database.em.fork();
    const found = (await bookingPages(em, view, [groupId], filter, order, request, SELECTION)).get(groupId);
    if (!found) throw new Error('There is no page.');
    const read = end === 'first' ? found.rows : found.rows.toReversed();
    ids.push(...read.map(({ id }) => id));
    const last = read.at(-1);
    if (!last || !(end === 'first' ? found.hasNextPage : found.hasPreviousPage)) return ids;
    cursor = encodeCursor([last.sortTime, last.id]);
  }
}
