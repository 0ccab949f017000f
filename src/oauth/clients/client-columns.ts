import { type RowOf, selectColumns } from '../../database/columns.ts';
import type { Client } from '../protocol/client.ts';
import { OAuthClient } from './oauth-client.entity.ts';

/** The columns of the rules' `Client` (protocol/client.ts). */
export const CLIENT = [
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

/** The same in a template, of `oauth_clients c`. */
export const CLIENT_COLUMNS = selectColumns(OAuthClient, CLIENT, 'c');
export const REGISTERED_CLIENT_COLUMNS = selectColumns(OAuthClient, REGISTERED_CLIENT, 'c');
