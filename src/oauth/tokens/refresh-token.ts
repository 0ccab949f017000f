import type { Em } from '../../database/sql.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { endStolenGrant } from '../grants/end-stolen-grant.ts';
import { isGenuineRefreshToken, type ParsedRefreshToken, parseRefreshToken } from '../protocol/credentials.ts';
import { isOAuthError, type OAuthError, oauthError } from '../protocol/oauth-error.ts';
import {
  accessAtRefresh,
  judgeRefresh,
  REFRESH_TOKEN_UNUSABLE,
  type RefreshVerdict,
} from '../protocol/tokens/refresh.ts';
import type { TokenRequest } from '../protocol/tokens/token-request.ts';
import { type TokenResponse, tokenResponse } from '../protocol/tokens/token-response.ts';
import { issueTokens } from './access-tokens.ts';
import { type ClientRequest, type Prepared, withClientAlone } from './client-request.ts';
import type { StoredGrant } from './stored-grants.ts';

/** Each attempt that fails means that another request has rotated the grant, which at most one can do per generation. */
const ATTEMPTS = 3;

/** Exchanges a refresh token for the next pair of its grant, or for the same pair again (RFC 6749 §6). */
export async function tokenRefresh(
  server: AuthorizationServer,
  request: TokenRequest,
): Promise<Prepared<TokenResponse>> {
  const { refreshToken, credentials } = request;
  if (refreshToken === undefined) return withClientAlone<TokenResponse>(server, request, async () => NO_REFRESH_TOKEN);
  const presented = parseRefreshToken(refreshToken);
  if (!presented) {
    return withClientAlone<TokenResponse>(server, request, (_em, _server, { client, address }) =>
      server.tokenGuesses.failed(client.clientId, address, REFRESH_TOKEN_UNUSABLE),
    );
  }
  const { clientId } = credentials;
  const { client, grant } = await server.statements.findGrant({ clientId, id: presented.grantId });
  return { stored: client, answer: (em, _, input) => refreshTokens(em, server, input, { presented, found: grant }) };
}

const NO_REFRESH_TOKEN = oauthError(
  'invalid_request',
  'refresh_token is missing; send the one of the last token response.',
);

interface PresentedGrant {
  readonly presented: ParsedRefreshToken;
  readonly found: StoredGrant | undefined;
}

async function refreshTokens(
  em: Em,
  server: AuthorizationServer,
  input: ClientRequest,
  { presented, found }: PresentedGrant,
): Promise<TokenResponse | OAuthError> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const grant = attempt === 1 ? found : (await server.statements.findGrant({ id: presented.grantId })).grant;
    const verdict = judge(server, input, presented, grant);
    if (!grant || (verdict !== 'ROTATE' && verdict !== 'RETRY'))
      return refuse(em, server, input, { presented, verdict });
    const answer = await answerWithPair(server, input, { grant, verdict });
    if (answer) return answer;
  }
  // The client or the user was suspended at this very moment.
  return REFRESH_TOKEN_UNUSABLE;
}

function judge(
  { keys }: AuthorizationServer,
  { client }: ClientRequest,
  presented: ParsedRefreshToken,
  grant: StoredGrant | undefined,
): RefreshVerdict {
  if (!grant) return 'UNKNOWN';
  const isGenuine = isGenuineRefreshToken(keys.derivationKey, presented, grant.seed);
  const { clientId, type: clientType } = client;
  return judgeRefresh({ clientId, clientType, generation: presented.generation, isGenuine }, grant, grant.now);
}

/** Undefined when the statement found the generation rotated after all: another request was faster. */
async function answerWithPair(
  server: AuthorizationServer,
  { request, client, address }: ClientRequest,
  { grant, verdict }: { readonly grant: StoredGrant; readonly verdict: 'ROTATE' | 'RETRY' },
): Promise<TokenResponse | OAuthError | undefined> {
  if (!grant.access) return REFRESH_TOKEN_UNUSABLE;
  const access = accessAtRefresh(grant.access, client, request.scope);
  if (isOAuthError(access)) return access;

  const current = verdict === 'ROTATE' ? await server.statements.rotateGrant(grant) : grant;
  if (!current) return undefined;
  await server.tokenGuesses.succeeded(client.clientId, address);
  const now = verdict === 'ROTATE' ? current.rotatedAt : grant.now;
  return tokenResponse(issueTokens(server, current, access), now);
}

async function refuse(
  em: Em,
  server: AuthorizationServer,
  { client: { clientId }, address }: ClientRequest,
  { presented, verdict }: { readonly presented: ParsedRefreshToken; readonly verdict: RefreshVerdict },
): Promise<OAuthError> {
  if (verdict === 'REUSE') {
    await endStolenGrant(em, server, { grantId: presented.grantId, reason: 'REFRESH_TOKEN_REUSED', address });
  }
  if (verdict === 'UNKNOWN') return server.tokenGuesses.failed(clientId, address, REFRESH_TOKEN_UNUSABLE);
  return REFRESH_TOKEN_UNUSABLE;
}
