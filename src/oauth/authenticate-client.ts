import { changed, type Em, row, sql } from '../database/sql.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { CLIENT_COLUMNS } from './client-columns.ts';
import { noteFailedRequest } from './note-failed-request.ts';
import type { Client } from './protocol/client.ts';
import { type AuthenticatedClient, authenticateClient, type StoredSecret } from './protocol/client-auth.ts';
import type { ClientCredentials } from './protocol/client-credentials.ts';
import { isOAuthError, type OAuthError } from './protocol/oauth-error.ts';

/** Where a request of a client came in. */
export interface ClientRequestOrigin {
  readonly endpoint: 'TOKEN' | 'REVOKE' | 'INTROSPECT';
  readonly address: string;
}

type StoredClient = Client & { readonly secrets: readonly (StoredSecret & { readonly isDueToBeNoted: boolean })[] };

/** Who calls a token endpoint, proven; the refusal is the same for an unknown client and a wrong secret. */
export async function authenticate(
  em: Em,
  server: AuthorizationServer,
  credentials: ClientCredentials,
  { endpoint, address }: ClientRequestOrigin,
): Promise<AuthenticatedClient<Client> | OAuthError> {
  const { clientId } = credentials;
  const tooMany = server.secretGuesses.refusal(clientId, address);
  if (tooMany) return tooMany;
  // Read anew for each request: a deleted secret is dead on the very next one, in every process.
  const stored = await findClientWithSecrets(em, clientId);
  const result = authenticateClient<Client>(credentials, stored, stored?.secrets ?? []);
  if (isOAuthError(result)) {
    noteFailedRequest(em, server, { clientId, endpoint, error: result });
    return server.secretGuesses.failed(clientId, address, result);
  }
  await server.secretGuesses.succeeded(clientId, address);
  const used = stored?.secrets.find(({ id }) => id === result.secretId);
  if (used?.isDueToBeNoted) server.background.run(() => noteSecretUse(em, clientId, used.id));
  return result;
}

function findClientWithSecrets(em: Em, clientId: string): Promise<StoredClient | undefined> {
  return row(
    em,
    sql<StoredClient>`
      select ${CLIENT_COLUMNS}, coalesce(s.secrets, '[]'::json) as secrets
      from oauth_clients c
      left join lateral (
        select json_agg(json_build_object('id', id, 'secretHash', secret_hash, 'isDueToBeNoted',
          last_used_at is null or last_used_at < now() - interval '1 minute')) as secrets
        from oauth_client_secrets where client_id = c.client_id
      ) s on true
      where c.client_id = ${clientId}`,
  );
}

/** The condition stands in the statement too: of many requests at once, one writes. */
async function noteSecretUse(em: Em, clientId: string, secretId: string): Promise<void> {
  await changed(
    em,
    sql`update oauth_client_secrets set last_used_at = now()
        where client_id = ${clientId} and id = ${secretId}
          and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
  );
}
