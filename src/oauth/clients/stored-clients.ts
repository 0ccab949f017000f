import { ago, NOW } from '../../database/expressions.ts';
import { read } from '../../database/read.ts';
import { changed, type Em, sql } from '../../database/sql.ts';
import { updateTable } from '../../database/statements.ts';
import type { Client } from '../protocol/client.ts';
import type { StoredSecret } from '../protocol/clients/client-auth.ts';
import { CLIENT_COLUMNS } from './client-columns.ts';
import { OAuthClientSecret } from './oauth-client-secret.entity.ts';

/** A client with what proves it. */
export interface StoredClient extends Client {
  readonly secrets: readonly (StoredSecret & { readonly isDueToBeNoted: boolean })[];
}

/** The clients with these ids, in their order; undefined where nobody has the id. */
export async function findStoredClients(
  em: Em,
  ids: readonly string[],
): Promise<readonly (StoredClient | undefined)[]> {
  const found = await read(
    em,
    sql<StoredClient>`
      select ${CLIENT_COLUMNS}, coalesce(s.secrets, '[]'::json) as secrets
      from oauth_clients c
      left join lateral (
        select json_agg(json_build_object('id', id, 'secretHash', secret_hash, 'isDueToBeNoted',
          last_used_at is null or last_used_at < now() - interval '1 minute')) as secrets
        from oauth_client_secrets where client_id = c.client_id
      ) s on true
      where c.client_id = any(${[...new Set(ids)]}::text[])`,
  );
  const byId = new Map(found.map((client) => [client.clientId, client]));
  return ids.map((id) => byId.get(id));
}

/** The condition stands in the statement too: of many requests at once, one writes. */
export async function noteSecretUse(em: Em, clientId: string, secretId: string): Promise<void> {
  await changed(
    em,
    updateTable(OAuthClientSecret, { clientId, id: secretId })
      .set({ lastUsedAt: NOW })
      .where((eb) => eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<', ago(1, 'mins'))])),
  );
}
