import { equalsInConstantTime, sha256Base64url } from '../../core/secret.ts';

/** The one method: `plain` would send the verifier itself through the browser (RFC 9700 §2.1.1). */
export const CODE_CHALLENGE_METHOD = 'S256';

/** A SHA-256 in base64url without padding is 43 characters, never fewer or more (RFC 7636 §4.2). */
export function isCodeChallenge(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** 43 to 128 unreserved characters (RFC 7636 §4.1). */
export function isCodeVerifier(text: string): boolean {
  return /^[A-Za-z0-9._~-]{43,128}$/.test(text);
}

export function challengeOf(verifier: string): string {
  return sha256Base64url(verifier);
}

const EXAMPLE_VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

/** The pair that everybody knows (RFC 7636 Appendix B), for a first try. */
export const EXAMPLE_PKCE = { verifier: EXAMPLE_VERIFIER, challenge: challengeOf(EXAMPLE_VERIFIER) } as const;

/** Whether the sender of the verifier is the sender of the challenge (RFC 7636 §4.6). */
export function verifierMatches(verifier: string, challenge: string): boolean {
  return equalsInConstantTime(challengeOf(verifier), challenge);
}
