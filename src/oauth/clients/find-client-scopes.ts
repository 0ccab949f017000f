import { type Em, row, sql } from '../../database/sql.ts';
import { SCOPES } from '../../scopes/catalog.ts';
import type { ClientScopes } from '../../scopes/scope-advice.ts';
import { isPossibleClientId } from '../protocol/client.ts';
import { ENDPOINTS } from '../protocol/tokens/metadata.ts';

/** Who asks about a client: the operator of the service, or a caller, who may be signed in. */
export type Asker = 'OPERATOR' | { readonly userId: string | undefined };

/**
 * What a client may ask its users for; a legacy client may ask for anything. Where it sends them is for its owner: a
 * redirect URI may name a host that nobody else is to know of.
 */
export async function findClientScopes(
  em: Em,
  clientId: string,
  issuer: string,
  asker: Asker,
): Promise<ClientScopes | undefined> {
  if (!isPossibleClientId(clientId)) return undefined;
  const isTold = asker === 'OPERATOR' ? sql`true` : sql`c.owner_id = ${asker.userId ?? null}`;
  const client = await row(
    em,
    sql<{ legacy: boolean; scopes: readonly string[]; redirectUris: readonly string[] | null }>`
      select c.legacy, c.scopes, case when ${isTold} then c.redirect_uris end as "redirectUris"
      from oauth_clients c where c.client_id = ${clientId}`,
  );
  return (
    client && {
      clientId,
      enabledScopes: client.legacy ? SCOPES : client.scopes,
      redirectUri: client.redirectUris?.[0],
      authorizationEndpoint: `${issuer}${ENDPOINTS.authorize}`,
    }
  );
}
