import { compactDecrypt } from 'jose/jwe/compact/decrypt';
import { CompactEncrypt } from 'jose/jwe/compact/encrypt';

const ENCRYPTION = { alg: 'dir', enc: 'A256GCM' } as const;

/**
 * A secret as its row holds it: JWE (RFC 7516), encrypted by a key of 32 bytes. Which row it is for is authenticated, so that
 * nobody can swap two rows.
 */
export function encrypted(key: Uint8Array, row: string, secret: Uint8Array): Promise<string> {
  return new CompactEncrypt(secret).setProtectedHeader({ ...ENCRYPTION, kid: row }).encrypt(key);
}

/** Undefined when it was encrypted by another key, or for another row. */
export async function decrypted(key: Uint8Array, row: string, text: string): Promise<Uint8Array | undefined> {
  const options = { keyManagementAlgorithms: [ENCRYPTION.alg], contentEncryptionAlgorithms: [ENCRYPTION.enc] };
  try {
    const { plaintext, protectedHeader } = await compactDecrypt(text, key, options);
    return protectedHeader.kid === row ? plaintext : undefined;
  } catch {
    return undefined;
  }
}
