/**
 * tokens/ is the way from a code to tokens (RFC 6749 §4.1.3, §6) and of a token back in: issuing, introspection,
 * revocation, bearer. A grant type is one file and a line in the table below. It may import every other room but
 * users/.
 */
import type { Em } from '../../database/sql.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { authenticate } from '../clients/authenticate-client.ts';
import { noteFailedRequest } from '../clients/note-failed-request.ts';
import { clientIsApproved } from '../protocol/clients/client-auth.ts';
import { isOAuthError, type OAuthError } from '../protocol/oauth-error.ts';
import { resourcesNameTheApi } from '../protocol/resource.ts';
import {
  type GrantType,
  parseTokenRequest,
  readGrantType,
  type TokenEndpointInput,
} from '../protocol/tokens/token-request.ts';
import type { TokenResponse } from '../protocol/tokens/token-response.ts';
import { exchangeCode } from './authorization-code.ts';
import type { Grant, GrantRequest } from './grant.ts';
import { refreshTokens } from './refresh-token.ts';

/** To add a grant type: its name in protocol/token-request.ts, its file, and its line here. */
const GRANTS: Readonly<Record<GrantType, Grant>> = {
  authorization_code: exchangeCode,
  refresh_token: refreshTokens,
};

/**
 * Answers the token endpoint (RFC 6749 §3.2). Every grant type goes through the same phases in this order: parse,
 * authenticate the client, see that it may get tokens at all, then the grant's own part, which ends in one conditional
 * statement of the database.
 */
export async function answerTokenRequest(
  em: Em,
  server: AuthorizationServer,
  input: TokenEndpointInput,
  address: string,
): Promise<TokenResponse | OAuthError> {
  const request = parseTokenRequest(input);
  if (isOAuthError(request)) return request;

  const authenticated = await authenticate(em, server, request.credentials, { endpoint: 'TOKEN', address });
  if (isOAuthError(authenticated)) return authenticated;

  const { client } = authenticated;
  const answer = await grantTokens(em, server, { request, client, address });
  if (isOAuthError(answer)) {
    noteFailedRequest(em, server, { clientId: client.clientId, endpoint: 'TOKEN', error: answer });
  }
  return answer;
}

async function grantTokens(
  em: Em,
  server: AuthorizationServer,
  input: GrantRequest,
): Promise<TokenResponse | OAuthError> {
  const { request, client, address } = input;
  const refusal =
    clientIsApproved(client) ??
    resourcesNameTheApi(request.resources, server.issuer) ??
    server.tokenGuesses.refusal(client.clientId, address);
  if (refusal) return refusal;
  const grantType = readGrantType(request);
  return typeof grantType === 'string' ? GRANTS[grantType](em, server, input) : grantType;
}
