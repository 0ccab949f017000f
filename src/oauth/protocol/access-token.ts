import { idOf, publicId } from '../../core/id.ts';
import { instantAt } from '../../core/instant.ts';
import { base62Of, macOf } from '../../core/secret.ts';
import { type Access, accessOf, scopeText, UNRESTRICTED } from './access.ts';

/** RFC 9068 §2.1: the type keeps an access token from being taken for another kind of JWT. */
export const ACCESS_TOKEN_TYPE = 'at+jwt';
export const ACCESS_TOKEN_SECONDS = 1_800;

/** The claims of an access token. */
export interface AccessToken {
  readonly issuer: string;
  readonly audience: string;
  /** The user it acts for. */
  readonly userId: string;
  readonly clientId: string;
  readonly grantId: string;
  /** The generation of the refresh token that it was given out with. */
  readonly generation: number;
  readonly access: Access;
  /** To the second. */
  readonly issuedAt: Temporal.Instant;
}

/** An access token that was verified; `tokenId` alone revokes it. */
export interface VerifiedAccessToken extends AccessToken {
  readonly tokenId: string;
  readonly expiresAt: Temporal.Instant;
}

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

/** The answer for every token that is not live or not the asking client's own: it tells nothing else (RFC 7662 §2.2). */
export const INACTIVE = { active: false } as const;

/** The payload (RFC 9068 §2.2). Unrestricted access is a claim of its own and never a missing or empty `scope`. */
interface AccessTokenClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: string;
  readonly client_id: string;
  readonly scope?: string;
  readonly unrestricted?: true;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
  readonly grant_id: string;
  readonly generation: number;
}

/** The claims, in a fixed order: equal tokens have equal bytes, which is how a retry gets the identical answer. */
export function accessTokenClaims(derivationKey: Uint8Array, token: AccessToken): AccessTokenClaims {
  const issuedAt = Math.floor(token.issuedAt.epochMilliseconds / 1_000);
  return {
    iss: token.issuer,
    sub: publicId('user', token.userId),
    aud: token.audience,
    client_id: token.clientId,
    ...(token.access.kind === 'UNRESTRICTED' ? { unrestricted: true } : { scope: scopeText(token.access) }),
    jti: tokenId(derivationKey, token, issuedAt),
    iat: issuedAt,
    exp: issuedAt + ACCESS_TOKEN_SECONDS,
    grant_id: publicId('grant', token.grantId),
    generation: token.generation,
  };
}

/**
 * Reads the payload of a token whose signature, issuer, audience and times are already verified.
 * Undefined for anything that we would not have written: an unknown kind of access is refused, not guessed.
 */
export function readAccessTokenClaims(payload: Readonly<Record<string, unknown>>): VerifiedAccessToken | undefined {
  const { iss, sub, aud, client_id: clientId, jti, iat, exp, grant_id: grant, generation } = payload;
  const access = readAccess(payload);
  if (!access || !isText(iss) || !isText(sub) || !isText(aud) || !isText(clientId) || !isText(jti) || !isText(grant)) {
    return undefined;
  }
  const [userId, grantId] = [idOf('user', sub), idOf('grant', grant)];
  if (userId === undefined || grantId === undefined) return undefined;
  if (!isPositiveInteger(generation) || !isPositiveInteger(iat) || !isPositiveInteger(exp) || exp <= iat)
    return undefined;
  return {
    issuer: iss,
    audience: aud,
    userId,
    clientId,
    grantId,
    generation,
    access,
    issuedAt: instantAt(iat * 1_000),
    tokenId: jti,
    expiresAt: instantAt(exp * 1_000),
  };
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

type ActiveRefreshToken = Pick<
  VerifiedAccessToken,
  'issuer' | 'userId' | 'clientId' | 'access' | 'issuedAt' | 'expiresAt'
>;

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

/** Derived from what sets two tokens of a grant apart, under a key, so that nobody can name the token of somebody else. */
function tokenId(derivationKey: Uint8Array, { grantId, generation, access }: AccessToken, issuedAt: number): string {
  const texts = [grantId, String(generation), access.kind, scopeText(access), String(issuedAt)];
  return base62Of(macOf(derivationKey, 'access token', ...texts));
}

function readAccess({ scope, unrestricted }: Readonly<Record<string, unknown>>): Access | undefined {
  if (unrestricted !== undefined) return unrestricted === true && scope === undefined ? UNRESTRICTED : undefined;
  return typeof scope === 'string' ? accessOf('SCOPED', scope.split(' ')) : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 512;
}

/** Whether a value is a positive number of seconds that an instant can hold. */
function isPositiveInteger(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) <= 8_640_000_000_000;
}

/** In whole seconds on both sides, as the token's own claims are: a fresh one has 1800, an old one never less than none. */
function remainingSeconds(issuedAt: Temporal.Instant, now: Temporal.Instant): number {
  const age = Math.floor(now.epochMilliseconds / 1_000) - Math.floor(issuedAt.epochMilliseconds / 1_000);
  return Math.min(ACCESS_TOKEN_SECONDS, Math.max(0, ACCESS_TOKEN_SECONDS - age));
}

/** Unrestricted access has no list of scopes, and an empty one would say that nothing is open. */
function scopeOf({ access }: { readonly access: Access }): { readonly scope?: string } {
  return access.kind === 'SCOPED' ? { scope: scopeText(access) } : {};
}

function secondsOf(instant: Temporal.Instant): number {
  return Math.floor(instant.epochMilliseconds / 1_000);
}
