/**
 * tokens/ is the way from a code to tokens (RFC 6749 §4.1.3, §6) and of a token back in: issuing, introspection,
 * revocation, bearer. A grant type is one file and a line in the table below. It may import every other room but
 * users/.
 */
import type { AuthorizationServer } from '../authorization-server.ts';
import { clientIsApproved } from '../protocol/clients/client-auth.ts';
import { isOAuthError } from '../protocol/oauth-error.ts';
import { resourcesNameTheApi } from '../protocol/resource.ts';
import { type GrantType, readGrantType, type TokenRequest } from '../protocol/tokens/token-request.ts';
import type { TokenResponse } from '../protocol/tokens/token-response.ts';
import { codeExchange } from './authorization-code.ts';
import { type AnswerClient, clientRequests, type PrepareAnswer } from './client-request.ts';
import { tokenRefresh } from './refresh-token.ts';

/** The part of a grant type that is its own, for a client that is approved. */
type Grant = PrepareAnswer<TokenResponse>;

/** To add a grant type: its name in protocol/token-request.ts, its file, and its line here. */
const GRANTS: Readonly<Record<GrantType, Grant>> = {
  authorization_code: codeExchange,
  refresh_token: tokenRefresh,
};

/**
 * The token endpoint (RFC 6749 §3.2). Every grant type goes through the same phases: see that the client may get tokens at
 * all, then the grant's own part, which ends in one conditional statement of the database.
 */
export const answerTokenRequest = clientRequests('TOKEN', grantTokens);

async function grantTokens(
  server: AuthorizationServer,
  request: TokenRequest,
  address: string,
): Promise<AnswerClient<TokenResponse>> {
  const grantType = readGrantType(request);
  const refusal =
    resourcesNameTheApi(request.resources, server.issuer) ??
    server.tokenGuesses.refusal(request.credentials.clientId, address) ??
    (isOAuthError(grantType) ? grantType : undefined);
  // What is refused anyway is not looked for.
  const grant = isOAuthError(grantType) || refusal ? undefined : await GRANTS[grantType](server, request, address);
  return async (em, _, input) => {
    const refused = clientIsApproved(input.client) ?? refusal;
    if (refused) return refused;
    if (!grant) throw new Error('A request that is not refused has no grant.');
    return grant(em, server, input);
  };
}
