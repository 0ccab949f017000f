import { type RawBuilder, sql } from '../../database/sql.ts';
import { CHAIN_DAYS } from '../protocol/tokens/refresh.ts';

/** SQL: whether a grant can still be refreshed. */
export const isAlive = sql`revoked_at is null and expires_at > now()
  and rotated_at > now() - make_interval(days => ${CHAIN_DAYS.idle})`;

/** SQL: whether a user lets an app in at the moment; with a list of scopes, whether as far as one of them goes. */
export function isLetIn(
  userId: RawBuilder<unknown>,
  clientId: RawBuilder<unknown>,
  scopes?: RawBuilder<readonly string[]>,
): RawBuilder<boolean> {
  const asFar = scopes ? sql`and (g.kind = 'UNRESTRICTED' or g.scopes && ${scopes})` : sql``;
  return sql<boolean>`exists (
    select from oauth_grants g join oauth_clients c on c.client_id = g.client_id
    where g.user_id = ${userId} and g.client_id = ${clientId} and c.status = 'APPROVED' and ${isAlive} ${asFar})`;
}
