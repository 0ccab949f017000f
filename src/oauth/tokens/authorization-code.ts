import type { Em } from '../../database/sql.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { endStolenGrant } from '../grants/end-stolen-grant.ts';
import { accessOf } from '../protocol/access.ts';
import { isOAuthError, type OAuthError } from '../protocol/oauth-error.ts';
import { isRegistered } from '../protocol/redirect-uri.ts';
import {
  CODE_UNUSABLE,
  type ExchangeVerdict,
  exchangeIsComplete,
  judgeExchange,
} from '../protocol/tokens/code-exchange.ts';
import { accessAtRefresh } from '../protocol/tokens/refresh.ts';
import type { TokenRequest } from '../protocol/tokens/token-request.ts';
import { type TokenResponse, tokenResponse } from '../protocol/tokens/token-response.ts';
import { issueTokens } from './access-tokens.ts';
import { type ClientRequest, type Prepared, withClientAlone } from './client-request.ts';
import { countCodeFailure, type FoundCode } from './stored-codes.ts';

/** One to be told by the database that somebody else was faster, and one to learn what that means. */
const ATTEMPTS = 2;

/** Exchanges a code for the first pair of tokens of a new grant (RFC 6749 §4.1.3). */
export async function codeExchange(
  server: AuthorizationServer,
  request: TokenRequest,
): Promise<Prepared<TokenResponse>> {
  const incomplete = exchangeIsComplete(request);
  if (incomplete) return withClientAlone<TokenResponse>(server, request, async () => incomplete);
  const { clientId } = request.credentials;
  const { client, code } = await server.statements.findCode({ clientId, code: request.code ?? '' });
  return { stored: client, answer: (em, _, input) => exchangeCode(em, server, input, code) };
}

async function exchangeCode(
  em: Em,
  server: AuthorizationServer,
  input: ClientRequest,
  found: FoundCode | undefined,
): Promise<TokenResponse | OAuthError> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const code = attempt === 1 ? found : (await server.statements.findCode({ code: input.request.code ?? '' })).code;
    const verdict = judgeExchange(input.request, code, code?.now ?? server.clock.instant());
    if (verdict.kind !== 'REDEEM' || !code) return refuse(em, server, input, { code, verdict });
    const answer = await redeem(server, input, code);
    if (answer) return answer;
  }
  // The client or the user was suspended at this very moment.
  return CODE_UNUSABLE;
}

/** Undefined when the statement found the code used, expired or burned after all: another request was faster. */
async function redeem(
  server: AuthorizationServer,
  { client, address }: ClientRequest,
  code: FoundCode,
): Promise<TokenResponse | OAuthError | undefined> {
  // The client may have removed the address because somebody else controls it now.
  if (!isRegistered(client.redirectUris, code.redirectUri)) return CODE_UNUSABLE;
  const granted = accessOf(code.kind, code.scopes);
  if (!granted) throw new Error('A code has an unknown kind of access.');
  const access = accessAtRefresh(granted, client, undefined);
  if (isOAuthError(access)) return access;

  const grant = await server.statements.redeemCode(code);
  if (!grant) return undefined;
  if (grant.hasEndedOthers) await server.revocations.catchUp();
  if (grant.isOneOfMany) server.surplusGrants.look(grant);
  await server.tokenGuesses.succeeded(client.clientId, address);
  return tokenResponse(issueTokens(server, grant, access), grant.rotatedAt);
}

interface Refused {
  readonly code: FoundCode | undefined;
  readonly verdict: ExchangeVerdict;
}

async function refuse(
  em: Em,
  server: AuthorizationServer,
  { client: { clientId }, address }: ClientRequest,
  { code, verdict }: Refused,
): Promise<OAuthError> {
  if (verdict.kind === 'REDEEM') throw new Error('A code to be redeemed was refused.');
  if (!code) return server.tokenGuesses.failed(clientId, address, verdict.error);
  if (verdict.kind === 'COUNT_FAILURE') await countCodeFailure(em, code.interactionId);
  if (verdict.kind === 'REPLAY') {
    // A grant has the id of its interaction.
    await endStolenGrant(em, server, { grantId: code.interactionId, reason: 'CODE_REPLAYED', address });
  }
  return verdict.error;
}
