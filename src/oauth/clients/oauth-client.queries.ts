import { instantOf } from '../../core/instant.ts';
import { cutPage, type Page, type PageRequest } from '../../core/page.ts';
import { byTime } from '../../database/by-time.ts';
import { type Em, type RawBuilder, row, rows, sql } from '../../database/sql.ts';
import { type ClientStatus, type ClientType, isPossibleClientId } from '../protocol/client.ts';
import { isAdministrator, REGISTERED_CLIENT_COLUMNS, type RegisteredClient } from './registered-client.ts';

/** A client as its developer page and the review queue show it. */
export interface ListedClient extends RegisteredClient {
  readonly type: ClientType;
  readonly status: ClientStatus;
  readonly ownerName: string;
  readonly ownerEmail: string;
  readonly rejectionReason: string | null;
  readonly suspensionReason: string | null;
  readonly submittedAt: Temporal.Instant;
  readonly reviewedAt: Temporal.Instant | null;
  readonly createdAt: Temporal.Instant;
  readonly updatedAt: Temporal.Instant;
  /** The row's key in its list, for its cursor. */
  readonly key: readonly [time: string, clientId: string];
}

type Times = 'submittedAt' | 'createdAt' | 'updatedAt';
type ListedRow = Omit<ListedClient, Times | 'reviewedAt' | 'key'> &
  Readonly<Record<Times | 'keyTime', string>> & { readonly reviewedAt: string | null };

const COLUMNS = sql`
  ${REGISTERED_CLIENT_COLUMNS}, u.name as "ownerName", u.email as "ownerEmail", c.rejection_reason as "rejectionReason",
  c.suspension_reason as "suspensionReason", c.submitted_at as "submittedAt", c.reviewed_at as "reviewedAt",
  c.created_at as "createdAt", c.updated_at as "updatedAt"`;
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

/** What waits for a review, longest wait first; empty for users who are no administrators. The request's key has two columns. */
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

/** A secret as it is listed: everything but what it is. */
export interface ListedSecret {
  readonly clientId: string;
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly createdAt: Temporal.Instant;
  readonly lastUsedAt: Temporal.Instant | null;
}

type SecretRow = Omit<ListedSecret, 'createdAt' | 'lastUsedAt'> & {
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
};

/** The secrets of each of these clients, oldest first. The caller has seen that the clients are the viewer's. */
export async function findSecrets(
  em: Em,
  clientIds: readonly string[],
): Promise<ReadonlyMap<string, readonly ListedSecret[]>> {
  const found = await rows(
    em,
    sql<SecretRow>`
      select client_id as "clientId", id, name, hint, created_at as "createdAt", last_used_at as "lastUsedAt"
      from oauth_client_secrets where client_id = any(${clientIds}::text[]) order by created_at, id`,
  );
  return Map.groupBy(found.map(asListedSecret), ({ clientId }) => clientId);
}

/** How many users still hold unrestricted grants of each of these clients: what is left of its legacy state. */
export async function countUnrestrictedUsers(
  em: Em,
  clientIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const found = await rows(
    em,
    sql<{ clientId: string; count: number }>`
      select client_id as "clientId", count(distinct user_id)::int as count from oauth_grants
      where client_id = any(${clientIds}::text[]) and kind = 'UNRESTRICTED' and revoked_at is null and expires_at > now()
      group by client_id`,
  );
  return new Map(found.map(({ clientId, count }) => [clientId, count]));
}

function asListedClient({ keyTime, submittedAt, reviewedAt, createdAt, updatedAt, ...rest }: ListedRow): ListedClient {
  return {
    ...rest,
    submittedAt: instantOf(submittedAt),
    reviewedAt: instantOf(reviewedAt),
    createdAt: instantOf(createdAt),
    updatedAt: instantOf(updatedAt),
    key: [keyTime, rest.clientId],
  };
}

function asListedSecret({ createdAt, lastUsedAt, ...rest }: SecretRow): ListedSecret {
  return {
    ...rest,
    createdAt: instantOf(createdAt),
    lastUsedAt: instantOf(lastUsedAt),
  };
}
