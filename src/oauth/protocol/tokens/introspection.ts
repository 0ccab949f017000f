import { publicId } from '../../../core/id.ts';
import { type Access, scopeText } from '../access.ts';
import type { VerifiedAccessToken } from '../access-token.ts';

/** The answer for every token that is not live or not the asking client's own: it tells nothing else (RFC 7662 §2.2). */
export const INACTIVE = { active: false } as const;

/** The facts that a client learns about a live access token of its own. */
export function activeAccessToken(token: VerifiedAccessToken) {
  return {
    active: true,
    ...scopeOf(token),
    client_id: token.clientId,
    token_type: 'bearer',
    exp: secondsOf(token.expiresAt),
    iat: secondsOf(token.issuedAt),
    sub: publicId('user', token.userId),
    aud: token.audience,
    iss: token.issuer,
    jti: token.tokenId,
  } as const;
}

/**
 * The facts that a client learns about a live refresh token of its own. It has no audience: it is for nobody but us.
 */
export function activeRefreshToken(token: ActiveRefreshToken) {
  return {
    active: true,
    ...scopeOf(token),
    client_id: token.clientId,
    exp: secondsOf(token.expiresAt),
    iat: secondsOf(token.issuedAt),
    sub: publicId('user', token.userId),
    iss: token.issuer,
  } as const;
}

export type ActiveRefreshToken = Pick<
  VerifiedAccessToken,
  'issuer' | 'userId' | 'clientId' | 'access' | 'issuedAt' | 'expiresAt'
>;

/** Unrestricted access has no list of scopes, and an empty one would say that nothing is open. */
function scopeOf({ access }: { readonly access: Access }): { readonly scope?: string } {
  return access.kind === 'SCOPED' ? { scope: scopeText(access) } : {};
}

function secondsOf(instant: Temporal.Instant): number {
  return Math.floor(instant.epochMilliseconds / 1_000);
}
