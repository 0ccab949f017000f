import { sign } from 'node:crypto';
import { JOSEError, JWKSNoMatchingKey } from 'jose/errors';
import { jwtVerify } from 'jose/jwt/verify';
import type { AuthorizationServer } from '../authorization-server.ts';
import { SIGNING_ALGORITHM, type SigningKey } from '../keys/signing-key.ts';
import type { Access } from '../protocol/access.ts';
import {
  ACCESS_TOKEN_TYPE,
  accessTokenClaims,
  readAccessTokenClaims,
  type VerifiedAccessToken,
} from '../protocol/access-token.ts';
import { refreshToken } from '../protocol/credentials.ts';
import type { IssuedTokens } from '../protocol/tokens/token-response.ts';
import type { GrantGeneration } from './stored-grants.ts';

/**
 * The pair of tokens of one generation. Nothing in it is drawn or looked up at this moment, so that a repeated request
 * gets the identical pair though no token is stored; the signing key is that of the pair's own time.
 */
export function issueTokens(
  { issuer, keys }: Pick<AuthorizationServer, 'issuer' | 'keys'>,
  { id: grantId, clientId, userId, seed, generation, rotatedAt: issuedAt }: GrantGeneration,
  access: Access,
): IssuedTokens {
  const { derivationKey } = keys;
  const token = { issuer, audience: issuer, userId, clientId, grantId, generation, access, issuedAt };
  const accessToken = signed(accessTokenClaims(derivationKey, token), keys.signingKeyAt(issuedAt));
  return { accessToken, refreshToken: refreshToken(derivationKey, { grantId, seed, generation }), access, issuedAt };
}

/**
 * A JWT in compact form (RFC 7515 §7.1). On the process's own thread: to hand a signature to another one and back takes as
 * much of the processor as half of the signature, and jose's way by Web Crypto takes more than all of it.
 */
function signed(claims: object, key: SigningKey): string {
  const input = `${headerOf(key)}.${encoded(claims)}`;
  return `${input}.${sign(null, Buffer.from(input, 'latin1'), key.privateKey).toString('base64url')}`;
}

const HEADERS = new WeakMap<SigningKey, string>();

/** The header, which is the same in all tokens of a key. */
function headerOf(key: SigningKey): string {
  const header = HEADERS.get(key) ?? encoded({ alg: SIGNING_ALGORITHM, typ: ACCESS_TOKEN_TYPE, kid: key.kid });
  HEADERS.set(key, header);
  return header;
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

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
