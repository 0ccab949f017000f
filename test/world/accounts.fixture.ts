import { sql } from '../../src/database/sql.ts';
import { findSessions } from '../../src/modules/accounts/sign-in/sessions.ts';
import { uuidNumbered } from '../support/ids.ts';
import { ago, by, did, type Fixture, numbered } from './fixture.ts';

export const fixture: Fixture = {
  after: [],
  inputs: {
    profileUpdate: by('own', () => ({ bio: 'Hello' })),
  },
  fields: {
    Query: { OWN: 'me viewer' },
    Viewer: {
      AS_ABOVE:
        'id name username email isEmailVerified timeZone weekStart timeFormat locale bio avatarUrl metadata createdAt updatedAt sessions pendingEmail',
    },
  },
  lists: {
    'Viewer.sessions': { lists: [(em, { userId }, page) => findSessions(em, userId, page)] },
  },
  many: ({ ids, userId, administratorId, ...many }, count) => [
    sql`insert into users (id, email, username, name, password_hash, time_zone, week_start, time_format, locale, metadata,
          is_administrator, denormalized_in_id, created_at, updated_at, email_verified_at)
        select id, id::text, id::text, id::text, 'none', 'UTC', 'MONDAY', 24, 'en', '{}', id = ${administratorId},
          ${many.organizationId}::uuid, now(), now(), now()
        from unnest(${ids}::uuid[]) id`,
    sql`insert into sessions (id, token_hash, user_id, user_agent, address, created_at, last_seen_at, expires_at)
        select ${uuidNumbered('0')}, n, ${userId}::uuid, '', '', ${ago}, now(), now() + interval '1 day' from ${numbered(count)}`,
  ],
  fillPerson: async (_filling, who) =>
    void (await did(who, 'profileUpdate', { avatarUrl: 'https://pictures.example/1.png' })),
};
