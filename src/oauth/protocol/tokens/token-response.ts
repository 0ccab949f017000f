import { type Access, scopeText } from '../access.ts';
import { ACCESS_TOKEN_SECONDS } from '../access-token.ts';

/** The five fields of every token response (specification §2.3). */
export interface TokenResponse {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: 'bearer';
  /** Seconds; what remains of them when an answer is given again. */
  readonly expires_in: number;
  readonly scope: string;
}

export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly access: Access;
  readonly issuedAt: Temporal.Instant;
}

export function tokenResponse(issued: IssuedTokens, now: Temporal.Instant): TokenResponse {
  return {
    access_token: issued.accessToken,
    refresh_token: issued.refreshToken,
    token_type: 'bearer',
    expires_in: remainingSeconds(issued.issuedAt, now),
    scope: scopeText(issued.access),
  };
}

/** In whole seconds on both sides, as the token's own claims are: a fresh one has 1800, an old one never less than none. */
function remainingSeconds(issuedAt: Temporal.Instant, now: Temporal.Instant): number {
  const age = Math.floor(now.epochMilliseconds / 1_000) - Math.floor(issuedAt.epochMilliseconds / 1_000);
  return Math.min(ACCESS_TOKEN_SECONDS, Math.max(0, ACCESS_TOKEN_SECONDS - age));
}
