import { newId, newTeamId, newUserId, publicId, publicOwnedId } from '../../src/core/id.ts';
import { type Em, type RawBuilder, rows, sql } from '../../src/database/sql.ts';
import type { Uids } from '../../src/modules/bookings/booking-key.rules.ts';
import { SCOPES } from '../../src/scopes/catalog.ts';
import { uuidNumbered } from './ids.ts';

/** Somebody who has as much of everything as the rules let anybody have. */
export interface HeavyData {
  readonly email: string;
  readonly username: string;
  readonly teamSlug: string;
  readonly teamId: string;
  readonly organizationId: string;
  /** The event types of that user, and of the team with 500 hosts; both with a slot a minute. */
  readonly eventTypeIds: readonly string[];
  readonly bookingId: string;
  readonly bookingUid: string;
  readonly client: { readonly client_id: string; readonly redirect_uri: string };
}

const PAGE = 100;
const HOSTS = 500;
const SEATED_BOOKINGS = 10;
const SEATS = 1_000;
const CLIENT = { client_id: 'heavy-client', redirect_uri: 'https://heavy.example.test/cb' };

const text = (characters: number): string =>
  'Märchen '
    .repeat(Math.ceil(characters / 8))
    .slice(0, characters)
    .trim();
const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, i) => item(i));
const METADATA = JSON.stringify(Object.fromEntries(many(50, (i) => [`key-${i}`.padEnd(40, 'x'), text(500)])));
const AVAILABILITY = JSON.stringify(
  many(100, () => ({
    days: ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'],
    start: '00:00',
    end: '24:00',
  })),
);
const OVERRIDES = JSON.stringify(
  many(1_000, (i) => ({
    date: Temporal.PlainDate.from('2040-01-01').add({ days: i }).toString(),
    start: '09:00',
    end: '17:00',
  })),
);
const FIELDS = JSON.stringify(
  many(50, (i) => ({
    slug: `field-${i}`,
    type: 'SELECT',
    label: `Field ${i}`,
    placeholder: null,
    isRequired: false,
    isHidden: false,
    options: many(100, (n) => `o${n}`),
  })),
);
const LOCATIONS = JSON.stringify(
  many(20, (i) => ({ id: publicId('location', newId()), type: 'ADDRESS', value: text(500 - i), label: text(100 - i) })),
);
const numbered = (count: number) => sql`generate_series(1, ${count}::int) n`;

/** Into a database with the demo data, whose ada gives the password; `uids` are those of the service. */
export async function fillHeavily(em: Em, uids: Uids): Promise<HeavyData> {
  const members = many(HOSTS, newUserId);
  const [userId = ''] = members;
  const [teamId, organizationId] = [newTeamId(), newId()];
  const eventTypeIds = [newId(), newId()] as const;
  const ids = many(PAGE, newId);
  const booking = { ownerId: userId, id: ids[0] ?? '' };
  for (const statement of [
    ...people({ userId, members, teamId, organizationId }),
    ...offers({ userId, members, teamId, eventTypeIds }),
    ...bookings({ userId, members, ids, eventTypeId: eventTypeIds[0] }),
    ...apps(userId),
  ]) {
    await rows(em, statement);
  }
  return {
    email: 'heavy@example.test',
    username: 'heavy',
    teamSlug: 'heavy-team',
    teamId: publicId('team', teamId),
    organizationId: publicId('organization', organizationId),
    eventTypeIds: [userId, teamId].map((ownerId, index) =>
      publicOwnedId('eventType', { ownerId, id: eventTypeIds[index] ?? '' }),
    ),
    bookingId: publicOwnedId('booking', booking),
    bookingUid: uids.of({ ...booking, version: 0 }),
    client: CLIENT,
  };
}

interface People {
  readonly userId: string;
  readonly members: readonly string[];
  readonly teamId: string;
  readonly organizationId: string;
}

function people({ userId, members, teamId, organizationId }: People): RawBuilder<unknown>[] {
  const group = sql`${text(2_000)}, 'https://example.test/' || repeat('x', 2000), 'UTC', 'MONDAY'`;
  return [
    sql`insert into users (id, email, username, name, password_hash, time_zone, week_start, time_format, locale, bio,
          avatar_url, metadata, is_administrator, created_at, updated_at, email_verified_at)
        select m.id, case when m.id = ${userId} then 'heavy@example.test' else m.id::text || '@example.test' end,
          case when m.id = ${userId} then 'heavy' else m.id::text end, ${text(100)}, ada.password_hash, 'UTC', 'MONDAY', 24, 'en',
          ${text(2_000)}, null, ${METADATA}::jsonb, false, now(), now(), now()
        from unnest(${members}::uuid[]) m(id), users ada where ada.username = 'ada'`,
    sql`insert into organizations (id, slug, name, bio, logo_url, time_zone, week_start, is_private, metadata, created_at, updated_at)
        select id, slug, ${text(100)}, ${group}, false, ${METADATA}::jsonb, now(), now()
        from (select ${organizationId}::uuid as id, 'heavy-org' as slug union all select ${uuidNumbered('0')}, 'heavy-' || n from ${numbered(PAGE - 1)}) o`,
    sql`insert into organization_memberships (id, organization_id, user_id, role, accepted, created_at)
        select md5(m.id::text)::uuid, ${organizationId}::uuid, m.id, 'OWNER', true, now() from unnest(${members}::uuid[]) m(id)
        union all
        select ${uuidNumbered('1')}, ${uuidNumbered('0')}, ${userId}::uuid, 'OWNER', true, now() from ${numbered(PAGE - 1)}`,
    sql`insert into teams (id, organization_id, slug, name, bio, logo_url, time_zone, week_start, hides_branding, is_private, metadata,
          created_at, updated_at)
        select id, organization_id, slug, ${text(100)}, ${group}, false, false, ${METADATA}::jsonb, now(), now()
        from (select ${teamId}::uuid as id, null::uuid as organization_id, 'heavy-team' as slug
          union all select ${uuidNumbered('0')}, ${organizationId}::uuid, 'heavy-' || n from ${numbered(PAGE - 1)}) t`,
    sql`insert into team_memberships (id, team_id, user_id, role, accepted, created_at)
        select md5(m.id::text)::uuid, ${teamId}::uuid, m.id, 'OWNER', true, now() from unnest(${members}::uuid[]) m(id)`,
    sql`insert into team_memberships (id, team_id, user_id, organization_membership_id, role, accepted, created_at)
        select ${uuidNumbered('1')}, ${uuidNumbered('0')}, ${userId}::uuid,
          (select id from organization_memberships where organization_id = ${organizationId} and user_id = ${userId}), 'OWNER', true, now()
        from ${numbered(PAGE - 1)}`,
    sql`insert into schedules (user_id, id, name, time_zone, is_default, availability, overrides, created_at, updated_at)
        select m.id, ${uuidNumbered('0', sql`0`)}, 'All', 'UTC', true, ${AVAILABILITY}::jsonb, '[]'::jsonb,
          now(), now() from unnest(${members}::uuid[]) m(id)
        union all
        select ${userId}::uuid, ${uuidNumbered('0')}, ${text(100)}, 'UTC', false, ${AVAILABILITY}::jsonb, ${OVERRIDES}::jsonb,
          now(), now() from ${numbered(PAGE - 1)}`,
    sql`insert into out_of_office (user_id, id, starts_at, ends_at, reason, notes, created_at, updated_at)
        select ${userId}::uuid, ${uuidNumbered('0')}, now() + (n + 900) * interval '1 day', now() + (n + 901) * interval '1 day',
          ${text(100)}, ${text(2_000)}, now(), now() from ${numbered(PAGE)}`,
  ];
}

interface Offers {
  readonly userId: string;
  readonly members: readonly string[];
  readonly teamId: string;
  readonly eventTypeIds: readonly [string, string];
}

function offers({ userId, members, teamId, eventTypeIds: [own, ofTeam] }: Offers): RawBuilder<unknown>[] {
  const insert = (ownerId: string, id: string, isOfTeam: boolean) => sql`
    insert into event_types (owner_id, id, user_id, team_id, scheduling_type, slug, title, description, duration_in_minutes,
      duration_in_minutes_options, is_hidden, metadata, locations, booking_fields, slot_interval_in_minutes,
      minimum_booking_notice_in_minutes, success_redirect_url, created_at, updated_at)
    select ${ownerId}::uuid, id, ${isOfTeam ? null : ownerId}::uuid, ${isOfTeam ? ownerId : null}::uuid, ${isOfTeam ? 'ROUND_ROBIN' : null},
      slug, ${text(200)}, ${text(5_000)}, 1, '[]', false, ${METADATA}::jsonb, ${LOCATIONS}::jsonb, ${FIELDS}::jsonb, 1, 0,
      'https://example.test/' || repeat('x', 2000), now(), now()
    from (select ${id}::uuid as id, 'every-minute' as slug
      union all select ${uuidNumbered('0')}, 'heavy-' || n from ${numbered(PAGE - 1)}) e`;
  return [
    insert(userId, own, false),
    insert(teamId, ofTeam, true),
    sql`insert into event_type_hosts (owner_id, event_type_id, user_id, membership_id, is_mandatory, priority, weight)
        select ${teamId}::uuid, e.id, m.user_id, m.id, false, 2, 100
        from event_types e cross join team_memberships m
        where e.owner_id = ${teamId} and m.team_id = ${teamId} and m.user_id = any(${members}::uuid[])`,
    sql`insert into private_links (owner_id, event_type_id, id, secret, usage_count, created_at, updated_at)
        select ${userId}::uuid, ${own}::uuid, ${uuidNumbered('0')}, 'x', 0, now(), now() from ${numbered(PAGE)}`,
  ];
}

interface Bookings {
  readonly userId: string;
  readonly members: readonly string[];
  readonly ids: readonly string[];
  readonly eventTypeId: string;
}

function bookings({ userId, members, ids, eventTypeId }: Bookings): RawBuilder<unknown>[] {
  const start = sql`now() + n * interval '1 hour'`;
  const time = sql`${start}, now() + n * interval '1 hour' + interval '1 minute'`;
  const numberedIds = sql`unnest(${ids}::uuid[]) with ordinality as b(id, n)`;
  const isSeated = sql`n <= ${SEATED_BOOKINGS}::int`;
  return [
    sql`insert into bookings (owner_id, id, user_id, event_type_id, title, description, status, starts_at, ends_at, location,
          host_ids, guest_emails, seats, metadata, cancellation_reason, ics_id, created_at, updated_at)
        select ${userId}::uuid, id, ${userId}::uuid, ${eventTypeId}::uuid, ${text(200)}, ${text(5_000)}, 'ACCEPTED', ${time}, null,
          ${members}::uuid[], ${many(30, (i) => `guest-${i}@example.test`)}::text[],
          case when ${isSeated} then ${JSON.stringify({ perSlot: SEATS, showsAttendees: true })}::jsonb end, ${METADATA}::jsonb,
          ${text(1_000)}, id, now(), now() from ${numberedIds}`,
    sql`insert into booking_hosts (user_id, booking_id, owner_id, event_type_id, status, starts_at, ends_at, absent, updated_at)
        select m.id, b.id, ${userId}::uuid, ${eventTypeId}::uuid, 'ACCEPTED', ${time}, false, now()
        from ${numberedIds} cross join unnest(${members}::uuid[]) m(id)`,
    sql`insert into booking_attendees (owner_id, booking_id, id, starts_at, name, email, time_zone, notes,
          responses, absent, seat_id)
        select ${userId}::uuid, id, ${uuidNumbered('0', sql`seat`)}, ${start}, ${text(100)}, 'attendee-' || seat || '@example.test',
          'UTC', ${text(5_000)}, '{}', false, case when ${isSeated} then md5(id::text || seat)::uuid end
        from ${numberedIds} cross join generate_series(1, case when ${isSeated} then ${SEATS}::int else 1 end) seat`,
  ];
}

function apps(userId: string): RawBuilder<unknown>[] {
  const uris = many(10, (i) => `https://heavy.example.test/${i}/${'x'.repeat(2_000)}`);
  return [
    sql`insert into oauth_clients (client_id, owner_id, name, purpose, type, status, legacy, requires_pkce, redirect_uris, scopes,
          submitted_at, created_at, updated_at)
        select id, ${userId}::uuid, ${text(60)}, ${text(2_000)}, 'PUBLIC', 'APPROVED', false, true,
          case when id = ${CLIENT.client_id} then array[${CLIENT.redirect_uri}] else ${uris}::text[] end, ${SCOPES}::text[], now(), now(), now()
        from (select ${CLIENT.client_id} as id union all select 'heavy-client-' || n from ${numbered(PAGE - 1)}) c`,
    sql`insert into oauth_grants (id, client_id, user_id, kind, scopes, seed, generation, rotated_at, created_at, last_used_at, expires_at)
        select ${uuidNumbered('0', sql`n * 1000 + g`)}, 'heavy-client-' || n, ${userId}::uuid, 'SCOPED', ${SCOPES}::text[], '', 0, now(),
          now(), now(), now() + interval '1 day' from ${numbered(PAGE - 1)}, generate_series(1, 100) g`,
    sql`insert into audit_events (id, occurred_at, type, user_id, client_id, detail)
        select ${uuidNumbered('0')}, now() - n * interval '1 minute', 'SIGNED_IN', ${userId}::uuid, ${CLIENT.client_id}, '{}' from ${numbered(PAGE)}`,
  ];
}
