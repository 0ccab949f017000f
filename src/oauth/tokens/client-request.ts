import type { Em } from '../../database/sql.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { noteFailedRequest } from '../clients/failed-requests.ts';
import type { Client } from '../protocol/client.ts';
import {
  type AuthenticatedClient,
  authenticateClient,
  type ClientCredentials,
} from '../protocol/client-authentication.ts';
import { isOAuthError, type OAuthError } from '../protocol/oauth-error.ts';
import { parseTokenRequest, type TokenEndpointInput, type TokenRequest } from '../protocol/token-request.ts';
import { noteSecretUse, type StoredClient } from './token-statements.ts';

/** A request to an endpoint of clients, from an authenticated client. */
export interface ClientRequest {
  readonly request: TokenRequest;
  readonly client: Client;
  readonly address: string;
}

type AnswerClient<Answer> = (em: Em, server: AuthorizationServer, input: ClientRequest) => Promise<Answer | OAuthError>;

/** The rows that were read for a request before anybody has proved anything. */
export interface Prepared<Answer> {
  /** The client as it is now; undefined where nobody has the id. */
  readonly stored: StoredClient | undefined;
  readonly answer: AnswerClient<Answer>;
}

/**
 * Reads the client, and in the same statement what the request names. Only the answer judges what comes of that, for a
 * client that has proved itself.
 */
export type PrepareAnswer<Answer> = (
  server: AuthorizationServer,
  request: TokenRequest,
  address: string,
) => Promise<Prepared<Answer>>;

/** Where there is nothing to be read but the client. */
export async function withClientAlone<Answer>(
  { statements }: AuthorizationServer,
  { credentials }: TokenRequest,
  answer: AnswerClient<Answer>,
): Promise<Prepared<Answer>> {
  return { stored: await statements.findClient(credentials.clientId), answer };
}

/**
 * All endpoints of clients do this, in this order: parse, authenticate the client, answer, note a refusal for its
 * developer.
 */
export function clientRequests<Answer>(
  endpoint: ClientRequestOrigin['endpoint'],
  prepare: PrepareAnswer<Answer>,
): (em: Em, server: AuthorizationServer, input: TokenEndpointInput, address: string) => Promise<Answer | OAuthError> {
  return async (em, server, input, address) => {
    const request = parseTokenRequest(input);
    if (isOAuthError(request)) return server.clientGuesses.failed('', address, request);
    const tooMany = await refusalOfGuesses(server, request.credentials, address);
    if (tooMany) return tooMany;

    const { stored, answer } = await prepare(server, request, address);
    const authenticated = await authenticate(em, server, request.credentials, stored, { endpoint, address });
    if (isOAuthError(authenticated)) return authenticated;

    const { client } = authenticated;
    const answered = await answer(em, server, { request, client, address });
    if (isOAuthError(answered)) noteFailedRequest(server, { clientId: client.clientId, endpoint, error: answered });
    return answered;
  };
}

/** Where a request of a client came in. */
interface ClientRequestOrigin {
  readonly endpoint: 'TOKEN' | 'REVOKE' | 'INTROSPECT';
  readonly address: string;
}

/** Before anything is looked up for a client that has guessed too often. */
function refusalOfGuesses(
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
async function authenticate(
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
