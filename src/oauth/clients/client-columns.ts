import { type RowOf, selectColumns } from '../../database/columns.ts';
import { sql } from '../../database/sql.ts';
import type { Client } from '../protocol/client.ts';
import { OAuthClient } from './oauth-client.entity.ts';

/** The columns of the rules' `Client` (protocol/client.ts). */
export const CLIENT = [
  'clientId',
  'type',
  'status',
  'name',
  'developerName',
  'purpose',
  'logoUrl',
  'websiteUrl',
  'redirectUris',
  'scopes',
  'legacy',
  'requiresPkce',
] as const satisfies readonly (keyof Client)[];

/** A client with what its developer and its reviewers need besides the rules. */
export const REGISTERED_CLIENT = [...CLIENT, 'ownerId', 'pendingRevision', 'version'] as const;
export type RegisteredClient = Client & Pick<RowOf<typeof OAuthClient>, (typeof REGISTERED_CLIENT)[number]>;

/**
 * SQL, of `oauth_clients c`: its developer is suspended, and until they are reinstated all that they have registered stops with them.
 * A value, since of `exists` a list would be planned with a look at all users.
 */
export const isDeveloperSuspended = sql<boolean>`
  coalesce((select developer.suspended_at is not null from users developer where developer.id = c.owner_id), true)`;

/** SQL, of `oauth_clients c`: users may let it in, and whatever those who have allow it works. Nothing else says whether a client is in use. */
export const isInUse = sql<boolean>`(c.status = 'APPROVED' and not ${isDeveloperSuspended})`;

const UNCHANGED = CLIENT.filter((name) => name !== 'status');

/**
 * The columns of a `Client`, of `oauth_clients c`, as its requests are judged: with a status that tells of its developer too.
 * What an administrator decided about the client itself is the column's (`REGISTERED_CLIENT`).
 */
export const CLIENT_COLUMNS = sql`${selectColumns(OAuthClient, UNCHANGED, 'c')},
  case when c.status = 'APPROVED' and not ${isInUse} then 'SUSPENDED' else c.status end as status`;
export const REGISTERED_CLIENT_COLUMNS = selectColumns(OAuthClient, REGISTERED_CLIENT, 'c');
