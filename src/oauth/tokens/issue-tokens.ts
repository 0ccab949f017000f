import { sign } from 'node:crypto';
import type { AuthorizationServer } from '../authorization-server.ts';
import { SIGNING_ALGORITHM, type SigningKey } from '../keys/signing-key.ts';
import type { Access } from '../protocol/access.ts';
import { ACCESS_TOKEN_TYPE, accessTokenClaims } from '../protocol/access-token.ts';
import { refreshToken } from '../protocol/credentials.ts';
import type { IssuedTokens } from '../protocol/tokens/token-response.ts';
import type { GrantGeneration } from './stored-grants.ts';

/**
 * The pair of tokens of one generation. Nothing in it is drawn or looked up at this moment, so that a repeated request
 * gets the identical pair though no token is stored; the signing key is that of the pair's own time.
 */
export async function issueTokens(
  { issuer, keys }: Pick<AuthorizationServer, 'issuer' | 'keys'>,
  { id: grantId, clientId, userId, seed, generation, rotatedAt: issuedAt }: GrantGeneration,
  access: Access,
): Promise<IssuedTokens> {
  const { derivationKey } = keys;
  const token = { issuer, audience: issuer, userId, clientId, grantId, generation, access, issuedAt };
  const accessToken = await signed(accessTokenClaims(derivationKey, token), keys.signingKeyAt(issuedAt));
  return { accessToken, refreshToken: refreshToken(derivationKey, { grantId, seed, generation }), access, issuedAt };
}

/**
 * A JWT in compact form (RFC 7515 §7.1). A signature takes a fifth of all that a request does here, so it is made on
 * libuv's threads, of which passwords leave some free. Not by jose, whose way there by Web Crypto takes longer than that.
 */
function signed(claims: object, key: SigningKey): Promise<string> {
  const input = `${headerOf(key)}.${encoded(claims)}`;
  return new Promise((resolve, reject) => {
    sign(null, Buffer.from(input), key.privateKey, (error, signature) => {
      if (error) reject(error);
      else resolve(`${input}.${signature.toString('base64url')}`);
    });
  });
}

const HEADERS = new WeakMap<SigningKey, string>();

/** The same in all tokens of a key. */
function headerOf(key: SigningKey): string {
  const header = HEADERS.get(key) ?? encoded({ alg: SIGNING_ALGORITHM, typ: ACCESS_TOKEN_TYPE, kid: key.kid });
  HEADERS.set(key, header);
  return header;
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
