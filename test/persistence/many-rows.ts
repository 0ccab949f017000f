import { newId, newOwnedId } from '../../src/core/id.ts';
import { type Em, type RawBuilder, rows, sql } from '../../src/database/sql.ts';

/** Who and what has very many rows in some table, or few among very many. */
export interface ManyRows {
  /** Has very many of everything that a user can have, and is invited to all but a few teams and organizations. */
  readonly userId: string;
  /** Has been here three times, long ago. */
  readonly quietUserId: string;
  readonly administratorId: string;
  readonly organizationId: string;
  /** Of that organization; every second of very many has accepted. */
  readonly memberId: string;
  readonly teamId: string;
  readonly eventTypeId: string;
  /** Every member of the team but the first has a copy of it. */
  readonly managedId: string;
  readonly clientId: string;
}

/** Rows by the ten thousand in each table that has a list. */
export async function fillLists(em: Em, count: number): Promise<ManyRows> {
  const ids = Array.from({ length: count }, () => newId('user'));
  const [userId = '', quietUserId = '', administratorId = '', memberId = ''] = ids;
  const [organizationId, teamId, clientId] = [newId('organization'), newId('team'), 'client-0'];
  const eventTypeId = newOwnedId('eventType', userId);
  const managedId = newOwnedId('eventType', teamId);
  const named = { organizationId, memberId, teamId, eventTypeId, managedId, clientId };
  const many: ManyRows = { userId, quietUserId, administratorId, ...named };
  const statements = [...people(many, ids, count), ...offers(many, count), ...apps(many, count)];
  for (const statement of statements) await rows(em, statement);
  return many;
}

const numbered = (count: number) => sql`generate_series(1, ${count}::int) n`;
/** Twenty characters, as ids have behind their tag. */
const body = sql`lpad(n::text, 20, '0')`;
const ago = sql`now() - n * interval '1 minute'`;

function people({ userId, administratorId, memberId, ...many }: ManyRows, ids: readonly string[], count: number) {
  const isAccepted = sql`n % 2 = 0 or user_id = ${memberId}`;
  return [
    sql`insert into users (id, email, username, name, password_hash, time_zone, week_start, time_format, locale, metadata,
          is_administrator, created_at, updated_at, email_verified_at)
        select id, id, id, id, 'none', 'UTC', 'MONDAY', 24, 'en', '{}', id = ${administratorId}, now(), now(), now()
        from unnest(${ids}::text[]) id`,
    sql`insert into organizations (id, slug, name, time_zone, week_start, is_private, metadata, created_at, updated_at)
        select id, id, id, 'UTC', 'MONDAY', false, '{}', now(), now()
        from (select ${many.organizationId} as id union all select 'org_' || ${body} from ${numbered(count)}) o`,
    sql`insert into teams (id, organization_id, slug, name, time_zone, week_start, hide_branding, is_private, metadata,
          created_at, updated_at)
        select id, ${many.organizationId}, id, id, 'UTC', 'MONDAY', false, false, '{}', now(), now()
        from (select ${many.teamId} as id union all select 'tea_' || ${body} from ${numbered(count)}) t`,
    ...(['organization', 'team'] as const).flatMap((kind) => {
      const [table, column] = [sql.ref(`${kind}_memberships`), sql.ref(`${kind}_id`)];
      const groupId = kind === 'team' ? many.teamId : many.organizationId;
      const others = kind === 'team' ? sql`'tea_'` : sql`'org_'`;
      return [
        sql`insert into ${table} (id, ${column}, user_id, role, accepted, created_at)
            select 'mem_a' || lpad(n::text, 19, '0'), ${groupId}, user_id,
              case when user_id = ${userId} then 'OWNER' else 'MEMBER' end, user_id = ${userId} or ${isAccepted}, now()
            from unnest(${ids}::text[]) with ordinality as u(user_id, n)`,
        sql`insert into ${table} (id, ${column}, user_id, role, accepted, created_at)
            select 'mem_b' || lpad(n::text, 19, '0'), ${others} || ${body}, ${userId}, 'MEMBER', n > ${count - 3}::int, now()
            from ${numbered(count)}`,
      ];
    }),
    sql`insert into sessions (id, token_hash, user_id, user_agent, address, created_at, last_seen_at, expires_at)
        select 'ses_' || ${body}, n, ${userId}, '', '', ${ago}, now(), now() + interval '1 day' from ${numbered(count)}`,
    sql`insert into audit_events (id, occurred_at, type, user_id, client_id, detail)
        select 'aud_' || ${body}, ${ago}, 'SIGNED_IN',
          case when n > ${count - 3}::int then ${many.quietUserId}::text else ${userId}::text end, ${many.clientId}, '{}'
        from ${numbered(count)}`,
  ];
}

function offers({ userId, teamId, eventTypeId, managedId }: ManyRows, count: number): RawBuilder<unknown>[] {
  const owned = (tag: string) => sql`${`${tag}_u${userId.slice(4)}`} || ${body}`;
  return [
    sql`insert into event_types (owner_id, id, user_id, slug, title, length_in_minutes, hidden, metadata, created_at,
          updated_at)
        select ${userId}, id, ${userId}, id, '', 30, false, '{}', now(), now()
        from (select ${eventTypeId} as id union all select ${owned('evt')} from ${numbered(count)}) e`,
    sql`insert into event_types (owner_id, id, team_id, scheduling_type, slug, title, length_in_minutes, hidden, metadata,
          created_at, updated_at)
        select ${teamId}, ${`evt_t${teamId.slice(4)}`} || ${body}, ${teamId}, 'COLLECTIVE', ${body}, '', 30, false, '{}', now(),
          now() from ${numbered(count)}`,
    sql`insert into event_types (owner_id, id, user_id, parent_team_id, parent_id, membership_id, slug, title,
          length_in_minutes, hidden, metadata, created_at, updated_at)
        select m.user_id, 'evt_u' || substr(m.user_id, 5) || right(${managedId}, 20), m.user_id, ${teamId}, ${managedId}, m.id,
          'copy', '', 30, false, '{}', now(), now()
        from team_memberships m where m.team_id = ${teamId} and m.user_id <> ${userId}`,
    sql`insert into private_links (owner_id, event_type_id, id, secret, usage_count, created_at, updated_at)
        select ${userId}, ${eventTypeId}, ${owned('lnk')}, '', 0, now(), now() from ${numbered(count)}`,
    sql`insert into schedules (user_id, id, name, time_zone, is_default, availability, overrides, created_at, updated_at)
        select ${userId}, ${owned('sch')}, '', 'UTC', false, '[]'::jsonb, '[]'::jsonb, now(), now() from ${numbered(count)}
        union all
        select m.user_id, 'sch_u' || substr(m.user_id, 5) || lpad('', 20, '0'), '', 'UTC', true, '[]', '[]', now(), now()
        from team_memberships m where m.team_id = ${teamId} and m.user_id <> ${userId}`,
    sql`insert into out_of_office (user_id, id, starts_at, ends_at, reason, created_at, updated_at)
        select ${userId}, ${owned('ooo')}, now(), now() + interval '1 day', '', now(), now() from ${numbered(count)}`,
  ];
}

function apps({ userId, clientId }: ManyRows, count: number): RawBuilder<unknown>[] {
  return [
    sql`insert into oauth_clients (client_id, owner_id, name, purpose, type, status, legacy, require_pkce, redirect_uris,
          scopes, submitted_at, created_at, updated_at)
        select 'client-' || n, ${userId}, '', '', 'PUBLIC', case when n > ${count - 3}::int then 'PENDING' else 'APPROVED' end,
          false, true, '{}', '{PROFILE_READ}', ${ago}, ${ago}, now() from generate_series(0, ${count}::int) n`,
    sql`insert into oauth_grants (id, client_id, user_id, kind, scopes, seed, generation, rotated_at, created_at,
          last_used_at, expires_at)
        select 'grt_' || ${body}, 'client-' || n, ${userId}, 'SCOPED', '{PROFILE_READ}', '', 0, now(), ${ago}, now(),
          now() + interval '1 day' from ${numbered(count)}`,
    sql`insert into oauth_failed_requests (occurred_at, id, client_id, endpoint, error, description)
        select ${ago}, n, ${clientId}, 'TOKEN', 'invalid_grant', '' from ${numbered(count)}`,
  ];
}
