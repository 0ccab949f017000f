/**
 * The lists of an organization of a thousand members and two hundred teams with a million bookings, half of them its teams': how
 * many pages of the database the first page of 25 looks at and how long it takes, with every filter and in every order. First as
 * long as nothing of its members' is denormalized (denormalize.ts), as of people who have just joined, then when all is.
 */
import { newId, newTeamId } from '../src/core/id.ts';
import { pageRequest } from '../src/core/page.ts';
import { Selection } from '../src/database/columns.ts';
import { type Em, rows, sql } from '../src/database/sql.ts';
import { BOOKING_ORDER_FIELDS, type BookingFilter } from '../src/modules/bookings/lists/booking-list.rules.ts';
import { WHOLE_BOOKING } from '../src/modules/bookings/lists/booking-parts.queries.ts';
import { denormalizeBelongings } from '../src/modules/bookings/lists/denormalize.ts';
import { bookingPages } from '../src/modules/bookings/lists/list-bookings.queries.ts';
import { EVENT_TYPES } from '../src/modules/event-types/event-type.queries.ts';
import { ownedPages } from '../src/modules/levels/owned.queries.ts';
import { REACH } from '../src/modules/levels/reach.ts';
import { ORGANIZATION } from '../src/modules/organizations/group.ts';
import { OUT_OF_OFFICE } from '../src/modules/schedules/out-of-office.queries.ts';
import { newHosts } from '../test/modules/bookings/support/booked-hosts.ts';
import { costOf } from '../test/support/plans.ts';
import { type Filled, openFilled } from './filled.ts';

const MEMBERS = 1_000;
const TEAMS = 200;
const BOOKINGS = 1_000_000;
/** One of ten members has an event type of their own, and one of a hundred an absence. */
const [OFFERING, AWAY] = [10, 100];
const EVENT_TYPES_OF_A_TEAM = 5;

interface House {
  readonly organizationId: string;
  readonly ownerId: string;
  readonly memberId: string;
  readonly teamId: string;
  readonly middle: Temporal.Instant;
}

type Ask = (em: Em, house: House) => Promise<unknown>;

const DAY = { hours: 24 };
const FILTERS: Readonly<Record<string, (house: House) => BookingFilter>> = {
  nothing: () => ({}),
  'a status': () => ({ statuses: ['ACCEPTED'] }),
  'a rare status': () => ({ statuses: ['REJECTED'] }),
  'a team': ({ teamId }) => ({ teamId }),
  'an event type of a member': ({ memberId }) => ({ eventTypeIds: [{ ownerId: memberId, id: memberId }] }),
  'a host': ({ memberId }) => ({ hostId: memberId }),
  'an attendee': () => ({ attendeeEmail: 'a7@example.test' }),
  'the start on a day': ({ middle }) => ({ start: { from: middle, to: middle.add(DAY) } }),
  'the end on a day': ({ middle }) => ({ end: { from: middle, to: middle.add(DAY) } }),
};

const LISTS: Readonly<Record<string, Ask>> = {
  ...Object.fromEntries(
    Object.entries(FILTERS).flatMap(([name, filterOf]) =>
      BOOKING_ORDER_FIELDS.map((by): [string, Ask] => [
        `bookings narrowed by ${name}, ${by}`,
        (em, house) => {
          const view = { level: 'organization', actorId: house.ownerId } as const;
          const order = { by, isDescending: false };
          const request = pageRequest({ first: 25 }, ['TIME', 'UUID']);
          return bookingPages(em, view, [house.organizationId], filterOf(house), order, request, WHOLE_BOOKING);
        },
      ]),
    ),
  ),
  'event types': (em, house) => {
    const view = { reach: REACH.organization.OWNER, group: ORGANIZATION, actorId: house.ownerId };
    const whole = Selection.whole(EVENT_TYPES.entity);
    return ownedPages(em, EVENT_TYPES, view, [house.organizationId], pageRequest({ first: 25 }), whole);
  },
  'event types, the last': (em, house) => {
    const view = { reach: REACH.organization.OWNER, group: ORGANIZATION, actorId: house.ownerId };
    const whole = Selection.whole(EVENT_TYPES.entity);
    return ownedPages(em, EVENT_TYPES, view, [house.organizationId], pageRequest({ last: 25 }), whole);
  },
  'out of office': (em, house) => {
    const view = { reach: REACH.organization.PERSON, group: ORGANIZATION, actorId: house.ownerId };
    const whole = Selection.whole(OUT_OF_OFFICE.entity);
    return ownedPages(em, OUT_OF_OFFICE, view, [house.organizationId], pageRequest({ first: 25 }), whole);
  },
};

export async function benchOrganization(serverUrl: string): Promise<void> {
  const filled = await openFilled(serverUrl, 'organization', fill);
  try {
    const before = await costs(filled);
    const began = performance.now();
    await denormalizeAll(filled.em);
    console.log(`\nDenormalizing took ${((performance.now() - began) / 1_000).toFixed(0)} s.`);
    await rows(filled.em, sql`vacuum analyze`);
    const after = await costs(filled);
    console.log(`\nThe first 25 of ${BOOKINGS} bookings of ${MEMBERS} members and ${TEAMS} teams\n`);
    console.log('| list | pages, scattered | ms | pages, denormalized | ms | by |\n|---|---|---|---|---|---|');
    for (const [index, name] of Object.keys(LISTS).entries()) {
      const [old, now] = [before[index], after[index]];
      console.log(`| ${name} | ${old?.slice(0, 2).join(' | ')} | ${now?.join(' | ')} |`);
    }
  } finally {
    await filled.close();
  }
}

async function costs({ em, what }: Filled<House>): Promise<string[][]> {
  const found: string[][] = [];
  for (const ask of Object.values(LISTS)) {
    await ask(em, what);
    const cost = await costOf(em, 'force_custom_plan', (inner) => ask(inner, what));
    const by = [...cost.whole.map((table) => `READS ALL OF ${table}`), ...cost.indexes.map((name) => `\`${name}\``)];
    found.push([String(cost.buffers), cost.milliseconds.toFixed(1), by.join(', ')]);
  }
  return found;
}

async function denormalizeAll(em: Em): Promise<void> {
  for (let limit = 1_000; limit === 1_000; )
    limit = await em.transactional((inner) => denormalizeBelongings(inner, 1_000));
}

async function fill(em: Em): Promise<House> {
  const members = await newHosts(em, MEMBERS);
  const teams = Array.from({ length: TEAMS }, newTeamId);
  const [ownerId = '', memberId = ''] = members;
  const organizationId = newId();
  const first = Temporal.Instant.from('2026-01-01T00:00Z');
  for (const statement of [
    sql`insert into organizations (id, slug, name, time_zone, week_start, is_private, metadata, created_at, updated_at)
        values (${organizationId}, 'busy', 'Busy', 'UTC', 'MONDAY', false, '{}', now(), now())`,
    sql`insert into teams (id, organization_id, slug, name, time_zone, week_start, hides_branding, is_private, metadata,
          created_at, updated_at)
        select id, ${organizationId}::uuid, id::text, id::text, 'UTC', 'MONDAY', false, false, '{}', now(), now()
        from unnest(${teams}::uuid[]) id`,
    sql`insert into organization_memberships (id, organization_id, user_id, role, accepted, created_at)
        select gen_random_uuid(), ${organizationId}::uuid, id, case when id = ${ownerId} then 'OWNER' else 'MEMBER' end, true, now()
        from unnest(${members}::uuid[]) id`,
    sql`insert into event_types (owner_id, id, team_id, organization_id, scheduling_type, slug, title, duration_in_minutes, is_hidden,
          metadata, created_at, updated_at)
        select id, gen_random_uuid(), id, ${organizationId}::uuid, 'COLLECTIVE', n, '', 30, false, '{}', now(), now()
        from unnest(${teams}::uuid[]) id cross join generate_series(1, ${EVENT_TYPES_OF_A_TEAM}::int) n`,
    sql`insert into event_types (owner_id, id, user_id, slug, title, duration_in_minutes, is_hidden, metadata, created_at, updated_at)
        select id, id, id, 'own', '', 30, false, '{}', now(), now()
        from unnest(${members}::uuid[]) with ordinality as m(id, n) where n % ${OFFERING}::int = 0`,
    sql`insert into out_of_office (user_id, id, starts_at, ends_at, reason, created_at, updated_at)
        select id, gen_random_uuid(), now(), now() + interval '1 day', '', now(), now()
        from unnest(${members}::uuid[]) with ordinality as m(id, n) where n % ${AWAY}::int = 0`,
    sql`create temporary table made as
        select n, team.id as team_id, member.id as member_id, coalesce(team.id, member.id) as owner_id,
          (lpad(to_hex((extract(epoch from created_at) * 1000)::bigint), 12, '0') || '7' || left(md5(n::text), 3) || '800'
            || substr(md5(n::text), 4, 13))::uuid as id,
          case n % 100 when 7 then 'REJECTED' when 13 then 'PENDING' when 21 then 'CANCELLED' else 'ACCEPTED' end as status,
          created_at + n::bigint * 7919 % 43200 * interval '1 minute' as starts_at,
          created_at + n::bigint * 104729 % 43200 * interval '1 minute' as updated_at, created_at
        from generate_series(1, ${BOOKINGS}::int) n
        left join unnest(${teams}::uuid[]) with ordinality as team(id, place)
          on n % 2 = 0 and place = n / 2 % ${TEAMS}::int + 1
        join unnest(${members}::uuid[]) with ordinality as member(id, place) on member.place = n / 2 % ${MEMBERS}::int + 1
        cross join lateral (select ${first.toString()}::timestamptz + n * interval '1 minute' as created_at) created`,
    sql`insert into bookings (owner_id, id, user_id, team_id, organization_id, event_type_id, title, status, starts_at, ends_at,
          host_ids, ics_id, created_at, updated_at)
        select owner_id, id, case when team_id is null then member_id end, team_id,
          case when team_id is not null then ${organizationId}::uuid end, owner_id, 'Talk', status,
          starts_at, starts_at + interval '30 minutes', array[member_id], id, created_at, updated_at from made order by n`,
    sql`insert into booking_hosts (user_id, booking_id, owner_id, team_id, event_type_id, status, starts_at, ends_at, absent, updated_at)
        select member_id, id, owner_id, team_id, owner_id, status, starts_at, starts_at + interval '30 minutes', false, updated_at
        from made order by n`,
    sql`insert into booking_attendees (owner_id, booking_id, id, starts_at, name, email, time_zone, absent)
        select owner_id, id, id, starts_at, 'N', 'a' || n % 50000 || '@example.test', 'UTC', false from made order by n`,
    sql`drop table made`,
  ])
    await rows(em, statement);
  return { organizationId, ownerId, memberId, teamId: teams[0] ?? '', middle: first.add({ hours: 8_000 }) };
}
