/**
 * tokens/ is the way from a code to tokens (RFC 6749 §4.1.3, §6) and of a token back in: issuing, introspection,
 * revocation, bearer. A grant type is a line in the table below, and its own part. It may import every other room
 * but users/.
 */

import { type Em, row } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { OAuthGrant } from '../grants/oauth-grant.entity.ts';
import { endGrant, type RevocationReason } from '../grants/revoke-grant.ts';
import { accessOf, resourcesNameTheApi } from '../protocol/access.ts';
import { type TokenResponse, tokenResponse } from '../protocol/access-token.ts';
import { clientIsApproved } from '../protocol/client-authentication.ts';
import { CODE_UNUSABLE, type ExchangeVerdict, exchangeIsComplete, judgeExchange } from '../protocol/code-exchange.ts';
import { isGenuineRefreshToken, type ParsedRefreshToken, parseRefreshToken } from '../protocol/credentials.ts';
import { isOAuthError, type OAuthError, oauthError } from '../protocol/oauth-error.ts';
import { isRegistered } from '../protocol/redirect-uri.ts';
import { accessAtRefresh, judgeRefresh, REFRESH_TOKEN_UNUSABLE, type RefreshVerdict } from '../protocol/refresh.ts';
import { type GrantType, readGrantType, type TokenRequest } from '../protocol/token-request.ts';
import { issueTokens } from './access-tokens.ts';
import {
  type ClientRequest,
  clientRequests,
  type PrepareAnswer,
  type Prepared,
  withClientAlone,
} from './client-request.ts';
import { countCodeFailure, type FoundCode, type StoredGrant } from './token-statements.ts';

/** The part of a grant type that is its own, for a client that is approved. */
type Grant = PrepareAnswer<TokenResponse>;

/** To add a grant type: its name in protocol/token-request.ts, its line here, and its part below. */
const GRANTS: Readonly<Record<GrantType, Grant>> = {
  authorization_code: codeExchange,
  refresh_token: tokenRefresh,
};

/**
 * The token endpoint (RFC 6749 §3.2). Every grant type goes through the same phases: see that the client may get tokens at
 * all, then the grant's own part, which ends in one conditional statement of the database.
 */
export const answerTokenRequest = clientRequests('TOKEN', grantTokens);

/** One to be told by the database that somebody else was faster, and one to learn what that means. */
const EXCHANGE_ATTEMPTS = 2;

/** Each attempt that fails means that another request has rotated the grant, which at most one can do per generation. */
const REFRESH_ATTEMPTS = 3;

const NO_REFRESH_TOKEN = oauthError(
  'invalid_request',
  'refresh_token is missing; send the one of the last token response.',
);

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

/** Exchanges a code for the first pair of tokens of a new grant (RFC 6749 §4.1.3). */
async function codeExchange(server: AuthorizationServer, request: TokenRequest): Promise<Prepared<TokenResponse>> {
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
  for (let attempt = 1; attempt <= EXCHANGE_ATTEMPTS; attempt += 1) {
    const code = attempt === 1 ? found : (await server.statements.findCode({ code: input.request.code ?? '' })).code;
    const verdict = judgeExchange(input.request, code, code?.now ?? server.clock.instant());
    if (verdict.kind !== 'REDEEM' || !code) return refuseCode(em, server, input, { code, verdict });
    const answer = await redeemFor(server, input, code);
    if (answer) return answer;
  }
  // The client or the user was suspended at this very moment.
  return CODE_UNUSABLE;
}

interface RefusedCode {
  readonly code: FoundCode | undefined;
  readonly verdict: ExchangeVerdict;
}

async function refuseCode(
  em: Em,
  server: AuthorizationServer,
  { client: { clientId }, address }: ClientRequest,
  { code, verdict }: RefusedCode,
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

/**
 * A code or a refresh token came from two sides, so one of them is a thief: ends the grant, with what is on the way to
 * another one of the same user and app, logs it and tells the user.
 */
async function endStolenGrant(
  em: Em,
  server: AuthorizationServer,
  { grantId, reason, address }: { grantId: string; reason: RevocationReason; address: string },
): Promise<void> {
  const access = await row(em, selectFrom(OAuthGrant, { id: grantId }).select(['userId', 'clientId']));
  if (!access) return;
  const hasEnded = await em.transactional((inner) => endGrant(inner, { id: grantId, ...access }, { reason, address }));
  if (!hasEnded) return;
  await server.revocations.catchUp();
  server.notices.userOfStolenGrant(em, grantId);
}

/** Undefined when the statement found the code used, expired or burned after all: another request was faster. */
async function redeemFor(
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

/** Exchanges a refresh token for the next pair of its grant, or for the same pair again (RFC 6749 §6). */
async function tokenRefresh(server: AuthorizationServer, request: TokenRequest): Promise<Prepared<TokenResponse>> {
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
  for (let attempt = 1; attempt <= REFRESH_ATTEMPTS; attempt += 1) {
    const grant = attempt === 1 ? found : (await server.statements.findGrant({ id: presented.grantId })).grant;
    const verdict = judgePresented(server, input, presented, grant);
    if (!grant || (verdict !== 'ROTATE' && verdict !== 'RETRY'))
      return refuseRefresh(em, server, input, { presented, verdict });
    const answer = await answerWithPair(server, input, { grant, verdict });
    if (answer) return answer;
  }
  // The client or the user was suspended at this very moment.
  return REFRESH_TOKEN_UNUSABLE;
}

function judgePresented(
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

async function refuseRefresh(
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
