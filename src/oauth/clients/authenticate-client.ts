import type { Em } from '../../database/sql.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { Client } from '../protocol/client.ts';
import { type AuthenticatedClient, authenticateClient } from '../protocol/clients/client-auth.ts';
import type { ClientCredentials } from '../protocol/clients/client-credentials.ts';
import { isOAuthError, type OAuthError } from '../protocol/oauth-error.ts';
import { noteFailedRequest } from './note-failed-request.ts';
import { noteSecretUse, type StoredClient } from './stored-clients.ts';

/** Where a request of a client came in. */
export interface ClientRequestOrigin {
  readonly endpoint: 'TOKEN' | 'REVOKE' | 'INTROSPECT';
  readonly address: string;
}

/** Before anything is looked up for a client that has guessed too often. */
export function refusalOfGuesses(
  { secretGuesses }: AuthorizationServer,
  { clientId }: ClientCredentials,
  address: string,
): OAuthError | undefined | Promise<OAuthError | undefined> {
  return secretGuesses.refusal(clientId, address);
}

/**
 * Proves which client calls a token endpoint; the refusal is the same for an unknown client and a wrong secret.
 * `stored` was read for this very request: a deleted secret is dead on the next one, in every process.
 */
export async function authenticate(
  em: Em,
  server: AuthorizationServer,
  credentials: ClientCredentials,
  stored: StoredClient | undefined,
  { endpoint, address }: ClientRequestOrigin,
): Promise<AuthenticatedClient<Client> | OAuthError> {
  const { clientId } = credentials;
  const result = authenticateClient<Client>(credentials, stored, stored?.secrets ?? []);
  if (isOAuthError(result)) {
    // This counts all clients of the network, made-up ones too. It refuses only failures, or a neighbour could keep
    // others out.
    const ofNetwork = await server.clientGuesses.failed('', address, result);
    if (ofNetwork !== result) return ofNetwork;
    noteFailedRequest(server, { clientId, endpoint, error: result });
    return server.secretGuesses.failed(clientId, address, result);
  }
  await server.secretGuesses.succeeded(clientId, address);
  const used = stored?.secrets.find(({ id }) => id === result.secretId);
  if (used?.isDueToBeNoted) server.background.run(() => noteSecretUse(em, clientId, used.id));
  return result;
}
