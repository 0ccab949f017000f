/**
 * tokens/ is the way from a code to tokens (RFC 6749 §4.1.3, §6) and of a token back in: issuing, introspection,
 * revocation, bearer. A grant type is one file and a line in the table below. It may import every other room but
 * users/.
 */
import type { Em } from '../../database/sql.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { clientIsApproved } from '../protocol/clients/client-auth.ts';
import type { OAuthError } from '../protocol/oauth-error.ts';
import { resourcesNameTheApi } from '../protocol/resource.ts';
import { type GrantType, readGrantType } from '../protocol/tokens/token-request.ts';
import type { TokenResponse } from '../protocol/tokens/token-response.ts';
import { exchangeCode } from './authorization-code.ts';
import { type AnswerClient, type ClientRequest, clientRequests } from './client-request.ts';
import { refreshTokens } from './refresh-token.ts';

/** The part of a grant type that is its own, for a client that is approved. */
type Grant = AnswerClient<TokenResponse>;

/** To add a grant type: its name in protocol/token-request.ts, its file, and its line here. */
const GRANTS: Readonly<Record<GrantType, Grant>> = {
  authorization_code: exchangeCode,
  refresh_token: refreshTokens,
};

/**
 * The token endpoint (RFC 6749 §3.2). Every grant type goes through the same phases: see that the client may get tokens at
 * all, then the grant's own part, which ends in one conditional statement of the database.
 */
export const answerTokenRequest = clientRequests('TOKEN', grantTokens);

async function grantTokens(
  em: Em,
  server: AuthorizationServer,
  input: ClientRequest,
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
