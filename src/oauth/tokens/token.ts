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
import { clientRequests, type PrepareAnswer, type Prepared, withClientAlone } from './client-request.ts';
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
): Promise<Prepared<TokenResponse>> {
  const wanted =
    resourcesNameTheApi(request.resources, server.issuer) ??
    (await server.tokenGuesses.refusal(request.credentials.clientId, address)) ??
    readGrantType(request);
  // A request that is refused anyway needs no look-up.
  const { stored, answer } = isOAuthError(wanted)
    ? await withClientAlone<TokenResponse>(server, request, async () => wanted)
    : await GRANTS[wanted](server, request, address);
  return { stored, answer: async (em, _, input) => clientIsApproved(input.client) ?? answer(em, server, input) };
}
