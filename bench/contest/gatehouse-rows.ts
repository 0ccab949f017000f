/** Gatehouse's database of the contest: the same rows as the peers', with ids by number, and its tokens by its own signer. */
import { createHash } from 'node:crypto';
import { newId } from '../../src/core/id.ts';
import { type Em, type RawBuilder, rows, sql } from '../../src/database/sql.ts';
import { openAuthorizationServer } from '../../src/oauth/open-authorization-server.ts';
import { accessOf } from '../../src/oauth/protocol/access.ts';
import { authorizationCode } from '../../src/oauth/protocol/credentials.ts';
import { issueTokens } from '../../src/oauth/tokens/access-tokens.ts';
import type { GrantGeneration } from '../../src/oauth/tokens/token-statements.ts';
import { challenge, clientId, clientSecret, redirectUri } from './oauth-client.ts';
import { BOOKINGS, EVENT_TYPES, USERS } from './rows.ts';

export const SECRET_KEY = Buffer.alloc(32, 7).toString('base64url');
export const ISSUER = 'http://127.0.0.1';
const SCOPES = ['BOOKING_READ', 'EVENT_TYPE_READ', 'EVENT_TYPE_WRITE', 'PROFILE_READ'];

/** Even, as a user's id must be. */
export const userId = (user: number): string => numbered(1, user * 2);
export const eventTypeId = (user: number, k: number): string => numbered(2, (user - 1) * EVENT_TYPES + k);

function numbered(kind: number, n: number): string {
  return `019b0000-000${kind}-7000-8000-${n.toString(16).padStart(12, '0')}`;
}

const idOf = (kind: number, n: RawBuilder<unknown>) =>
  sql`('019b0000-000' || ${kind}::int || '-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
const U = idOf(1, sql`u * 2`);
const TYPE = (k: RawBuilder<unknown>) => idOf(2, sql`(u - 1) * ${EVENT_TYPES}::int + ${k}`);
const BOOKING = idOf(3, sql`n * ${USERS}::int + u`);
const EVERY_USER = sql`generate_series(1, ${USERS}::int) u`;
/** The accounts with grants: as many as the other authorization servers have, most of them with nothing else. */
const ACCOUNTS = 5_000;
const EVERY_BOOKING = sql`generate_series(1, ${BOOKINGS}::int) n, ${EVERY_USER}`;
const AT = sql`timestamptz '2026-01-01 09:00Z' + n * interval '1 hour'`;
const TIME = sql`${AT}, ${AT} + interval '30 minutes'`;
const STATUS = sql`(array['ACCEPTED', 'PENDING', 'CANCELLED'])[1 + n % 3]`;

/** 500 users with 21 event types and 200 bookings each; in the weeks to come, four half-hours of each day are taken. */
export async function fillGatehouse(em: Em): Promise<void> {
  for (const statement of STATEMENTS) await rows(em, statement);
}

const STATEMENTS: readonly RawBuilder<unknown>[] = [
  sql`insert into users (id, email, email_verified_at, username, name, password_hash, time_zone, week_start, time_format, locale,
        metadata, is_administrator, created_at, updated_at)
      select ${U}, 'user' || u || '@example.test', now(), 'user-' || u, 'User ' || u, '-', 'Europe/Berlin', 'MONDAY', 24, 'en',
        '{}', false, now(), now() from generate_series(1, ${ACCOUNTS}::int) u`,
  sql`insert into schedules (user_id, id, name, time_zone, is_default, availability, overrides, created_at, updated_at)
      select ${U}, ${idOf(4, sql`u`)}, 'Working hours', 'Europe/Berlin', true,
        '[{"days": ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"], "start": "09:00", "end": "17:00"}]', '[]', now(), now()
      from ${EVERY_USER}`,
  sql`insert into event_types (owner_id, id, user_id, slug, title, description, duration_in_minutes, is_hidden, metadata, created_at,
        updated_at)
      select ${U}, ${TYPE(sql`k`)}, ${U}, 'event-type-' || k, 'Event type ' || k,
        case when k % 3 = 0 then null else 'A meeting of user ' || u || ', kind ' || k end, 15 * (1 + k % 4), k % 10 = 0, '{}',
        timestamptz '2026-01-01 00:00Z' + k * interval '1 hour', now()
      from ${EVERY_USER}, generate_series(1, ${EVENT_TYPES}::int) k`,
  sql`insert into bookings (owner_id, id, user_id, event_type_id, title, status, starts_at, ends_at, host_ids, ics_id, created_at,
        updated_at)
      select ${U}, ${BOOKING}, ${U}, ${TYPE(sql`1 + n % 20`)}, 'Booking ' || n || ' with user ' || u, ${STATUS}, ${TIME}, array[${U}],
        ${BOOKING}, now(), now() from ${EVERY_BOOKING}`,
  sql`insert into booking_hosts (user_id, booking_id, owner_id, event_type_id, status, starts_at, ends_at, absent, updated_at)
      select ${U}, ${BOOKING}, ${U}, ${TYPE(sql`1 + n % 20`)}, ${STATUS}, ${TIME}, false, now() from ${EVERY_BOOKING}`,
  sql`insert into booking_attendees (owner_id, booking_id, id, starts_at, name, email, time_zone, absent)
      select ${U}, ${BOOKING}, ${idOf(5, sql`b * 2 + k`)}, ${AT}, 'Guest ' || b || '.' || k, 'guest' || b || '.' || k || '@example.test',
        'Europe/Paris', false
      from ${EVERY_BOOKING}, lateral (select (n - 1) * ${USERS}::int + u as b) b, generate_series(0, 1) k
      where k = 0 or b % 2 = 0`,
  sql`insert into occupied_times (host_id, holder_id, during)
      select ${U}, ${idOf(6, sql`n * ${USERS}::int + u`)}, tstzrange(at, at + interval '30 minutes')
      from ${EVERY_USER}, generate_series(0, 4 * 60 - 1) n,
        lateral (select date_trunc('day', now(), 'UTC') + n / 4 * interval '1 day' + (9 + n % 4 * 2) * interval '1 hour' as at) a`,
  sql`insert into oauth_clients (client_id, owner_id, name, purpose, type, status, legacy, requires_pkce, redirect_uris, scopes,
        submitted_at, created_at, updated_at)
      select ${clientId}, ${U}, 'Bench', 'Bench', 'CONFIDENTIAL', 'APPROVED', false, false, array[${redirectUri}], ${SCOPES}::text[],
        now(), now(), now() from (select 1 as u) first`,
  sql`insert into oauth_client_secrets (client_id, id, slot, name, hint, secret_hash, created_at)
      values (${clientId}, ${newId()}::uuid, 1, 'bench', 'cret', ${sha256(clientSecret)}, now())`,
];

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Gives out what an authorization server gives out, without the way through consent. */
export class GatehouseTokens {
  readonly #em: Em;
  readonly #server: Awaited<ReturnType<typeof openAuthorizationServer>>;

  private constructor(em: Em, server: Awaited<ReturnType<typeof openAuthorizationServer>>) {
    this.#em = em;
    this.#server = server;
  }

  static async open(em: Em): Promise<GatehouseTokens> {
    const server = await openAuthorizationServer({
      em,
      listen: async () => async () => undefined,
      issuer: ISSUER,
      masterKeys: { current: Buffer.from(SECRET_KEY, 'base64url'), previous: undefined },
      codeLifetimeInSeconds: 600,
      sendMail: async () => undefined,
      onError: (error) => console.error(error),
    });
    return new GatehouseTokens(em, server);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  /** A token for each user, and one of the first user that lacks scopes. */
  async accessTokens(): Promise<{ tokens: string[]; weak: string }> {
    const users = Array.from({ length: USERS }, (_, index) => index + 1);
    const strong = await this.#grants(users, SCOPES);
    const [weak] = await this.#grants([1], ['EVENT_TYPE_READ']);
    return { tokens: strong.map(({ accessToken }) => accessToken), weak: weak?.accessToken ?? '' };
  }

  async refreshTokens(count: number): Promise<string[]> {
    const users = Array.from({ length: count }, (_, index) => 1 + (index % ACCOUNTS));
    return (await this.#grants(users, SCOPES)).map(({ refreshToken }) => refreshToken);
  }

  async codes(count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, newId);
    const codes = ids.map((id) => authorizationCode(this.#server.keys.derivationKey, id));
    const given = sql`unnest(${ids}::uuid[], ${codes.map(sha256)}::text[],
      ${ids.map((_, index) => userId(1 + (index % ACCOUNTS)))}::uuid[]) as given(id, code_hash, user_id)`;
    await rows(
      this.#em,
      sql`insert into oauth_interactions (id, client_id, browser_hash, request, created_at, expires_at, user_id, decision, decided_at)
          select id, ${clientId}, '-', '{}', now(), now() + interval '1 hour', user_id, 'ALLOW', now() from ${given}`,
    );
    await rows(
      this.#em,
      sql`insert into oauth_codes (interaction_id, code_hash, client_id, user_id, redirect_uri, kind, scopes, code_challenge, failures,
            created_at, expires_at)
          select id, code_hash, ${clientId}, user_id, ${redirectUri}, 'SCOPED', ${SCOPES}::text[], ${challenge}, 0, now(),
            now() + interval '10 minutes' from ${given}`,
    );
    return codes;
  }

  async #grants(users: readonly number[], scopes: readonly string[]): Promise<Issued[]> {
    const ids = users.map(() => newId());
    const made = await rows(
      this.#em,
      sql<Omit<GrantGeneration, 'rotatedAt'> & { readonly rotatedAt: string }>`
        insert into oauth_grants (id, client_id, user_id, kind, scopes, seed, generation, rotated_at, created_at, last_used_at, expires_at)
        select id, ${clientId}, user_id, 'SCOPED', ${scopes}::text[], md5(id::text), 1, date_trunc('second', now()), now(), now(),
          now() + interval '365 days'
        from unnest(${ids}::uuid[], ${users.map(userId)}::uuid[]) as given(id, user_id)
        returning id, client_id as "clientId", user_id as "userId", seed, generation, rotated_at as "rotatedAt"`,
    );
    const access = accessOf('SCOPED', scopes);
    if (!access) throw new Error('The scopes of the contest are not known any more.');
    return made.map((grant) =>
      issueTokens(this.#server, { ...grant, rotatedAt: Temporal.Instant.from(grant.rotatedAt) }, access),
    );
  }
}

interface Issued {
  readonly accessToken: string;
  readonly refreshToken: string;
}
