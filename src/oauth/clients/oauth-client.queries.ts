import { instantOf } from '../../core/instant.ts';
import { mapped, type Page, type PageRequest } from '../../core/page.ts';
import { type RowOf, type Selected, selectColumns, selectColumnsAs } from '../../database/columns.ts';
import { byTime, pageOf } from '../../database/pages.ts';
import { anyOf, type Em, type RawBuilder, row, rows, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { type WithInstants, withInstants } from '../../database/temporal-types.ts';
import { AuditEvent, OF_CLIENT } from '../../events/audit-event.entity.ts';
import type { AuditEventType } from '../../events/record-audit.ts';
import { User } from '../../modules/accounts/user.entity.ts';
import { SCOPES } from '../../scopes/catalog.ts';
import type { ClientScopes } from '../../scopes/scope-advice.ts';
import { type ClientStatus, isPossibleClientId } from '../protocol/client.ts';
import type { ReviewedContent } from '../protocol/client-review.ts';
import { ENDPOINTS } from '../protocol/metadata.ts';
import { CHAIN_DAYS } from '../protocol/refresh.ts';
import {
  isDeveloperSuspended,
  REGISTERED_CLIENT,
  REGISTERED_CLIENT_COLUMNS,
  type RegisteredClient,
} from './client-columns.ts';
import { OAuthClient, OAuthClientSecret } from './oauth-client.entity.ts';
import { isAdministrator } from './registered-client.ts';

const TIMES = ['submittedAt', 'reviewedAt', 'createdAt', 'updatedAt'] as const;
const LISTED = [...REGISTERED_CLIENT, 'rejectionReason', 'suspensionReason', ...TIMES] as const;
const OWNER = selectColumnsAs(User, { ownerName: 'name', ownerEmail: 'email' }, 'u');
const COLUMNS = sql`${selectColumns(OAuthClient, LISTED, 'c')}, ${OWNER}, ${isDeveloperSuspended} as "isDeveloperSuspended"`;

interface ListedRow extends Pick<RowOf<typeof OAuthClient>, (typeof LISTED)[number]>, Selected<typeof OWNER> {
  readonly isDeveloperSuspended: boolean;
  readonly keyTime: string;
}

/** A client as its developer page and the review queue show it. */
export interface ListedClient extends WithInstants<Omit<ListedRow, 'keyTime'>, (typeof TIMES)[number]> {
  /** The row's key in its list, for its cursor. */
  readonly key: readonly [time: string, clientId: string];
}

const FROM = sql`from oauth_clients c join users u on u.id = c.owner_id`;

const LISTED_SECRET = ['clientId', 'id', 'name', 'hint', 'createdAt', 'lastUsedAt'] as const;
type SecretRow = Pick<RowOf<typeof OAuthClientSecret>, (typeof LISTED_SECRET)[number]>;

/** A secret as it is listed: everything but what it is. */
export type ListedSecret = WithInstants<SecretRow, 'createdAt' | 'lastUsedAt'>;

/** SQL: whether a grant can still be refreshed. */
export const isAlive = sql`revoked_at is null and expires_at > now()
  and rotated_at > now() - make_interval(days => ${CHAIN_DAYS.idle})`;

/** Grants of one client that are counted at most: beyond, "more than" is all that a reader needs. */
export const MOST_COUNTED = 10_000;

/** How many users an app has; `isMore`: there are so many grants that not all were counted. */
export interface UserCount {
  readonly users: number;
  readonly isMore: boolean;
}

/** A client in one line, for the operator of the service. */
export interface ClientOverview
  extends Pick<RowOf<typeof OAuthClient>, (typeof OVERVIEW)[number]>,
    Selected<typeof OVERVIEW_OWNER> {
  /** An approved client waits for a change of it to be reviewed. */
  readonly hasPendingRevision: boolean;
  /** Then it is not in use, whatever its status is. */
  readonly isDeveloperSuspended: boolean;
}

/** `version`: what a decision about it names. */
const OVERVIEW = ['clientId', 'name', 'type', 'status', 'legacy', 'submittedAt', 'version'] as const;
const OVERVIEW_OWNER = selectColumnsAs(User, { ownerEmail: 'email' }, 'u');
const BESIDE = sql`c.pending_revision is not null as "hasPendingRevision", ${isDeveloperSuspended} as "isDeveloperSuspended", ${OVERVIEW_OWNER}`;

/** A client as a reviewer has to see it, for the operator of the service. */
export type ClientForReview = ClientOverview & ReviewedContent & Pick<RegisteredClient, 'pendingRevision'>;

/** An event of a client, caused by its developer or an administrator. */
export interface ClientEvent {
  readonly type: AuditEventType;
  readonly occurredAt: Temporal.Instant;
  /** The actor's name; null when their account is gone. */
  readonly by: string | null;
  /** The reason that an administrator gave. */
  readonly reason: string | null;
  /** The fields that an edit changed at once, without a review. */
  readonly changedAtOnce: readonly string[];
}

/** One client, for its owner or an administrator; undefined for everybody else. */
export async function findListedClient(em: Em, clientId: string, viewerId: string): Promise<ListedClient | undefined> {
  if (!isPossibleClientId(clientId)) return undefined;
  const found = await row(
    em,
    sql<ListedRow>`
      select ${COLUMNS}, c.created_at as "keyTime" ${FROM}
      where c.client_id = ${clientId} and (c.owner_id = ${viewerId} or ${isAdministrator(viewerId)})`,
  );
  return found && asListedClient(found);
}

/** A developer's own clients, newest first; the request's key has two columns. */
export function findOwnClients(em: Em, ownerId: string, request: PageRequest): Promise<Page<ListedClient>> {
  const condition = sql`c.owner_id = ${ownerId}`;
  return listClients(em, request, { order: 'NEWEST_FIRST', time: sql`c.created_at`, condition });
}

/**
 * Lists the clients that wait for a review, longest wait first; empty for users who are no administrators. The
 * request's key has two columns.
 */
export function findClientsToReview(em: Em, viewerId: string, request: PageRequest): Promise<Page<ListedClient>> {
  const condition = sql`(c.status = 'PENDING' or c.pending_revision is not null) and ${isAdministrator(viewerId)}`;
  return listClients(em, request, { order: 'OLDEST_FIRST', time: sql`c.submitted_at`, condition });
}

/** The secrets of each of these clients, oldest first. The caller has seen that the clients are the viewer's. */
export async function findSecrets(
  em: Em,
  clientIds: readonly string[],
): Promise<ReadonlyMap<string, readonly ListedSecret[]>> {
  const found = await rows(
    em,
    selectFrom(OAuthClientSecret)
      .where('clientId', '=', anyOf(clientIds))
      .select(LISTED_SECRET)
      .orderBy('createdAt')
      .orderBy('id'),
  );
  const listed = found.map((secret) => withInstants(secret, ['createdAt', 'lastUsedAt']));
  return Map.groupBy(listed, ({ clientId }) => clientId);
}

/**
 * How many users let each of these clients in, or still without a limit to scopes, as far as its first 10,000 grants go. The
 * caller has seen that the clients are the viewer's. A template: grants/ imports this folder, so their entity cannot be named here.
 */
export async function countUsers(
  em: Em,
  clientIds: readonly string[],
  kind?: 'UNRESTRICTED',
): Promise<ReadonlyMap<string, UserCount>> {
  const found = await rows(
    em,
    sql<UserCount & { id: string }>`
      select asked.id, counted.* from unnest(${clientIds}::text[]) as asked(id), lateral (
        select count(distinct user_id)::int as users, count(*) > ${MOST_COUNTED}::int as "isMore" from (
          select user_id from oauth_grants
          where client_id = asked.id and ${isAlive} ${kind === undefined ? sql`` : sql`and kind = 'UNRESTRICTED'`}
          limit ${MOST_COUNTED + 1}) as live) as counted`,
  );
  return new Map(found.map(({ id, users, isMore }) => [id, { users, isMore }]));
}

const NOBODY: UserCount = { users: 0, isMore: false };

/** Counts the users of one client. */
export async function countUsersOf(em: Em, clientId: string, kind?: 'UNRESTRICTED'): Promise<UserCount> {
  return (await countUsers(em, [clientId], kind)).get(clientId) ?? NOBODY;
}

/** All clients, or those of one status, longest submitted first. For the operator only, not for requests: no permission is checked. */
export async function findClientOverviews(em: Em, status: ClientStatus | undefined): Promise<ClientOverview[]> {
  return rows(
    em,
    sql<ClientOverview>`
      select ${selectColumns(OAuthClient, OVERVIEW, 'c')}, ${BESIDE}
      from oauth_clients c join users u on u.id = c.owner_id
      where ${status ?? null}::text is null or c.status = ${status ?? null}
      order by c.submitted_at, c.client_id`,
  );
}

/** One client, whole; undefined when there is none. Not for requests either. */
export async function findClientForReview(em: Em, clientId: string): Promise<ClientForReview | undefined> {
  return row(
    em,
    sql<ClientForReview>`
      select ${REGISTERED_CLIENT_COLUMNS}, ${selectColumns(OAuthClient, ['submittedAt'], 'c')}, ${BESIDE}
      from oauth_clients c join users u on u.id = c.owner_id where c.client_id = ${clientId}`,
  );
}

/** The reader who asks about a client: the operator of the service, or a caller, who may be signed in. */
type Asker = 'OPERATOR' | { readonly userId: string | undefined };

/**
 * Finds the scopes that a client may ask its users for; a legacy client may ask for anything. Where it sends them is
 * for its owner: a redirect URI may name a host that nobody else is to know of.
 */
export async function findClientScopes(
  em: Em,
  clientId: string,
  issuer: string,
  asker: Asker,
): Promise<ClientScopes | undefined> {
  if (!isPossibleClientId(clientId)) return undefined;
  const client = await row(
    em,
    selectFrom(OAuthClient, { clientId }).select(['ownerId', 'legacy', 'scopes', 'redirectUris']),
  );
  if (!client) return undefined;
  const { ownerId, legacy, scopes, redirectUris } = client;
  const maySeeRedirectUri = asker === 'OPERATOR' || asker.userId === ownerId;
  return {
    clientId,
    enabledScopes: legacy ? SCOPES : scopes,
    redirectUri: maySeeRedirectUri ? redirectUris[0] : undefined,
    authorizationEndpoint: `${issuer}${ENDPOINTS.authorize}`,
  };
}

interface EventRow extends Omit<ClientEvent, 'occurredAt'> {
  readonly occurredAt: string;
}

const MOST_EVENTS_SHOWN = 30;
const HISTORY = selectColumns(AuditEvent, ['type', 'occurredAt'], 'e');

/**
 * Finds the events of a client, the newest first, at most 30; the caller has seen that the viewer may. An index has
 * these events alone: each consent of a user is an event of the client too.
 */
export async function findClientHistory(
  em: Em,
  { clientId }: { readonly clientId: string },
): Promise<readonly ClientEvent[]> {
  const found = await rows(
    em,
    sql<EventRow>`
      select ${HISTORY}, u.name as by, e.detail ->> 'reason' as reason,
        array(select jsonb_object_keys(coalesce(e.detail -> 'immediate', '{}')) order by 1) as "changedAtOnce"
      from (
        select * from audit_events where client_id = ${clientId} and ${sql.raw(OF_CLIENT)}
        order by occurred_at desc, id desc limit ${MOST_EVENTS_SHOWN}
      ) e left join users u on u.id = coalesce(e.actor_id, e.user_id)
      order by e.occurred_at desc, e.id desc`,
  );
  return found.map((event) => ({ ...event, occurredAt: instantOf(event.occurredAt) }));
}

function asListedClient({ keyTime, ...client }: ListedRow): ListedClient {
  return { ...withInstants(client, TIMES), key: [keyTime, client.clientId] };
}

interface ClientList {
  readonly order: 'NEWEST_FIRST' | 'OLDEST_FIRST';
  readonly time: RawBuilder<unknown>;
  readonly condition: RawBuilder<unknown>;
}

async function listClients(
  em: Em,
  request: PageRequest,
  { order, time, condition }: ClientList,
): Promise<Page<ListedClient>> {
  const { within, orderAndLimit } = byTime(order, time, sql`c.client_id`, request);
  const found = await pageOf(
    em,
    request,
    sql<ListedRow>`select ${COLUMNS}, ${time} as "keyTime" ${FROM} where ${condition} and ${within} ${orderAndLimit}`,
  );
  return mapped(found, asListedClient);
}
