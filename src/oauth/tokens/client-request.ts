import type { Em } from '../../database/sql.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { authenticate, type ClientRequestOrigin } from '../clients/authenticate-client.ts';
import { noteFailedRequest } from '../clients/note-failed-request.ts';
import type { Client } from '../protocol/client.ts';
import { isOAuthError, type OAuthError } from '../protocol/oauth-error.ts';
import { parseTokenRequest, type TokenEndpointInput, type TokenRequest } from '../protocol/tokens/token-request.ts';

/** A request to an endpoint of clients, by one that is authenticated. */
export interface ClientRequest {
  readonly request: TokenRequest;
  readonly client: Client;
  readonly address: string;
}

export type AnswerClient<Answer> = (
  em: Em,
  server: AuthorizationServer,
  input: ClientRequest,
) => Promise<Answer | OAuthError>;

/** What all endpoints of clients do, in this order: parse, authenticate the client, answer, note a refusal for its developer. */
export function clientRequests<Answer>(endpoint: ClientRequestOrigin['endpoint'], answer: AnswerClient<Answer>) {
  return async (
    em: Em,
    server: AuthorizationServer,
    input: TokenEndpointInput,
    address: string,
  ): Promise<Answer | OAuthError> => {
    const request = parseTokenRequest(input);
    if (isOAuthError(request)) return request;

    const authenticated = await authenticate(em, server, request.credentials, { endpoint, address });
    if (isOAuthError(authenticated)) return authenticated;

    const { client } = authenticated;
    const answered = await answer(em, server, { request, client, address });
    if (isOAuthError(answered)) noteFailedRequest(server, { clientId: client.clientId, endpoint, error: answered });
    return answered;
  };
}
