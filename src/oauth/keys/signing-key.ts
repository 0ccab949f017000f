import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint';

/** The one algorithm: signatures of equal bytes are equal, which the identical retry of a refresh needs. */
export const SIGNING_ALGORITHM = 'EdDSA';

/** The public key by which a client verifies our signatures (RFC 7517, RFC 8037). */
export interface PublicJwk {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly kid: string;
  readonly alg: typeof SIGNING_ALGORITHM;
  readonly use: 'sig';
}

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly publicJwk: PublicJwk;
  /** From here on it signs. It is published before, so that verifiers know it in time. */
  readonly activeAt: Temporal.Instant;
  /** When its successor took over. */
  readonly retiredAt: Temporal.Instant | undefined;
}

/** A new Ed25519 key: its id, and its private part as PKCS #8. */
export async function newSigningKey(): Promise<{ readonly kid: string; readonly pkcs8: Uint8Array }> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
  return { kid: await keyId(createPublicKey(privateKey)), pkcs8 };
}

/** The public part is derived and not read from the database: somebody who can write there still cannot make us trust another key. */
export function readSigningKey(
  kid: string,
  pkcs8: Uint8Array,
  times: Pick<SigningKey, 'activeAt' | 'retiredAt'>,
): SigningKey {
  const privateKey = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const { crv = '', x = '' } = publicKey.export({ format: 'jwk' });
  const publicJwk: PublicJwk = { kty: 'OKP', crv, x, kid, alg: SIGNING_ALGORITHM, use: 'sig' };
  return { kid, privateKey, publicKey, publicJwk, ...times };
}

/** RFC 7638: the id is the key's thumbprint, so it is the same wherever it is computed. */
function keyId(publicKey: KeyObject): Promise<string> {
  return calculateJwkThumbprint(publicKey.export({ format: 'jwk' }));
}
