import { cutPage, type Page, type PageRequest } from '../../core/page.ts';
import { byTime } from '../../database/by-time.ts';
import { type RowOf, type Selected, selectColumns, selectColumnsAs } from '../../database/columns.ts';
import { anyOf } from '../../database/expressions.ts';
import { type Em, type RawBuilder, row, rows, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { type WithInstants, withInstants } from '../../database/with-instants.ts';
import { User } from '../../modules/accounts/user.entity.ts';
import { isPossibleClientId } from '../protocol/client.ts';
import { CHAIN_DAYS } from '../protocol/tokens/refresh.ts';
import { isDeveloperSuspended, REGISTERED_CLIENT } from './client-columns.ts';
import { OAuthClient } from './oauth-client.entity.ts';
import { OAuthClientSecret } from './oauth-client-secret.entity.ts';
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
  const found = await rows(
    em,
    sql<ListedRow>`select ${COLUMNS}, ${time} as "keyTime" ${FROM} where ${condition} and ${within} ${orderAndLimit}`,
  );
  return cutPage(found.map(asListedClient), request);
}

const LISTED_SECRET = ['clientId', 'id', 'name', 'hint', 'createdAt', 'lastUsedAt'] as const;
type SecretRow = Pick<RowOf<typeof OAuthClientSecret>, (typeof LISTED_SECRET)[number]>;

/** A secret as it is listed: everything but what it is. */
export type ListedSecret = WithInstants<SecretRow, 'createdAt' | 'lastUsedAt'>;

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

const NOBODY: UserCount = { users: 0, isMore: false };

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

/** Counts the users of one client. */
export async function countUsersOf(em: Em, clientId: string, kind?: 'UNRESTRICTED'): Promise<UserCount> {
  return (await countUsers(em, [clientId], kind)).get(clientId) ?? NOBODY;
}

function asListedClient({ keyTime, ...client }: ListedRow): ListedClient {
  return { ...withInstants(client, TIMES), key: [keyTime, client.clientId] };
}
