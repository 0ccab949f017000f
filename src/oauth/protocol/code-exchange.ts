import { type OAuthError, oauthError } from './oauth-error.ts';
import { isCodeVerifier, verifierMatches } from './pkce.ts';
import type { TokenRequest } from './token-request.ts';

/** An authorization code, as it is stored; null where the row has nothing. */
export interface StoredCode {
  readonly clientId: string;
  /** As the authorization request had it. */
  readonly redirectUri: string;
  readonly codeChallenge: string | null;
  readonly expiresAt: Temporal.Instant;
  readonly redeemedAt: Temporal.Instant | null;
  /** Wrong attempts so far. */
  readonly failures: number;
}

/**
 * The decision about a code. The statement that redeems must repeat the conditions: only the database decides who was
 * first.
 */
export type ExchangeVerdict =
  | { readonly kind: 'REDEEM' }
  /** The code stays as it is. */
  | { readonly kind: 'REFUSE'; readonly error: OAuthError }
  /** The code stays usable, and `failures` grows by one; at MAX_CODE_FAILURES it is burned. */
  | { readonly kind: 'COUNT_FAILURE'; readonly error: OAuthError }
  /** The client sent its own request twice: the second is refused, the tokens of the first stay. */
  | { readonly kind: 'DUPLICATE'; readonly error: OAuthError }
  /** A second party holds the code and all that proves it (RFC 6749 §4.1.2): the grant it led to is revoked. */
  | { readonly kind: 'REPLAY'; readonly error: OAuthError };

export const MAX_CODE_FAILURES = 5;
export const DUPLICATE_SECONDS = 10;

type Check = (request: TokenRequest, code: StoredCode) => ExchangeVerdict | undefined;

/** The proofs that are needed before a code is spent, or before its second coming means anything. */
const PROOFS: readonly Check[] = [
  clientIsTheOneAuthorized,
  verifierIsExpected,
  verifierIsPresent,
  verifierIsRight,
  redirectUriIsTheSame,
];

/**
 * Checks, before the code is looked up, everything that is wrong whatever the code is. `redirect_uri` is required with PKCE too
 * (specification §4.2, RFC 6749 §4.1.3), though OAuth 2.1 drops it.
 */
export function exchangeIsComplete({ code, codeVerifier, redirectUri }: TokenRequest): OAuthError | undefined {
  if (code === undefined) return oauthError('invalid_request', 'code is missing; send the code from the redirect.');
  if (redirectUri === undefined)
    return oauthError('invalid_request', 'redirect_uri is missing; send the one of the authorization request.');
  if (codeVerifier === undefined || isCodeVerifier(codeVerifier)) return undefined;
  return oauthError(
    'invalid_request',
    'code_verifier must have 43 to 128 characters out of A-Z a-z 0-9 - . _ ~ (RFC 7636).',
  );
}

/** Judges an exchange by an authenticated client. `code` is undefined when it is unknown. */
export function judgeExchange(
  request: TokenRequest,
  code: StoredCode | undefined,
  now: Temporal.Instant,
): ExchangeVerdict {
  if (!code || code.failures >= MAX_CODE_FAILURES) return refuse(CODE_UNUSABLE);
  const failedProof = firstVerdict(PROOFS, request, code);
  if (code.redeemedAt) return failedProof ? refuse(CODE_UNUSABLE) : judgeSecondComing(code, code.redeemedAt, now);
  if (now.epochMilliseconds >= code.expiresAt.epochMilliseconds) return refuse(CODE_UNUSABLE);
  return failedProof ?? { kind: 'REDEEM' };
}

/** Unknown, expired, used or burned: one answer, so that it tells nothing about codes of others. */
export const CODE_UNUSABLE = oauthError(
  'invalid_grant',
  'The code is unknown, expired or used, or is not for this client; send the user through the authorization again.',
);

/** Without PKCE a retry cannot be told from a thief who learned the code, so only a proven verifier excuses it. */
function judgeSecondComing(code: StoredCode, redeemedAt: Temporal.Instant, now: Temporal.Instant): ExchangeVerdict {
  const isFresh = Temporal.Instant.compare(now, redeemedAt.add({ seconds: DUPLICATE_SECONDS })) < 0;
  return { kind: isFresh && code.codeChallenge !== null ? 'DUPLICATE' : 'REPLAY', error: CODE_UNUSABLE };
}

function firstVerdict(checks: readonly Check[], request: TokenRequest, code: StoredCode): ExchangeVerdict | undefined {
  for (const check of checks) {
    const verdict = check(request, code);
    if (verdict) return verdict;
  }
  return undefined;
}

function clientIsTheOneAuthorized({ credentials }: TokenRequest, code: StoredCode): ExchangeVerdict | undefined {
  return credentials.clientId === code.clientId ? undefined : countFailure(CODE_UNUSABLE);
}

/** Else an attacker could strip the challenge from the authorization request and nobody would notice (RFC 9700 §2.1.1). */
function verifierIsExpected({ codeVerifier }: TokenRequest, code: StoredCode): ExchangeVerdict | undefined {
  if (codeVerifier === undefined || code.codeChallenge !== null) return undefined;
  return refuse(
    oauthError(
      'invalid_request',
      'code_verifier is sent for a code that was requested without code_challenge; leave it out, or send a code_challenge first.',
    ),
  );
}

function verifierIsPresent({ codeVerifier }: TokenRequest, code: StoredCode): ExchangeVerdict | undefined {
  if (codeVerifier !== undefined || code.codeChallenge === null) return undefined;
  return countFailure(
    oauthError(
      'invalid_grant',
      'code_verifier is missing; send the one that the code_challenge of the authorization request was made of.',
    ),
  );
}

function verifierIsRight({ codeVerifier }: TokenRequest, code: StoredCode): ExchangeVerdict | undefined {
  if (codeVerifier === undefined || code.codeChallenge === null) return undefined;
  if (verifierMatches(codeVerifier, code.codeChallenge)) return undefined;
  return countFailure(
    oauthError(
      'invalid_grant',
      'code_verifier does not fit the code_challenge of the authorization request; send the one that it was made of.',
    ),
  );
}

function redirectUriIsTheSame({ redirectUri }: TokenRequest, code: StoredCode): ExchangeVerdict | undefined {
  if (redirectUri === code.redirectUri) return undefined;
  return countFailure(
    oauthError('invalid_grant', 'redirect_uri is not the one of the authorization request; send that one.'),
  );
}

function refuse(error: OAuthError): ExchangeVerdict {
  return { kind: 'REFUSE', error };
}

function countFailure(error: OAuthError): ExchangeVerdict {
  return { kind: 'COUNT_FAILURE', error };
}
