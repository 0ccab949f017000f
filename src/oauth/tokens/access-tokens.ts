import { JOSEError, JWKSNoMatchingKey } from 'jose/errors';
import { jwtVerify } from 'jose/jwt/verify';
import type { AuthorizationServer } from '../authorization-server.ts';
import { SIGNING_ALGORITHM } from '../keys/signing-key.ts';
import { ACCESS_TOKEN_TYPE, readAccessTokenClaims, type VerifiedAccessToken } from '../protocol/access-token.ts';

/** Longer than any token that we write: what is longer is refused before it costs anything. */
const MAX_LENGTH = 4_096;

/**
 * The content of an access token that we wrote and that has not expired; undefined for everything else. Whether it was
 * revoked is another question. Algorithm, type, issuer and audience are ours to say, never the token's.
 */
export async function verifyAccessToken(
  { issuer, keys, clock }: Pick<AuthorizationServer, 'issuer' | 'keys' | 'clock'>,
  token: string,
): Promise<VerifiedAccessToken | undefined> {
  if (token.length > MAX_LENGTH || !isSpeltAsWritten(token)) return undefined;
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid = '' }) => {
        const key = await keys.verificationKey(kid);
        if (!key) throw new JWKSNoMatchingKey();
        return key.publicKey;
      },
      {
        algorithms: [SIGNING_ALGORITHM],
        typ: ACCESS_TOKEN_TYPE,
        issuer,
        audience: issuer,
        requiredClaims: ['sub', 'exp', 'iat', 'jti', 'client_id', 'grant_id'],
        currentDate: new Date(clock.now()),
      },
    );
    return readAccessTokenClaims(payload);
  } catch (error) {
    if (error instanceof JOSEError) return undefined;
    throw error;
  }
}

/**
 * Decoders of base64url ignore padding and the bits that the last character has to spare. Then one token would have
 * several spellings, and whatever keeps texts of tokens (a list of refused ones, a cache) could be walked around.
 */
function isSpeltAsWritten(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}
