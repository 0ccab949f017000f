import { type RawBuilder, sql } from '../../database/sql.ts';
import { isInUse } from '../clients/client-columns.ts';
import { isAlive } from '../clients/oauth-client.queries.ts';

/** SQL: whether a user lets an app in at the moment; with a list of scopes, whether as far as one of them goes. */
export function isLetIn(
  userId: RawBuilder<unknown>,
  clientId: RawBuilder<unknown>,
  scopes?: RawBuilder<readonly string[]>,
): RawBuilder<boolean> {
  const asFar = scopes ? sql`and (g.kind = 'UNRESTRICTED' or g.scopes && ${scopes})` : sql``;
  return sql<boolean>`exists (
    select from oauth_grants g join oauth_clients c on c.client_id = g.client_id
    where g.user_id = ${userId} and g.client_id = ${clientId} and ${isInUse} and ${isAlive} ${asFar})`;
}
