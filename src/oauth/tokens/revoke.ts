import type { Em } from '../../database/sql.ts';
import { recordAudit } from '../../events/record-audit.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { endGrant } from '../grants/revoke-grant.ts';
import type { VerifiedAccessToken } from '../protocol/access-token.ts';
import type { Client } from '../protocol/client.ts';
import { isGenuineRefreshToken, parseRefreshToken } from '../protocol/credentials.ts';
import { type OAuthError, oauthError } from '../protocol/oauth-error.ts';
import { recordRevocations } from '../revocations/revocations.ts';
import { verifyAccessToken } from './access-tokens.ts';
import { type ClientRequest, clientRequests, withClientAlone } from './client-request.ts';

/** RFC 7009 §2.1: the client is told when the token is genuine and another client's. */
const NOT_YOURS = oauthError(
  'unauthorized_client',
  'The token was issued to another client; send it with the credentials of that one.',
);

/**
 * The revocation endpoint (RFC 7009). Undefined is success, also for a token that nobody knows (§2.2). A suspended client
 * may still revoke, for that only narrows. `token_type_hint` is not needed: the form tells.
 */
export const answerRevocationRequest = clientRequests('REVOKE', (server, request) =>
  withClientAlone(server, request, revokeToken),
);

interface Revocation {
  readonly token: string;
  readonly client: Client;
  readonly address: string;
}

async function revokeToken(
  em: Em,
  server: AuthorizationServer,
  { request: { token }, client, address }: ClientRequest,
): Promise<OAuthError | undefined> {
  if (token === undefined) {
    return oauthError('invalid_request', 'token is missing; send the access token or the refresh token to revoke.');
  }
  const revoke = token.startsWith('gh_refresh_') ? revokeRefreshToken : revokeAccessToken;
  return revoke(em, server, { token, client, address });
}

/** Ends the grant, whichever of its refresh tokens is shown: the client says that it is done with it. */
async function revokeRefreshToken(
  em: Em,
  server: AuthorizationServer,
  { token, client, address }: Revocation,
): Promise<OAuthError | undefined> {
  const presented = parseRefreshToken(token);
  if (!presented) return undefined;
  const { grant } = await server.statements.findGrant({ id: presented.grantId });
  if (!grant || !isGenuineRefreshToken(server.keys.derivationKey, presented, grant.seed)) return undefined;
  if (grant.clientId !== client.clientId) return NOT_YOURS;
  const hasEnded = await em.transactional((inner) => endGrant(inner, grant, { reason: 'REVOKED_BY_CLIENT', address }));
  if (hasEnded) await server.revocations.catchUp();
  return undefined;
}

/** Ends this token alone; its grant lives on. */
async function revokeAccessToken(
  em: Em,
  server: AuthorizationServer,
  { token, client, address }: Revocation,
): Promise<OAuthError | undefined> {
  const verified = await verifyAccessToken(server, token);
  if (!verified) return undefined;
  if (verified.clientId !== client.clientId) return NOT_YOURS;
  // Sent again and again, it is written once.
  if (server.revocations.isEnded(verified)) return undefined;
  await em.transactional((inner) => recordTokenRevocation(inner, verified, address));
  await server.revocations.catchUp();
  return undefined;
}

async function recordTokenRevocation(em: Em, token: VerifiedAccessToken, address: string): Promise<void> {
  const { tokenId, userId, clientId, grantId } = token;
  await recordRevocations(em, 'TOKEN', [tokenId]);
  await recordAudit(em, { type: 'ACCESS_TOKEN_REVOKED', userId, clientId, grantId, address });
}
