import { type RowOf, selectColumns } from '../../database/columns.ts';
import type { Client } from '../protocol/client.ts';
import { OAuthClient } from './oauth-client.entity.ts';

const CLIENT = [
  'clientId',
  'type',
  'status',
  'name',
  'purpose',
  'logoUrl',
  'websiteUrl',
  'redirectUris',
  'scopes',
  'legacy',
  'requirePkce',
] as const satisfies readonly (keyof Client)[];

/** A client with what its developer and its reviewers need besides the rules. */
export const REGISTERED_CLIENT = [...CLIENT, 'ownerId', 'pendingRevision', 'version'] as const;
export type RegisteredClient = Client & Pick<RowOf<typeof OAuthClient>, (typeof REGISTERED_CLIENT)[number]>;

/** The columns of `oauth_clients c` as the rules' `Client` has them (protocol/client.ts). */
export const CLIENT_COLUMNS = selectColumns(OAuthClient, CLIENT, 'c');
export const REGISTERED_CLIENT_COLUMNS = selectColumns(OAuthClient, REGISTERED_CLIENT, 'c');
