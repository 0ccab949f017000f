import { sql } from '../../src/database/sql.ts';
import { findAuditEvents } from '../../src/events/audit-event.queries.ts';
import { findFailedRequests } from '../../src/oauth/clients/failed-requests.ts';
import { findClientsToReview, findOwnClients } from '../../src/oauth/clients/oauth-client.queries.ts';
import { findAuthorizedApps } from '../../src/oauth/grants/authorized-apps.ts';
import { findStoppedThings } from '../../src/oauth/stopped/stopped-thing.queries.ts';
import { uuidNumbered } from '../support/ids.ts';
import { ago, type Fixture, numbered } from './fixture.ts';

const concerning = (column: 'user_id' | 'client_id', id: string) => ({
  condition: sql<boolean>`${sql.ref(column)} = ${id}`,
});

export const fixture: Fixture = {
  fields: {
    Query: { OWN: 'oauthClient auditEvents', ADMINISTRATORS: 'oauthClientReviewQueue' },
    Viewer: { AS_ABOVE: 'oauthClients authorizedApps stoppedThings' },
    OAuthClient: { AS_ABOVE: 'pendingRevision secrets failedRequests' },
    AuthorizedApp: { AS_ABOVE: 'client grants' },
    AuditEvent: { ADMINISTRATORS: 'actorId' },
  },
  lists: {
    'OAuthClient.failedRequests': {
      lists: [(em, { clientId }, page) => findFailedRequests(em, clientId, page)],
    },
    'Query.auditEvents': {
      lists: [
        (em, { userId }, page) => findAuditEvents(em, userId, page),
        (em, { quietUserId }, page) => findAuditEvents(em, quietUserId, page),
        (em, { administratorId }, page) => findAuditEvents(em, administratorId, page),
        (em, { administratorId, quietUserId }, page) =>
          findAuditEvents(em, administratorId, page, concerning('user_id', quietUserId)),
        (em, { administratorId, clientId }, page) =>
          findAuditEvents(em, administratorId, page, concerning('client_id', clientId)),
        (em, { quietUserId, clientId }, page) =>
          findAuditEvents(em, quietUserId, page, concerning('client_id', clientId)),
      ],
    },
    'Query.oauthClientReviewQueue': {
      lists: [(em, { administratorId }, page) => findClientsToReview(em, administratorId, page)],
    },
    'Viewer.authorizedApps': { lists: [(em, { userId }, page) => findAuthorizedApps(em, userId, page)] },
    'Viewer.oauthClients': { lists: [(em, { userId }, page) => findOwnClients(em, userId, page)] },
    'Viewer.stoppedThings': { lists: [(em, { userId }, page) => findStoppedThings(em, userId, page)] },
  },
  many: ({ userId, ...many }, count) => [
    sql`insert into stopped_things (user_id, id, kind, title, address, content, stopped_at)
        select ${userId}::uuid, ${uuidNumbered('0')}, 'PRIVATE_LINK', '', null, '{}', ${ago} from ${numbered(count)}`,
    sql`insert into audit_events (id, occurred_at, type, user_id, client_id, detail)
        select ${uuidNumbered('0')}, ${ago}, 'SIGNED_IN',
          case when n > ${count - 3}::int then ${many.quietUserId}::uuid else ${userId}::uuid end, ${many.clientId}, '{}'
        from ${numbered(count)}`,
    sql`insert into oauth_clients (client_id, owner_id, name, purpose, type, status, legacy, requires_pkce, redirect_uris,
          scopes, submitted_at, created_at, updated_at)
        select 'client-' || n, ${userId}::uuid, '', '', 'PUBLIC', case when n > ${count - 3}::int then 'PENDING' else 'APPROVED' end,
          false, true, '{}', '{PROFILE_READ}', ${ago}, ${ago}, now() from generate_series(0, ${count}::int) n`,
    sql`insert into oauth_grants (id, client_id, user_id, kind, scopes, seed, generation, rotated_at, created_at,
          last_used_at, expires_at)
        select ${uuidNumbered('0')}, 'client-' || n, ${userId}::uuid, 'SCOPED', '{PROFILE_READ}', '', 0, now(), ${ago}, now(),
          now() + interval '1 day' from ${numbered(count)}`,
    sql`insert into oauth_failed_requests (occurred_at, id, client_id, endpoint, error, description)
        select ${ago}, ${uuidNumbered('0')}, ${many.clientId}, 'TOKEN', 'invalid_grant', '' from ${numbered(count)}`,
  ],
};
