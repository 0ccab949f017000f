import type { Em } from '../../database/sql.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { activeAccessToken, activeRefreshToken, INACTIVE } from '../protocol/access-token.ts';
import type { Client } from '../protocol/client.ts';
import { clientIsConfidential } from '../protocol/client-authentication.ts';
import { isGenuineRefreshToken, parseRefreshToken } from '../protocol/credentials.ts';
import { type OAuthError, oauthError } from '../protocol/oauth-error.ts';
import { judgeRefresh, refreshTokenExpiresAt } from '../protocol/refresh.ts';
import { isTokenAlive, verifyAccessToken } from './access-tokens.ts';
import { type ClientRequest, clientRequests, withClientAlone } from './client-request.ts';

type ActiveToken = ReturnType<typeof activeAccessToken> | ReturnType<typeof activeRefreshToken>;
export type Introspection = ActiveToken | typeof INACTIVE;

/** The introspection endpoint (RFC 7662): confidential clients, about their own tokens. */
export const answerIntrospectionRequest = clientRequests('INTROSPECT', (server, request) =>
  withClientAlone(server, request, introspect),
);

async function introspect(
  em: Em,
  server: AuthorizationServer,
  { request: { token }, client, address }: ClientRequest,
): Promise<Introspection | OAuthError> {
  const refusal = clientIsConfidential(client) ?? (await server.tokenGuesses.refusal(client.clientId, address));
  if (refusal) return refusal;
  if (token === undefined) {
    return oauthError('invalid_request', 'token is missing; send the access token or the refresh token to look into.');
  }
  const isRefreshToken = token.startsWith('gh_refresh_');
  const found = await (isRefreshToken ? findRefreshToken : findAccessToken)(em, server, client, token);
  if (found) return found;
  const error = await server.tokenGuesses.failed(client.clientId, address, TOKEN_INACTIVE);
  return error === TOKEN_INACTIVE ? INACTIVE : error;
}

/** Never sent: stands for the answer that a token is inactive, which is no error. */
const TOKEN_INACTIVE = oauthError('invalid_token', 'The token is not active.');

async function findAccessToken(
  em: Em,
  server: AuthorizationServer,
  { clientId }: Client,
  text: string,
): Promise<ActiveToken | undefined> {
  const token = await verifyAccessToken(server, text);
  if (!token || token.clientId !== clientId || !(await isTokenAlive(em, token))) return undefined;
  return activeAccessToken(token);
}

/** Only the current refresh token is active: the one before serves for a retry, which gives no new tokens. */
async function findRefreshToken(
  _: Em,
  { issuer, keys, statements }: AuthorizationServer,
  { clientId, type: clientType, status }: Client,
  text: string,
): Promise<ActiveToken | undefined> {
  const presented = parseRefreshToken(text);
  if (!presented) return undefined;
  const { grant } = await statements.findGrant({ id: presented.grantId });
  if (!grant?.access || status !== 'APPROVED') return undefined;
  const isGenuine = isGenuineRefreshToken(keys.derivationKey, presented, grant.seed);
  const { generation } = presented;
  if (judgeRefresh({ clientId, clientType, generation, isGenuine }, grant, grant.now) !== 'ROTATE') return undefined;
  const { userId, access, rotatedAt: issuedAt } = grant;
  return activeRefreshToken({ issuer, userId, clientId, access, issuedAt, expiresAt: refreshTokenExpiresAt(grant) });
}
