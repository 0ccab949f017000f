import type { Em } from '../../database/sql.ts';
import { SCOPES } from '../../scopes/catalog.ts';
import type { ClientScopes } from '../../scopes/scope-advice.ts';
import { findClient } from '../interactions.ts';
import { isPossibleClientId } from '../protocol/client.ts';
import { ENDPOINTS } from '../protocol/metadata.ts';

/** What a client may ask its users for, and where it sends them; a legacy client may ask for anything. */
export async function findClientScopes(em: Em, clientId: string, issuer: string): Promise<ClientScopes | undefined> {
  const client = isPossibleClientId(clientId) ? await findClient(em, clientId) : undefined;
  return (
    client && {
      clientId,
      enabledScopes: client.legacy ? SCOPES : client.scopes,
      redirectUri: client.redirectUris[0] ?? '',
      authorizationEndpoint: `${issuer}${ENDPOINTS.authorize}`,
    }
  );
}
