import type { Em } from '../../database/sql.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { authenticate } from '../clients/authenticate-client.ts';
import { noteFailedRequest } from '../clients/note-failed-request.ts';
import type { Client } from '../protocol/client.ts';
import { clientIsConfidential } from '../protocol/clients/client-auth.ts';
import { isGenuineRefreshToken, parseRefreshToken } from '../protocol/credentials.ts';
import { isOAuthError, type OAuthError, oauthError } from '../protocol/oauth-error.ts';
import { activeAccessToken, activeRefreshToken, INACTIVE } from '../protocol/tokens/introspection.ts';
import { judgeRefresh, refreshTokenExpiresAt } from '../protocol/tokens/refresh.ts';
import { parseTokenRequest, type TokenEndpointInput } from '../protocol/tokens/token-request.ts';
import { verifyAccessToken } from './access-tokens.ts';
import { isTokenAlive } from './grant-use.ts';

type ActiveToken = ReturnType<typeof activeAccessToken> | ReturnType<typeof activeRefreshToken>;
export type Introspection = ActiveToken | typeof INACTIVE;

/** Answers the introspection endpoint (RFC 7662): confidential clients, about their own tokens. */
export async function answerIntrospectionRequest(
  em: Em,
  server: AuthorizationServer,
  input: TokenEndpointInput,
  address: string,
): Promise<Introspection | OAuthError> {
  const request = parseTokenRequest(input);
  if (isOAuthError(request)) return request;

  const authenticated = await authenticate(em, server, request.credentials, { endpoint: 'INTROSPECT', address });
  if (isOAuthError(authenticated)) return authenticated;

  const { client } = authenticated;
  const answer = await introspect(em, server, { client, token: request.token, address });
  if (isOAuthError(answer))
    noteFailedRequest(em, server, { clientId: client.clientId, endpoint: 'INTROSPECT', error: answer });
  return answer;
}

interface Question {
  readonly client: Client;
  readonly token: string | undefined;
  readonly address: string;
}

async function introspect(
  em: Em,
  server: AuthorizationServer,
  { client, token, address }: Question,
): Promise<Introspection | OAuthError> {
  const refusal = clientIsConfidential(client) ?? server.tokenGuesses.refusal(client.clientId, address);
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

/** Only the current refresh token is active; the one before is good for a retry, and nothing new comes of it. */
async function findRefreshToken(
  _: Em,
  { issuer, keys, statements }: AuthorizationServer,
  { clientId, type: clientType, status }: Client,
  text: string,
): Promise<ActiveToken | undefined> {
  const presented = parseRefreshToken(text);
  const grant = presented && (await statements.findGrant(presented.grantId));
  if (!presented || !grant?.access || status !== 'APPROVED') return undefined;
  const isGenuine = isGenuineRefreshToken(keys.derivationKey, presented, grant.seed);
  const { generation } = presented;
  if (judgeRefresh({ clientId, clientType, generation, isGenuine }, grant, grant.now) !== 'ROTATE') return undefined;
  const { userId, access, rotatedAt: issuedAt } = grant;
  return activeRefreshToken({ issuer, userId, clientId, access, issuedAt, expiresAt: refreshTokenExpiresAt(grant) });
}
