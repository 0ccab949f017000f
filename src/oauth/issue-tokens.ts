import { SignJWT } from 'jose';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Access } from './protocol/access.ts';
import { ACCESS_TOKEN_TYPE, accessTokenClaims } from './protocol/access-token.ts';
import { refreshToken } from './protocol/credentials.ts';
import type { IssuedTokens } from './protocol/token-response.ts';
import { SIGNING_ALGORITHM } from './signing-key.ts';

/** One generation of a grant: all that its pair of tokens is made of, besides the keys. */
export interface GrantGeneration {
  readonly id: string;
  readonly clientId: string;
  readonly userId: string;
  readonly seed: string;
  readonly generation: number;
  /** When this generation was given out first. */
  readonly rotatedAt: Temporal.Instant;
}

/**
 * The pair of tokens of one generation. Nothing in it is drawn or looked up at this moment, so that whoever asks again
 * gets the identical pair though no token is stored; the signing key is that of the pair's own time.
 */
export async function issueTokens(
  { issuer, keys }: Pick<AuthorizationServer, 'issuer' | 'keys'>,
  { id: grantId, clientId, userId, seed, generation, rotatedAt: issuedAt }: GrantGeneration,
  access: Access,
): Promise<IssuedTokens> {
  const { derivationKey } = keys;
  const { kid, privateKey } = keys.signingKeyAt(issuedAt);
  const token = { issuer, audience: issuer, userId, clientId, grantId, generation, access, issuedAt };
  const accessToken = await new SignJWT({ ...accessTokenClaims(derivationKey, token) })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: ACCESS_TOKEN_TYPE, kid })
    .sign(privateKey);
  return { accessToken, refreshToken: refreshToken(derivationKey, { grantId, seed, generation }), access, issuedAt };
}
