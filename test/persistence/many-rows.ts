import { newId, newTeamId, newUserId } from '../../src/core/id.ts';
import { type Em, type RawBuilder, rows, sql } from '../../src/database/sql.ts';
import { uuidNumbered } from '../support/ids.ts';

/** Users and things with very many rows in some table, or few among very many. */
export interface ManyRows {
  /** Has very many of everything that a user can have, and is invited to all but a few teams and organizations. */
  readonly userId: string;
  /** Has been here three times, long ago. */
  readonly quietUserId: string;
  readonly administratorId: string;
  readonly organizationId: string;
  /** A member of that organization; every second of very many has accepted. */
  readonly memberId: string;
  readonly teamId: string;
  readonly eventTypeId: string;
  /** Every member of the team but the first has a copy of it. */
  readonly managedId: string;
  readonly clientId: string;
  readonly webhookId: string;
  readonly routingFormId: string;
}

/** Rows by the ten thousand in each table that has a list. */
export async function fillLists(em: Em, count: number): Promise<ManyRows> {
  const ids = Array.from({ length: count }, newUserId);
  const [userId = '', quietUserId = '', administratorId = '', memberId = ''] = ids;
  const [organizationId, teamId, clientId] = [newId(), newTeamId(), 'client-0'];
  const [eventTypeId, managedId, webhookId, routingFormId] = [newId(), newId(), newId(), newId()];
  const named = { organizationId, memberId, teamId, eventTypeId, managedId, clientId, webhookId, routingFormId };
  const many: ManyRows = { userId, quietUserId, administratorId, ...named };
  const statements = [
    ...people(many, ids, count),
    ...offers(many, count),
    ...bookings(many, count),
    ...forms(many, count),
    ...apps(many, count),
  ];
  for (const statement of statements) await rows(em, statement);
  return many;
}

const numbered = (count: number) => sql`generate_series(1, ${count}::int) n`;
const ago = sql`now() - n * interval '1 minute'`;

function people({ userId, administratorId, memberId, ...many }: ManyRows, ids: readonly string[], count: number) {
  const isAccepted = sql`n % 2 = 0 or user_id = ${memberId}`;
  return [
    sql`insert into users (id, email, username, name, password_hash, time_zone, week_start, time_format, locale, metadata,
          is_administrator, denormalized_in_id, created_at, updated_at, email_verified_at)
        select id, id::text, id::text, id::text, 'none', 'UTC', 'MONDAY', 24, 'en', '{}', id = ${administratorId},
          ${many.organizationId}::uuid, now(), now(), now()
        from unnest(${ids}::uuid[]) id`,
    sql`insert into organizations (id, slug, name, time_zone, week_start, is_private, metadata, created_at, updated_at)
        select id, id::text, id::text, 'UTC', 'MONDAY', false, '{}', now(), now()
        from (select ${many.organizationId}::uuid as id union all select ${uuidNumbered('0')} from ${numbered(count)}) o`,
    sql`insert into teams (id, organization_id, slug, name, time_zone, week_start, hide_branding, is_private, metadata,
          created_at, updated_at)
        select id, ${many.organizationId}::uuid, id::text, id::text, 'UTC', 'MONDAY', false, false, '{}', now(), now()
        from (select ${many.teamId}::uuid as id union all select ${uuidNumbered('0')} from ${numbered(count)}) t`,
    ...(['organization', 'team'] as const).flatMap((kind) => {
      const [table, column] = [sql.ref(`${kind}_memberships`), sql.ref(`${kind}_id`)];
      const groupId = kind === 'team' ? many.teamId : many.organizationId;
      return [
        sql`insert into ${table} (id, ${column}, user_id, role, accepted, created_at)
            select ${uuidNumbered('a')}, ${groupId}::uuid, user_id,
              case when user_id = ${userId} then 'OWNER' else 'MEMBER' end, user_id = ${userId} or ${isAccepted}, now()
            from unnest(${ids}::uuid[]) with ordinality as u(user_id, n)`,
        // An invitation counts as long as its sender may give it.
        sql`insert into ${table} (id, ${column}, user_id, role, accepted, created_at)
            select ${uuidNumbered('c')}, ${uuidNumbered('0')}, ${administratorId}::uuid, 'ADMIN', true, now()
            from ${numbered(count)}`,
        sql`insert into ${table} (id, ${column}, user_id, role, accepted, invited_by_id, created_at)
            select ${uuidNumbered('b')}, ${uuidNumbered('0')}, ${userId}::uuid, 'MEMBER', n > ${count - 3}::int,
              case when n > ${count - 3}::int then null else ${administratorId}::uuid end, now()
            from ${numbered(count)}`,
        sql`insert into invitations (id, ${column}, email, role, token_hash, invited_by_id, created_at, updated_at, expires_at)
            select gen_random_uuid(), ${groupId}::uuid, n || '@mail.test', 'MEMBER', ${kind} || n, ${userId}::uuid, now(), now(),
              now() + interval '1 day'
            from ${numbered(count)}`,
        sql`insert into invitations (id, ${column}, email, role, token_hash, invited_by_id, created_at, updated_at, expires_at)
            select gen_random_uuid(), ${uuidNumbered('0')}, ${many.quietUserId}::text, 'MEMBER', ${kind} || '-' || n,
              ${userId}::uuid, now(), now(), now() + interval '1 day'
            from ${numbered(count)}`,
      ];
    }),
    sql`update organization_memberships set denormalized = true where organization_id = ${many.organizationId} and accepted`,
    sql`insert into sessions (id, token_hash, user_id, user_agent, address, created_at, last_seen_at, expires_at)
        select ${uuidNumbered('0')}, n, ${userId}::uuid, '', '', ${ago}, now(), now() + interval '1 day' from ${numbered(count)}`,
    sql`insert into stopped_things (user_id, id, kind, title, address, content, stopped_at)
        select ${userId}::uuid, ${uuidNumbered('0')}, 'PRIVATE_LINK', '', null, '{}', ${ago} from ${numbered(count)}`,
    sql`insert into audit_events (id, occurred_at, type, user_id, client_id, detail)
        select ${uuidNumbered('0')}, ${ago}, 'SIGNED_IN',
          case when n > ${count - 3}::int then ${many.quietUserId}::uuid else ${userId}::uuid end, ${many.clientId}, '{}'
        from ${numbered(count)}`,
  ];
}

function offers(
  { userId, teamId, eventTypeId, managedId, webhookId, ...many }: ManyRows,
  count: number,
): RawBuilder<unknown>[] {
  const organizationId = sql`${many.organizationId}::uuid`;
  const id = uuidNumbered('0');
  return [
    sql`insert into event_types (owner_id, id, user_id, organization_id, slug, title, length_in_minutes, hidden, metadata, created_at,
          updated_at)
        select ${userId}::uuid, id, ${userId}::uuid, ${organizationId}, id::text, '', 30, false, '{}', now(), now()
        from (select ${eventTypeId}::uuid as id union all select ${id} from ${numbered(count)}) e`,
    sql`insert into event_types (owner_id, id, team_id, organization_id, scheduling_type, slug, title, length_in_minutes, hidden, metadata,
          created_at, updated_at)
        select ${teamId}::uuid, ${id}, ${teamId}::uuid, ${organizationId}, 'COLLECTIVE', n, '', 30, false, '{}', now(),
          now() from ${numbered(count)}`,
    sql`insert into event_types (owner_id, id, user_id, organization_id, parent_team_id, parent_id, membership_id, slug, title,
          length_in_minutes, hidden, metadata, created_at, updated_at)
        select m.user_id, ${managedId}::uuid, m.user_id, ${organizationId}, ${teamId}::uuid, ${managedId}::uuid, m.id,
          'copy', '', 30, false, '{}', now(), now()
        from team_memberships m where m.team_id = ${teamId} and m.user_id <> ${userId}`,
    sql`insert into private_links (owner_id, event_type_id, id, secret, usage_count, created_at, updated_at)
        select ${userId}::uuid, ${eventTypeId}::uuid, ${id}, '', 0, now(), now() from ${numbered(count)}`,
    sql`insert into schedules (user_id, id, name, time_zone, is_default, availability, overrides, created_at, updated_at)
        select ${userId}::uuid, ${id}, '', 'UTC', false, '[]'::jsonb, '[]'::jsonb, now(), now() from ${numbered(count)}
        union all
        select m.user_id, ${uuidNumbered('0', sql`0`)}, '', 'UTC', true, '[]', '[]', now(), now()
        from team_memberships m where m.team_id = ${teamId} and m.user_id <> ${userId}`,
    sql`insert into out_of_office (user_id, id, organization_id, starts_at, ends_at, reason, created_at, updated_at)
        select ${userId}::uuid, ${id}, ${organizationId}, now(), now() + interval '1 day', '', now(), now() from ${numbered(count)}`,
    sql`insert into conferencing_apps (owner_id, id, user_id, team_id, app, is_default, created_at)
        select owner_id, ${id}, nullif(owner_id, ${teamId}), nullif(owner_id, ${userId}), n::text, false, now()
        from ${numbered(count)}, unnest(array[${userId}, ${teamId}]::uuid[]) owner_id`,
    ...['verified_emails', 'verified_phones'].map(
      (table) => sql`insert into ${sql.table(table)} (owner_id, id, user_id, team_id, receiver, verified_at)
        select owner_id, ${id}, nullif(owner_id, ${teamId}), nullif(owner_id, ${userId}), n::text, now()
        from ${numbered(count)}, unnest(array[${userId}, ${teamId}]::uuid[]) owner_id`,
    ),
    sql`insert into ics_feeds (user_id, id, sealed_url, host, ending, expanded_at, read_at, next_read_at, event_count,
          unreadable_event_count, created_at, updated_at)
        select ${userId}::uuid, ${id}, '', '', '', now(), now(), now(), 0, 0, now(), now() from ${numbered(count)}`,
    sql`insert into workflows (team_id, id, name, trigger, is_active, steps, created_at, updated_at)
        select ${teamId}::uuid, ${id}, '', 'NEW_BOOKING', true, '[]', now(), now() from ${numbered(count)}`,
    sql`insert into calendar_connections (user_id, id, provider, account, credentials, created_at, updated_at)
        select ${userId}::uuid, ${id}, 'APPLE', n::text, '', now(), now() from ${numbered(count)}`,
    sql`insert into webhooks (owner_id, user_id, organization_id, event_type_id, id, url, triggers, active, set_by_id, readable, secret_salt,
          created_at, updated_at)
        select coalesce(organization_id, ${userId}), case when organization_id is null then ${userId}::uuid end, organization_id,
          event_type_id, id, id::text, '{}', true, ${userId}, '{}', id, now(), now()
        from (select ${webhookId}::uuid as id, null::uuid as organization_id, null::uuid as event_type_id
          union all select ${id}, null, null from ${numbered(count)}
          union all select ${uuidNumbered('b')}, null, ${eventTypeId} from ${numbered(count)}
          union all select ${id}, ${many.organizationId}, null from ${numbered(count)}) w`,
    sql`insert into webhook_deliveries (owner_id, id, webhook_id, event_id, trigger, payload, status, attempts, created_at)
        select ${userId}::uuid, ${id}, ${webhookId}::uuid, ${id}, '', '', 'DELIVERED', '[]', now() from ${numbered(count)}`,
  ];
}

function forms({ organizationId, teamId, routingFormId }: ManyRows, count: number): RawBuilder<unknown>[] {
  const id = uuidNumbered('0');
  const form = sql`'', true, 1, '[]'::jsonb, '[]'::jsonb, '{}'::jsonb, now(), now()`;
  const columns = sql`name, is_active, version, fields, routes, fallback, created_at, updated_at`;
  return [
    sql`insert into routing_forms (owner_id, id, team_id, ${columns})
        select ${teamId}::uuid, id, ${teamId}::uuid, ${form}
        from (select ${routingFormId}::uuid as id union all select ${id} from ${numbered(count)}) f`,
    sql`insert into routing_forms (owner_id, id, organization_id, ${columns})
        select ${organizationId}::uuid, ${id}, ${organizationId}::uuid, ${form} from ${numbered(count)}`,
    sql`insert into routing_form_responses (owner_id, id, form_id, form_version, fields, answers, target, created_at, updated_at)
        select ${teamId}::uuid, ${id}, ${routingFormId}::uuid, 1, '[]', '{}', '{}', ${ago}, now() from ${numbered(count)}`,
  ];
}

/** Half of them the team's and half the user's, who hosts all, each an hour after the one before. */
function bookings({ userId, organizationId, teamId, eventTypeId }: ManyRows, count: number): RawBuilder<unknown>[] {
  const teamIs = sql`case when n % 2 = 0 then ${teamId}::uuid end`;
  const startsAt = sql`now() + n * interval '1 hour'`;
  return [
    sql`insert into bookings (owner_id, id, user_id, team_id, organization_id, event_type_id, title, status, starts_at, ends_at, host_ids, ics_id,
          created_at, updated_at)
        select case when n % 2 = 0 then ${teamId}::uuid else ${userId}::uuid end, ${uuidNumbered('0')},
          case when n % 2 = 1 then ${userId}::uuid end, ${teamIs}, ${organizationId}::uuid, ${eventTypeId}::uuid, '', 'ACCEPTED', ${startsAt},
          ${startsAt} + interval '30 minutes', array[${userId}::uuid], ${uuidNumbered('0')}, now(), ${ago}
        from ${numbered(count)}`,
    sql`insert into booking_hosts (user_id, booking_id, owner_id, team_id, event_type_id, status, starts_at, ends_at, updated_at,
          absent)
        select ${userId}::uuid, id, owner_id, team_id, event_type_id, status, starts_at, ends_at, updated_at, false from bookings`,
    // One host has no more than hold-limits.ts lets strangers and the host keep at once.
    sql`insert into slot_reservations (owner_id, id, user_id, team_id, event_type_id, starts_at, ends_at, host_ids, handle, callers, held_since,
          expires_at, created_at)
        select owner_id, id, user_id, team_id, event_type_id, starts_at, ends_at,
          case when row_number() over (order by id) <= 80 then host_ids else array[gen_random_uuid()] end, id, array['network ' || id],
          now(), now() + interval '1 hour', now() from bookings`,
  ];
}

function apps({ userId, clientId }: ManyRows, count: number): RawBuilder<unknown>[] {
  return [
    sql`insert into oauth_clients (client_id, owner_id, name, purpose, type, status, legacy, require_pkce, redirect_uris,
          scopes, submitted_at, created_at, updated_at)
        select 'client-' || n, ${userId}::uuid, '', '', 'PUBLIC', case when n > ${count - 3}::int then 'PENDING' else 'APPROVED' end,
          false, true, '{}', '{PROFILE_READ}', ${ago}, ${ago}, now() from generate_series(0, ${count}::int) n`,
    sql`insert into oauth_grants (id, client_id, user_id, kind, scopes, seed, generation, rotated_at, created_at,
          last_used_at, expires_at)
        select ${uuidNumbered('0')}, 'client-' || n, ${userId}::uuid, 'SCOPED', '{PROFILE_READ}', '', 0, now(), ${ago}, now(),
          now() + interval '1 day' from ${numbered(count)}`,
    sql`insert into oauth_failed_requests (occurred_at, id, client_id, endpoint, error, description)
        select ${ago}, ${uuidNumbered('0')}, ${clientId}, 'TOKEN', 'invalid_grant', '' from ${numbered(count)}`,
  ];
}
