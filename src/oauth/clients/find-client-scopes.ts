import { type Em, row } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { SCOPES } from '../../scopes/catalog.ts';
import type { ClientScopes } from '../../scopes/scope-advice.ts';
import { isPossibleClientId } from '../protocol/client.ts';
import { ENDPOINTS } from '../protocol/tokens/metadata.ts';
import { OAuthClient } from './oauth-client.entity.ts';

/** The reader who asks about a client: the operator of the service, or a caller, who may be signed in. */
export type Asker = 'OPERATOR' | { readonly userId: string | undefined };

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
